// Lines of a source, in one buffer that is used again and again.
//
//   buffer   ...{"Event":"SparkListenerTaskEnd",..}\n{"Event":"Spark|          room for what comes      |padding
//               ^ a line, without its break                 ^ read up to here
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "analyzer/plan/byte_source.hpp"

namespace planvet::read::eventlog {

// simdjson reads up to so many bytes behind the end of what it parses.
inline constexpr std::size_t kPadding = 64;

class LineReader {
 public:
  explicit LineReader(ByteSource& source);

  // The next line; valid until the next call, with kPadding readable bytes behind it. Nothing: the end. An empty view:
  // an empty line, or one longer than any line of an event log, which was skipped (see skipped_lines()).
  std::optional<std::string_view> next();

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }  // of the lines so far, with their breaks
  [[nodiscard]] std::uint64_t skipped_lines() const { return skipped_lines_; }
  [[nodiscard]] bool last_line_had_break() const { return last_line_had_break_; }

 private:
  bool fill();
  void skip_to_break();

  ByteSource& source_;
  std::size_t capacity_;
  std::unique_ptr<char[]> buffer_;  // kPadding larger than the capacity
  std::size_t begin_ = 0;           // of the next line
  std::size_t end_ = 0;             // of what was read
  std::uint64_t bytes_ = 0;
  std::uint64_t skipped_lines_ = 0;
  bool is_at_end_ = false;
  bool last_line_had_break_ = true;
};

}  // namespace planvet::read::eventlog
