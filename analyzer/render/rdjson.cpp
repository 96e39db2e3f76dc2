// Diagnostics of reviewdog, which brings them to the reviews of GitHub, GitLab, Bitbucket and Gerrit. Columns are UTF-8
// bytes and ends are exclusive, there as here. Fixes are advice, no edits of the file: none is a suggestion.
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "analyzer/render/findings.hpp"
#include "analyzer/render/loose_ends.hpp"
#include "analyzer/render/place.hpp"
#include "analyzer/render/renderer.hpp"

namespace planvet::render {

namespace {

using Json = nlohmann::ordered_json;

std::string_view rdjson_severity(Severity severity) {
  switch (severity) {
    case Severity::Error: return "ERROR";
    case Severity::Warning: return "WARNING";
    case Severity::Info: return "INFO";
  }
  return "INFO";
}

Json location_json(const std::string& path, const std::optional<Place>& place) {
  Json json;
  json["path"] = path;
  if (place) {
    json["range"]["start"] = {{"line", place->begin.line}, {"column", place->begin.column}};
    json["range"]["end"] = {{"line", place->end.line}, {"column", place->end.column}};
  }
  return json;
}

Json diagnostic(std::string_view severity, std::string_view code, std::string_view rule, const std::string& message,
                Json location) {
  Json json;
  json["message"] = message;
  json["location"] = std::move(location);
  json["severity"] = severity;
  json["code"]["value"] = fmt::format("{} {}", code, rule);
  if (const std::string url = rule_url(rule); !url.empty()) json["code"]["url"] = url;
  return json;
}

std::string rdjson(const Report& report, const RenderOptions&) {
  Json diagnostics = Json::array();
  for (const InputError& error : report.errors) {
    Json json;
    json["message"] = "planvet could not read this: " + error.message;
    json["location"] = location_json(error.path, std::nullopt);
    json["severity"] = "ERROR";
    diagnostics.push_back(std::move(json));
  }
  for (const DocumentReport& document : report.documents) {
    const std::string& path = document.document.source->path();
    for (const Finding& finding : document.findings) {
      if (!is_active(finding)) continue;
      Json json = diagnostic(rdjson_severity(finding.severity), finding.rule->code, finding.rule->name,
                             message_with_fix(document.document, finding),
                             location_json(path, place_of(document.document, finding.span)));
      for (const RelatedPlace& place : finding.related) {
        if (place.span.empty()) continue;
        json["related_locations"].push_back(
            {{"message", place.message}, {"location", location_json(path, place_of(document.document, place.span))}});
      }
      diagnostics.push_back(std::move(json));
    }
    for (const Note& note : document.notes) {
      if (is_loss(note))
        diagnostics.push_back(diagnostic("INFO", code(note.kind), name(note.kind), note.message,
                                         location_json(path, place_of(document.document, note.span))));
    }
  }
  for (const LooseEnd& end : loose_ends_of(report)) {
    Json json;
    json["message"] = end.message;
    json["location"] = location_json(end.path, end.place);
    json["severity"] = "INFO";
    json["code"]["value"] = end.kind;
    diagnostics.push_back(std::move(json));
  }
  Json json;
  json["source"]["name"] = "planvet";
  json["severity"] = "WARNING";
  json["diagnostics"] = std::move(diagnostics);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace

extern constinit const Renderer kRdjson{
    .name = "rdjson", .description = "diagnostics of reviewdog", .is_machine = true, .render = rdjson};

}  // namespace planvet::render
