// An empty line after each line, as some mail programs and consoles make of one line break.

#include <algorithm>
#include <string_view>

#include "analyzer/read/repair/damages.hpp"
#include "analyzer/read/repair/line_shape.hpp"

namespace planvet::read {

namespace {

// Spark never puts an empty line between two lines of one tree or of one block.
void repair_plan(Rewriter& out, std::size_t begin, std::size_t end) {
  const std::string_view text = out.input().substr(0, end);
  std::size_t apart = 0;     // lines of one tree with one empty line between
  std::size_t together = 0;  // lines of a tree or a block with none
  std::size_t blanks = 0;
  LineShape last = LineShape::Blank;  // that was not blank
  for_each_line(text.substr(begin), [&](std::size_t line_begin, std::size_t line_finish) {
    const LineShape shape = shape_of(text.substr(begin + line_begin, line_finish - line_begin));
    if (shape == LineShape::Blank) {
      ++blanks;
      return;
    }
    if (blanks == 0 && (shape == LineShape::Tree || (is_structural(last) && is_structural(shape)))) ++together;
    if (blanks == 1 && last == LineShape::Tree && shape == LineShape::Tree) ++apart;
    if (blanks == 1 && last == LineShape::Banner && shape == LineShape::Other) ++apart;
    if (blanks == 1 && last == LineShape::BlockHead && shape == LineShape::Field) ++apart;
    last = shape;
    blanks = 0;
  });
  if (apart < 2 || together * 10 > apart) return;
  bool drop = false;
  for_each_line(text.substr(begin), [&](std::size_t line_begin, std::size_t line_finish) {
    const std::size_t place = begin + line_begin;
    const std::string_view line = text.substr(place, line_finish - line_begin);
    const bool blank = shape_of(line) == LineShape::Blank;
    if (drop && blank) {
      out.remove(place, std::min(place + line.size() + 1, end), RepairKind::DoubledLines);
      drop = false;
    } else {
      drop = true;
    }
  });
}

}  // namespace

void undo_doubled_lines(Rewriter& out) {
  for_each_plan(out.input(), [&](std::size_t begin, std::size_t end) { repair_plan(out, begin, end); });
}

}  // namespace planvet::read
