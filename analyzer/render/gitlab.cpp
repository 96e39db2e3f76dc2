// GitLab's Code Quality report: an array of problems, empty where there are none. GitLab tells new from known ones by
// fingerprint, and shows one of those that share it: each gets its own.
#include <set>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "analyzer/render/findings.hpp"
#include "analyzer/render/loose_ends.hpp"
#include "analyzer/render/place.hpp"
#include "analyzer/render/renderer.hpp"

namespace planvet::render {

namespace {

using Json = nlohmann::ordered_json;

std::string_view gitlab_severity(Severity severity) {
  switch (severity) {
    case Severity::Error: return "critical";
    case Severity::Warning: return "major";
    case Severity::Info: return "info";
  }
  return "info";
}

class Problems {
 public:
  explicit Problems(const PathBase& base) : base_(base) {}

  void add(std::string_view severity, std::string_view check, const std::string& description, const std::string& path,
           const std::optional<Place>& place, std::string fingerprint) {
    const std::string hosted = path == "-" ? "stdin" : hosted_path(base_, path);
    if (fingerprint.empty()) fingerprint = fmt::format("{}:{}:{}", check, hosted, place ? place->begin.line : 0);
    std::string unique = fingerprint;
    for (int copy = 2; !fingerprints_.insert(unique).second; ++copy) unique = fmt::format("{}-{}", fingerprint, copy);
    Json problem;
    problem["description"] = description;
    problem["check_name"] = check;
    problem["fingerprint"] = unique;
    problem["severity"] = severity;
    problem["location"]["path"] = hosted;
    // An event log has no lines, and GitLab asks for one.
    problem["location"]["lines"]["begin"] = place ? place->begin.line : 1;
    if (place && place->end.line > place->begin.line) problem["location"]["lines"]["end"] = place->end.line;
    problems_.push_back(std::move(problem));
  }

  [[nodiscard]] std::string finish() const {
    return problems_.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
  }

 private:
  const PathBase& base_;
  std::set<std::string> fingerprints_;
  Json problems_ = Json::array();
};

std::string gitlab(const Report& report, const RenderOptions& options) {
  Problems problems(options.base);
  for (const InputError& error : report.errors)
    problems.add("blocker", "unreadable-input", "planvet could not read this: " + error.message, error.path,
                 std::nullopt, {});
  for (const DocumentReport& document : report.documents) {
    const std::string& path = document.document.source->path();
    for (const Finding& finding : document.findings) {
      if (!is_active(finding)) continue;
      // GitLab shows no check_name.
      problems.add(gitlab_severity(finding.severity), finding.rule->name,
                   fmt::format("{} {}: {}", finding.rule->code, finding.rule->name,
                               message_with_fix(document.document, finding)),
                   path, place_of(document.document, finding.span), finding.fingerprint);
    }
    for (const Note& note : document.notes) {
      if (is_loss(note))
        problems.add("info", name(note.kind), fmt::format("{} {}: {}", code(note.kind), name(note.kind), note.message),
                     path, place_of(document.document, note.span), {});
    }
  }
  for (const LooseEnd& end : loose_ends_of(report)) {
    problems.add("info", end.kind, fmt::format("{}: {}", end.kind, end.message), end.path, end.place,
                 fmt::format("{}:{}", end.kind, end.message));
  }
  return problems.finish();
}

}  // namespace

extern constinit const Renderer kGitlab{
    .name = "gitlab", .description = "Code Quality of GitLab", .is_machine = true, .render = gitlab};

}  // namespace planvet::render
