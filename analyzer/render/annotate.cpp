#include "analyzer/render/annotate.hpp"

#include <utility>

#include <fmt/core.h>

#include "analyzer/render/annotated_plan.hpp"
#include "analyzer/render/annotated_text.hpp"
#include "analyzer/render/escape.hpp"
#include "analyzer/render/glyphs.hpp"
#include "analyzer/render/place.hpp"

namespace planvet::render {

namespace {

// Wider than a terminal, since pages scroll, but not so wide that nobody does.
constexpr std::size_t kMarkdownWidth = 150;

std::string notes_text(const DocumentReport& report, const Style& style) {
  std::string out;
  for (const Note& note : report.notes) {
    if (note.kind == NoteKind::NotFinalPlan) continue;
    out += fmt::format("{}: {} {}\n", style.paint(Role::Note, "note"), one_line(note.message),
                       style.paint(Role::Dim, fmt::format("[{} {}]", name(note.kind), code(note.kind))));
  }
  return out;
}

// An empty line between parts.
class Separator {
 public:
  std::string operator()(std::string text) {
    if (!std::exchange(is_first_, false)) text.insert(0, 1, '\n');
    return text;
  }

 private:
  bool is_first_ = true;
};

class TextWriter : public AnnotateWriter {
 public:
  explicit TextWriter(AnnotateOptions options) : options_(std::move(options)) {}

  std::string heading(const Application& application) override {
    std::string line = options_.style.paint(Role::Strong, shown_path(application.source)) + "  ";
    return separated_(line + options_.style.paint(Role::Dim, application_text(application)) + '\n');
  }

  std::string list(std::span<const QuerySummary> queries, std::size_t left_out) override {
    return query_list_text(queries, left_out, options_.style);
  }

  std::string query(const DocumentReport& report) override {
    const AnnotatedPlan plan = annotated_plan(report, options_.style.is_verbose(), options_.parser);
    return separated_(annotated_text(plan, options_.style) + notes_text(report, options_.style));
  }

 private:
  AnnotateOptions options_;
  Separator separated_;
};

class MarkdownWriter : public AnnotateWriter {
 public:
  explicit MarkdownWriter(AnnotateOptions options) : options_(std::move(options)) {
    options_.style.colour = false;
    options_.style.width = kMarkdownWidth;
  }

  std::string heading(const Application& application) override {
    const std::string facts = application_text(application);
    return separated_(
        fmt::format("## {}\n\n{}\n", markdown_text(shown_path(application.source)), markdown_text(facts)));
  }

  std::string list(std::span<const QuerySummary> queries, std::size_t left_out) override {
    return separated_(query_list_markdown(queries, left_out));
  }

  std::string query(const DocumentReport& report) override {
    const AnnotatedPlan plan = annotated_plan(report, options_.style.is_verbose(), options_.parser);
    std::string out = "### " + markdown_text(plan.heading) + "\n\n";
    std::string facts;
    for (const std::string& fact : plan.facts) facts += (facts.empty() ? "" : " · ") + fact;
    out += markdown_text(facts) + "\n\n";
    if (!plan.summary.error.empty()) out += "**error:** " + markdown_text(plan.summary.error) + "\n\n";
    out += markdown_block(annotated_table(plan, options_.style));
    std::string list;
    for (const Finding* const finding : plan.other_findings)
      list += fmt::format("* {}: {} ({} {})\n", name(finding->severity), markdown_text(finding->message),
                          finding->rule->name, finding->rule->code);
    for (std::size_t i = 0; i < plan.footnotes.size(); ++i)
      list += fmt::format("* {} {}\n", i + 1, markdown_text(plan.footnotes[i]));
    for (const AnnotatedFix& fix : plan.fixes) list += "* fix: " + markdown_fix_text(fix_text(fix)) + '\n';
    for (const Remark& remark : plan.remarks) list += "* " + markdown_text(remark.text) + '\n';
    for (const Note& note : report.notes)
      if (note.kind != NoteKind::NotFinalPlan) list += "* note: " + markdown_text(note.message) + '\n';
    if (!list.empty()) out += '\n' + list;
    return separated_(out);
  }

 private:
  AnnotateOptions options_;
  Separator separated_;
};

}  // namespace

std::unique_ptr<AnnotateWriter> make_annotate_writer(AnnotateFormat format, const AnnotateOptions& options) {
  switch (format) {
    case AnnotateFormat::Text: return std::make_unique<TextWriter>(options);
    case AnnotateFormat::Json: return make_json_writer();
    case AnnotateFormat::Markdown: return std::make_unique<MarkdownWriter>(options);
    case AnnotateFormat::Dot:
    case AnnotateFormat::Mermaid: return make_graph_writer(format, options);
  }
  return nullptr;
}

}  // namespace planvet::render
