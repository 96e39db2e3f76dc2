#include "analyzer/metrics/summary.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "analyzer/metrics/spark_number.hpp"

namespace planvet::metrics {
namespace {

// Sums wrap around, as Java's do.
std::int64_t sum(const std::vector<std::int64_t>& values) {
  std::uint64_t total = 0;
  for (const std::int64_t value : values) total += static_cast<std::uint64_t>(value);
  return static_cast<std::int64_t>(total);
}

std::string value_text(MetricType type, std::int64_t value) {
  constexpr std::int64_t kNanosecondsInMillisecond = 1'000'000;
  switch (type) {
    case MetricType::Size: return spark_size(value);
    case MetricType::Timing: return spark_duration(value);
    case MetricType::NsTiming: return spark_duration(value / kNanosecondsInMillisecond);
    case MetricType::Average: return spark_tenths(value);
    case MetricType::Sum:
    case MetricType::Custom:
    case MetricType::Other: break;
  }
  return spark_count(value);
}

}  // namespace

Summary summarize(MetricType type, std::vector<std::int64_t>& values, std::optional<TaskPlace> max_task,
                  std::size_t more_zeros) {
  if (type == MetricType::Average) {
    std::erase_if(values, [](std::int64_t value) { return value <= 0; });
    more_zeros = 0;
  } else if (type != MetricType::Sum) {
    std::erase_if(values, [](std::int64_t value) { return value < 0; });
  }
  Summary summary;
  summary.values = values.size() + more_zeros;
  summary.max_task = max_task;
  if (values.empty()) return summary;
  summary.total = sum(values);
  const std::size_t middle = summary.values / 2;
  if (more_zeros == 0) {
    const auto median = values.begin() + static_cast<std::ptrdiff_t>(middle);
    std::nth_element(values.begin(), median, values.end());
    summary.median = *median;
    summary.min = *std::min_element(values.begin(), std::next(median));
    summary.max = *std::max_element(median, values.end());
    return summary;
  }
  std::sort(values.begin(), values.end());
  summary.min = std::min<std::int64_t>(values.front(), 0);
  summary.max = std::max<std::int64_t>(values.back(), 0);
  // The zeros stand behind what is less.
  const auto less = static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), 0) - values.begin());
  if (middle < less) {
    summary.median = values[middle];
  } else if (middle >= less + more_zeros) {
    summary.median = values[middle - more_zeros];
  }
  return summary;
}

std::string spark_text(MetricType type, const Summary& summary) {
  if (type == MetricType::Custom) return "N/A";
  if (type == MetricType::Sum || type == MetricType::Other) return spark_count(summary.total);
  if (!summary.has_spread()) return value_text(type, summary.total);
  std::string place = "driver";
  if (const auto& task = summary.max_task) {
    place = fmt::format("stage {}.{}: task {}", task->stage, task->attempt, task->task);
  }
  const bool is_average = type == MetricType::Average;
  const std::string total = is_average ? std::string() : value_text(type, summary.total) + ' ';
  return fmt::format("{}(min, med, max (stageId: taskId)){}\n{}({}, {}, {} ({}))", is_average ? "" : "total ",
                     is_average ? ":" : "", total, value_text(type, summary.min), value_text(type, summary.median),
                     value_text(type, summary.max), place);
}

}  // namespace planvet::metrics
