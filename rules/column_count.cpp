#include "rules/column_count.hpp"

#include <vector>

#include "analyzer/plan/expression_list.hpp"
#include "analyzer/plan/views.hpp"

namespace planvet::rules {
namespace {

std::optional<std::size_t> length_of(const Attribute* attribute) {
  if (attribute == nullptr) return std::nullopt;
  if (attribute->count > 0) return attribute->count;
  const ItemList list = split_list(attribute->text);
  if (!list.is_balanced || (list.is_truncated && list.missing == 0)) return std::nullopt;
  return list.items.size() + list.missing;
}

std::optional<std::size_t> own_count(const PlanTree& plan, NodeId id) {
  for (const AttributeKind kind :
       {AttributeKind::Output, AttributeKind::ProjectList, AttributeKind::ResultExpressions}) {
    if (const Attribute* list = plan.find(id, kind)) return length_of(list);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::size_t> column_count(const PlanTree& plan, NodeId id) {
  std::size_t sum = 0;
  std::vector<NodeId> open{id};  // a join forks
  while (!open.empty()) {
    const NodeId at = open.back();
    open.pop_back();
    if (at == kNoNode) return std::nullopt;
    if (const auto own = own_count(plan, at)) {
      sum += *own;
      continue;
    }
    switch (family(plan.node(at).kind)) {
      case OperatorFamily::Filter:
      case OperatorFamily::Sort:
      case OperatorFamily::Limit:
      case OperatorFamily::Exchange:
      case OperatorFamily::QueryStage:
      case OperatorFamily::ShuffleRead:
      case OperatorFamily::Adaptive:
      case OperatorFamily::Transition:
      case OperatorFamily::Structural:
        // Formatted mode repeats what flows in; all of it flows out.
        if (const auto input = length_of(plan.find(at, AttributeKind::Input))) {
          sum += *input;
        } else {
          open.push_back(plan.input(at));
        }
        break;
      case OperatorFamily::Window: {
        const auto added = length_of(plan.find(at, AttributeKind::WindowExpressions));
        if (!added) return std::nullopt;
        sum += *added;
        open.push_back(plan.input(at));
        break;
      }
      case OperatorFamily::Join: {
        const auto join = Join::of(plan, at);
        if (!join || join->type() == JoinType::Unknown) return std::nullopt;
        open.push_back(plan.input(at, 0));
        if (join->type() == JoinType::Existence) ++sum;
        if (join->type() != JoinType::LeftSemi && join->type() != JoinType::LeftAnti &&
            join->type() != JoinType::Existence) {
          open.push_back(plan.input(at, 1));
        }
        break;
      }
      default: return std::nullopt;
    }
  }
  return sum;
}

}  // namespace planvet::rules
