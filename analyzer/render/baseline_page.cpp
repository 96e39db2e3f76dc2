#include "analyzer/render/baseline_page.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "analyzer/render/glyphs.hpp"
#include "analyzer/render/json.hpp"

namespace planvet::render {

namespace {

using Json = nlohmann::ordered_json;

std::string_view name(EntryState state) {
  switch (state) {
    case EntryState::Known: return "known";
    case EntryState::New: return "new";
    case EntryState::Gone: return "gone";
    case EntryState::NotJudged: return "not judged";
  }
  return "known";
}

std::vector<ShownEntry> sorted(std::vector<ShownEntry> entries) {
  std::ranges::sort(entries, [](const ShownEntry& a, const ShownEntry& b) {
    return std::tie(a.entry.path, a.entry.rule, a.entry.operator_kind, a.entry.fingerprint) <
           std::tie(b.entry.path, b.entry.rule, b.entry.operator_kind, b.entry.fingerprint);
  });
  return entries;
}

std::array<std::size_t, 4> counts(const std::vector<ShownEntry>& entries) {
  std::array<std::size_t, 4> counts{};
  for (const ShownEntry& shown : entries) ++counts[static_cast<std::size_t>(shown.state)];
  return counts;
}

}  // namespace

std::string baselines_text(const std::vector<ShownBaseline>& all) {
  std::string out;
  for (const ShownBaseline& baseline : all) {
    out += baseline.file + '\n';
    for (const ShownEntry& shown : sorted(baseline.entries)) {
      const BaselineEntry& entry = shown.entry;
      std::string tables;
      for (const std::string& table : entry.tables) tables += (tables.empty() ? "" : ", ") + table;
      out += fmt::format("  {:<10}  {}  {} on {}{}\n", name(shown.state), one_line(entry.path), entry.rule,
                         entry.operator_kind, tables.empty() ? "" : ": " + one_line(tables));
    }
    const auto [known, fresh, gone, not_judged] = counts(baseline.entries);
    out += fmt::format("{} known, {} new, {} gone, {} not judged\n", known, fresh, gone, not_judged);
  }
  return out;
}

std::string baselines_json(const std::vector<ShownBaseline>& all) {
  Json list = Json::array();
  for (const ShownBaseline& baseline : all) {
    Json entries = Json::array();
    for (const ShownEntry& shown : sorted(baseline.entries)) {
      Json entry;
      entry["state"] = shown.state == EntryState::NotJudged ? "not-judged" : name(shown.state);
      entry["path"] = shown.entry.path;
      entry["rule"] = shown.entry.rule;
      entry["operator"] = shown.entry.operator_kind;
      entry["tables"] = shown.entry.tables;
      entry["fingerprint"] = shown.entry.fingerprint;
      entries.push_back(std::move(entry));
    }
    Json item;
    item["file"] = baseline.file;
    item["findings"] = std::move(entries);
    list.push_back(std::move(item));
  }
  Json json;
  json["schema_version"] = kSchemaVersion;
  json["baselines"] = std::move(list);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace planvet::render
