// What a SQL metric is called and measured in: Spark's name and type, and what planvet makes of both.
//
//   {"name":"shuffle write time","accumulatorId":42,"metricType":"nsTiming"}
//   -> key ShuffleWriteTime, "shuffle_write_time", in milliseconds
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace planvet::metrics {

// `metricType`, which decides how values of tasks become one number and how that is printed.
enum class MetricType : std::uint8_t {
  Sum,
  Size,      // bytes
  Timing,    // milliseconds
  NsTiming,  // nanoseconds
  Average,   // stored times ten
  Custom,    // v2Custom_<class>: only that class knows; a History Server without it prints N/A
  Other,     // a vendor's own
};

enum class MetricUnit : std::uint8_t { Rows, Bytes, Milliseconds, Count };
[[nodiscard]] std::string_view name(MetricUnit unit);  // "rows", "bytes", "ms", "count"

enum class MetricKey : std::uint8_t {
  Other,  // not in metrics.def
#define PLANVET_METRIC(key, json_key, unit, names) key,
#include "analyzer/metrics/metrics.def"
};

// One metric of one operator, as the plan declares it.
struct Metric {
  std::string name;       // Spark's
  std::string type_name;  // Spark's: "sum", "v2Custom_.."
  MetricType type = MetricType::Other;
  MetricKey key = MetricKey::Other;
  MetricUnit unit = MetricUnit::Count;
};
[[nodiscard]] Metric make_metric(std::string_view name, std::string_view type_name);

[[nodiscard]] MetricType parse_metric_type(std::string_view type_name);

// How JSON calls it: the list's key, else the name in snake_case.
[[nodiscard]] std::string json_key(const Metric& metric);

// A stored value in the metric's unit: nanoseconds become milliseconds, averages lose their factor of ten.
[[nodiscard]] double in_unit(MetricType type, std::int64_t stored);

}  // namespace planvet::metrics
