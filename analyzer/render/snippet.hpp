// A line of the user's own input with carets under what is meant:
//
//      |
//   14 |    +- * SortMergeJoin Inner (14)
//      |         ^^^^^^^^^^^^^
//
// Long lines (plans have thousands of columns) are a window around the carets.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "analyzer/plan/document.hpp"
#include "analyzer/render/style.hpp"

namespace planvet::render {

// One line of text and the bytes of it that are marked.
struct MarkedLine {
  std::string_view text;
  std::size_t begin = 0;
  std::size_t end = 0;  // at least one caret is drawn
};

// The text and its carets as two lines without line numbers, at most `columns` wide.
struct DrawnLine {
  std::string text;
  std::string carets;
};
[[nodiscard]] DrawnLine draw_line(const MarkedLine& line, std::size_t columns, std::string_view ellipsis);

// How wide the numbers beside the snippet of `span` are; 0 when there is no snippet.
[[nodiscard]] std::size_t number_width(const PlanDocument& document, Span span);

// Nothing for inputs without lines.
void append_snippet(std::string& out, const PlanDocument& document, Span span, Role role, const Style& style);

}  // namespace planvet::render
