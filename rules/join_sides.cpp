#include "rules/join_sides.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "analyzer/plan/walk.hpp"
#include "rules/cast_rewrite.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr std::size_t kNoLimit = 100000;
constexpr std::size_t kLongestAdvice = 300;

void collect(const PlanTree& plan, NodeId side, std::unordered_set<std::uint64_t>& ids) {
  if (side == kNoNode) return;
  if (const auto output = output_ids(plan, side)) {
    ids.insert(output->begin(), output->end());
    return;
  }
  for (const PlanNode& node : plan.subtree(side)) {
    if (node.link == Link::Subquery) continue;
    for (const AttributeKind kind :
         {AttributeKind::Output, AttributeKind::ProjectList, AttributeKind::Input, AttributeKind::ResultExpressions}) {
      const Attribute* attribute = plan.find(node.id, kind);
      if (attribute == nullptr) continue;
      for (const std::string_view item : split_list(attribute->text).items) {
        if (const auto id = read_attribute_text(item).expr_id; id != kNoExprId) ids.insert(id);
      }
    }
  }
}

}  // namespace

JoinSides::JoinSides(const PlanTree& plan, const Join& join, Names names) {
  // The columns of the smaller side are listed; all others are the other's.
  const NodeId left = join.input(Side::Left);
  const NodeId right = join.input(Side::Right);
  if (left != kNoNode && right != kNoNode) {
    listed_ = plan.subtree(left).size() < plan.subtree(right).size() ? Side::Left : Side::Right;
    collect(plan, join.input(listed_), ids_);
  }
  for (const Side side : {Side::Left, Side::Right}) {
    const NodeId input = join.input(side);
    names_[index_of(side)] = input == kNoNode ? std::string_view{} : short_name(only_table(plan, input));
  }
  const bool is_same = names_[0] == names_[1];
  if (is_same || names_[0].empty()) names_[0] = names.left;
  if (is_same || names_[1].empty()) names_[1] = names.right;
}

std::optional<Side> JoinSides::of(std::uint64_t id) const {
  if (ids_.empty() || id == kNoExprId) return std::nullopt;
  return ids_.count(id) != 0 ? listed_ : other(listed_);
}

JoinSides::Seen JoinSides::seen_in(const ExpressionTree& tree, ExpressionIndex root) const {
  Seen seen;
  tree.for_each_attribute(root, [&](ExpressionIndex at) {
    const auto side = of(tree.expr_id(at));
    seen.left = seen.left || side == Side::Left;
    seen.right = seen.right || side == Side::Right;
  });
  return seen;
}

std::string JoinSides::qualified(const ExpressionTree& tree, ExpressionIndex root) const {
  const std::string_view whole = tree.text(root);
  std::string out;
  std::size_t at = 0;
  tree.for_each_attribute(root, [&](ExpressionIndex attribute) {
    const std::string_view printed = tree.text(attribute);
    const auto begin = static_cast<std::size_t>(printed.data() - whole.data());
    if (begin < at || begin > whole.size()) return;
    out += plain(whole.substr(at, begin - at), kNoLimit);
    out += qualified_column(tree, attribute);
    at = begin + printed.size();
  });
  out += plain(whole.substr(std::min(at, whole.size())), kNoLimit);
  return plain(out);
}

std::optional<std::string> JoinSides::sql(const ExpressionTree& tree, ExpressionIndex root) const {
  if (tree.contains_opaque(root) || tree.is_truncated(root)) return std::nullopt;
  const std::string_view whole = tree.text(root);
  std::string out;
  std::size_t at = 0;
  tree.for_each(root, [&](ExpressionIndex index) {
    const bool is_column = tree.kind(index) == ExpressionKind::Attribute;
    const bool is_text = tree.kind(index) == ExpressionKind::Literal && !is_number(tree.name(index)) &&
                         tree.name(index) != "true" && tree.name(index) != "false" && tree.name(index) != "null";
    if (!is_column && !is_text) return;
    const std::string_view printed = tree.text(index);
    const auto begin = static_cast<std::size_t>(printed.data() - whole.data());
    if (begin < at || begin > whole.size()) return;
    out += whole.substr(at, begin - at);
    out += is_column ? qualified_column(tree, index) : sql_text(tree.name(index));
    at = begin + printed.size();
  });
  out += whole.substr(std::min(at, whole.size()));
  // What is left of Spark's own notation is no SQL.
  if (out.size() > kLongestAdvice || out.find('#') != std::string::npos) return std::nullopt;
  return out;
}

std::string JoinSides::qualified_column(const ExpressionTree& tree, ExpressionIndex attribute) const {
  const auto side = of(tree.expr_id(attribute));
  return fmt::format("{}{}{}", side ? names_[index_of(*side)] : std::string_view{}, side ? "." : "",
                     sql_column(tree.name(attribute)));
}

}  // namespace planvet::rules
