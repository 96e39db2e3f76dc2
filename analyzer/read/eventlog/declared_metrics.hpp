// The metrics of one query, by the order in which its plans and events declared them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
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
  std::shared_ptr<const metrics::Metric> metric;
  DeclaredBy by = DeclaredBy::Plan;
};

// What metrics of the same name and type are: queries declare the same few hundred again and again.
class KnownMetrics {
 public:
  [[nodiscard]] std::shared_ptr<const metrics::Metric> find(std::string_view name, std::string_view type);

 private:
  std::array<std::shared_ptr<const metrics::Metric>, 512> metrics_;  // the last one of each hash
};

class DeclaredMetrics {
 public:
  // What was declared before keeps its place and its name.
  void add(const std::vector<MetricDeclaration>& declarations, DeclaredBy by, KnownMetrics& known);

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
