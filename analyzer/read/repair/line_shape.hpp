// What a line of a plan is at first sight, and where in a damaged line the plan begins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "analyzer/plan/characters.hpp"

namespace planvet::read {

enum class LineShape : std::uint8_t {
  Blank,
  Banner,     // `== Physical Plan ==`, `===== Subqueries =====`, `Subquery:1 Hosting operator id = ..`
  Tree,       // `:  +- Filter (3)`: the connector may be indented
  BlockHead,  // `(3) Filter [codegen id : 1]`
  Field,      // `Output [2]: [a#1, b#2]`: any short key before a colon
  Header,     // `-- planvet: spark 3.5.9`
  Other,      // the root of a tree, prose, the rest of a value with line breaks
};
[[nodiscard]] LineShape shape_of(std::string_view line);

// Only the first line of a tree has no connector: this is what it may begin with.
[[nodiscard]] bool may_start_node(char c);

// A line that only a plan has.
[[nodiscard]] inline bool is_structural(LineShape shape) {
  return shape == LineShape::Banner || shape == LineShape::Tree || shape == LineShape::BlockHead ||
         shape == LineShape::Field;
}

// The first place in a line that looks like the start of plan text, whatever stands before it.
enum class AnchorKind : std::uint8_t { None, Banner, Connector, OtherConnector, BlockHead };
struct Anchor {
  AnchorKind kind = AnchorKind::None;
  std::size_t offset = 0;
};
[[nodiscard]] Anchor find_anchor(std::string_view line);

// A connector that is not Spark's: box drawing, `|- `, `\- `, or a dash that an editor made longer. Length 0: none.
struct OtherConnector {
  std::size_t length = 0;  // bytes, with the blanks after it
  bool is_last = false;    // stands for `+- `, else for `:- `
  bool is_wide = false;    // four columns, as tree(1) draws them
  bool is_ascii = false;
};
[[nodiscard]] OtherConnector other_connector(std::string_view text);

// Bytes of a vertical bar that stands for Spark's `:`, 0 when there is none.
[[nodiscard]] std::size_t other_bar(std::string_view text);

// The bar that ends a line of a table: its offset, npos when the line ends otherwise.
[[nodiscard]] std::size_t right_bar(std::string_view line);

// Visits (begin, end) of each line, without the line break. A text that ends with one has no empty line after it.
template <typename Visit>
void for_each_line(std::string_view text, Visit visit) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    const void* const found = std::memchr(text.data() + begin, '\n', text.size() - begin);
    const std::size_t end =
        found == nullptr ? text.size() : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    visit(begin, end);
    begin = end + 1;
  }
}

// The end of the line that begins at `begin`: its '\n' or the end of the text.
[[nodiscard]] inline std::size_t line_end(std::string_view text, std::size_t begin) {
  const std::size_t end = text.find('\n', begin);
  return end == std::string_view::npos ? text.size() : end;
}

[[nodiscard]] inline std::string_view without_trailing_blanks(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}
[[nodiscard]] inline std::size_t leading_blanks(std::string_view text) {
  std::size_t count = 0;
  while (count < text.size() && text[count] == ' ') ++count;
  return count;
}

// Where plans begin: offsets of the lines with `== Physical Plan ==` or a logical plan before it, wherever in the line
// it stands. Damage is looked for plan by plan, so that a damaged one changes nothing in its neighbours.
// Visits (begin, end) of each part; the first one takes in what stands before the first plan.
template <typename Visit>
void for_each_plan(std::string_view text, Visit visit) {
  constexpr std::string_view kFirst[] = {"== Physical Plan", "== Parsed Logical Plan", "== Optimized Logical Plan"};
  std::size_t begin = 0;
  std::size_t next = 0;
  std::size_t line = 0;  // the line that `next` is in, once it is looked for
  std::size_t line_break = line_end(text, 0);
  bool seen = false;
  bool logical = false;  // an extended explain has several sections; they are one plan
  while ((next = text.find("== ", next)) != std::string_view::npos) {
    const std::string_view rest = text.substr(next, 32);
    const bool physical = rest.starts_with(kFirst[0]);
    const bool starts = physical ? !logical : rest.starts_with(kFirst[1]) || (rest.starts_with(kFirst[2]) && !logical);
    if (starts && seen) {
      for (; line_break < next; line_break = line_end(text, line)) line = line_break + 1;
      if (line > begin) {
        visit(begin, line);
        begin = line;
      }
    }
    if (starts) seen = true;
    if (physical) {
      logical = false;
    } else if (starts) {
      logical = true;
    }
    next += 3;
  }
  visit(begin, text.size());
}

}  // namespace planvet::read
