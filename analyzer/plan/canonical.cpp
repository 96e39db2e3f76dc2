#include "analyzer/plan/canonical.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <xxhash.h>

#include "analyzer/plan/characters.hpp"
#include "analyzer/plan/expression_list.hpp"
#include "analyzer/plan/walk.hpp"

namespace planvet {
namespace {

using Hash = std::uint64_t;

Hash hash_of(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

// Order matters.
Hash combine(Hash seed, Hash value) {
  const Hash both[2] = {seed, value};
  return XXH3_64bits(both, sizeof both);
}

// Without `#12L` and, behind `plan_id=`, `id=#`, the number.
Hash hash_without_ids(std::string_view text) {
  std::string kept;
  kept.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    kept.push_back(text[i]);
    const bool starts_number = text[i] == '#' || (text[i] == '=' && kept.ends_with("plan_id="));
    if (!starts_number) continue;
    while (i + 1 < text.size() && is_digit(text[i + 1])) ++i;
    if (i + 1 < text.size() && text[i + 1] == 'L') ++i;
  }
  return hash_of(kept);
}

bool is_commutative(ExpressionOperator op) {
  switch (op) {
    case ExpressionOperator::And:
    case ExpressionOperator::Or:
    case ExpressionOperator::Equal:
    case ExpressionOperator::NullSafeEqual:
    case ExpressionOperator::NotEqual:
    case ExpressionOperator::Add:
    case ExpressionOperator::Multiply:
    case ExpressionOperator::BitAnd:
    case ExpressionOperator::BitOr:
    case ExpressionOperator::BitXor: return true;
    default: return false;
  }
}

bool is_associative(ExpressionOperator op) { return op == ExpressionOperator::And || op == ExpressionOperator::Or; }

// What makes no difference to the rows, or is only another print of what is hashed already.
bool is_ignored(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::Input:
    case AttributeKind::LeftOutput:
    case AttributeKind::RightOutput:
    case AttributeKind::PlanId:
    case AttributeKind::StageId:
    case AttributeKind::Arguments:
    case AttributeKind::Other:
    case AttributeKind::StatisticsSize:
    case AttributeKind::StatisticsRows:
    case AttributeKind::StatisticsIsRuntime:
    case AttributeKind::DataFilters:  // in one-line modes only
    case AttributeKind::IsFinalPlan:
    case AttributeKind::ReusesOperatorId: return true;
    default: return false;
  }
}

// Columns that an operator makes under ids of its own, without an alias that would say what they are.
bool makes_columns(const PlanNode& node, AttributeKind kind) {
  switch (kind) {
    case AttributeKind::Output: return family(node.kind) != OperatorFamily::Project;
    case AttributeKind::AggregateAttributes:
    case AttributeKind::GeneratorOutput:
    case AttributeKind::ResultAttributes: return true;
    default: return false;
  }
}

bool is_expression(AttributeKind kind) {
  const AttributeShape shape = info(kind).shape;
  return shape == AttributeShape::Expression || shape == AttributeShape::ExpressionList;
}

class Canonicaliser {
 public:
  Canonicaliser(const PlanTree& plan, const ExpressionParser& parser) : plan_(plan), parser_(parser) {}

  std::vector<Hash> run() {
    std::vector<Hash> hashes(plan_.size());
    for (std::size_t i = plan_.size(); i-- > 0;) {
      const PlanNode& node = plan_.nodes()[i];
      Hash hash = hash_of(info(node.kind).name);
      if (node.kind == OperatorKind::Unknown) hash = hash_of(node.printed_name);
      if (is_structural(node.kind)) hash = 0;
      for (NodeId child = next(node.id); child < node.subtree_end; child = plan_.node(child).subtree_end) {
        hash = hash == 0 ? hashes[index(child)] : combine(hash, hashes[index(child)]);
      }
      if (!is_structural(node.kind)) hash = add_attributes(node, hash);
      hashes[i] = hash;
    }
    return hashes;
  }

 private:
  Hash add_attributes(const PlanNode& node, Hash hash) {
    const bool is_source = family(node.kind) == OperatorFamily::Scan || family(node.kind) == OperatorFamily::Local;
    if (is_source) {
      for (const AttributeKind kind : {AttributeKind::Table, AttributeKind::Location, AttributeKind::Rdd}) {
        if (const Attribute* attribute = plan_.find(node.id, kind)) {
          hash = combine(hash, hash_without_ids(attribute->text));
        }
      }
      make_columns(node, hash);
    }
    for (const Attribute& attribute : plan_.attributes(node.id)) {
      if (is_ignored(attribute.kind) || makes_columns(node, attribute.kind)) continue;
      if (attribute.kind == AttributeKind::Location && is_source) continue;
      hash = combine(hash, hash_of(info(attribute.kind).json_name));
      hash = combine(hash, is_expression(attribute.kind) ? hash_of_items(attribute) : hash_without_ids(attribute.text));
    }
    if (!is_source) make_columns(node, hash);
    return hash;
  }

  void make_columns(const PlanNode& node, Hash context) {
    for (const Attribute& attribute : plan_.attributes(node.id)) {
      if (!makes_columns(node, attribute.kind)) continue;
      const ItemList items = split_list(attribute.text, attribute.count > 0 ? attribute.count : kAnyCount);
      const bool is_source = family(node.kind) == OperatorFamily::Scan;
      std::uint64_t position = 0;
      for (const std::string_view item : items.items) {
        const AttributeText column = read_attribute_text(item);
        ++position;
        if (column.expr_id == kNoExprId || (!is_source && columns_.count(column.expr_id) != 0)) continue;
        columns_[column.expr_id] = combine(context, is_source ? hash_of(column.name) : position);
      }
    }
  }

  Hash hash_of_items(const Attribute& attribute) {
    Hash hash = 0;
    const bool is_list = info(attribute.kind).shape == AttributeShape::ExpressionList;
    if (!is_list) return hash_of_expression(attribute.text);
    const ItemList items = split_list(attribute.text, attribute.count > 0 ? attribute.count : kAnyCount);
    // The filters of a scan are a set.
    const bool is_set = attribute.kind == AttributeKind::PartitionFilters;
    for (const std::string_view item : items.items) {
      hash = is_set ? hash + hash_of_expression(item) : combine(hash, hash_of_expression(item));
    }
    return combine(hash, items.missing);
  }

  Hash hash_of_expression(std::string_view text) {
    if (parser_.expression == nullptr) return hash_without_ids(text);
    const ExpressionTree tree = parser_.expression(text);
    std::vector<Hash> hashes(tree.size());
    for (std::uint32_t i = 0; i < tree.size(); ++i) hashes[i] = hash_of_node(tree, ExpressionIndex{i}, hashes);
    return hashes.empty() ? 0 : hashes.back();
  }

  Hash hash_of_node(const ExpressionTree& tree, ExpressionIndex at, const std::vector<Hash>& hashes) {
    const ExpressionKind kind = tree.kind(at);
    if (kind == ExpressionKind::Alias) {
      const Hash child = hashes[to_number(tree.child(at, 0))];
      if (tree.expr_id(at) != kNoExprId) columns_[tree.expr_id(at)] = child;
      return child;
    }
    if (kind == ExpressionKind::Attribute) {
      const auto known = columns_.find(tree.expr_id(at));
      return known != columns_.end() ? known->second : hash_without_ids(tree.text(at));
    }
    if (tree.children(at).empty()) return hash_without_ids(tree.text(at));
    Hash hash = combine(static_cast<Hash>(kind), static_cast<Hash>(tree.op(at)));
    hash = combine(hash, hash_of(tree.function_name(at).empty() ? tree.name(at) : tree.function_name(at)));
    Hash sum = 0;
    for (const ExpressionIndex child : tree.children(at)) {
      if (is_associative(tree.op(at))) {
        // (a AND b) AND c is a AND (b AND c): the operands of all levels are one bag.
        sum += tree.op(child) == tree.op(at) ? bags_[to_number(child)] : hashes[to_number(child)];
      } else if (is_commutative(tree.op(at))) {
        sum += hashes[to_number(child)];
      } else {
        hash = combine(hash, hashes[to_number(child)]);
      }
    }
    if (is_associative(tree.op(at))) bags_[to_number(at)] = sum;
    return combine(hash, sum);
  }

  const PlanTree& plan_;
  const ExpressionParser& parser_;
  std::unordered_map<std::uint64_t, Hash> columns_;
  std::unordered_map<std::uint32_t, Hash> bags_;  // of the expression that is being read
};

}  // namespace

std::vector<std::uint64_t> outlines(const PlanTree& plan) {
  std::vector<Hash> hashes(plan.size());
  for (std::size_t i = plan.size(); i-- > 0;) {
    const PlanNode& node = plan.nodes()[i];
    Hash hash = is_structural(node.kind) ? 0 : static_cast<Hash>(node.kind) + 1;
    for (NodeId child = next(node.id); child < node.subtree_end; child = plan.node(child).subtree_end) {
      hash = hash == 0 ? hashes[index(child)] : combine(hash, hashes[index(child)]);
    }
    if (family(node.kind) == OperatorFamily::Scan) {
      if (const Attribute* table = plan.find(node.id, AttributeKind::Table)) hash = combine(hash, hash_of(table->text));
    }
    hashes[i] = hash;
  }
  return hashes;
}

std::vector<std::uint64_t> canonical_hashes(const PlanTree& plan, const ExpressionParser& parser) {
  return Canonicaliser(plan, parser).run();
}

}  // namespace planvet
