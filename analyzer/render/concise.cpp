// One line a finding, as compilers write it, so that editors jump to it:
//
//   plans/daily.txt:14:9: warning: PV103 missed-broadcast: SortMergeJoin shuffles ..
#include <fmt/core.h>

#include "analyzer/render/findings.hpp"
#include "analyzer/render/glyphs.hpp"
#include "analyzer/render/loose_ends.hpp"
#include "analyzer/render/place.hpp"
#include "analyzer/render/renderer.hpp"

namespace planvet::render {

namespace {

std::string concise(const Report& report, const RenderOptions& options) {
  std::string out;
  for (const DocumentReport& document : report.documents) {
    const auto add = [&](Span span, std::string_view level, std::string_view code, std::string_view rule,
                         std::string_view message) {
      out +=
          fmt::format("{}: {}: {} {}: {}\n", location(document.document, span), level, code, rule, one_line(message));
    };
    for (const Finding& finding : document.findings) {
      if (!is_active(finding)) continue;
      add(finding.span, name(finding.severity), finding.rule->code, finding.rule->name, finding.message);
    }
    for (const Note& note : document.notes) {
      if (!is_loss(note) && !options.style.is_verbose()) continue;
      add(note.span, "note", code(note.kind), name(note.kind), note.message);
    }
  }
  for (const LooseEnd& end : loose_ends_of(report)) {
    std::string where = shown_path(end.path);
    if (end.place) where += fmt::format(":{}:{}", end.place->begin.line, end.place->begin.column);
    out += fmt::format("{}: note: {}: {}\n", where, end.kind, one_line(end.message));
  }
  return out;
}

}  // namespace

extern constinit const Renderer kConcise{
    .name = "concise", .description = "one line a finding: editors", .is_machine = true, .render = concise};

}  // namespace planvet::render
