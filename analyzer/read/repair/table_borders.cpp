// Borders of the table in which a client shows the one cell that EXPLAIN returns.
//
//   +----+                     +---------------------+             QUERY PLAN
//   |plan|                     | plan                |        --------------------
//   +----+                     +---------------------+         == Physical Plan ==+
//   |== Physical Plan ==       | == Physical Plan == |         *(1) Project       +
//   +- ...                     | +- ...              |         +- ...
//   |                          +---------------------+        (1 row)
//   +----+
//
// Left: the cell keeps its own line breaks. Middle: every line has borders. Right: a sign for "goes on" at the end.

#include <algorithm>
#include <string_view>
#include <vector>

#include "analyzer/read/repair/damages.hpp"
#include "analyzer/read/repair/line_shape.hpp"

namespace planvet::read {

namespace {

std::size_t box_size(std::string_view text) {
  // Any of U+2500 to U+257F.
  return text.size() > 2 && text[0] == '\xe2' && (text[1] == '\x94' || text[1] == '\x95') ? 3 : 0;
}

// `+-----+----+`, or the same in box drawing.
bool is_border(std::string_view line) {
  line = without_trailing_blanks(line.substr(leading_blanks(line)));
  if (line.size() < 4) return false;
  if (line[0] == '+') {
    return line.back() == '+' && line.find_first_not_of("+-=") == std::string_view::npos &&
           line.find_first_of("-=") != std::string_view::npos;
  }
  // Markdown: |------|
  if (line[0] == '|')
    return line.back() == '|' && line.find("--") != std::string_view::npos &&
           line.find_first_not_of("|-: ") == std::string_view::npos;
  std::size_t size = 0;
  while (box_size(line.substr(size)) != 0) size += 3;
  return size == line.size() && size >= 9;
}

std::size_t left_bar(std::string_view line) { return other_bar(line); }

class Table {
 public:
  Table(Rewriter& out, std::size_t begin) : out_(out), text_(out.input()), begin_(begin) {}

  // From the border at begin: removes what belongs to the table. Returns where to go on.
  std::size_t repair() {
    const std::size_t header = next_line(begin_);
    if (header >= text_.size()) return header;
    const std::string_view first = line_at(header);
    std::size_t cell = header;
    const std::size_t indent = leading_blanks(first);
    if (left_bar(first.substr(indent)) == 0) return header;
    // A head and a second border, or the cell at once.
    const std::size_t second = next_line(header);
    const bool has_head = second < text_.size() && is_border(line_at(second)) && !has_plan(first);
    if (has_head) cell = next_line(second);
    if (cell >= text_.size()) return cell;
    if (!has_plan_near(cell)) return next_line(begin_);
    out_.remove(begin_, header, RepairKind::TableBorder);
    if (has_head) out_.remove(header, cell, RepairKind::TableBorder);
    const std::string_view head = has_head ? first.substr(indent) : line_at(cell);
    const std::size_t bar = left_bar(head);
    indent_ = leading_blanks(line_at(begin_));
    padding_ = bar > 0 && head.substr(bar).starts_with(' ') ? 1 : 0;
    return is_bordered(cell) ? bordered(cell) : open(cell);
  }

 private:
  [[nodiscard]] std::string_view line_at(std::size_t begin) const {
    return text_.substr(begin, line_end(text_, begin) - begin);
  }
  [[nodiscard]] std::size_t next_line(std::size_t begin) const {
    return std::min(line_end(text_, begin) + 1, text_.size());
  }
  static bool has_plan(std::string_view line) { return find_anchor(line.substr(0, 512)).kind != AnchorKind::None; }
  [[nodiscard]] bool has_plan_near(std::size_t begin) const {
    for (int lines = 0; lines < 8 && begin < text_.size(); ++lines, begin = next_line(begin))
      if (has_plan(line_at(begin)) && !is_border(line_at(begin))) return true;
    return false;
  }
  // The second line of the cell has a border too.
  [[nodiscard]] bool is_bordered(std::size_t cell) const {
    const std::size_t second = next_line(cell);
    if (second >= text_.size()) return false;
    const std::string_view line = line_at(second);
    return left_bar(line.substr(leading_blanks(line))) > 0 && right_bar(line) != std::string_view::npos &&
           right_bar(line) > leading_blanks(line);
  }

  void strip_left(std::size_t begin, std::string_view line) {
    const std::size_t indent = leading_blanks(line);
    const std::size_t bar = left_bar(line.substr(indent));
    if (bar == 0) return;
    const std::size_t pad = line.substr(indent + bar).starts_with(' ') ? padding_ : 0;
    out_.remove(begin + (indent == indent_ ? indent : 0), begin + indent + bar + pad, RepairKind::TableBorder);
  }
  void strip_right(std::size_t begin, std::string_view line) {
    const std::size_t bar = right_bar(line);
    if (bar == std::string_view::npos) return;
    const std::size_t end = without_trailing_blanks(line.substr(0, bar)).size();
    const std::size_t from = std::max(begin + end, out_.position());
    if (from < begin + line.size()) out_.remove(from, begin + line.size(), RepairKind::TableBorder);
  }

  std::size_t bordered(std::size_t begin) {
    while (begin < text_.size()) {
      const std::string_view line = line_at(begin);
      const std::size_t next = next_line(begin);
      if (is_border(line)) {
        out_.remove(begin, begin + line.size(), RepairKind::TableBorder);
      } else {
        if (left_bar(line.substr(leading_blanks(line))) == 0) break;
        strip_left(begin, line);
        strip_right(begin, line);
      }
      begin = next;
    }
    return begin;
  }

  // Only the first line of a cell begins with the bar, only its last ends with one.
  std::size_t open(std::size_t begin) {
    bool first = true;
    while (begin < text_.size()) {
      const std::string_view line = line_at(begin);
      const std::size_t next = next_line(begin);
      if (is_border(line)) {
        out_.remove(begin, begin + line.size(), RepairKind::TableBorder);
        return next;
      }
      const bool starts_cell = first || (left_bar(line) > 0 && has_plan(line));
      if (starts_cell) strip_left(begin, line);
      first = false;
      const bool ends_cell =
          next >= text_.size() || is_border(line_at(next)) || (left_bar(line_at(next)) > 0 && has_plan(line_at(next)));
      if (ends_cell) strip_right(begin, line);
      begin = next;
    }
    return begin;
  }

  Rewriter& out_;
  std::string_view text_;
  std::size_t begin_;
  std::size_t padding_ = 0;
  std::size_t indent_ = 0;  // of the whole table
};

// psql: lines that end in '+', but for the last.
class Continued {
 public:
  explicit Continued(Rewriter& out) : out_(out), text_(out.input()) {}

  std::size_t repair(std::size_t begin) {
    std::vector<std::size_t> starts;
    bool has_plan = false;
    std::size_t next = begin;
    for (; next < text_.size(); next = std::min(line_end(text_, next) + 1, text_.size())) {
      const std::string_view line = without_trailing_blanks(text_.substr(next, line_end(text_, next) - next));
      if (!line.ends_with('+') || line.size() < 3) break;
      has_plan = has_plan || find_anchor(line.substr(0, 512)).kind != AnchorKind::None;
      starts.push_back(next);
    }
    if (starts.size() < 2 || !has_plan) return std::max(next, std::min(line_end(text_, begin) + 1, text_.size()));
    for (const std::size_t start : starts) {
      const std::size_t end = line_end(text_, start);
      std::string_view line = without_trailing_blanks(text_.substr(start, end - start));
      line.remove_suffix(1);
      out_.remove(start + without_trailing_blanks(line).size(), end, RepairKind::TableBorder);
    }
    return next;
  }

 private:
  Rewriter& out_;
  std::string_view text_;
};

}  // namespace

void undo_table_borders(Rewriter& out) {
  const std::string_view text = out.input();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = line_end(text, begin);
    const std::string_view line = text.substr(begin, end - begin);
    if (is_border(line)) {
      begin = Table(out, begin).repair();
    } else if (without_trailing_blanks(line).ends_with('+') && shape_of(line) != LineShape::Blank) {
      begin = Continued(out).repair(begin);
    } else {
      begin = std::min(end + 1, text.size());
    }
  }
}

}  // namespace planvet::read
