#include "analyzer/plan/walk.hpp"

#include <string_view>

#include "analyzer/plan/expression.hpp"
#include "analyzer/plan/expression_list.hpp"
#include "analyzer/plan/views.hpp"

namespace planvet {
namespace {

using Ids = std::vector<std::uint64_t>;

// `a#1`, `upper(a#1) AS b#2`: the id that an item of a list gives to its column.
std::optional<std::uint64_t> defined_id(std::string_view item) {
  const std::uint64_t id = read_attribute_text(item).expr_id;
  if (id == kNoExprId) return std::nullopt;
  return id;
}

std::optional<Ids> ids_of(const Attribute* attribute) {
  if (attribute == nullptr || !attribute->is_whole()) return std::nullopt;
  const ItemList list = split_list(attribute->text, attribute->count > 0 ? attribute->count : kAnyCount);
  if (list.is_truncated || !list.is_balanced) return std::nullopt;
  Ids ids;
  ids.reserve(list.items.size());
  for (const std::string_view item : list.items) {
    const auto id = defined_id(item);
    if (!id) return std::nullopt;
    ids.push_back(*id);
  }
  return ids;
}

// What the operator itself says of its output.
std::optional<Ids> own_ids(const PlanTree& plan, NodeId id) {
  for (const AttributeKind kind :
       {AttributeKind::Output, AttributeKind::ProjectList, AttributeKind::ResultExpressions}) {
    if (auto ids = ids_of(plan.find(id, kind))) return ids;
  }
  return std::nullopt;
}

void append(Ids& ids, const Ids& more) { ids.insert(ids.end(), more.begin(), more.end()); }

}  // namespace

bool is_structural(OperatorKind kind) {
  switch (family(kind)) {
    case OperatorFamily::QueryStage:
    case OperatorFamily::ShuffleRead:
    case OperatorFamily::Adaptive:
    case OperatorFamily::Transition:
    case OperatorFamily::Structural: return true;
    default: return false;
  }
}

NodeId below_structure(const PlanTree& plan, NodeId id) {
  while (id != kNoNode) {
    const PlanNode& node = plan.node(id);
    if (node.kind == OperatorKind::ReusedExchange && node.reuses != kNoNode && node.reuses != id) {
      return node.reuses;
    }
    if (!is_structural(node.kind)) return id;
    id = plan.input(id);
  }
  return kNoNode;
}

NodeId above_structure(const PlanTree& plan, NodeId id) {
  while (id != kNoNode) {
    if (plan.node(id).link != Link::Child) return kNoNode;
    id = plan.node(id).parent;
    if (id != kNoNode && !is_structural(plan.node(id).kind)) return id;
  }
  return kNoNode;
}

bool is_inside(const PlanTree& plan, NodeId id, Link link) {
  for (; id != kNoNode; id = plan.node(id).parent) {
    if (plan.node(id).link == link) return true;
  }
  return false;
}

std::optional<Ids> output_ids(const PlanTree& plan, NodeId id) {
  // Down through what passes its input on; a join forks, so what is still to do waits in a list, left side on top.
  Ids ids;
  std::vector<NodeId> open{id};
  while (!open.empty()) {
    const NodeId at = open.back();
    open.pop_back();
    if (at == kNoNode) return std::nullopt;
    const PlanNode& node = plan.node(at);
    if (const auto own = own_ids(plan, at)) {
      append(ids, *own);
      continue;
    }
    switch (family(node.kind)) {
      case OperatorFamily::Filter:
      case OperatorFamily::Sort:
      case OperatorFamily::Limit:
      case OperatorFamily::Exchange:
      case OperatorFamily::QueryStage:
      case OperatorFamily::ShuffleRead:
      case OperatorFamily::Adaptive:
      case OperatorFamily::Transition:
      case OperatorFamily::Structural: open.push_back(plan.input(at)); break;
      case OperatorFamily::Join: {
        const auto join = Join::of(plan, at);
        if (!join && !node.is_logical) return std::nullopt;
        const JoinType type = join ? join->type() : JoinType::Unknown;
        if (type == JoinType::Existence || type == JoinType::Unknown) return std::nullopt;
        const bool only_left = type == JoinType::LeftSemi || type == JoinType::LeftAnti;
        if (!only_left) open.push_back(plan.input(at, 1));
        open.push_back(plan.input(at, 0));
        break;
      }
      default: return std::nullopt;
    }
  }
  return ids;
}

}  // namespace planvet
