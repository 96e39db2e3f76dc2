// `planvet annotate` for Graphviz and Mermaid: the numbers in the boxes, stages as frames, what is slow in colour.
#include <algorithm>
#include <vector>

#include <fmt/core.h>

#include "analyzer/render/annotate.hpp"
#include "analyzer/render/annotated_plan.hpp"
#include "analyzer/render/glyphs.hpp"
#include "analyzer/render/graph_text.hpp"

namespace planvet::render {

namespace {

constexpr std::size_t kMostDetails = 2;  // the numbers are what one looks for
constexpr double kSlow = 0.5;
constexpr double kNotable = 0.2;

enum class Heat : std::uint8_t { None, Notable, Slow };

Heat heat_of(double share) {
  if (share >= kSlow) return Heat::Slow;
  return share >= kNotable ? Heat::Notable : Heat::None;
}

// Of the operators of a stage, those that stand out: Spark's own time says so, or a spill, or skew.
bool is_loud(const MeasuredRow& row) {
  return std::ranges::any_of(row.cells, [](const Cell& cell) { return cell.is_loud && !cell.text.empty(); });
}

std::string stage_title(const StageRegion& region, double share) {
  std::string text;
  for (const std::string& fact : stage_facts(region)) text += (text.empty() ? "" : " · ") + fact;
  if (share > 0) text += fmt::format(" · {:.0f} % of the query", 100 * share);
  return text;
}

std::vector<std::string> box_lines(const AnnotatedTree& tree, std::uint32_t number) {
  const OperatorText& text = tree.operators[number];
  const PlanNode& node = (*tree.tree)[tree.drawing.nodes[number].node];
  std::vector<std::string> lines = {text.name};
  if (node.operator_id) lines.front() += fmt::format(" ({})", *node.operator_id);
  for (std::size_t i = 0; i < std::min(text.details.size(), kMostDetails); ++i)
    lines.push_back(cut_to_width(text.details[i].text, kBoxWidth, "\xE2\x80\xA6"));
  const MeasuredRow& row = tree.columns.rows[number];
  std::string numbers;
  for (std::size_t at = 0; at < kColumns; ++at) {
    const auto column = static_cast<Column>(at);
    const Cell& cell = row[column];
    if (cell.text.empty()) continue;
    std::string shown = column == Column::Rows ? cell.text + (cell.text == "1" ? " row" : " rows") : cell.text;
    if (column != Column::Rows && column != Column::Bytes && column != Column::Time)
      shown = std::string(heading(column)) + ' ' + shown;
    if (cell.footnote > 0) shown += fmt::format(" [{}]", cell.footnote);
    numbers += (numbers.empty() ? "" : " · ") + shown;
  }
  if (!numbers.empty()) lines.push_back(std::move(numbers));
  for (const Finding* const finding : tree.findings[number])
    lines.push_back(fmt::format("{}: {} {}", name(finding->severity), finding->rule->name, finding->rule->code));
  return lines;
}

// The operators of each region, in order.
std::vector<std::vector<std::uint32_t>> by_region(const AnnotatedTree& tree) {
  std::vector<std::vector<std::uint32_t>> groups(tree.regions.regions.size());
  for (std::uint32_t number = 0; number < tree.drawing.nodes.size(); ++number)
    groups[tree.regions.of_node[index(tree.drawing.nodes[number].node)]].push_back(number);
  return groups;
}

std::string title_of(const AnnotatedPlan& plan) {
  std::string title = plan.heading;
  for (std::size_t i = 0; i < std::min<std::size_t>(plan.facts.size(), 4); ++i) title += " · " + plan.facts[i];
  return title;
}

class DotWriter : public AnnotateWriter {
 public:
  explicit DotWriter(AnnotateOptions options) : options_(std::move(options)) {}

  std::string begin() override {
    return "digraph planvet {\n  rankdir=BT;\n  node [shape=box, fontname=\"monospace\", fontsize=10, style=filled, "
           "fillcolor=white];\n";
  }
  std::string query(const DocumentReport& report) override {
    const AnnotatedPlan plan = annotated_plan(report, options_.style.is_verbose(), options_.parser);
    std::string out = fmt::format("  subgraph cluster_q{} {{\n    label=\"{}\";\n", query_, dot_text(title_of(plan)));
    for (std::size_t tree = 0; tree < plan.trees.size(); ++tree) append_tree(out, plan, tree);
    for (std::size_t i = 0; i < plan.footnotes.size(); ++i)
      out += fmt::format("    note{}_{} [shape=note, label=\"[{}] {}\"];\n", query_, i, i + 1,
                         dot_text(plan.footnotes[i]));
    ++query_;
    return out + "  }\n";
  }
  std::string end() override { return "}\n"; }

 private:
  void append_tree(std::string& out, const AnnotatedPlan& plan, std::size_t tree_number) const {
    const AnnotatedTree& tree = plan.trees[tree_number];
    const auto groups = by_region(tree);
    const std::string prefix = fmt::format("n{}_{}_", query_, tree_number);
    for (std::size_t region = 0; region < groups.size(); ++region) {
      if (groups[region].empty()) continue;
      const StageRegion& stage = tree.regions.regions[region];
      const double share = share_of(stage, plan.summary);
      const bool is_framed = !stage.stages.empty();
      const Heat heat = heat_of(share);
      if (is_framed) {
        const std::string_view colour = heat == Heat::Slow ? "#f8d0c8" : heat == Heat::Notable ? "#fdf0c4" : "#f2f2f2";
        out += fmt::format("    subgraph cluster_q{}_{}_{} {{\n      label=\"{}\"; style=filled; color=\"{}\";\n",
                           query_, tree_number, region, dot_text(stage_title(stage, share)), colour);
      }
      for (const std::uint32_t number : groups[region]) {
        std::string label;
        // \l: every line stands left in its box
        for (const std::string& line : box_lines(tree, number)) label += dot_text(line) + "\\l";
        out += fmt::format("      {}{} [label=\"{}\"{}];\n", prefix, number, label,
                           is_loud(tree.columns.rows[number]) ? ", fillcolor=\"#ffb09c\", penwidth=2" : "");
      }
      if (is_framed) out += "    }\n";
    }
    for (std::uint32_t number = 0; number < tree.drawing.nodes.size(); ++number) {
      const DrawnNode& drawn = tree.drawing.nodes[number];
      if (drawn.parent == DrawnNode::kNone) continue;
      // How many rows flow is on the arrow too, where it is known.
      const std::string_view what = edge_label(drawn.link);
      out += fmt::format("    {0}{1} -> {0}{2}{3};\n", prefix, number, drawn.parent,
                         what.empty() ? "" : fmt::format(" [label=\"{}\", style=dashed]", what));
    }
  }

  AnnotateOptions options_;
  std::size_t query_ = 0;
};

class MermaidWriter : public AnnotateWriter {
 public:
  explicit MermaidWriter(AnnotateOptions options) : options_(std::move(options)) {}

  std::string begin() override { return "flowchart BT\n"; }
  std::string query(const DocumentReport& report) override {
    const AnnotatedPlan plan = annotated_plan(report, options_.style.is_verbose(), options_.parser);
    std::string out = fmt::format("  subgraph q{} [\"{}\"]\n", query_, mermaid_text(title_of(plan)));
    for (std::size_t tree = 0; tree < plan.trees.size(); ++tree) append_tree(out, plan, tree);
    for (std::size_t i = 0; i < plan.footnotes.size(); ++i)
      out += fmt::format("    note{}_{}[\"{} {}\"]\n", query_, i, i + 1, mermaid_text(plan.footnotes[i]));
    ++query_;
    return out + "  end\n";
  }
  std::string end() override {
    std::string out;
    append_class(out, "slow", "fill:#f8d0c8,stroke:#c0392b", slow_);
    append_class(out, "notable", "fill:#fdf0c4,stroke:#d4ac0d", notable_);
    append_class(out, "loud", "fill:#ffb09c,stroke:#c0392b,stroke-width:2px", loud_);
    return out;
  }

 private:
  void append_tree(std::string& out, const AnnotatedPlan& plan, std::size_t tree_number) {
    const AnnotatedTree& tree = plan.trees[tree_number];
    const auto groups = by_region(tree);
    const std::string prefix = fmt::format("n{}_{}_", query_, tree_number);
    for (std::size_t region = 0; region < groups.size(); ++region) {
      if (groups[region].empty()) continue;
      const StageRegion& stage = tree.regions.regions[region];
      const double share = share_of(stage, plan.summary);
      const bool is_framed = !stage.stages.empty();
      if (is_framed) {
        const std::string frame = fmt::format("s{}_{}_{}", query_, tree_number, region);
        out += fmt::format("    subgraph {} [\"{}\"]\n", frame, mermaid_text(stage_title(stage, share)));
        const Heat heat = heat_of(share);
        if (heat == Heat::Slow) append_name(slow_, frame);
        if (heat == Heat::Notable) append_name(notable_, frame);
      }
      for (const std::uint32_t number : groups[region]) {
        std::string label;
        for (const std::string& line : box_lines(tree, number))
          label += (label.empty() ? "" : "<br/>") + mermaid_text(line);
        out += fmt::format("      {}{}[\"{}\"]\n", prefix, number, label);
        if (is_loud(tree.columns.rows[number])) append_name(loud_, fmt::format("{}{}", prefix, number));
      }
      if (is_framed) out += "    end\n";
    }
    for (std::uint32_t number = 0; number < tree.drawing.nodes.size(); ++number) {
      const DrawnNode& drawn = tree.drawing.nodes[number];
      if (drawn.parent == DrawnNode::kNone) continue;
      const std::string_view what = edge_label(drawn.link);
      if (what.empty()) {
        out += fmt::format("    {0}{1} --> {0}{2}\n", prefix, number, drawn.parent);
      } else {
        out += fmt::format("    {0}{1} -. \"{3}\" .-> {0}{2}\n", prefix, number, drawn.parent, what);
      }
    }
  }

  static void append_class(std::string& out, std::string_view name, std::string_view look, const std::string& members) {
    if (!members.empty()) out += fmt::format("  classDef {0} {1}\n  class {2} {0}\n", name, look, members);
  }

  static void append_name(std::string& names, const std::string& name) { names += (names.empty() ? "" : ",") + name; }

  AnnotateOptions options_;
  std::size_t query_ = 0;
  std::string slow_;
  std::string notable_;
  std::string loud_;
};

}  // namespace

std::unique_ptr<AnnotateWriter> make_graph_writer(AnnotateFormat format, const AnnotateOptions& options) {
  if (format == AnnotateFormat::Dot) return std::make_unique<DotWriter>(options);
  return std::make_unique<MermaidWriter>(options);
}

}  // namespace planvet::render
