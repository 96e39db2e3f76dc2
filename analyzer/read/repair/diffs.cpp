// A unified diff of plan files: the new side of it.
//
//   @@ -1,3 +1,3 @@
//    == Physical Plan ==             == Physical Plan ==
//   -Project [a#1]              ->   Project [a#1, b#2]
//   +Project [a#1, b#2]              +- Scan ...
//    +- Scan ...
//
// A tree connector begins with the same sign as an added line, so only lines that a hunk's head has counted are touched.

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "analyzer/read/repair/damages.hpp"
#include "analyzer/read/repair/line_shape.hpp"

namespace planvet::read {

namespace {

struct HunkHead {
  std::size_t old_lines = 0;
  std::size_t new_lines = 0;
  bool is_valid = false;
};

// `12,5` or `12` after a sign: the number of lines.
bool read_range(std::string_view& text, char sign, std::size_t& lines) {
  if (!text.starts_with(sign)) return false;
  text.remove_prefix(1);
  const auto number = [&](std::size_t& value) {
    std::size_t digits = 0;
    value = 0;
    for (; digits < text.size() && digits < 9 && is_digit(text[digits]); ++digits)
      value = value * 10 + static_cast<std::size_t>(text[digits] - '0');
    text.remove_prefix(digits);
    return digits > 0;
  };
  std::size_t start = 0;
  if (!number(start)) return false;
  lines = 1;
  if (!text.starts_with(',')) return true;
  text.remove_prefix(1);
  return number(lines);
}

HunkHead hunk_head(std::string_view line) {
  HunkHead head;
  if (!line.starts_with("@@ ")) return head;
  line.remove_prefix(3);
  if (!read_range(line, '-', head.old_lines) || !line.starts_with(' ')) return head;
  line.remove_prefix(1);
  head.is_valid = read_range(line, '+', head.new_lines) && line.starts_with(" @@");
  return head;
}

bool is_file_line(std::string_view line) {
  for (const std::string_view start : {"diff --git ", "index ", "--- ", "+++ ", "new file mode ", "deleted file mode "})
    if (line.starts_with(start)) return true;
  return false;
}

class Hunk {
 public:
  Hunk(Rewriter& out, std::size_t begin, const HunkHead& head)
      : out_(out), text_(out.input()), begin_(begin), head_(head) {}

  // Sets `end` to the start of the first line after the hunk.
  bool has_plan(std::size_t& end) const {
    bool found = false;
    end = for_each_hunk_line(body(), [&](std::size_t begin, std::size_t line_finish, char) {
      const std::size_t content = std::min(begin + 1, line_finish);
      const std::string_view line = text_.substr(content, line_finish - content);
      found = found || is_structural(shape_of(line)) || find_anchor(line.substr(0, 512)).kind != AnchorKind::None;
    });
    return found;
  }

  void repair() {
    const bool keep_old = head_.new_lines == 0;  // a deleted file: there is only the old side
    out_.remove(begin_, body(), RepairKind::Diff);
    for_each_hunk_line(body(), [&](std::size_t begin, std::size_t line_finish, char mark) {
      const bool drop = mark == '\\' || (mark == '-' && !keep_old);
      if (drop) {
        out_.remove(begin, std::min(line_finish + 1, text_.size()), RepairKind::Diff);
      } else if (line_finish > begin) {
        out_.remove(begin, begin + 1, RepairKind::Diff);
      }
    });
  }

 private:
  [[nodiscard]] std::size_t body() const { return std::min(line_end(text_, begin_) + 1, text_.size()); }

  template <typename Visit>
  std::size_t for_each_hunk_line(std::size_t begin, Visit visit) const {
    std::size_t old_lines = head_.old_lines;
    std::size_t new_lines = head_.new_lines;
    while (begin < text_.size()) {
      const std::size_t end = line_end(text_, begin);
      const char mark = begin == end ? ' ' : text_[begin];  // editors trim the blank of an empty line
      if (mark == '\\') {
        visit(begin, end, mark);
        begin = std::min(end + 1, text_.size());
        continue;
      }
      if (old_lines + new_lines == 0 || (mark != ' ' && mark != '+' && mark != '-')) break;
      if (mark != '+' && old_lines > 0) --old_lines;
      if (mark != '-' && new_lines > 0) --new_lines;
      visit(begin, end, mark);
      begin = std::min(end + 1, text_.size());
    }
    return begin;
  }

  Rewriter& out_;
  std::string_view text_;
  std::size_t begin_;
  HunkHead head_;
};

}  // namespace

void undo_diffs(Rewriter& out) {
  const std::string_view text = out.input();
  std::size_t file_lines = std::string_view::npos;  // where the lines about files before a hunk begin
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = line_end(text, begin);
    const std::string_view line = text.substr(begin, end - begin);
    const HunkHead head = hunk_head(line);
    std::size_t next = std::min(end + 1, text.size());
    if (head.is_valid) {
      Hunk hunk(out, begin, head);
      if (hunk.has_plan(next)) {
        // The lines about files end what stood before.
        if (file_lines != std::string_view::npos)
          out.replace(file_lines, begin, file_lines == 0 ? "" : "\n", RepairKind::Diff);
        hunk.repair();
      }
      file_lines = std::string_view::npos;
    } else if (is_file_line(line)) {
      if (file_lines == std::string_view::npos) file_lines = begin;
    } else {
      file_lines = std::string_view::npos;
    }
    begin = std::max(next, end + 1);
  }
}

}  // namespace planvet::read
