#include "analyzer/render/snippet.hpp"

#include <algorithm>
#include <vector>

#include <fmt/core.h>

#include "analyzer/render/glyphs.hpp"
#include "analyzer/render/place.hpp"

namespace planvet::render {

namespace {

// Farther from the caret than this no byte can be in the window.
constexpr std::size_t kReach = 4096;
constexpr std::size_t kSmallestRoom = 20;

struct Cell {
  std::size_t offset;  // in the piece of the line that is looked at
  std::size_t column;
  Glyph glyph;
};

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

struct SnippetLine {
  std::uint32_t number = 0;
  MarkedLine line;
};

// The line as given; for UTF-16, of which no line can be shown, the decoded one.
SnippetLine snippet_line(const PlanDocument& document, Span span) {
  const std::optional<Place> place = place_of(document, span);
  if (!place) return {};
  const Source& source = *document.source;
  SnippetLine result{place->begin.line, {}};
  result.line.text = source.bytes().line(place->begin.line);
  result.line.begin = place->begin.column - 1;
  result.line.end = place->end.line == place->begin.line ? place->end.column - 1 : result.line.text.size();
  if (source.is_decoded() && result.line.text.substr(0, 256).find('\0') != std::string_view::npos) {
    const std::string_view text = source.text();
    const std::size_t before = text.rfind('\n', span.begin == 0 ? 0 : span.begin - 1);
    const std::size_t begin = before == std::string_view::npos || before >= span.begin ? 0 : before + 1;
    const std::size_t end = std::min(text.find('\n', span.begin), text.size());
    result.line = {text.substr(begin, end - begin), span.begin - begin, std::min<std::size_t>(span.end, end) - begin};
  }
  return result;
}

}  // namespace

DrawnLine draw_line(const MarkedLine& line, std::size_t columns, std::string_view ellipsis) {
  const std::size_t room = std::max(columns, kSmallestRoom);
  const std::size_t mark_begin = std::min(line.begin, line.text.size());
  const std::size_t mark_end = std::clamp(line.end, mark_begin, line.text.size());

  std::size_t from = mark_begin > kReach ? mark_begin - kReach : 0;
  while (from > 0 && from < mark_begin && is_continuation(line.text[from])) ++from;
  const std::string_view piece = line.text.substr(from, mark_begin - from + kReach);
  const bool is_whole_line = from == 0 && piece.size() == line.text.size();

  std::vector<Cell> cells;
  std::size_t width = 0;
  std::size_t caret_begin = std::string_view::npos;
  std::size_t caret_end = 0;
  for (std::size_t at = 0; at < piece.size();) {
    const Glyph glyph = first_glyph(piece.substr(at));
    if (from + at + glyph.bytes.size() > mark_begin && caret_begin == std::string_view::npos) caret_begin = width;
    cells.push_back({at, width, glyph});
    at += glyph.bytes.size();
    width += glyph.columns;
    if (from + at <= mark_end) caret_end = width;
  }
  if (caret_begin == std::string_view::npos) caret_begin = width;
  caret_end = std::max(caret_end, caret_begin + 1);

  std::size_t first = 0;
  std::size_t last = width;
  const std::size_t ellipsis_width = display_width(ellipsis);
  if (!is_whole_line || width > room) {
    if (caret_end + ellipsis_width > room) first = caret_begin - std::min(caret_begin, room / 3);
    last = std::min(width, first + room);
  }
  const bool cut_before = first > 0 || from > 0;
  const bool cut_after = last < width || from + piece.size() < line.text.size();
  const std::size_t text_first = cut_before ? first + ellipsis_width : first;
  const std::size_t text_last = cut_after ? last - ellipsis_width : last;

  DrawnLine drawn;
  std::size_t column = first;
  if (cut_before) {
    drawn.text += ellipsis;
    column = text_first;
  }
  for (const Cell& cell : cells) {
    if (cell.column < text_first || cell.column + cell.glyph.columns > text_last) continue;
    // A wide letter that the window would have split leaves a gap.
    drawn.text.append(cell.column - std::min(column, cell.column), ' ');
    drawn.text += cell.glyph.shown;
    column = cell.column + cell.glyph.columns;
  }
  if (cut_after) {
    drawn.text.append(text_last - std::min(column, text_last), ' ');
    drawn.text += ellipsis;
  }
  const std::size_t shown_begin = std::max(caret_begin, first);
  const std::size_t shown_end = std::max(std::min(caret_end, std::max(last, shown_begin)), shown_begin + 1);
  drawn.carets.append(shown_begin - first, ' ');
  drawn.carets.append(shown_end - shown_begin, '^');
  return drawn;
}

std::size_t number_width(const PlanDocument& document, Span span) {
  const std::uint32_t number = snippet_line(document, span).number;
  return number == 0 ? 0 : std::to_string(number).size();
}

void append_snippet(std::string& out, const PlanDocument& document, Span span, Role role, const Style& style) {
  const SnippetLine snippet = snippet_line(document, span);
  if (snippet.number == 0) return;
  const std::string number = std::to_string(snippet.number);
  const std::size_t frame = number.size() + 3;
  const DrawnLine drawn =
      draw_line(snippet.line, style.width > frame ? style.width - frame : kSmallestRoom, style.ellipsis());
  const std::string margin(number.size(), ' ');
  out += style.paint(Role::Frame, margin + " |") + '\n';
  out += style.paint(Role::Frame, number + " |") + ' ' + drawn.text + '\n';
  out += style.paint(Role::Frame, margin + " |") + ' ' + style.paint(role, drawn.carets) + '\n';
}

}  // namespace planvet::render
