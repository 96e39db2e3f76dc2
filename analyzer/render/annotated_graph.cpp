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

// What both languages draw, in their own words.
class GraphWriter : public AnnotateWriter {
 public:
  explicit GraphWriter(AnnotateOptions options) : options_(std::move(options)) {}

  std::string query(const DocumentReport& report) override {
    const AnnotatedPlan plan = annotated_plan(report, options_.style.is_verbose(), options_.parser);
    std::string out;
    open_query(out, fmt::format("q{}", query_), title_of(plan));
    for (std::size_t tree = 0; tree < plan.trees.size(); ++tree) {
      append_stages(out, plan, tree);
      append_arrows(out, plan.trees[tree], prefix_of(tree));
    }
    for (std::size_t i = 0; i < plan.footnotes.size(); ++i)
      add_note(out, fmt::format("note{}_{}", query_, i), fmt::format("[{}] {}", i + 1, plan.footnotes[i]));
    close_query(out);
    ++query_;
    return out;
  }

 protected:
  virtual void open_query(std::string& out, const std::string& name, const std::string& title) = 0;
  virtual void close_query(std::string& out) = 0;
  virtual void open_stage(std::string& out, const std::string& name, const std::string& title, Heat heat) = 0;
  virtual void close_stage(std::string& out) = 0;
  virtual void add_box(std::string& out, const std::string& name, const std::vector<std::string>& lines,
                       bool is_loud) = 0;
  virtual void add_arrow(std::string& out, const std::string& from, const std::string& to, std::string_view label) = 0;
  virtual void add_note(std::string& out, const std::string& name, const std::string& text) = 0;

 private:
  [[nodiscard]] std::string prefix_of(std::size_t tree) const { return fmt::format("n{}_{}_", query_, tree); }

  void append_stages(std::string& out, const AnnotatedPlan& plan, std::size_t number) {
    const AnnotatedTree& tree = plan.trees[number];
    const auto groups = by_region(tree);
    for (std::size_t region = 0; region < groups.size(); ++region) {
      if (groups[region].empty()) continue;
      const StageRegion& stage = tree.regions.regions[region];
      const double share = share_of(stage, plan.summary);
      const bool is_framed = !stage.stages.empty();
      if (is_framed)
        open_stage(out, fmt::format("s{}_{}_{}", query_, number, region), stage_title(stage, share), heat_of(share));
      for (const std::uint32_t drawn : groups[region])
        add_box(out, prefix_of(number) + std::to_string(drawn), box_lines(tree, drawn),
                is_loud(tree.columns.rows[drawn]));
      if (is_framed) close_stage(out);
    }
  }

  void append_arrows(std::string& out, const AnnotatedTree& tree, const std::string& prefix) {
    for (std::uint32_t drawn = 0; drawn < tree.drawing.nodes.size(); ++drawn) {
      const DrawnNode& node = tree.drawing.nodes[drawn];
      if (node.parent == DrawnNode::kNone) continue;
      add_arrow(out, prefix + std::to_string(drawn), prefix + std::to_string(node.parent), edge_label(node.link));
    }
  }

  AnnotateOptions options_;
  std::size_t query_ = 0;
};

class DotWriter : public GraphWriter {
 public:
  using GraphWriter::GraphWriter;
  std::string begin() override {
    return "digraph planvet {\n  rankdir=BT;\n  node [shape=box, fontname=\"monospace\", fontsize=10, style=filled, "
           "fillcolor=white];\n";
  }
  std::string end() override { return "}\n"; }

 private:
  void open_query(std::string& out, const std::string& name, const std::string& title) override {
    out += fmt::format("  subgraph cluster_{} {{\n    label=\"{}\";\n", name, dot_text(title));
  }
  void close_query(std::string& out) override { out += "  }\n"; }
  void open_stage(std::string& out, const std::string& name, const std::string& title, Heat heat) override {
    const std::string_view colour = heat == Heat::Slow ? "#f8d0c8" : heat == Heat::Notable ? "#fdf0c4" : "#f2f2f2";
    out += fmt::format("    subgraph cluster_{} {{\n      label=\"{}\"; style=filled; color=\"{}\";\n", name,
                       dot_text(title), colour);
  }
  void close_stage(std::string& out) override { out += "    }\n"; }
  void add_box(std::string& out, const std::string& name, const std::vector<std::string>& lines,
               bool is_loud) override {
    std::string label;
    // \l: every line stands left in its box
    for (const std::string& line : lines) label += dot_text(line) + "\\l";
    out +=
        fmt::format("      {} [label=\"{}\"{}];\n", name, label, is_loud ? ", fillcolor=\"#ffb09c\", penwidth=2" : "");
  }
  void add_arrow(std::string& out, const std::string& from, const std::string& to, std::string_view label) override {
    out += fmt::format("    {} -> {}{};\n", from, to,
                       label.empty() ? "" : fmt::format(" [label=\"{}\", style=dashed]", label));
  }
  void add_note(std::string& out, const std::string& name, const std::string& text) override {
    out += fmt::format("    {} [shape=note, label=\"{}\"];\n", name, dot_text(text));
  }
};

class MermaidWriter : public GraphWriter {
 public:
  using GraphWriter::GraphWriter;
  std::string begin() override { return "flowchart BT\n"; }
  std::string end() override {
    std::string out;
    append_class(out, "slow", "fill:#f8d0c8,stroke:#c0392b", slow_);
    append_class(out, "notable", "fill:#fdf0c4,stroke:#d4ac0d", notable_);
    append_class(out, "loud", "fill:#ffb09c,stroke:#c0392b,stroke-width:2px", loud_);
    return out;
  }

 private:
  void open_query(std::string& out, const std::string& name, const std::string& title) override {
    out += fmt::format("  subgraph {} [\"{}\"]\n", name, mermaid_text(title));
  }
  void close_query(std::string& out) override { out += "  end\n"; }
  void open_stage(std::string& out, const std::string& name, const std::string& title, Heat heat) override {
    out += fmt::format("    subgraph {} [\"{}\"]\n", name, mermaid_text(title));
    if (heat == Heat::Slow) append_name(slow_, name);
    if (heat == Heat::Notable) append_name(notable_, name);
  }
  void close_stage(std::string& out) override { out += "    end\n"; }
  void add_box(std::string& out, const std::string& name, const std::vector<std::string>& lines,
               bool is_loud) override {
    std::string label;
    for (const std::string& line : lines) label += (label.empty() ? "" : "<br/>") + mermaid_text(line);
    out += fmt::format("      {}[\"{}\"]\n", name, label);
    if (is_loud) append_name(loud_, name);
  }
  void add_arrow(std::string& out, const std::string& from, const std::string& to, std::string_view label) override {
    out += label.empty() ? fmt::format("    {} --> {}\n", from, to)
                         : fmt::format("    {} -. \"{}\" .-> {}\n", from, label, to);
  }
  void add_note(std::string& out, const std::string& name, const std::string& text) override {
    out += fmt::format("    {}[\"{}\"]\n", name, mermaid_text(text));
  }

  static void append_class(std::string& out, std::string_view name, std::string_view look, const std::string& members) {
    if (!members.empty()) out += fmt::format("  classDef {0} {1}\n  class {2} {0}\n", name, look, members);
  }
  static void append_name(std::string& names, const std::string& name) { names += (names.empty() ? "" : ",") + name; }

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
