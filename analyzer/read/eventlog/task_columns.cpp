#include "analyzer/read/eventlog/task_columns.hpp"

#include <algorithm>

namespace planvet::read::eventlog {
namespace {

using metrics::Quantiles;

// So few are sorted whole.
constexpr std::size_t kFew = 16;

// As AppStatusStore.taskSummary: the value at position (count * quantile) of the sorted ones, the last one at most.
Quantiles quantiles_of(std::vector<std::int64_t>& values) {
  Quantiles result;
  if (values.empty()) return result;
  const std::size_t count = values.size();
  const auto at = [&](std::size_t position) {
    return values.begin() + static_cast<std::ptrdiff_t>(std::min(position, count - 1));
  };
  if (count <= kFew) {
    std::sort(values.begin(), values.end());
    return {values.front(), *at(count / 4), *at(count / 2), *at(count * 3 / 4), values.back()};
  }
  // Each step sorts out what is left of the one before.
  const auto median = at(count / 2);
  std::nth_element(values.begin(), median, values.end());
  result.median = *median;
  const auto quarter = at(count / 4);
  std::nth_element(values.begin(), quarter, median == values.begin() ? values.end() : median);
  result.quarter = quarter == median ? result.median : *quarter;
  const auto three_quarters = at(count * 3 / 4);
  std::nth_element(median, three_quarters, values.end());
  result.three_quarters = *three_quarters;
  result.min = *std::min_element(values.begin(), quarter + 1);
  result.max = *std::max_element(three_quarters, values.end());
  return result;
}

}  // namespace

void TaskColumns::add_value(Column column, std::int64_t value) {
  std::vector<std::int64_t>& values = columns_[column];
  if (values.empty()) {
    if (value == 0) return;
    values.reserve(std::max(kFew, tasks_ + 1));
  }
  values.resize(tasks_);
  values.push_back(value);
}

void TaskColumns::add(const TaskEnd& task) {
#define PLANVET_TASK_QUANTILE(field, group, name, value) add_value(field, value);
#include "analyzer/metrics/task_quantiles.def"
  ++tasks_;
}

metrics::TaskQuantiles TaskColumns::quantiles() const {
  metrics::TaskQuantiles result;
  std::vector<std::int64_t> scratch;
#define PLANVET_TASK_QUANTILE(field, group, name, value) \
  scratch = columns_[field];                             \
  if (!scratch.empty()) {                                \
    scratch.resize(tasks_);                              \
    result.field = quantiles_of(scratch);                \
  }
#include "analyzer/metrics/task_quantiles.def"
  return result;
}

}  // namespace planvet::read::eventlog
