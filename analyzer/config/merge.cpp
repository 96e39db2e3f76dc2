#include "analyzer/config/merge.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace planvet::config {

namespace {

template <typename Value>
void append(std::vector<Value>& to, const std::vector<Value>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

bool is_added_up(std::string_view name) { return name == "ignore" || name == "exclude"; }

// The nearest layer's facts come first: what reads them takes the first table of that name.
void merge_tables(std::vector<TableFact>& tables, const std::vector<TableFact>& nearer) {
  for (const TableFact& fact : nearer) {
    const auto known = std::ranges::find(tables, fact.name, &TableFact::name);
    TableFact merged = fact;
    if (known != tables.end()) {
      if (!merged.size_bytes) merged.size_bytes = known->size_bytes;
      if (!merged.rows) merged.rows = known->rows;
      if (merged.partition_columns.empty()) merged.partition_columns = known->partition_columns;
      if (merged.bucket_columns.empty()) merged.bucket_columns = known->bucket_columns;
      tables.erase(known);
    }
    tables.insert(tables.begin(), std::move(merged));
  }
}

}  // namespace

void merge(Settings& settings, const Layer& layer, const std::string& file, const std::string& folder) {
  const Settings& nearer = layer.settings;
  if (layer.places.contains("select")) settings.rules.select = nearer.rules.select;
  append(settings.rules.ignore, nearer.rules.ignore);
  for (const auto& [rule, severity] : nearer.rules.severity) settings.rules.severity[rule] = severity;
  for (const auto& [rule, options] : nearer.rules.options)
    for (const auto& [option, value] : options) settings.rules.options[rule][option] = value;
  if (nearer.facts.spark_version) settings.facts.spark_version = nearer.facts.spark_version;
  append(settings.facts.conf, nearer.facts.conf);
  merge_tables(settings.facts.tables, nearer.facts.tables);
  if (nearer.fail_on) settings.fail_on = nearer.fail_on;
  for (const PathList& list : nearer.exclude) settings.exclude.push_back({folder, list.patterns});
  for (Suppression suppression : nearer.suppressions) {
    suppression.place.file = file;
    suppression.paths.folder = folder;
    settings.suppressions.push_back(std::move(suppression));
  }
  if (!nearer.baseline.empty())
    settings.baseline =
        nearer.baseline.starts_with('/') ? nearer.baseline : fmt::format("{}/{}", folder, nearer.baseline);
  for (const auto& [name, place] : layer.places) {
    std::string& origin = settings.origins[name];
    const std::string here = file.empty() ? "command line" : fmt::format("{}:{}", file, place.line);
    origin = origin.empty() || !is_added_up(name) ? here : origin + ", " + here;
  }
}

}  // namespace planvet::config
