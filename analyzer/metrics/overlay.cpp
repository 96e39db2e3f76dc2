#include "analyzer/metrics/overlay.hpp"

#include <algorithm>
#include <iterator>

namespace planvet::metrics {

const TreeMetrics::Row* TreeMetrics::find(NodeId node) const {
  const auto row = std::lower_bound(rows_.begin(), rows_.end(), node,
                                    [](const Row& candidate, NodeId wanted) { return candidate.node < wanted; });
  return row == rows_.end() || row->node != node ? nullptr : &*row;
}

void TreeMetrics::take(NodeId node, std::span<MeasuredMetric> metrics, std::span<const std::int32_t> stages) {
  Row row{node};
  row.metrics_begin = static_cast<std::uint32_t>(metrics_.size());
  row.stages_begin = static_cast<std::uint32_t>(stages_.size());
  std::move(metrics.begin(), metrics.end(), std::back_inserter(metrics_));
  stages_.insert(stages_.end(), stages.begin(), stages.end());
  row.metrics_end = static_cast<std::uint32_t>(metrics_.size());
  row.stages_end = static_cast<std::uint32_t>(stages_.size());
  rows_.push_back(row);
}

}  // namespace planvet::metrics
