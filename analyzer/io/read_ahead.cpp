#include "analyzer/io/read_ahead.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace planvet::io {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20U;
constexpr std::size_t kMostPieces = 8;

}  // namespace

ReadAhead::ReadAhead(ByteSource& source) : source_(source), thread_([this] { run(); }) {}

ReadAhead::~ReadAhead() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void ReadAhead::run() {
  while (true) {
    std::vector<char> piece;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return is_stopped_ || pieces_.size() < kMostPieces; });
      if (is_stopped_) return;
      if (!free_.empty()) {
        piece = std::move(free_.back());
        free_.pop_back();
      }
    }
    piece.resize(kPiece);
    std::size_t size = 0;  // decoders give out little at a time
    while (size < kPiece) {
      const std::size_t got = source_.read(std::span(piece).subspan(size));
      if (got == 0) break;
      size += got;
    }
    piece.resize(size);
    {
      const std::lock_guard lock(mutex_);
      is_done_ = size < kPiece;
      if (size > 0) pieces_.push_back(std::move(piece));
      if (is_done_) set_problem(source_.problem());
    }
    changed_.notify_all();
    if (size < kPiece) return;
  }
}

std::size_t ReadAhead::read(std::span<char> buffer) {
  if (at_ == current_.size()) {
    std::unique_lock lock(mutex_);
    if (current_.capacity() > 0) free_.push_back(std::move(current_));
    current_.clear();
    at_ = 0;
    changed_.wait(lock, [this] { return is_done_ || !pieces_.empty(); });
    if (pieces_.empty()) return 0;
    current_ = std::move(pieces_.front());
    pieces_.pop_front();
    lock.unlock();
    changed_.notify_all();
  }
  const std::size_t size = std::min(buffer.size(), current_.size() - at_);
  std::memcpy(buffer.data(), current_.data() + at_, size);
  at_ += size;
  return size;
}

}  // namespace planvet::io
