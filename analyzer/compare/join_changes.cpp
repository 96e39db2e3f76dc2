#include <algorithm>

#include "analyzer/compare/comparison.hpp"
#include "analyzer/plan/views.hpp"

namespace planvet::compare {
namespace {

// Pairs of keys, whichever side they are printed on.
std::vector<std::pair<std::string, std::string>> key_pairs(const Join& join) {
  const ItemList left = join.left_keys();
  const ItemList right = join.right_keys();
  std::vector<std::pair<std::string, std::string>> pairs;
  for (std::size_t at = 0; at < std::min(left.items.size(), right.items.size()); ++at) {
    pairs.emplace_back(without_ids(left.items[at]), without_ids(right.items[at]));
  }
  return pairs;
}

std::vector<std::pair<std::string, std::string>> sorted(std::vector<std::pair<std::string, std::string>> pairs) {
  for (auto& [left, right] : pairs) {
    if (right < left) std::swap(left, right);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::string in_words(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::string out;
  for (const auto& [left, right] : pairs) {
    if (!out.empty()) out += " and ";
    out += left == right ? left : left + " = " + right;
  }
  return out;
}

bool has_keys(const Join& join) {
  const Attribute* left = join.find(AttributeKind::LeftKeys);
  const Attribute* right = join.find(AttributeKind::RightKeys);
  return left != nullptr && right != nullptr && left->is_whole() && right->is_whole();
}

// The same rows come in on other sides: what is left and right is then said of others.
bool are_swapped(const Comparison& comparison, const Join& old_join, const Join& new_join) {
  const auto hash = [](const ::planvet::compare::Side& side, NodeId input) {
    return input == kNoNode ? 0 : side.names.sources_hash(input);
  };
  using planvet::Side;
  const std::uint64_t old_left = hash(comparison.before, old_join.input(Side::Left));
  const std::uint64_t old_right = hash(comparison.before, old_join.input(Side::Right));
  const std::uint64_t new_left = hash(comparison.after, new_join.input(Side::Left));
  const std::uint64_t new_right = hash(comparison.after, new_join.input(Side::Right));
  return old_left != old_right && old_left == new_right && old_right == new_left;
}

std::string_view mirrored(std::string_view type) {
  if (type == "LeftOuter") return "RightOuter";
  if (type == "RightOuter") return "LeftOuter";
  return type;
}

void compare_pair(Comparison& comparison, NodeId old_id, NodeId new_id) {
  const auto old_join = Join::of(comparison.before.plan, old_id);
  const auto new_join = Join::of(comparison.after.plan, new_id);
  if (!old_join || !new_join) return;
  const std::string subject = comparison.after.names.subject(new_id);
  const auto change = [&](ChangeKind kind, std::string was, std::string is) {
    comparison.add({kind, old_id, new_id, subject, std::move(was), std::move(is), {}});
  };
  const bool is_other_kind = old_join->node().kind != new_join->node().kind;
  if (is_other_kind) {
    change(ChangeKind::JoinStrategy, kind_in_words(old_join->node()), kind_in_words(new_join->node()));
  }
  const bool is_swapped = are_swapped(comparison, *old_join, *new_join);
  if (old_join->type() != JoinType::Unknown && new_join->type() != JoinType::Unknown) {
    const std::string was = without_ids(old_join->type_text());
    const std::string is = without_ids(new_join->type_text());
    if (is != (is_swapped ? std::string(mirrored(was)) : was)) change(ChangeKind::JoinType, was, is);
  }
  if (has_keys(*old_join) && has_keys(*new_join)) {
    const auto was = key_pairs(*old_join);
    const auto is = key_pairs(*new_join);
    if (sorted(was) != sorted(is)) change(ChangeKind::JoinKeys, in_words(was), in_words(is));
  }
  if (old_join->is_skew_join() != new_join->is_skew_join()) {
    change(ChangeKind::JoinSkew, {}, new_join->is_skew_join() ? "true" : "false");
  }
  const auto old_side = old_join->build_side();
  const auto new_side = new_join->build_side();
  if (!is_other_kind && old_side && new_side && (*old_side == *new_side) == is_swapped) {
    const NodeId old_built = old_join->input(*old_side);
    const NodeId new_built = new_join->input(*new_side);
    if (old_built != kNoNode && new_built != kNoNode) {
      change(ChangeKind::BuildSide, comparison.before.names.sources_of(old_built),
             comparison.after.names.sources_of(new_built));
    }
  }
  if (old_join->has_details() && new_join->has_details()) {
    const Attribute* old_condition = old_join->condition();
    const Attribute* new_condition = new_join->condition();
    const bool is_cut = (old_condition != nullptr && !old_condition->is_whole()) ||
                        (new_condition != nullptr && !new_condition->is_whole());
    const std::string was = old_condition == nullptr ? std::string() : without_ids(old_condition->text);
    const std::string is = new_condition == nullptr ? std::string() : without_ids(new_condition->text);
    // A join without keys has them in its condition.
    if (!is_cut && was != is && !is_other_kind) change(ChangeKind::JoinCondition, was, is);
  }
}

// The tables in the order of the plan, where the same ones are joined by the same number of joins.
void compare_order(Comparison& comparison) {
  constexpr std::size_t kMost = 12;
  const std::vector<std::string> was = comparison.before.names.source_list(NodeId{0}, kMost + 1);
  const std::vector<std::string> is = comparison.after.names.source_list(NodeId{0}, kMost + 1);
  if (was == is || was.size() < 2 || was.size() > kMost) return;
  std::vector<std::string> old_set = was;
  std::vector<std::string> new_set = is;
  std::sort(old_set.begin(), old_set.end());
  std::sort(new_set.begin(), new_set.end());
  if (old_set != new_set) return;
  const auto joined = [](const std::vector<std::string>& tables) {
    std::string out;
    for (const std::string& table : tables) out.append(out.empty() ? "" : ", ").append(table);
    return out;
  };
  comparison.add({ChangeKind::JoinOrder, NodeId{0}, NodeId{0}, {}, joined(was), joined(is), {}});
}

}  // namespace

void compare_joins(Comparison& comparison) {
  bool has_joins = false;
  for (const PlanNode& node : comparison.before.plan.nodes()) {
    if (role_of(comparison.before.plan, node.id) != Role::Join) continue;
    has_joins = true;
    const NodeId partner = comparison.matching.after[index(node.id)];
    if (partner == kNoNode) {
      comparison.add({ChangeKind::JoinGone,
                      node.id,
                      kNoNode,
                      comparison.before.names.subject(node.id),
                      kind_in_words(node),
                      {},
                      {}});
    } else {
      compare_pair(comparison, node.id, partner);
    }
  }
  for (const PlanNode& node : comparison.after.plan.nodes()) {
    if (role_of(comparison.after.plan, node.id) != Role::Join) continue;
    if (comparison.matching.before[index(node.id)] != kNoNode) continue;
    comparison.add({ChangeKind::JoinAdded,
                    kNoNode,
                    node.id,
                    comparison.after.names.subject(node.id),
                    {},
                    kind_in_words(node),
                    {}});
  }
  if (has_joins) compare_order(comparison);
}

}  // namespace planvet::compare
