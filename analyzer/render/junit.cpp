// JUnit's XML: a suite for each input, a case for each finding. What fails the run is a failure, what is quieter a passed
// case with its text beside it; an input without findings has one passed case, since importers take a report without
// tests for a broken one.
#include <algorithm>
#include <vector>

#include <fmt/core.h>

#include "analyzer/render/escape.hpp"
#include "analyzer/render/findings.hpp"
#include "analyzer/render/loose_ends.hpp"
#include "analyzer/render/place.hpp"
#include "analyzer/render/renderer.hpp"

namespace planvet::render {

namespace {

struct Suite {
  std::string path;
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::string cases;
  std::string notes;
};

std::string case_head(const std::string& path, const std::string& name, const std::optional<Place>& place) {
  std::string line = place ? fmt::format(" line=\"{}\"", place->begin.line) : std::string();
  return fmt::format("    <testcase name=\"{}\" classname=\"{}\" file=\"{}\"{} time=\"0\"", xml_attribute(name),
                     xml_attribute(path), xml_attribute(path), line);
}

bool does_fail(const DocumentReport& document, const Finding& finding, const RenderOptions& options) {
  return options.fails ? options.fails(document, finding) : finding.severity != Severity::Info;
}

// A failure of this type, or a passed case with its text beside it.
void add_case(Suite& suite, const std::string& name, const std::optional<Place>& place, std::string_view type,
              const std::string& message, const std::string& text, bool is_failure) {
  ++suite.tests;
  if (is_failure) ++suite.failures;
  suite.cases += case_head(suite.path, name, place) + ">\n";
  suite.cases += is_failure ? fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                                          xml_attribute(type), xml_attribute(message), xml_text(text))
                            : fmt::format("      <system-out>{}</system-out>\n", xml_text(text));
  suite.cases += "    </testcase>\n";
}

void add_finding(Suite& suite, const DocumentReport& document, const Finding& finding, const RenderOptions& options) {
  const std::string where = location(document.document, finding.span);
  const std::optional<Place> place = place_of(document.document, finding.span);
  std::string name = fmt::format("{} {}", finding.rule->code, finding.rule->name);
  if (place) name += fmt::format(" {}:{}", place->begin.line, place->begin.column);
  const std::string_view severity = planvet::name(finding.severity);
  const std::string text = fmt::format("{}: {}: {}", where, severity, message_with_fix(document.document, finding));
  add_case(suite, name, place, severity, finding.message, text, does_fail(document, finding, options));
}

// A failure under --strict.
void add_loose_end(std::vector<Suite>& suites, const LooseEnd& end, bool is_failure) {
  const std::string path = shown_path(end.path);
  auto suite = std::ranges::find(suites, path, &Suite::path);
  if (suite == suites.end()) suite = suites.insert(suites.end(), {.path = path});
  std::string name(end.kind);
  if (end.place) name += fmt::format(" {}:{}", end.place->begin.line, end.place->begin.column);
  add_case(*suite, name, end.place, end.kind, end.message, end.message, is_failure);
}

// Beside the cases of its suite; under --strict a case of its own.
void add_note(Suite& suite, const DocumentReport& document, const Note& note, bool is_strict) {
  const std::string kind = fmt::format("{} {}", code(note.kind), name(note.kind));
  const std::string text = fmt::format("{}: note: {}: {}", location(document.document, note.span), kind, note.message);
  if (!is_strict) {
    suite.notes += text + '\n';
    return;
  }
  add_case(suite, kind, place_of(document.document, note.span), "note", note.message, text, true);
}

std::vector<Suite> suites_of(const Report& report, const RenderOptions& options) {
  std::vector<Suite> suites;
  for (const DocumentReport& document : report.documents) {
    const std::string path = shown_path(document.document.source->path());
    if (suites.empty() || suites.back().path != path) suites.push_back({.path = path});
    Suite& suite = suites.back();
    for (const Finding& finding : document.findings)
      if (is_active(finding)) add_finding(suite, document, finding, options);
    for (const Note& note : document.notes)
      if (is_loss(note)) add_note(suite, document, note, options.strict);
  }
  for (Suite& suite : suites) {
    if (suite.tests > 0) continue;
    ++suite.tests;
    suite.cases +=
        case_head(suite.path, suite.notes.empty() ? "no findings" : "no findings in what could be read", std::nullopt) +
        "/>\n";
  }
  for (const LooseEnd& end : loose_ends_of(report)) add_loose_end(suites, end, options.strict);
  for (const InputError& error : report.errors) {
    const std::string path = shown_path(error.path);
    suites.push_back({.path = path, .tests = 1, .errors = 1});
    suites.back().cases = case_head(path, "can be read", std::nullopt) +
                          fmt::format(">\n      <error type=\"unreadable-input\" message=\"{}\"/>\n    </testcase>\n",
                                      xml_attribute(error.message));
  }
  if (suites.empty()) {
    suites.push_back({.path = "planvet", .tests = 1});
    suites.back().cases = case_head("planvet", "no inputs", std::nullopt) + "/>\n";
  }
  return suites;
}

std::string junit(const Report& report, const RenderOptions& options) {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::string body;
  for (const Suite& suite : suites_of(report, options)) {
    tests += suite.tests;
    failures += suite.failures;
    errors += suite.errors;
    body +=
        fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\" time=\"0\">\n",
                    xml_attribute(suite.path), suite.tests, suite.failures, suite.errors);
    body += suite.cases;
    if (!suite.notes.empty()) body += fmt::format("    <system-out>{}</system-out>\n", xml_text(suite.notes));
    body += "  </testsuite>\n";
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"planvet\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"0\">\n{}</testsuites>\n",
      tests, failures, errors, body);
}

}  // namespace

extern constinit const Renderer kJunit{
    .name = "junit", .description = "XML of JUnit: test reports of build servers", .is_machine = true, .render = junit};

}  // namespace planvet::render
