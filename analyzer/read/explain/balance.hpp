// Values that run over several lines: a literal or a column name holds a line break, or Spark printed a whole plan as an
// argument. Such a value has an open bracket at the end of its first line and closes it on a later one.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "analyzer/read/explain/lines.hpp"

namespace planvet::read::explain {

// Opened minus closed brackets of all three kinds.
[[nodiscard]] int bracket_depth(std::string_view text);

// Answers for one text; remembers what it counted, for open values make it look at the same lines again and again.
class Balance {
 public:
  Balance(std::string_view text, std::span<const Line> lines) : text_(text), lines_(lines) {}

  // The index of the last line that still belongs to a value which starts on `line` at offset `value_begin`; `line`
  // itself where the value is closed there, or not above line `end` (cut values lose their brackets for good).
  [[nodiscard]] std::size_t last_line_of_value(std::size_t line, std::uint32_t value_begin, std::size_t end);

 private:
  int depth_of_line(std::size_t line);

  std::string_view text_;
  std::span<const Line> lines_;
  std::vector<int> depths_;  // by line; kUnknown until asked for
};

}  // namespace planvet::read::explain
