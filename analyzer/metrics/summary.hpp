// One metric over all its tasks, by the rules of Spark's SQL UI.
//
//   values of tasks (one for each partition; 0 where a task said nothing) and of the driver
//   -> total, least, median, largest, and whose the largest is
//
// Sizes and times leave out values below 0 (nothing was set), averages those up to 0 as well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/metrics/metric.hpp"

namespace planvet::metrics {

// The task that had the largest value. Without one it was the driver.
struct TaskPlace {
  std::int32_t stage = 0;
  std::int32_t attempt = 0;
  std::int64_t task = 0;
  friend bool operator==(const TaskPlace&, const TaskPlace&) = default;
};

// All in stored units: see in_unit().
struct Summary {
  std::int64_t total = 0;
  std::int64_t min = 0;
  std::int64_t median = 0;  // the larger one of two in the middle, as Spark takes it
  std::int64_t max = 0;
  std::size_t values = 0;             // that were counted
  std::optional<TaskPlace> max_task;  // nothing: the driver
  [[nodiscard]] bool has_spread() const { return values > 1; }
  friend bool operator==(const Summary&, const Summary&) = default;
};

// Puts `values` into another order and shortens them. `more_zeros`: so many values of 0 are there besides.
[[nodiscard]] Summary summarize(MetricType type, std::vector<std::int64_t>& values, std::optional<TaskPlace> max_task,
                                std::size_t more_zeros = 0);

// The text that Spark's UI and REST API show for it:
// "total (min, med, max (stageId: taskId))\n922 ms (439 ms, 483 ms, 483 ms (stage 2.0: task 3))".
[[nodiscard]] std::string spark_text(MetricType type, const Summary& summary);

}  // namespace planvet::metrics
