// What was measured, beside the trees of a document and never in them.
//
//   tree      0 AdaptiveSparkPlan      metrics of 1: duration           stages of 1: 4
//             1 WholeStageCodegen                 2: number of output rows        2: 4
//             2 Filter
//
// A document of an event log holds one DocumentMetrics; documents of other inputs hold none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analyzer/metrics/execution_run.hpp"
#include "analyzer/metrics/metric.hpp"
#include "analyzer/metrics/summary.hpp"
#include "analyzer/metrics/trust.hpp"
#include "analyzer/plan/ids.hpp"

namespace planvet::metrics {

// One metric of one operator with its value: one result for each partition, however often it was tried.
struct MeasuredMetric {
  Metric metric;
  std::int64_t accumulator = 0;  // -1: not known, since the metric comes from Spark's own text
  Summary summary;
  Trust trust;
  // What Spark's UI shows where that is not the same.
  std::optional<Summary> history_server;
  // It shows the metric at all: not what only an earlier attempt of a stage, or a task behind the query's end, updated.
  bool is_in_history_server = true;
};

// The metrics of one tree, by node. A metric that nothing updated is not in it: absent is not 0.
class TreeMetrics {
 public:
  [[nodiscard]] std::span<const MeasuredMetric> of(NodeId node) const {
    const Row* const row = find(node);
    return row == nullptr ? std::span<const MeasuredMetric>()
                          : std::span(metrics_).subspan(row->metrics_begin, row->metrics_end - row->metrics_begin);
  }
  // The stages whose tasks updated a metric of the node, rising. An exchange has those that write and those that read.
  [[nodiscard]] std::span<const std::int32_t> stages(NodeId node) const {
    const Row* const row = find(node);
    return row == nullptr ? std::span<const std::int32_t>()
                          : std::span(stages_).subspan(row->stages_begin, row->stages_end - row->stages_begin);
  }
  [[nodiscard]] const MeasuredMetric* find(NodeId node, MetricKey key) const {
    for (const MeasuredMetric& metric : of(node)) {
      if (metric.metric.key == key) return &metric;
    }
    return nullptr;
  }
  [[nodiscard]] bool empty() const { return metrics_.empty(); }

  void reserve(std::size_t nodes, std::size_t metrics) {
    rows_.reserve(nodes);
    metrics_.reserve(metrics);
  }
  // Nodes must come in rising order, each once.
  void add(NodeId node, std::vector<MeasuredMetric> metrics, std::span<const std::int32_t> stages) {
    take(node, metrics, stages);
  }
  // The same; what `metrics` holds is moved from there.
  void take(NodeId node, std::span<MeasuredMetric> metrics, std::span<const std::int32_t> stages);

 private:
  struct Row {
    NodeId node{};
    std::uint32_t metrics_begin = 0;
    std::uint32_t metrics_end = 0;
    std::uint32_t stages_begin = 0;
    std::uint32_t stages_end = 0;
  };
  [[nodiscard]] const Row* find(NodeId node) const;

  std::vector<Row> rows_;
  std::vector<MeasuredMetric> metrics_;
  std::vector<std::int32_t> stages_;
};

struct DocumentMetrics {
  TreeMetrics judged;                      // of the final or current plan
  std::vector<TreeMetrics> optimized_out;  // as the document's
  // Measured for operators that the last plan no longer has: adaptive execution replaced them after they ran.
  std::vector<MeasuredMetric> superseded;
  ExecutionRun run;
};

}  // namespace planvet::metrics
