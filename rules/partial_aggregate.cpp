#include "rules/partial_aggregate.hpp"

#include "analyzer/plan/walk.hpp"

namespace planvet::rules {

bool is_partial_aggregate(const PlanTree& plan, NodeId aggregate, NodeId exchange) {
  const Attribute* functions = plan.find(aggregate, AttributeKind::Functions);
  if (functions != nullptr && functions->text.find("partial_") != std::string_view::npos) return true;
  if (functions == nullptr || functions->text != "[]") return false;
  // DISTINCT has no function: its first half has its second half, with the same keys, above the exchange.
  const NodeId above = above_structure(plan, exchange);
  const Attribute* keys = plan.find(aggregate, AttributeKind::GroupingKeys);
  const Attribute* keys_above = above == kNoNode ? nullptr : plan.find(above, AttributeKind::GroupingKeys);
  return keys != nullptr && keys_above != nullptr && keys->text == keys_above->text;
}

}  // namespace planvet::rules
