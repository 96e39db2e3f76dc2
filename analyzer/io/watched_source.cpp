#include "analyzer/io/watched_source.hpp"

#include <algorithm>

#include "analyzer/io/interrupt.hpp"

namespace planvet::io {

std::size_t CountedSource::read(std::span<char> buffer) {
  const std::size_t size = source_.read(buffer);
  if (watch_ != nullptr) watch_->bytes += size;
  if (size > 0) something_was_read();
  if (size == 0) set_problem(source_.problem());
  return size;
}

std::size_t StoppableLines::read(std::span<char> buffer) {
  if (is_at_end_) return 0;
  const std::size_t size = source_.read(buffer);
  if (size == 0) {
    set_problem(source_.problem());
    return 0;
  }
  if (watch_ == nullptr || !watch_->wants_stop()) return size;
  watch_->was_stopped = true;
  const auto bytes = buffer.first(size);
  const auto line_break = std::ranges::find(bytes, '\n');
  if (line_break == bytes.end()) return size;
  is_at_end_ = true;
  return static_cast<std::size_t>(line_break - bytes.begin()) + 1;
}

}  // namespace planvet::io
