// The plan as a whole: order and columns of its result, adaptive execution, engines.
#include <algorithm>
#include <array>
#include <optional>

#include "analyzer/compare/comparison.hpp"
#include "analyzer/plan/expression_list.hpp"
#include "analyzer/plan/walk.hpp"

namespace planvet::compare {
namespace {

NodeId root_of_rows(const PlanTree& plan) { return below_structure(plan, NodeId{0}); }

// What the rows of the result are ordered by; nothing where the text does not say.
std::optional<std::string> order_of(const Side& side) {
  for (NodeId at = root_of_rows(side.plan); at != kNoNode; at = below_structure(side.plan, side.plan.input(at))) {
    const PlanNode& node = side.plan.node(at);
    if (family(node.kind) == OperatorFamily::Sort || node.kind == OperatorKind::TakeOrderedAndProject) {
      const Attribute* order = side.whole(at, AttributeKind::SortOrder);
      if (order == nullptr) return std::nullopt;
      const bool is_local = side.text(at, AttributeKind::IsGlobal) == "false";
      return is_local ? std::string() : without_ids(order->text);
    }
    const bool keeps_order = family(node.kind) == OperatorFamily::Project ||
                             family(node.kind) == OperatorFamily::Limit || family(node.kind) == OperatorFamily::Filter;
    if (!keeps_order) return std::string();
    if (side.plan.input(at) == kNoNode) break;
  }
  return std::string();
}

std::vector<std::string> columns_of(const Side& side) {
  std::vector<std::string> names;
  const NodeId root = root_of_rows(side.plan);
  if (root == kNoNode) return names;
  for (const AttributeKind kind :
       {AttributeKind::ProjectList, AttributeKind::ResultExpressions, AttributeKind::Output}) {
    const Attribute* list = side.plan.find(root, kind);
    if (list == nullptr) continue;
    if (!list->is_whole()) return names;
    const ItemList items = split_list(list->text, list->count > 0 ? list->count : kAnyCount);
    if (items.is_truncated || !items.is_balanced) return names;
    for (const std::string_view item : items.items) {
      std::string_view name = read_attribute_text(item).name;
      if (const std::size_t alias = name.rfind(" AS "); alias != std::string_view::npos) name = name.substr(alias + 4);
      names.emplace_back(name);
    }
    return names;
  }
  return names;
}

std::string only_in(const std::vector<std::string>& these, const std::vector<std::string>& those) {
  std::string out;
  for (const std::string& name : these) {
    if (std::find(those.begin(), those.end(), name) == those.end()) out.append(out.empty() ? "" : ", ").append(name);
  }
  return out;
}

std::string_view adaptive_flag(const PlanTree& plan) {
  for (const PlanNode& node : plan.nodes()) {
    if (node.kind != OperatorKind::AdaptiveSparkPlan || is_inside(plan, node.id, Link::Subquery) ||
        is_inside(plan, node.id, Link::CachedPlan)) {
      continue;
    }
    const Attribute* flag = plan.find(node.id, AttributeKind::IsFinalPlan);
    return flag == nullptr ? "unknown" : flag->text;
  }
  return "";
}

std::size_t count_of(const PlanTree& plan, Engine engine) {
  return static_cast<std::size_t>(std::count_if(plan.nodes().begin(), plan.nodes().end(), [&](const PlanNode& node) {
    return node.engine == engine && !node.is_logical && !is_structural(node.kind);
  }));
}

}  // namespace

void compare_results(Comparison& comparison) {
  const auto add = [&](ChangeKind kind, std::string subject, std::string was, std::string is) {
    comparison.add({kind, NodeId{0}, NodeId{0}, std::move(subject), std::move(was), std::move(is), {}});
  };
  const auto old_order = order_of(comparison.before);
  const auto new_order = order_of(comparison.after);
  if (old_order && new_order && *old_order != *new_order) add(ChangeKind::ResultOrder, {}, *old_order, *new_order);

  const std::vector<std::string> was = columns_of(comparison.before);
  const std::vector<std::string> is = columns_of(comparison.after);
  if (!was.empty() && !is.empty()) {
    std::string gone = only_in(was, is);
    std::string added = only_in(is, was);
    if (!gone.empty() || !added.empty()) add(ChangeKind::ResultColumns, {}, std::move(gone), std::move(added));
  }

  const std::string_view old_flag = adaptive_flag(comparison.before.plan);
  const std::string_view new_flag = adaptive_flag(comparison.after.plan);
  if (old_flag.empty() != new_flag.empty()) {
    add(ChangeKind::Adaptive, {}, old_flag.empty() ? "false" : "true", new_flag.empty() ? "false" : "true");
  } else if ((old_flag == "true" && new_flag == "false") || (old_flag == "false" && new_flag == "true")) {
    add(ChangeKind::Execution, {}, std::string(old_flag), std::string(new_flag));
  }

  const auto projections = [](const PlanTree& plan) {
    return std::count_if(plan.nodes().begin(), plan.nodes().end(), [](const PlanNode& node) {
      return family(node.kind) == OperatorFamily::Project && !node.is_logical;
    });
  };
  const auto old_projections = projections(comparison.before.plan);
  const auto new_projections = projections(comparison.after.plan);
  if (old_projections != new_projections) {
    add(ChangeKind::Count, "projections", std::to_string(old_projections), std::to_string(new_projections));
  }

  for (const Engine engine : {Engine::Photon, Engine::Comet, Engine::Gluten, Engine::Rapids}) {
    const std::size_t old_count = count_of(comparison.before.plan, engine);
    const std::size_t new_count = count_of(comparison.after.plan, engine);
    if (old_count == new_count) continue;
    add(ChangeKind::Engine, std::string(name(engine)), std::to_string(old_count), std::to_string(new_count));
  }
}

}  // namespace planvet::compare
