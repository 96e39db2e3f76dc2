#include "analyzer/render/tree_text.hpp"

#include <vector>

#include <fmt/core.h>

#include "analyzer/render/drawing.hpp"
#include "analyzer/render/glyphs.hpp"
#include "analyzer/render/operator_line.hpp"
#include "analyzer/render/operator_text.hpp"
#include "analyzer/render/place.hpp"
#include "analyzer/render/tree_layout.hpp"

namespace planvet::render {

namespace {

void append_tree(std::string& out, const PlanTree& tree, const TreeTextOptions& options) {
  const Style& style = options.style;
  const Drawing drawing = draw(tree, !style.is_verbose());
  const OperatorTextOptions text_options{style.is_verbose(), options.parser};
  const Gutter gutter(tree, drawing);
  const std::vector<TreePlace> places = lay_out(drawing, style.unicode, style.width);
  for (std::uint32_t number = 0; number < drawing.nodes.size(); ++number) {
    TextLine line;
    line.add(gutter.of(tree[drawing.nodes[number].node]), Role::Dim);
    add_operator(line, operator_text(tree, drawing, number, text_options), places[number], style.width / 2, style);
    out += line.str(style);
    out += '\n';
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
        append_tree(out, fragment->tree, options);
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
