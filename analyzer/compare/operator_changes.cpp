// Operators that are neither joins, sources nor exchanges.
#include <algorithm>
#include <array>

#include "analyzer/compare/comparison.hpp"

namespace planvet::compare {
namespace {

bool is_looked_at(Role role) {
  switch (role) {
    case Role::Filter:
    case Role::Aggregate:
    case Role::Window:
    case Role::Sort:
    case Role::Limit:
    case Role::Python:
    case Role::Other: return true;
    // Sources, joins and exchanges are compared elsewhere; a partial aggregate says what the final one says.
    case Role::None:
    case Role::Source:
    case Role::Join:
    case Role::PartialAggregate:
    case Role::Shuffle:
    case Role::Broadcast:
    case Role::Reuse: return false;
  }
  return false;
}

// Its predicates are told with the source.
bool is_above_source(const PlanTree& plan, NodeId id) {
  for (NodeId below = plan.input(id); below != kNoNode; below = plan.input(below)) {
    const Role role = role_of(plan, below);
    if (role == Role::Source) return true;
    if (role != Role::None && role != Role::Filter) return false;
    if (plan.node(below).kind == OperatorKind::AdaptiveSparkPlan) return false;
    if (family(plan.node(below).kind) == OperatorFamily::QueryStage) return false;
  }
  return false;
}

// A sort that a join, window or write needs comes and goes with it, and with the way it works.
bool is_explained(const Comparison& comparison, NodeId id, bool is_new) {
  const Side& own = is_new ? comparison.after : comparison.before;
  const NodeId above = consumer(own.plan, id);
  if (above == kNoNode) return false;
  const NodeId partner = is_new ? comparison.matching.before[index(above)] : comparison.matching.after[index(above)];
  if (partner == kNoNode) return true;
  const Side& other = is_new ? comparison.before : comparison.after;
  return own.plan.node(above).kind != other.plan.node(partner).kind;
}

void add_unmatched(Comparison& comparison, NodeId id, Role role, bool is_new) {
  const Side& side = is_new ? comparison.after : comparison.before;
  if (role == Role::Filter && is_above_source(side.plan, id)) return;
  if (role == Role::Sort && is_explained(comparison, id, is_new)) return;
  std::string what = role == Role::Filter ? side.text(id, AttributeKind::Condition) : std::string();
  comparison.add({is_new ? ChangeKind::OperatorAdded : ChangeKind::OperatorGone,
                  is_new ? kNoNode : id,
                  is_new ? id : kNoNode,
                  side.names.subject(id),
                  is_new ? std::string() : what,
                  is_new ? what : std::string(),
                  {}});
}

void compare_pair(Comparison& comparison, NodeId old_id, NodeId new_id, Role role) {
  const PlanNode& old_node = comparison.before.plan.node(old_id);
  const PlanNode& new_node = comparison.after.plan.node(new_id);
  const std::string subject = comparison.after.names.subject(new_id);
  if (old_node.kind != new_node.kind) {
    comparison.add(
        {ChangeKind::OperatorReplaced, old_id, new_id, subject, kind_in_words(old_node), kind_in_words(new_node), {}});
  }
  if (role == Role::Filter && is_above_source(comparison.after.plan, new_id)) return;
  constexpr std::array kFacts = {
      AttributeKind::Condition,     AttributeKind::GroupingKeys,   AttributeKind::Functions,
      AttributeKind::SortOrder,     AttributeKind::IsGlobal,       AttributeKind::Limit,
      AttributeKind::Offset,        AttributeKind::NumPartitions,  AttributeKind::WindowExpressions,
      AttributeKind::PartitionSpec, AttributeKind::OrderSpec,      AttributeKind::Generator,
      AttributeKind::Projections,   AttributeKind::PythonFunction, AttributeKind::PartitionColumns,
      AttributeKind::SaveMode,      AttributeKind::OutputMode,     AttributeKind::Script};
  // The two ways of aggregating print their functions alike, but other kinds of operators need not.
  if (old_node.kind != new_node.kind && role != Role::Aggregate) return;
  for (const AttributeKind kind : kFacts) {
    if (!comparison.differs(old_id, new_id, kind)) continue;
    comparison.add({ChangeKind::OperatorChanged, old_id, new_id, subject, comparison.before.text(old_id, kind),
                    comparison.after.text(new_id, kind), printed_label(kind)});
  }
}

}  // namespace

void compare_operators(Comparison& comparison) {
  for (const PlanNode& node : comparison.before.plan.nodes()) {
    const Role role = role_of(comparison.before.plan, node.id);
    if (!is_looked_at(role)) continue;
    const NodeId partner = comparison.matching.after[index(node.id)];
    if (partner == kNoNode) {
      add_unmatched(comparison, node.id, role, false);
    } else {
      compare_pair(comparison, node.id, partner, role);
    }
  }
  for (const PlanNode& node : comparison.after.plan.nodes()) {
    const Role role = role_of(comparison.after.plan, node.id);
    if (is_looked_at(role) && comparison.matching.before[index(node.id)] == kNoNode) {
      add_unmatched(comparison, node.id, role, true);
    }
  }
}

}  // namespace planvet::compare
