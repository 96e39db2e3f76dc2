// The metrics of one query, by the order in which its plans and events declared them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/metrics/metric.hpp"
#include "analyzer/read/eventlog/accumulator_index.hpp"
#include "analyzer/read/eventlog/events.hpp"

namespace planvet::read::eventlog {

// How a metric came to be known.
enum class DeclaredBy : std::uint8_t {
  Plan,
  Event,  // SparkListenerSQLAdaptiveSQLMetricUpdates: it has no node, for now
};

struct DeclaredMetric {
  std::int64_t accumulator = 0;
  metrics::Metric metric;
  DeclaredBy by = DeclaredBy::Plan;
};

class DeclaredMetrics {
 public:
  // What was declared before keeps its place and its name.
  void add(const MetricDeclaration& declaration, DeclaredBy by);

  [[nodiscard]] std::size_t size() const { return metrics_.size(); }
  [[nodiscard]] std::optional<std::size_t> find(std::int64_t accumulator) const {
    const std::uint32_t number = index_.find(accumulator);
    return number == AccumulatorIndex::kNone ? std::nullopt : std::optional<std::size_t>(number);
  }
  [[nodiscard]] const DeclaredMetric& operator[](std::size_t number) const { return metrics_[number]; }

 private:
  std::vector<DeclaredMetric> metrics_;
  AccumulatorIndex index_;
};

}  // namespace planvet::read::eventlog
