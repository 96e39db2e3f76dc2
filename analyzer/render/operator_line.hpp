// An operator as one line of a tree: ids, codegen stage, bars, name, details.
#pragma once

#include <cstddef>
#include <string>

#include "analyzer/plan/plan_tree.hpp"
#include "analyzer/render/drawing.hpp"
#include "analyzer/render/operator_text.hpp"
#include "analyzer/render/text_line.hpp"
#include "analyzer/render/tree_layout.hpp"

namespace planvet::render {

// What stands left of the bars: `14 *3 `, as wide for every operator of a drawing.
class Gutter {
 public:
  Gutter(const PlanTree& tree, const Drawing& drawing);
  [[nodiscard]] std::string of(const PlanNode& node) const;
  [[nodiscard]] std::size_t width() const;

 private:
  std::size_t id_width_ = 0;
  std::size_t codegen_width_ = 0;
  bool has_codegen_ = false;
};

// The bars in front of something. Nesting beyond `room` columns would leave nothing for what comes.
void add_bars(TextLine& line, const std::string& bars, std::size_t room, const Style& style);

void add_operator(TextLine& line, const OperatorText& text, const TreePlace& place, std::size_t room,
                  const Style& style);

}  // namespace planvet::render
