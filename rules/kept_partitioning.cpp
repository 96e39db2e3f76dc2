#include "rules/kept_partitioning.hpp"

#include <algorithm>
#include <utility>

#include "analyzer/plan/expression_list.hpp"
#include "analyzer/plan/walk.hpp"
#include "rules/shuffle_calls.hpp"

namespace planvet::rules {
namespace {

using Keys = std::vector<PartitionKey>;

// A column, or a cast of one.
std::optional<PartitionKey> key_of(const ExpressionTree& tree, ExpressionIndex at) {
  if (at == kNoExpression) return std::nullopt;
  PartitionKey key;
  if (tree.kind(at) == ExpressionKind::Cast) {
    key.cast_to = tree.name(at);
    at = tree.child(at, 0);
  }
  if (at == kNoExpression || tree.kind(at) != ExpressionKind::Attribute) return std::nullopt;
  key.id = tree.expr_id(at);
  key.name = tree.name(at);
  if (key.id == kNoExprId) return std::nullopt;
  return key;
}

bool is_followed(const PartitionKey& key) { return key.id != kNoExprId; }
bool is_any_followed(const Keys& keys) { return std::any_of(keys.begin(), keys.end(), is_followed); }

// Through `k#1 AS k#9` and `cast(k#1 as bigint) AS k#9`, one key after the other. What is no column before is lost.
void follow_list(const PlanContext& context, const Attribute* list, Keys& keys) {
  const ItemList items = split_list(list->text, list->count > 0 ? list->count : kAnyCount);
  for (PartitionKey& key : keys) {
    if (!is_followed(key)) continue;
    std::optional<PartitionKey> before;
    for (const std::string_view item : items.items) {
      const AttributeText defined = read_attribute_text(item);
      if (defined.expr_id != key.id) continue;
      const ExpressionTree tree = context.parse(item);
      before = key_of(tree, tree.below_alias(tree.root()));
      if (before && before->cast_to.empty()) {
        before->cast_to = key.cast_to;
      } else if (before && !key.cast_to.empty()) {
        before.reset();  // a cast of a cast
      }
      break;
    }
    if (before) {
      key = *before;
    } else {
      key.id = kNoExprId;
    }
  }
}

// Without a list of results only the grouping keys are known to pass.
void keep_listed(const Attribute* list, Keys& keys) {
  const ItemList items = list == nullptr ? ItemList{} : split_list(list->text);
  for (PartitionKey& key : keys) {
    const bool is_listed = std::any_of(items.items.begin(), items.items.end(), [&](std::string_view item) {
      return read_attribute_text(item).expr_id == key.id;
    });
    if (!is_listed) key.id = kNoExprId;
  }
}

void keep_listed(const std::vector<std::uint64_t>& ids, Keys& keys) {
  for (PartitionKey& key : keys) {
    if (std::find(ids.begin(), ids.end(), key.id) == ids.end()) key.id = kNoExprId;
  }
}

// The side of the join whose partitioning its result keeps, and that has columns of the keys.
NodeId kept_side(const PlanTree& plan, NodeId id, Keys& keys) {
  const auto join = Join::of(plan, id);
  if (!join) return kNoNode;
  bool may_be[2] = {true, true};
  switch (join->type()) {
    case JoinType::Inner:
    case JoinType::Cross: break;
    case JoinType::LeftOuter:
    case JoinType::LeftSemi:
    case JoinType::LeftAnti:
    case JoinType::Existence:
    case JoinType::LeftSingle: may_be[1] = false; break;
    case JoinType::RightOuter: may_be[0] = false; break;
    case JoinType::FullOuter:
    case JoinType::Unknown: return kNoNode;
  }
  for (const Side side : {Side::Left, Side::Right}) {
    if (!may_be[static_cast<std::size_t>(side)]) continue;
    const NodeId input = join->input(side);
    const auto ids = input == kNoNode ? std::nullopt : output_ids(plan, input);
    if (!ids) continue;
    Keys kept = keys;
    keep_listed(*ids, kept);
    if (!is_any_followed(kept)) continue;
    keys = std::move(kept);
    return input;
  }
  return kNoNode;
}

std::optional<KeptPartitioning> follow(const PlanContext& context, NodeId id, Keys keys, bool may_fork);

// Every input of the UNION, with the columns at the same places.
std::optional<KeptPartitioning> follow_union(const PlanContext& context, NodeId id, const Keys& keys) {
  const PlanTree& plan = context.plan();
  const std::vector<NodeId> inputs = plan.inputs(id);
  if (inputs.size() < 2 || inputs.size() > 16) return std::nullopt;
  const auto first = output_ids(plan, inputs.front());
  if (!first) return std::nullopt;
  std::optional<KeptPartitioning> found;
  for (const NodeId input : inputs) {
    const auto ids = output_ids(plan, input);
    if (!ids || ids->size() != first->size()) return std::nullopt;
    Keys mapped = keys;
    for (PartitionKey& key : mapped) {
      const auto at = std::find(first->begin(), first->end(), key.id);
      if (at == first->end()) return std::nullopt;
      key.id = (*ids)[static_cast<std::size_t>(at - first->begin())];
    }
    auto one = follow(context, input, std::move(mapped), false);
    if (!one) return std::nullopt;
    // Only the plainest case: each input is partitioned by all of the keys.
    const bool is_whole = one->made.size() == one->wanted.size() &&
                          std::all_of(one->made.begin(), one->made.end(), [&](const PartitionKey& made) {
                            return std::any_of(one->wanted.begin(), one->wanted.end(), [&](const PartitionKey& key) {
                              return key.id == made.id && key.cast_to.empty();
                            });
                          });
    if (!is_whole) return std::nullopt;
    if (!found) found = std::move(one);
  }
  found->is_union = true;
  return found;
}

std::optional<KeptPartitioning> follow(const PlanContext& context, NodeId id, Keys keys, bool may_fork) {
  const PlanTree& plan = context.plan();
  for (NodeId at = id; at != kNoNode;) {
    const PlanNode& node = plan.node(at);
    if (node.kind == OperatorKind::ShuffleExchange) {
      auto made = partition_keys(context, at);
      if (!made) return std::nullopt;
      return KeptPartitioning{at, std::move(keys), std::move(*made), false};
    }
    switch (family(node.kind)) {
      case OperatorFamily::Project: {
        const Attribute* list = plan.find(at, AttributeKind::ProjectList);
        if (list == nullptr || !list->is_whole()) return std::nullopt;
        follow_list(context, list, keys);
        break;
      }
      case OperatorFamily::Aggregate:
        if (const Attribute* results = plan.find(at, AttributeKind::ResultExpressions)) {
          if (!results->is_whole()) return std::nullopt;
          follow_list(context, results, keys);
        } else {
          keep_listed(plan.find(at, AttributeKind::GroupingKeys), keys);
        }
        break;
      case OperatorFamily::Filter:
      case OperatorFamily::Sort:
      case OperatorFamily::Window:
      case OperatorFamily::Generate: break;
      case OperatorFamily::Python:
        if (node.kind != OperatorKind::BatchEvalPython && node.kind != OperatorKind::ArrowEvalPython) {
          return std::nullopt;
        }
        break;
      case OperatorFamily::Union: return may_fork ? follow_union(context, at, keys) : std::nullopt;
      case OperatorFamily::Join: at = kept_side(plan, at, keys); continue;
      default:
        if (!is_structural(node.kind)) return std::nullopt;
    }
    if (!is_any_followed(keys)) return std::nullopt;
    at = plan.input(at);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<PartitionKey>> partition_keys(const PlanContext& context, NodeId exchange) {
  const auto view = Exchange::of(context.plan(), exchange);
  if (!view) return std::nullopt;
  const Partitioning what = partitioning_of(*view);
  if (what.kind != PartitioningKind::Hash || what.keys.empty()) return std::nullopt;
  Keys keys;
  for (const std::string_view text : what.keys) {
    const ExpressionTree tree = context.parse(text);
    const auto key = key_of(tree, tree.root());
    if (!key) return std::nullopt;
    keys.push_back(*key);
  }
  return keys;
}

std::optional<KeptPartitioning> kept_partitioning(const PlanContext& context, NodeId exchange) {
  auto keys = partition_keys(context, exchange);
  if (!keys) return std::nullopt;
  return follow(context, context.plan().input(exchange), std::move(*keys), true);
}

std::string type_of_column(const PlanContext& context, NodeId below, const PartitionKey& key) {
  const PlanTree& plan = context.plan();
  for (const PlanNode& node : plan.subtree(below)) {
    const auto scan = Scan::of(plan, node.id);
    if (!scan) continue;
    for (const std::string_view item : scan->output().items) {
      const AttributeText column = read_attribute_text(item);
      if (column.expr_id != key.id) continue;
      if (column.is_long) return "bigint";
      const auto schema = scan->read_schema();
      if (!schema) return {};
      for (const SchemaField& field : *schema) {
        if (field.name == column.name) return std::string(field.type);
      }
      return {};
    }
  }
  return {};
}

}  // namespace planvet::rules
