#include "analyzer/read/eventlog/line_reader.hpp"

#include <algorithm>
#include <cstring>

namespace planvet::read::eventlog {
namespace {

// Small enough to stay in the cache between the kernel and the parsers.
constexpr std::size_t kFirstCapacity = std::size_t{1} << 16U;
// Plan texts of tens of thousands of columns reach 100 MB. A decompression bomb without a line break ends here.
constexpr std::size_t kLongestLine = std::size_t{1} << 28U;

}  // namespace

LineReader::LineReader(ByteSource& source)
    : source_(source), capacity_(kFirstCapacity), buffer_(new char[kFirstCapacity + kPadding]()) {}

// Makes room and reads once; false: nothing came.
bool LineReader::fill() {
  if (is_at_end_) return false;
  if (begin_ > 0 && end_ > begin_) std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ == capacity_) {
    const std::size_t larger = capacity_ * 2;
    std::unique_ptr<char[]> buffer(new char[larger + kPadding]());
    std::memcpy(buffer.get(), buffer_.get(), end_);
    buffer_ = std::move(buffer);
    capacity_ = larger;
  }
  const std::size_t got = source_.read({buffer_.get() + end_, capacity_ - end_});
  end_ += got;
  is_at_end_ = got == 0;
  return got != 0;
}

void LineReader::skip_to_break() {
  ++skipped_lines_;
  while (true) {
    bytes_ += end_ - begin_;
    begin_ = end_ = 0;
    if (!fill()) return;
    if (const void* const found = std::memchr(buffer_.get(), '\n', end_)) {
      begin_ = static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.get()) + 1;
      bytes_ += begin_;
      return;
    }
  }
}

std::optional<std::string_view> LineReader::next() {
  std::size_t searched = 0;  // of the line
  while (true) {
    const char* const line = buffer_.get() + begin_;
    const void* const found = std::memchr(line + searched, '\n', end_ - begin_ - searched);
    if (found != nullptr) {
      const auto size = static_cast<std::size_t>(static_cast<const char*>(found) - line);
      begin_ += size + 1;
      bytes_ += size + 1;
      last_line_had_break_ = true;
      return std::string_view(line, size);
    }
    searched = end_ - begin_;
    if (searched >= kLongestLine) {
      skip_to_break();
      return std::string_view();
    }
    if (fill()) continue;
    if (searched == 0) return std::nullopt;
    const std::string_view rest(buffer_.get() + begin_, searched);
    begin_ = end_;
    bytes_ += searched;
    last_line_had_break_ = false;
    return rest;
  }
}

}  // namespace planvet::read::eventlog
