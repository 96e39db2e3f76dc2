#include "rules/input_rows.hpp"

#include <utility>

#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"

namespace planvet::rules {

std::optional<Quantity> known_rows(const PlanContext& context, NodeId id) {
  if (id == kNoNode) return std::nullopt;
  if (const auto rows = context.statistics().rows(id)) return rows;
  return context.statistics().max_rows(id);
}

bool has_at_most(const PlanContext& context, NodeId id, double rows) {
  if (id == kNoNode) return false;
  const auto bound = context.statistics().max_rows(id);
  if (bound && bound->is_at_most && bound->value <= rows) return true;
  const auto known = context.statistics().rows(id);
  return known && known->is_at_most && known->value <= rows;
}

bool has_always_at_most(const PlanContext& context, NodeId id, double rows) {
  const auto bound = context.statistics().max_rows(id);
  const bool is_said = bound && (bound->source == EvidenceSource::Plan || bound->source == EvidenceSource::Measured);
  return is_said && bound->is_at_most && bound->value <= rows;
}

std::optional<Quantity> rows_if_at_least(const PlanContext& context, NodeId id, double rows) {
  if (id == kNoNode) return std::nullopt;
  const auto known = context.statistics().rows(id);
  if (!known || !known->is_at_least || known->value < rows) return std::nullopt;
  return known;
}

bool is_cut_by_limit(const PlanContext& context, NodeId id, double rows) {
  const PlanTree& plan = context.plan();
  for (NodeId at = id; at != kNoNode; at = above_structure(plan, at)) {
    const PlanNode& node = plan.node(at);
    if (node.kind == OperatorKind::CollectLimit || node.kind == OperatorKind::GlobalLimit ||
        node.kind == OperatorKind::LocalLimit) {
      return has_at_most(context, at, rows);
    }
    const bool is_passed = at == id || node.kind == OperatorKind::Project ||
                           node.kind == OperatorKind::BatchEvalPython || node.kind == OperatorKind::ArrowEvalPython ||
                           family(node.kind) == OperatorFamily::Object;
    if (!is_passed) return false;
  }
  return false;
}

std::string_view table_read_by(const PlanTree& plan, NodeId id) {
  for (NodeId at = id; at != kNoNode; at = plan.input(at)) {
    if (const auto scan = Scan::of(plan, at)) return scan->display_name();
    const OperatorFamily what = family(plan.node(at).kind);
    const bool is_passed = what == OperatorFamily::Project || what == OperatorFamily::Filter ||
                           what == OperatorFamily::Sort || what == OperatorFamily::Exchange ||
                           what == OperatorFamily::Python || what == OperatorFamily::Limit ||
                           is_structural(plan.node(at).kind);
    if (!is_passed) return {};
  }
  return {};
}

Evidence rows_evidence(std::string what, const Quantity& rows) {
  return {std::move(what), rows.value, "rows", rows.source};
}

}  // namespace planvet::rules
