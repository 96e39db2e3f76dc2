#include "analyzer/render/operator_line.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "analyzer/render/glyphs.hpp"

namespace planvet::render {

Gutter::Gutter(const PlanTree& tree, const Drawing& drawing) {
  for (const DrawnNode& drawn : drawing.nodes) {
    const PlanNode& node = tree[drawn.node];
    if (node.operator_id) id_width_ = std::max(id_width_, std::to_string(*node.operator_id).size());
    has_codegen_ = has_codegen_ || node.codegen_stage != kNoCodegen;
    if (node.codegen_stage > 0) codegen_width_ = std::max(codegen_width_, std::to_string(node.codegen_stage).size());
  }
}

std::size_t Gutter::width() const {
  return (id_width_ > 0 ? id_width_ + 1 : 0) + (has_codegen_ ? codegen_width_ + 2 : 0);
}

std::string Gutter::of(const PlanNode& node) const {
  std::string text;
  if (id_width_ > 0)
    text += fmt::format("{:>{}} ", node.operator_id ? std::to_string(*node.operator_id) : "", id_width_);
  if (has_codegen_) {
    std::string mark;
    if (node.codegen_stage != kNoCodegen) mark = '*';
    if (node.codegen_stage > 0) mark += std::to_string(node.codegen_stage);
    text += fmt::format("{:<{}} ", mark, codegen_width_ + 1);
  }
  return text;
}

void add_bars(TextLine& line, const std::string& bars, std::size_t room, const Style& style) {
  const bool fits = display_width(bars) <= room;
  line.add(fits ? bars : cut_to_width(bars, room, style.ellipsis()), Role::Frame);
}

void add_operator(TextLine& line, const OperatorText& text, const TreePlace& place, std::size_t room,
                  const Style& style) {
  add_bars(line, place.before, room, style);
  line.add(place.connector, Role::Frame);
  line.add(" ");
  if (!text.label.empty()) line.add(text.label + ": ", Role::Note);
  line.add(text.name, Role::Strong);
  bool is_first = true;
  for (const OperatorDetail& detail : text.details) {
    line.add(is_first ? std::string_view("  ") : detail_separator(style), Role::Dim);
    is_first = false;
    switch (detail.tone) {
      case Tone::Plain: line.add(detail.text); break;
      case Tone::Attention: line.add(detail.text, Role::Warning); break;
      case Tone::Dim: line.add(detail.text, Role::Dim); break;
    }
  }
}

}  // namespace planvet::render
