// A cell of CSV that keeps its line breaks: quotes around it, quotes inside it doubled.
//
//   id,plan
//   1,"== Physical Plan ==
//   *(1) Filter (name#1 = ""x"")
//   +- ..."

#include <algorithm>
#include <string_view>

#include "analyzer/read/repair/damages.hpp"
#include "analyzer/read/repair/line_shape.hpp"

namespace planvet::read {

namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::size_t kLongestLead = 4096;  // other columns before the plan's

bool may_follow_cell(std::string_view rest) {
  return rest.empty() || std::string_view(",;\t\r\n|").find(rest.front()) != kNone;
}

// The quote that opens a plan's cell on this line: its offset in the text.
std::size_t opening_quote(std::string_view text, std::size_t begin, std::size_t end) {
  const std::string_view line = text.substr(begin, std::min(end - begin, kLongestLead));
  const Anchor anchor = find_anchor(line);
  if (anchor.kind == AnchorKind::Banner && anchor.offset > 0) {
    const std::string_view before = without_trailing_blanks(line.substr(0, anchor.offset));
    return before.ends_with('"') && !before.ends_with("\"\"") ? begin + before.size() - 1 : kNone;
  }
  // Without a banner: the cell is the first thing on its line, and a tree line comes next.
  if (!line.starts_with('"') || line.size() < 2 || !may_start_node(line[1]) || end + 1 >= text.size()) return kNone;
  const std::string_view next = text.substr(end + 1, line_end(text, end + 1) - end - 1);
  return shape_of(next) == LineShape::Tree ? begin : kNone;
}

std::size_t closing_quote(std::string_view text, std::size_t at) {
  while ((at = text.find('"', at)) != kNone) {
    if (at + 1 < text.size() && text[at + 1] == '"') {
      at += 2;
      continue;
    }
    return may_follow_cell(text.substr(at + 1)) ? at : kNone;
  }
  return kNone;
}

}  // namespace

void undo_quoted_cells(Rewriter& out) {
  const std::string_view text = out.input();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = line_end(text, begin);
    const std::size_t open = opening_quote(text, begin, end);
    const std::size_t close = open == kNone ? kNone : closing_quote(text, open + 1);
    if (close == kNone || close < end) {  // on one line it is no cell with line breaks
      begin = end + 1;
      continue;
    }
    // Where the whole table is indented, so is the plan's first line.
    const std::size_t blanks = leading_blanks(text.substr(begin, open - begin));
    const bool is_indented = leading_blanks(text.substr(end + 1)) >= blanks;
    out.remove(std::max(begin + (is_indented ? blanks : 0), out.position()), open + 1, RepairKind::QuotedCell);
    for (std::size_t quote = text.find('"', open + 1); quote < close; quote = text.find('"', quote + 2))
      out.replace(quote, quote + 2, "\"", RepairKind::QuotedCell);
    // The columns after it must not be read as the rest of the last operator.
    out.copy_to(close);
    std::size_t rest = line_end(text, close);
    const std::size_t next = opening_quote(text, close + 1, rest);
    const bool is_whole = out.last_written() == '\n';
    if (next != kNone) {
      out.replace(close, next, "\n", RepairKind::QuotedCell);
      begin = next;
      continue;
    }
    const bool is_end = rest + 1 >= text.size();
    if (is_end && is_whole) rest = text.size();
    out.replace(close, rest, is_end || is_whole ? "" : "\n", RepairKind::QuotedCell);
    begin = std::min(rest + 1, text.size());
  }
}

}  // namespace planvet::read
