// Sources that somebody looks at while they are read: how far it is, and whether to go on.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>

#include "analyzer/plan/byte_source.hpp"

namespace planvet::io {

struct ReadWatch {
  std::atomic<std::uint64_t> bytes{0};    // as they are in files
  std::function<bool()> is_stopped = {};  // asked from any thread; nothing: never
  std::atomic<bool> was_stopped{false};   // something was not read for that
  [[nodiscard]] bool wants_stop() const { return is_stopped && is_stopped(); }
};

// Counts what is read of another source.
class CountedSource : public ByteSource {
 public:
  CountedSource(ByteSource& source, ReadWatch* watch) : source_(source), watch_(watch) {}
  [[nodiscard]] std::size_t read(std::span<char> buffer) override;

 private:
  ByteSource& source_;
  ReadWatch* watch_;
};

// Ends when it is told to, behind the line that is being read: what was read is whole.
class StoppableLines : public ByteSource {
 public:
  StoppableLines(ByteSource& source, ReadWatch* watch) : source_(source), watch_(watch) {}
  [[nodiscard]] std::size_t read(std::span<char> buffer) override;

 private:
  ByteSource& source_;
  ReadWatch* watch_;
  bool is_at_end_ = false;
};

}  // namespace planvet::io
