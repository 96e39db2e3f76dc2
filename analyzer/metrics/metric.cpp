#include "analyzer/metrics/metric.hpp"

#include <array>

#include "analyzer/plan/word_map.hpp"

namespace planvet::metrics {
namespace {

struct Row {
  MetricKey key;
  std::string_view json_key;
  MetricUnit unit;
  std::string_view names;
};

constexpr auto kRows = std::to_array<Row>({
#define PLANVET_METRIC(key, json_key, unit, names) {MetricKey::key, json_key, MetricUnit::unit, names},
#include "analyzer/metrics/metrics.def"
});

WordMap<const Row*> rows_by_name() {
  WordMap<const Row*> map(kRows.size() * 3);
  for (const Row& row : kRows) {
    for (std::string_view names = row.names; !names.empty();) {
      const std::size_t end = names.find('|');
      map.insert(names.substr(0, end), &row);
      names.remove_prefix(end == std::string_view::npos ? names.size() : end + 1);
    }
  }
  return map;
}

const Row* find_row(std::string_view metric_name) {
  static const WordMap<const Row*> rows = rows_by_name();
  const Row* const* found = rows.find(metric_name);
  return found == nullptr ? nullptr : *found;
}

MetricUnit unit_of(MetricType type) {
  switch (type) {
    case MetricType::Size: return MetricUnit::Bytes;
    case MetricType::Timing:
    case MetricType::NsTiming: return MetricUnit::Milliseconds;
    case MetricType::Sum:
    case MetricType::Average:
    case MetricType::Custom:
    case MetricType::Other: return MetricUnit::Count;
  }
  return MetricUnit::Count;
}

}  // namespace

std::string_view name(MetricUnit unit) {
  switch (unit) {
    case MetricUnit::Rows: return "rows";
    case MetricUnit::Bytes: return "bytes";
    case MetricUnit::Milliseconds: return "ms";
    case MetricUnit::Count: return "count";
  }
  return "count";
}

MetricType parse_metric_type(std::string_view type_name) {
  if (type_name == "sum") return MetricType::Sum;
  if (type_name == "size") return MetricType::Size;
  if (type_name == "timing") return MetricType::Timing;
  if (type_name == "nsTiming") return MetricType::NsTiming;
  if (type_name == "average") return MetricType::Average;
  return type_name.starts_with("v2Custom_") ? MetricType::Custom : MetricType::Other;
}

Metric make_metric(std::string_view name, std::string_view type_name) {
  Metric metric{std::string(name), std::string(type_name)};
  metric.type = parse_metric_type(type_name);
  const Row* const row = find_row(name);
  // A type that has a unit of its own is right about it, whatever others call by this name.
  const MetricUnit unit = unit_of(metric.type);
  const bool is_same = row != nullptr && (unit == MetricUnit::Count || unit == row->unit);
  metric.key = is_same ? row->key : MetricKey::Other;
  metric.unit = is_same ? row->unit : unit;
  return metric;
}

std::string json_key(const Metric& metric) {
  if (metric.key != MetricKey::Other) return std::string(kRows[static_cast<std::size_t>(metric.key) - 1].json_key);
  std::string key;
  for (const char c : metric.name) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    const bool is_word = is_upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (is_word) {
      key.push_back(is_upper ? static_cast<char>(c - 'A' + 'a') : c);
    } else if (!key.empty() && key.back() != '_') {
      key.push_back('_');
    }
  }
  while (key.ends_with('_')) key.pop_back();
  return key;
}

double in_unit(MetricType type, std::int64_t stored) {
  constexpr double kNanosecondsInMillisecond = 1e6;
  constexpr double kAverageFactor = 10;
  const auto value = static_cast<double>(stored);
  if (type == MetricType::NsTiming) return value / kNanosecondsInMillisecond;
  return type == MetricType::Average ? value / kAverageFactor : value;
}

}  // namespace planvet::metrics
