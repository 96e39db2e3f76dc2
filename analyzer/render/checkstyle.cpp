// Checkstyle's XML, which most review tools and build servers read.
#include <map>

#include <fmt/core.h>

#include "analyzer/render/escape.hpp"
#include "analyzer/render/findings.hpp"
#include "analyzer/render/loose_ends.hpp"
#include "analyzer/render/place.hpp"
#include "analyzer/render/renderer.hpp"

namespace planvet::render {

namespace {

std::string checkstyle_error(const std::optional<Place>& place, std::string_view severity, std::string_view source,
                             std::string_view message) {
  // An event log has no lines, and its readers ask for one.
  return fmt::format("    <error line=\"{}\" column=\"{}\" severity=\"{}\" message=\"{}\" source=\"planvet.{}\"/>\n",
                     place ? place->begin.line : 1, place ? place->begin.column : 1, severity, xml_attribute(message),
                     source);
}

std::string checkstyle(const Report& report, const RenderOptions&) {
  std::map<std::string, std::string> files;
  for (const DocumentReport& document : report.documents) {
    std::string lines;
    for (const Finding& finding : document.findings) {
      if (is_active(finding))
        lines +=
            checkstyle_error(place_of(document.document, finding.span), name(finding.severity), finding.rule->code,
                             fmt::format("{}: {}", finding.rule->name, message_with_fix(document.document, finding)));
    }
    for (const Note& note : document.notes) {
      if (is_loss(note))
        lines += checkstyle_error(place_of(document.document, note.span), "info", code(note.kind),
                                  fmt::format("{}: {}", name(note.kind), note.message));
    }
    if (!lines.empty()) files[shown_path(document.document.source->path())] += lines;
  }
  for (const LooseEnd& end : loose_ends_of(report))
    files[shown_path(end.path)] += checkstyle_error(end.place, "info", end.kind, end.message);
  for (const InputError& error : report.errors)
    files[shown_path(error.path)] += checkstyle_error(std::nullopt, "error", "unreadable-input", error.message);

  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"4.3\">\n";
  for (const auto& [path, lines] : files)
    out += fmt::format("  <file name=\"{}\">\n{}  </file>\n", xml_attribute(path), lines);
  return out + "</checkstyle>\n";
}

}  // namespace

extern constinit const Renderer kCheckstyle{.name = "checkstyle",
                                            .description = "XML of Checkstyle: Jenkins and review tools",
                                            .is_machine = true,
                                            .render = checkstyle};

}  // namespace planvet::render
