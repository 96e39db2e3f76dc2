#include "analyzer/io/stream_source.hpp"

#include <algorithm>

namespace planvet::io {

namespace {

// What is looked at first is little: a terminal or a slow pipe should not have to fill a large buffer.
constexpr std::size_t kFirstPiece = std::size_t{1} << 16U;

}  // namespace

std::size_t StreamSource::read(std::span<char> buffer) {
  const std::size_t wanted = keeps_ ? std::min(buffer.size(), kFirstPiece) : buffer.size();
  stream_.read(buffer.data(), static_cast<std::streamsize>(wanted));
  const auto size = static_cast<std::size_t>(stream_.gcount());
  if (keeps_) kept_.append(buffer.data(), size);
  return size;
}

void StreamSource::forget() {
  keeps_ = false;
  kept_.clear();
  kept_.shrink_to_fit();
}

}  // namespace planvet::io
