#include "analyzer/report/baseline.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace planvet {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchemaVersion = 1;

BaselineProblem problem_at(std::string_view text, std::size_t offset, std::string message) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = static_cast<std::uint32_t>(std::ranges::count(before, '\n') + 1);
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  return {line, static_cast<std::uint32_t>(before.size() - line_begin + 1), std::move(message)};
}

// nlohmann's own message repeats the position and its error's number.
std::string reason_of(const Json::parse_error& error) {
  const std::string_view what = error.what();
  const std::size_t colon = what.find("column");
  const std::size_t begin = colon == std::string_view::npos ? std::string_view::npos : what.find(": ", colon);
  return "this is no JSON: " + std::string(begin == std::string_view::npos ? what : what.substr(begin + 2));
}

std::optional<std::string> text_of(const Json& object, const char* key) {
  const auto at = object.find(key);
  if (at == object.end() || !at->is_string() || at->get_ref<const std::string&>().empty()) return std::nullopt;
  return at->get<std::string>();
}

// Empty: read.
std::string read_entry(const Json& json, BaselineEntry& entry) {
  if (!json.is_object()) return "is no object";
  for (const auto& [key, into] :
       {std::pair{"path", &entry.path}, std::pair{"rule", &entry.rule}, std::pair{"fingerprint", &entry.fingerprint}}) {
    const std::optional<std::string> text = text_of(json, key);
    if (!text) return fmt::format("has no \"{}\"", key);
    *into = *text;
  }
  entry.operator_kind = text_of(json, "operator").value_or("");
  if (const auto tables = json.find("tables"); tables != json.end() && tables->is_array())
    for (const Json& table : *tables)
      if (table.is_string()) entry.tables.push_back(table.get<std::string>());
  return {};
}

std::string read_entries(const Json& json, std::vector<BaselineEntry>& entries) {
  if (!json.is_object() || !json.contains("findings") || !json["findings"].is_array())
    return "this is no baseline: expected an object with \"schema_version\" and a list \"findings\"";
  const auto version = json.find("schema_version");
  if (version == json.end() || *version != kSchemaVersion)
    return fmt::format("schema_version is {}: this planvet reads {}; write the baseline anew",
                       version == json.end() ? "missing" : version->dump(), kSchemaVersion);
  std::size_t number = 0;
  for (const Json& item : json["findings"]) {
    ++number;
    BaselineEntry entry;
    const std::string wrong = read_entry(item, entry);
    if (!wrong.empty()) return fmt::format("finding {} {}", number, wrong);
    entries.push_back(std::move(entry));
  }
  return {};
}

Json entry_json(const BaselineEntry& entry) {
  Json json;
  json["path"] = entry.path;
  json["rule"] = entry.rule;
  json["operator"] = entry.operator_kind;
  json["tables"] = entry.tables;
  json["fingerprint"] = entry.fingerprint;
  return json;
}

}  // namespace

BaselineFile parse_baseline(std::string_view text) {
  BaselineFile file;
  try {
    std::string wrong = read_entries(Json::parse(text), file.entries);
    if (!wrong.empty()) file.problem = BaselineProblem{1, 1, std::move(wrong)};
  } catch (const Json::parse_error& error) {
    file.problem = problem_at(text, error.byte == 0 ? 0 : error.byte - 1, reason_of(error));
  }
  return file;
}

std::string baseline_text(std::vector<BaselineEntry> entries) {
  std::ranges::sort(entries, [](const BaselineEntry& a, const BaselineEntry& b) {
    return std::tie(a.path, a.rule, a.operator_kind, a.fingerprint) <
           std::tie(b.path, b.rule, b.operator_kind, b.fingerprint);
  });
  const auto is_repeated = [](const BaselineEntry& a, const BaselineEntry& b) {
    return a.fingerprint == b.fingerprint;
  };
  entries.erase(std::unique(entries.begin(), entries.end(), is_repeated), entries.end());
  std::string out = fmt::format("{{\n  \"schema_version\": {},\n  \"findings\": [", kSchemaVersion);
  for (std::size_t i = 0; i < entries.size(); ++i)
    out +=
        (i == 0 ? "\n    " : ",\n    ") + entry_json(entries[i]).dump(-1, ' ', false, Json::error_handler_t::replace);
  out += entries.empty() ? "]\n}\n" : "\n  ]\n}\n";
  return out;
}

}  // namespace planvet
