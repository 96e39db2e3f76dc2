#include "rules/shuffle_read.hpp"

#include "analyzer/plan/walk.hpp"

namespace planvet::rules {

using metrics::MetricKey;

NodeId shuffle_read_above(const PlanTree& plan, NodeId exchange) {
  for (NodeId at = plan.node(exchange).parent; at != kNoNode; at = plan.node(at).parent) {
    if (plan.node(at).kind == OperatorKind::AQEShuffleRead) return at;
    if (!is_structural(plan.node(at).kind)) break;
  }
  return kNoNode;
}

std::optional<PartitionSizes> partition_sizes(const PlanContext& context, NodeId exchange) {
  const Measured* const log = context.statistics().measured();
  if (log == nullptr) return std::nullopt;
  const NodeId read = shuffle_read_above(context.plan(), exchange);
  if (read != kNoNode) {
    const metrics::MeasuredMetric* const sizes = log->find(read, MetricKey::PartitionDataSize);
    if (sizes != nullptr && sizes->summary.values > 0) {
      return PartitionSizes{static_cast<double>(sizes->summary.values), static_cast<double>(sizes->summary.total),
                            static_cast<double>(sizes->summary.median), static_cast<double>(sizes->summary.max)};
    }
  }
  const metrics::MeasuredMetric* const rows = log->find(exchange, MetricKey::RecordsRead);
  const auto written_rows = log->quantity(exchange, MetricKey::ShuffleRecordsWritten);
  const auto written_bytes = log->quantity(exchange, MetricKey::ShuffleBytesWritten);
  const bool is_whole = rows != nullptr && rows->summary.values > 0 && written_rows && written_rows->is_at_most &&
                        written_bytes && written_rows->value > 0;
  if (!is_whole) return std::nullopt;
  const double row = written_bytes->value / written_rows->value;
  return PartitionSizes{static_cast<double>(rows->summary.values), written_bytes->value,
                        static_cast<double>(rows->summary.median) * row, static_cast<double>(rows->summary.max) * row};
}

}  // namespace planvet::rules
