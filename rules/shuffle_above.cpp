#include "rules/shuffle_above.hpp"

#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"

namespace planvet::rules {

std::optional<ShuffleAbove> shuffle_above(const PlanTree& plan, NodeId node) {
  ShuffleAbove result;
  for (NodeId at = node; at != kNoNode && plan.node(at).link == Link::Child;) {
    at = plan.node(at).parent;
    if (Exchange::of(plan, at)) {
      result.exchange = at;
      return result;
    }
    switch (family(plan.node(at).kind)) {
      case OperatorFamily::Aggregate: result.is_aggregated = true; break;
      case OperatorFamily::Project:
      case OperatorFamily::Filter:
      case OperatorFamily::Expand:
      case OperatorFamily::Sort: break;
      default:
        if (!is_structural(plan.node(at).kind)) return std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<Quantity> rows_written(const PlanContext& context, NodeId exchange) {
  if (context.statistics().measured() != nullptr) {
    const auto rows = context.statistics().rows(exchange);
    if (rows && rows->source == EvidenceSource::Measured) return rows;
  }
  const PlanNode& node = context.plan().node(exchange);
  if (node.parent == kNoNode || family(context.plan().node(node.parent).kind) != OperatorFamily::QueryStage) {
    return std::nullopt;
  }
  return context.statistics().rows(node.parent);
}

}  // namespace planvet::rules
