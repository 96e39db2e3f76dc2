// SARIF 2.1.0: code scanning of GitHub, and every viewer that reads it. What GitHub does with it stands beside the line
// that is written so because of it.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "analyzer/plan/operator.hpp"
#include "analyzer/render/escape.hpp"
#include "analyzer/render/findings.hpp"
#include "analyzer/render/loose_ends.hpp"
#include "analyzer/render/place.hpp"
#include "analyzer/render/renderer.hpp"
#include "analyzer/render/rule_pages.hpp"
#include "analyzer/version.hpp"

namespace planvet::render {

namespace {

using Json = nlohmann::ordered_json;

// GitHub refuses more.
constexpr std::size_t kMostResults = 25000;
constexpr std::size_t kMostRelated = 100;
constexpr std::size_t kNameBytes = 255;
constexpr std::size_t kDescriptionBytes = 1024;
constexpr std::string_view kRoot = "%SRCROOT%";

std::string_view sarif_level(Severity severity) {
  switch (severity) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    case Severity::Info: return "note";
  }
  return "note";
}

// `[text](target)` is a link in a message and `{0}` a placeholder.
std::string message_text(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool has_link = c == '[' && text.find("](", at) != std::string_view::npos;
    if (has_link) result += '\\';
    result += c;
    const std::size_t digits = text.find_first_not_of("0123456789", at + 1);
    if (c == '{' && digits != std::string_view::npos && digits > at + 1 && text[digits] == '}') {
      result.append("{").append(text.substr(at + 1, digits - at)).append("}");
      at = digits;
    }
  }
  return result;
}

Json message(std::string_view text) { return {{"text", message_text(text)}}; }

// "missed-broadcast" -> "MissedBroadcast", as the standard's viewers want names.
std::string pascal_case(std::string_view slug) {
  std::string result;
  bool is_start = true;
  for (const char c : slug) {
    if (c != '-') result += is_start && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    is_start = c == '-';
  }
  return result;
}

std::string sentence(std::string_view text) {
  std::string result(text);
  if (!result.empty() && !result.ends_with('.')) result += '.';
  return result;
}

Json descriptor(const RuleInfo& rule) {
  Json json;
  json["id"] = rule.code;
  json["name"] = cut_to_bytes(pascal_case(rule.name), kNameBytes);
  json["shortDescription"]["text"] = cut_to_bytes(sentence(rule.summary), kDescriptionBytes);
  json["fullDescription"]["text"] = cut_to_bytes(sentence(rule.summary) + ' ' + sentence(rule.why), kDescriptionBytes);
  json["help"]["text"] = sentence(rule.why) + "\nFix: " + sentence(rule.fix);
  json["help"]["markdown"] = rule_page_markdown(rule);
  if (const std::string url = rule_url(rule.name); !url.empty()) json["helpUri"] = url;
  json["defaultConfiguration"]["level"] = sarif_level(rule.severity);
  return json;
}

bool is_note(const RuleInfo& rule) { return rule.code.starts_with("PV9"); }

Json artifact_location(const std::string& path, const PathBase& base) {
  Json json;
  if (path == "-") {
    json["uri"] = "stdin";
  } else if (const std::optional<std::string> below = repository_path(base, path)) {
    json["uri"] = uri_path(*below);
    json["uriBaseId"] = kRoot;
  } else {
    const std::string absolute = absolute_path(base, path);
    json["uri"] = (absolute.starts_with('/') ? "file://" : "") + uri_path(absolute);
  }
  return json;
}

// Columns in code points, which is what `columnKind` says.
std::size_t column_of(const PlanDocument& document, const Position& position) {
  const std::string_view line = document.source->bytes().line(position.line);
  const std::size_t bytes = position.column - 1;
  // Lines of UTF-16 have other columns than their bytes.
  if (bytes > line.size()) return position.column;
  return code_points(line.substr(0, bytes)) + 1;
}

Json region(const PlanDocument& document, Span span) {
  const std::optional<Place> place = place_of(document, span);
  if (!place) return {{"startLine", 1}};
  Json json;
  json["startLine"] = place->begin.line;
  json["startColumn"] = column_of(document, place->begin);
  json["endLine"] = place->end.line;
  json["endColumn"] = column_of(document, place->end);
  if (!span.empty()) {
    constexpr std::size_t kSnippetBytes = 1000;
    json["snippet"]["text"] = cut_to_bytes(document.source->text(span), kSnippetBytes);
  }
  return json;
}

Json physical_location(const PlanDocument& document, Span span, const PathBase& base) {
  Json json;
  json["artifactLocation"] = artifact_location(document.source->path(), base);
  json["region"] = region(document, span);
  return json;
}

// "query 7: save at App.scala:88 / SortMergeJoin (14)".
Json logical_location(const PlanDocument& document, const Finding& finding) {
  const std::string name = operator_name(finding);
  const std::string title = shown_title(document, 0, 1);
  Json json;
  json["name"] = name;
  json["fullyQualifiedName"] = title.empty() ? name : title + " / " + name;
  json["kind"] = "operator";
  return json;
}

Json suppressions(const Finding& finding, const Report& report) {
  Json list = Json::array();
  if (finding.suppressed_by) {
    const bool is_in_source = finding.suppressed_by->starts_with("allow line");
    list.push_back({{"kind", is_in_source ? "inSource" : "external"},
                    {"status", "accepted"},
                    {"justification", *finding.suppressed_by}});
  } else if (finding.is_baseline) {
    list.push_back({{"kind", "external"},
                    {"status", "accepted"},
                    {"justification",
                     report.new_since.empty() ? "accepted by the baseline" : "there before, at " + report.new_since}});
  }
  return list;
}

class Run {
 public:
  Run(const Report& report, const RenderOptions& options) : report_(report), options_(options) {}

  [[nodiscard]] Json json() {
    // A page for each rule is a quarter of a megabyte: those that are spoken of are enough.
    for (const RuleInfo* rule : options_.rules) {
      if (!is_used(*rule)) continue;
      Json& list = is_note(*rule) ? notifications_ : rules_;
      index_.emplace(rule->code, list.size());
      list.push_back(descriptor(*rule));
    }
    for (const DocumentReport& document : report_.documents)
      has_baseline_ |= std::ranges::any_of(document.findings, &Finding::is_baseline);
    add_results();
    add_problems();

    Json run;
    Json& driver = run["tool"]["driver"];
    driver["name"] = "planvet";
    driver["fullName"] = fmt::format("planvet {}", kVersion);
    driver["version"] = kVersion;
    driver["semanticVersion"] = kVersion;
    if (!kDocumentationUrl.empty()) driver["informationUri"] = kDocumentationUrl;
    driver["language"] = "en-US";
    driver["rules"] = std::move(rules_);
    driver["notifications"] = std::move(notifications_);
    Json invocation;
    invocation["executionSuccessful"] = report_.errors.empty();
    if (!problems_.empty()) invocation["toolExecutionNotifications"] = std::move(problems_);
    run["invocations"].push_back(std::move(invocation));
    run["originalUriBaseIds"][kRoot]["description"]["text"] = "The root of the repository.";
    run["columnKind"] = "unicodeCodePoints";
    run["results"] = std::move(results_);
    return run;
  }

 private:
  [[nodiscard]] bool is_used(const RuleInfo& rule) const {
    return std::ranges::any_of(report_.documents, [&](const DocumentReport& document) {
      return std::ranges::any_of(document.findings, [&](const Finding& finding) { return finding.rule == &rule; }) ||
             std::ranges::any_of(document.notes, [&](const Note& note) { return code(note.kind) == rule.code; });
    });
  }

  void add_results() {
    // Ordered by severity only where something has to stay out.
    std::vector<ActiveFinding> findings;
    for (const DocumentReport& document : report_.documents)
      for (const Finding& finding : document.findings) findings.push_back({&document, &finding});
    if (findings.size() > kMostResults) {
      std::ranges::stable_sort(findings, [](const ActiveFinding& a, const ActiveFinding& b) {
        return std::pair(is_active(*a.finding), a.finding->severity) >
               std::pair(is_active(*b.finding), b.finding->severity);
      });
      left_out_ = findings.size() - kMostResults;
      findings.resize(kMostResults);
    }
    for (const ActiveFinding& finding : findings) results_.push_back(result(*finding.document, *finding.finding));
  }

  Json result(const DocumentReport& report, const Finding& finding) {
    const PlanDocument& document = report.document;
    Json json;
    json["ruleId"] = finding.rule->code;
    if (const auto at = index_.find(finding.rule->code); at != index_.end()) json["ruleIndex"] = at->second;
    json["level"] = sarif_level(finding.severity);
    // GitHub takes the first sentence for a title.
    std::string text = sentence(finding.message);
    if (!finding.fix.empty()) text += "\nFix: " + finding.fix;
    json["message"] = message(text);
    Json location;
    location["physicalLocation"] = physical_location(document, finding.span, options_.base);
    location["logicalLocations"].push_back(logical_location(document, finding));
    json["locations"].push_back(std::move(location));
    std::size_t id = 0;
    for (const RelatedPlace& place : finding.related) {
      if (place.span.empty() || id == kMostRelated) continue;
      Json related;
      related["id"] = ++id;
      related["physicalLocation"] = physical_location(document, place.span, options_.base);
      if (!place.message.empty()) related["message"] = message(place.message);
      json["relatedLocations"].push_back(std::move(related));
    }
    // The action that uploads fills primaryLocationLineHash, and warns of one that differs from its own.
    if (!finding.fingerprint.empty()) json["partialFingerprints"]["planvet/v1"] = finding.fingerprint;
    if (has_baseline_) json["baselineState"] = finding.is_baseline ? "unchanged" : "new";
    if (Json list = suppressions(finding, report_); !list.empty()) json["suppressions"] = std::move(list);
    if (!finding.fix.empty()) json["properties"]["fix"] = finding.fix;
    if (!finding.reasons.empty()) json["properties"]["reasons"] = finding.reasons;
    for (const Evidence& item : finding.evidence) {
      Json entry;
      entry["what"] = item.what;
      entry["value"] = item.value == std::floor(item.value) && std::fabs(item.value) < 9e15
                           ? Json(static_cast<std::int64_t>(item.value))
                           : Json(item.value);
      entry["unit"] = item.unit;
      entry["source"] = name(item.source);
      json["properties"]["evidence"].push_back(std::move(entry));
    }
    return json;
  }

  // What went wrong with an input is no result.
  void add_problems() {
    for (const InputError& error : report_.errors) {
      Json json;
      json["level"] = "error";
      json["message"] = message("Cannot read the input: " + error.message);
      json["locations"].push_back(
          {{"physicalLocation", {{"artifactLocation", artifact_location(error.path, options_.base)}}}});
      problems_.push_back(std::move(json));
    }
    for (const DocumentReport& document : report_.documents) {
      for (const Note& note : document.notes) {
        Json json = notification(document.document, note.span, note.message, is_loss(note) ? "warning" : "note");
        json["descriptor"]["id"] = code(note.kind);
        if (const auto at = index_.find(code(note.kind)); at != index_.end()) json["descriptor"]["index"] = at->second;
        problems_.push_back(std::move(json));
      }
      for (const AllowProblem& problem : document.allow_problems)
        problems_.push_back(notification(document.document, problem.span, problem.message, "warning"));
    }
    for (const SuppressionProblem& problem : report_.suppression_problems) {
      Json json;
      json["level"] = "warning";
      json["message"] = message(problem.message);
      json["locations"].push_back(
          {{"physicalLocation",
            {{"artifactLocation", artifact_location(problem.place.file, options_.base)},
             {"region", {{"startLine", problem.place.line}, {"startColumn", problem.place.column}}}}}});
      problems_.push_back(std::move(json));
    }
    for (const LooseEnd& end : stale_entries_of(report_)) {
      Json json;
      json["level"] = "warning";
      json["message"] = message(end.message);
      json["locations"].push_back(
          {{"physicalLocation", {{"artifactLocation", artifact_location(end.path, options_.base)}}}});
      problems_.push_back(std::move(json));
    }
    if (left_out_ > 0) {
      Json json;
      json["level"] = "warning";
      json["message"] = message(fmt::format("{} more findings are left out: a run holds {}.", left_out_, kMostResults));
      problems_.push_back(std::move(json));
    }
  }

  Json notification(const PlanDocument& document, Span span, std::string_view text, std::string_view level) {
    Json json;
    json["level"] = level;
    json["message"] = message(text);
    json["locations"].push_back({{"physicalLocation", physical_location(document, span, options_.base)}});
    return json;
  }

  const Report& report_;
  const RenderOptions& options_;
  std::map<std::string_view, std::size_t> index_;  // code -> index in rules_ or notifications_
  bool has_baseline_ = false;
  std::size_t left_out_ = 0;
  Json rules_ = Json::array();
  Json notifications_ = Json::array();
  Json results_ = Json::array();
  Json problems_ = Json::array();
};

std::string sarif(const Report& report, const RenderOptions& options) {
  Json json;
  json["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  json["version"] = "2.1.0";
  json["runs"].push_back(Run(report, options).json());
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace

extern constinit const Renderer kSarif{
    .name = "sarif", .description = "SARIF 2.1.0: code scanning of GitHub", .is_machine = true, .render = sarif};

}  // namespace planvet::render
