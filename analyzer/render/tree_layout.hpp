// Where each operator of a drawing stands among the bars. A chain of operators runs straight down; only branches go to
// the right:
//
//   ┬ HashAggregate
//   │ Exchange                 before ""      connector "│"   below "│"
//   │ SortMergeJoin
//   ├─┬ Filter                 before "├─"    connector "┬"   below "│ │"
//   │ └ Scan
//   └── Scan                   before "└─"    connector "─"   below ""
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/render/drawing.hpp"
#include "analyzer/render/style.hpp"

namespace planvet::render {

struct TreePlace {
  std::string before;          // what leads to the operator: bars and its branch
  std::string_view connector;  // right before its name
  std::string above;           // bars of a line that stands between the operator and the one before it
  std::string below;           // bars of a line right under it, with its own column
};

// One for each node of the drawing. Nesting deeper than `width` can show is left out.
[[nodiscard]] std::vector<TreePlace> lay_out(const Drawing& drawing, bool unicode, std::size_t width);

// Between details of an operator: " · ".
[[nodiscard]] std::string_view detail_separator(const Style& style);

}  // namespace planvet::render
