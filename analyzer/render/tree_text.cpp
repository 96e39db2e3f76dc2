#include "analyzer/render/tree_text.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/core.h>

#include "analyzer/render/drawing.hpp"
#include "analyzer/render/glyphs.hpp"
#include "analyzer/render/operator_text.hpp"
#include "analyzer/render/place.hpp"

namespace planvet::render {

namespace {

struct Connectors {
  std::string_view chain_first;  // an operator that has its input right below
  std::string_view chain_middle;
  std::string_view chain_last;  // a leaf below another operator
  std::string_view alone;       // a leaf that begins its own branch
  std::string_view branch;      // what leads to a branch
  std::string_view last_branch;
  std::string_view bar;        // beside a branch when more follows
  std::string_view separator;  // between details
};
constexpr Connectors kBoxes = {"┬", "│", "└", "─", "├─", "└─", "│ ", " · "};
constexpr Connectors kAscii = {"+", "|", "`", "-", "|-", "`-", "| ", "; "};

// One line: colours do not count towards its width, and what does not fit is cut once, at the end.
class Line {
 public:
  void add(std::string_view text, std::optional<Role> role = std::nullopt) {
    if (!text.empty()) pieces_.push_back({one_line(text), role});
  }

  [[nodiscard]] std::string str(const Style& style) const {
    std::size_t width = 0;
    for (const Piece& piece : pieces_) width += display_width(piece.text);
    const bool fits = width <= style.width;
    std::size_t room = fits ? style.width : style.width - std::min(style.width, display_width(style.ellipsis()));
    std::string text;
    for (const Piece& piece : pieces_) {
      const std::string shown = cut_to_width(piece.text, room, "");
      text += piece.role ? style.paint(*piece.role, shown) : shown;
      room -= display_width(shown);
      if (shown.size() < piece.text.size()) break;
    }
    if (!fits) text += style.ellipsis();
    return text;
  }

 private:
  struct Piece {
    std::string text;
    std::optional<Role> role;
  };
  std::vector<Piece> pieces_;
};

class TreeWriter {
 public:
  TreeWriter(const PlanTree& tree, const TreeTextOptions& options)
      : tree_(tree),
        style_(options.style),
        connectors_(style_.unicode ? kBoxes : kAscii),
        drawing_(draw(tree, !style_.is_verbose())),
        text_options_{style_.is_verbose(), options.parser} {
    for (const DrawnNode& drawn : drawing_.nodes) {
      const PlanNode& node = tree_[drawn.node];
      if (node.operator_id) id_width_ = std::max(id_width_, std::to_string(*node.operator_id).size());
      has_codegen_ = has_codegen_ || node.codegen_stage != kNoCodegen;
      if (node.codegen_stage > 0) codegen_width_ = std::max(codegen_width_, std::to_string(node.codegen_stage).size());
    }
  }

  void append(std::string& out);

 private:
  // Where an operator's line begins, and how those below it go on.
  struct Position {
    std::string before;  // what leads to the operator: bars and its branch
    std::string below;   // the bars of its own column's left side
    bool begins_branch = true;
  };

  [[nodiscard]] std::string gutter(const PlanNode& node) const;
  void append_line(std::string& out, std::uint32_t drawn, std::string_view before, std::string_view connector) const;
  [[nodiscard]] bool continues_chain(const DrawnNode& parent, std::size_t child) const;

  const PlanTree& tree_;
  const Style& style_;
  const Connectors& connectors_;
  const Drawing drawing_;
  const OperatorTextOptions text_options_;
  std::size_t id_width_ = 0;
  std::size_t codegen_width_ = 0;
  bool has_codegen_ = false;
};

std::string TreeWriter::gutter(const PlanNode& node) const {
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

void TreeWriter::append_line(std::string& out, std::uint32_t drawn, std::string_view before,
                             std::string_view connector) const {
  const PlanNode& node = tree_[drawing_.nodes[drawn].node];
  const OperatorText text = operator_text(tree_, drawing_, drawn, text_options_);
  Line line;
  line.add(gutter(node), Role::Dim);
  // Nesting beyond half of the width would leave no room for the operator.
  const std::size_t room = style_.width / 2;
  if (display_width(before) > room) {
    line.add(cut_to_width(before, room, style_.ellipsis()), Role::Frame);
  } else {
    line.add(before, Role::Frame);
  }
  line.add(connector, Role::Frame);
  line.add(" ");
  if (!text.label.empty()) line.add(text.label + ": ", Role::Note);
  line.add(text.name, Role::Strong);
  bool is_first = true;
  for (const OperatorDetail& detail : text.details) {
    line.add(is_first ? std::string_view("  ") : connectors_.separator, Role::Dim);
    is_first = false;
    switch (detail.tone) {
      case Tone::Plain: line.add(detail.text); break;
      case Tone::Attention: line.add(detail.text, Role::Warning); break;
      case Tone::Dim: line.add(detail.text, Role::Dim); break;
    }
  }
  out += line.str(style_);
  out += '\n';
}

// The only input of an operator stands right below it; everything else is a branch.
bool TreeWriter::continues_chain(const DrawnNode& parent, std::size_t child) const {
  if (child + 1 != parent.children.size()) return false;
  if (drawing_.nodes[parent.children[child]].link != Link::Child) return false;
  return std::ranges::count_if(parent.children,
                               [&](std::uint32_t number) { return drawing_.nodes[number].link == Link::Child; }) == 1;
}

void TreeWriter::append(std::string& out) {
  std::vector<Position> positions(drawing_.nodes.size());
  // Bars deeper than the width are never seen: they need not grow with the plan.
  const std::size_t deepest = 2 * style_.width;
  for (std::uint32_t number = 0; number < drawing_.nodes.size(); ++number) {
    const DrawnNode& drawn = drawing_.nodes[number];
    Position position = std::move(positions[number]);
    const bool has_chain = !drawn.children.empty() && continues_chain(drawn, drawn.children.size() - 1);
    const bool goes_on = !drawn.children.empty();
    std::string_view connector;
    if (position.begins_branch)
      connector = goes_on ? connectors_.chain_first : connectors_.alone;
    else
      connector = goes_on ? connectors_.chain_middle : connectors_.chain_last;
    append_line(out, number, position.before, connector);

    for (std::size_t i = 0; i < drawn.children.size(); ++i) {
      Position& child = positions[drawn.children[i]];
      if (has_chain && i + 1 == drawn.children.size()) {
        child = {position.below, position.below, false};
        continue;
      }
      const bool is_last = i + 1 == drawn.children.size();
      child.before = position.below + std::string(is_last ? connectors_.last_branch : connectors_.branch);
      child.below = position.below.size() > deepest ? position.below
                                                    : position.below + std::string(is_last ? "  " : connectors_.bar);
      child.begins_branch = true;
    }
  }
}

std::string_view fragment_title(FragmentRole role) {
  switch (role) {
    case FragmentRole::Only: return "plan";
    case FragmentRole::Current: return "current plan (still running)";
    case FragmentRole::Final: return "final plan (as it ran)";
    case FragmentRole::Initial: return "initial plan (before adaptive execution)";
  }
  return "plan";
}

void append_heading(std::string& out, const PlanDocument& document, std::size_t number, std::size_t count,
                    const Fragment& fragment, const Style& style) {
  out += style.paint(Role::Strong, shown_path(document.source->path()));
  const std::string title = shown_title(document, number, count);
  if (!title.empty()) out += "  " + title;
  std::string facts(fragment_title(fragment.role));
  if (document.spark_version) {
    const SparkVersion& version = *document.spark_version;
    facts += fmt::format(", Spark {}.{}.{}", version.major, version.minor, version.patch);
  }
  facts += fmt::format(", {}", count_of(fragment.tree.size(), "operator"));
  if (!document.is_complete) facts += ", not whole";
  out += "  " + style.paint(Role::Dim, facts) + '\n';
}

}  // namespace

std::string tree_text(std::span<const PlanDocument* const> documents, const TreeTextOptions& options) {
  std::string out;
  for (std::size_t begin = 0; begin < documents.size();) {
    std::size_t end = begin;
    while (end < documents.size() && documents[end]->source->path() == documents[begin]->source->path()) ++end;
    for (std::size_t i = begin; i < end; ++i) {
      const PlanDocument& document = *documents[i];
      for (const Fragment* fragment : chosen_fragments(document, options.fragment)) {
        if (!out.empty()) out += '\n';
        append_heading(out, document, i - begin, end - begin, *fragment, options.style);
        TreeWriter(fragment->tree, options).append(out);
      }
      for (const Note& note : document.notes) {
        if (note.kind == NoteKind::NotFinalPlan) continue;
        out += fmt::format("{}: {} {}\n", options.style.paint(Role::Note, "note"), one_line(note.message),
                           options.style.paint(Role::Dim, fmt::format("[{} {}]", name(note.kind), code(note.kind))));
      }
    }
    begin = end;
  }
  return out;
}

}  // namespace planvet::render
