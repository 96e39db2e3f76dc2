#include "analyzer/read/explain/balance.hpp"

#include <array>

namespace planvet::read::explain {
namespace {

// A plan inside a value (InMemoryRelation) has no blank lines and may be long; a literal with line breaks is short.
constexpr std::size_t kMostLines = 400;

constexpr std::array<std::int8_t, 256> kBracket = [] {
  std::array<std::int8_t, 256> table{};
  table['('] = table['['] = table['{'] = 1;
  table[')'] = table[']'] = table['}'] = -1;
  return table;
}();

// Enough for nearly every line: what ends in a closing bracket is closed.
bool may_be_open(std::string_view value) {
  if (value.empty()) return false;
  const char last = value.back();
  if ((value.front() == '[' && last == ']') || (value.front() == '(' && last == ')')) return false;
  return true;
}

}  // namespace

int bracket_depth(std::string_view text) {
  int depth = 0;
  for (const char character : text) depth += kBracket[static_cast<unsigned char>(character)];
  return depth;
}

int Balance::depth_of_line(std::size_t line) {
  constexpr int kUnknown = INT32_MIN;
  if (depths_.empty()) depths_.assign(lines_.size(), kUnknown);
  int& depth = depths_[line];
  if (depth == kUnknown) {
    depth = bracket_depth(text_.substr(lines_[line].whole.begin, lines_[line].whole.end - lines_[line].whole.begin));
  }
  return depth;
}

std::size_t Balance::last_line_of_value(std::size_t line, std::uint32_t value_begin, std::size_t end) {
  const std::string_view first = text_.substr(value_begin, lines_[line].whole.end - value_begin);
  if (!may_be_open(first)) return line;
  int depth = bracket_depth(first);
  if (depth <= 0) return line;
  for (std::size_t at = line + 1; at < end && at - line <= kMostLines; ++at) {
    if (lines_[at].kind == LineKind::OwnHeader) break;
    depth += depth_of_line(at);
    if (depth <= 0) return depth == 0 ? at : line;
  }
  return line;
}

}  // namespace planvet::read::explain
