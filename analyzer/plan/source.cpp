#include "analyzer/plan/source.hpp"

#include <algorithm>
#include <cstring>

namespace planvet {

namespace {

// In blocks whose count fits into a byte, which compilers make sixteen at a time of: every finding asks for this.
std::uint32_t count_line_breaks(std::string_view text) {
  constexpr std::size_t kBlock = 255;
  std::uint32_t count = 0;
  for (; !text.empty(); text.remove_prefix(std::min(kBlock, text.size()))) {
    std::uint8_t in_block = 0;
    for (const char c : text.substr(0, kBlock)) in_block = static_cast<std::uint8_t>(in_block + (c == '\n' ? 1 : 0));
    count += in_block;
  }
  return count;
}

}  // namespace

const std::vector<std::uint32_t>& SourceBytes::line_starts() const {
  if (line_starts_.empty()) {
    line_starts_.push_back(0);
    const char* const begin = bytes_.data();
    const char* const end = begin + bytes_.size();
    for (const char* at = begin; at < end; ++at) {
      at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
      if (at == nullptr) break;
      line_starts_.push_back(static_cast<std::uint32_t>(at - begin + 1));
    }
  }
  return line_starts_;
}

Position SourceBytes::position(std::uint32_t offset) const {
  const auto& starts = line_starts();
  const auto next = std::upper_bound(starts.begin(), starts.end(), offset);
  const auto line = static_cast<std::uint32_t>(next - starts.begin());
  return {line, offset - starts[line - 1] + 1, std::nullopt};
}

std::string_view SourceBytes::line(std::uint32_t number) const {
  const auto& starts = line_starts();
  if (number == 0 || number > starts.size()) return {};
  const std::string_view all = bytes_;
  const std::uint32_t begin = starts[number - 1];
  std::size_t end = number < starts.size() ? starts[number] - 1 : all.size();
  if (end > begin && all[end - 1] == '\r') --end;
  return all.substr(begin, end - begin);
}

Source::Source(std::shared_ptr<const SourceBytes> bytes) : bytes_(std::move(bytes)) {}

Source::Source(std::shared_ptr<const SourceBytes> bytes, std::string text, OffsetMap map)
    : bytes_(std::move(bytes)), text_(std::make_unique<const std::string>(std::move(text))), map_(std::move(map)) {}

Span Source::span_of(std::string_view view) const {
  const std::string_view all = text();
  // A view that lies elsewhere has no place here; its span is empty at the start.
  if (view.data() < all.data() || view.data() + view.size() > all.data() + all.size()) return {};
  const auto begin = static_cast<std::uint32_t>(view.data() - all.data());
  return {begin, begin + static_cast<std::uint32_t>(view.size())};
}

Position Source::position(std::uint32_t offset) const {
  if (!is_decoded()) return bytes_->position(offset);
  Position position = bytes_->position(map_.original(offset));
  position.plan_line = count_line_breaks(text().substr(0, offset)) + 1;
  return position;
}

}  // namespace planvet
