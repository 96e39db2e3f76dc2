#include "analyzer/render/tree_graph.hpp"

#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "analyzer/render/drawing.hpp"
#include "analyzer/render/glyphs.hpp"
#include "analyzer/render/graph_text.hpp"
#include "analyzer/render/operator_text.hpp"
#include "analyzer/render/place.hpp"

namespace planvet::render {

namespace {

constexpr std::size_t kMostDetails = 6;

std::vector<std::string> box_lines(const PlanTree& tree, const Drawing& drawing, std::uint32_t number,
                                   const OperatorTextOptions& options) {
  const OperatorText text = operator_text(tree, drawing, number, options);
  const PlanNode& node = tree[drawing.nodes[number].node];
  std::vector<std::string> lines = {text.name};
  if (node.operator_id) lines.front() += fmt::format(" ({})", *node.operator_id);
  for (const OperatorDetail& detail : text.details) {
    if (!options.verbose && lines.size() > kMostDetails) break;
    lines.push_back(options.verbose ? detail.text : cut_to_width(detail.text, kBoxWidth, "\xE2\x80\xA6"));
  }
  return lines;
}

// Calls visit(document, fragment, title, number of the graph) for each graph.
template <typename Visit>
void for_each_graph(std::span<const PlanDocument* const> documents, FragmentChoice choice, Visit visit) {
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < documents.size();) {
    std::size_t end = begin;
    while (end < documents.size() && documents[end]->source->path() == documents[begin]->source->path()) ++end;
    for (std::size_t i = begin; i < end; ++i) {
      for (const Fragment* fragment : chosen_fragments(*documents[i], choice)) {
        std::string title = shown_path(documents[i]->source->path());
        const std::string plan = shown_title(*documents[i], i - begin, end - begin);
        if (!plan.empty()) title += ' ' + plan;
        if (fragment->role != FragmentRole::Only) title += fmt::format(" ({} plan)", name(fragment->role));
        visit(*fragment, title, number++);
      }
    }
    begin = end;
  }
}

}  // namespace

std::string tree_dot(std::span<const PlanDocument* const> documents, const TreeGraphOptions& options) {
  const OperatorTextOptions text_options{options.verbose, options.parser};
  std::string out = "digraph planvet {\n  rankdir=BT;\n  node [shape=box, fontname=\"monospace\", fontsize=10];\n";
  for_each_graph(
      documents, options.fragment, [&](const Fragment& fragment, const std::string& title, std::size_t graph) {
        const Drawing drawing = draw(fragment.tree, !options.verbose);
        out += fmt::format("  subgraph cluster_{} {{\n    label=\"{}\";\n", graph, dot_text(title));
        for (std::uint32_t i = 0; i < drawing.nodes.size(); ++i) {
          const DrawnNode& drawn = drawing.nodes[i];
          std::string label;
          // \l: every line stands left in its box
          for (const std::string& line : box_lines(fragment.tree, drawing, i, text_options))
            label += dot_text(line) + "\\l";
          const bool is_exchange = family(fragment.tree[drawn.node].kind) == OperatorFamily::Exchange;
          out += fmt::format("    n{}_{} [label=\"{}\"{}];\n", graph, i, label, is_exchange ? ", style=bold" : "");
          if (drawn.parent == DrawnNode::kNone) continue;
          const std::string_view edge = edge_label(drawn.link);
          out += fmt::format("    n{0}_{1} -> n{0}_{2}{3};\n", graph, i, drawn.parent,
                             edge.empty() ? "" : fmt::format(" [label=\"{}\", style=dashed]", edge));
        }
        out += "  }\n";
      });
  return out + "}\n";
}

std::string tree_mermaid(std::span<const PlanDocument* const> documents, const TreeGraphOptions& options) {
  const OperatorTextOptions text_options{options.verbose, options.parser};
  std::string out = "flowchart BT\n";
  for_each_graph(documents, options.fragment,
                 [&](const Fragment& fragment, const std::string& title, std::size_t graph) {
                   const Drawing drawing = draw(fragment.tree, !options.verbose);
                   out += fmt::format("  subgraph g{} [\"{}\"]\n", graph, mermaid_text(title));
                   for (std::uint32_t i = 0; i < drawing.nodes.size(); ++i) {
                     const DrawnNode& drawn = drawing.nodes[i];
                     std::string label;
                     for (const std::string& line : box_lines(fragment.tree, drawing, i, text_options)) {
                       if (!label.empty()) label += "<br/>";
                       label += mermaid_text(line);
                     }
                     out += fmt::format("    n{}_{}[\"{}\"]\n", graph, i, label);
                     if (drawn.parent == DrawnNode::kNone) continue;
                     const std::string_view edge = edge_label(drawn.link);
                     if (edge.empty()) {
                       out += fmt::format("    n{0}_{1} --> n{0}_{2}\n", graph, i, drawn.parent);
                     } else {
                       out += fmt::format("    n{0}_{1} -. \"{3}\" .-> n{0}_{2}\n", graph, i, drawn.parent, edge);
                     }
                   }
                   out += "  end\n";
                 });
  return out;
}

}  // namespace planvet::render
