// Sources of rows, and the predicates on them: which are there, and who tests them.
#include <algorithm>
#include <array>
#include <map>

#include "analyzer/compare/comparison.hpp"
#include "analyzer/plan/expression_list.hpp"
#include "analyzer/plan/predicate.hpp"
#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"

namespace planvet::compare {
namespace {

enum class Tested : std::uint8_t { Nowhere, InFilter, BySource, ByPartition };

constexpr std::string_view kPruning = "dynamic pruning";
constexpr std::size_t kMostPredicates = 200;

struct Found {
  Tested tested = Tested::Nowhere;
  ExpressionTree tree;  // views the attribute's text
  ExpressionIndex root = kNoExpression;
  bool is_as_pushed = false;  // "EqualTo(a,5)": no Filter tests it again
};

// By the predicate without ids.
using Predicates = std::map<std::string, Found>;

struct SourcePredicates {
  Predicates all;
  bool is_known = true;  // false: something is cut
};

std::string_view how(Tested tested) {
  switch (tested) {
    case Tested::Nowhere: return "";
    case Tested::InFilter: return "row by row";
    case Tested::BySource: return "by the source";
    case Tested::ByPartition: return "on partitions";
  }
  return "";
}

class Reader {
 public:
  Reader(const Side& side, const ExpressionParser& parser) : side_(side), parser_(parser) {}

  SourcePredicates read(NodeId source) {
    SourcePredicates found;
    for (const AttributeKind kind : {AttributeKind::PushedFilters, AttributeKind::ScanFilters}) {
      if (const Attribute* list = find(source, kind, found)) {
        for (ExpressionTree& tree : parser_.pushed_filters(list->text)) {
          if (!tree.empty() && !is_null_test(tree, tree.root())) pushed_.push_back({std::move(tree)});
        }
      }
    }
    if (const Attribute* list = find(source, AttributeKind::PartitionFilters, found)) {
      for (const std::string_view item : split_list(list->text).items) {
        ExpressionTree tree = parser_.expression(item);
        if (tree.empty() || is_null_test(tree, tree.root())) continue;
        const bool is_pruning = item.find("dynamicpruning") != std::string_view::npos;
        const ExpressionIndex root = tree.root();
        found.all[is_pruning ? std::string(kPruning) : without_ids(item)] = {Tested::ByPartition, std::move(tree),
                                                                             root};
      }
    }
    read_filters_above(source, found);
    for (Pushed& pushed : pushed_) {
      if (pushed.is_tested_again) continue;
      const ExpressionIndex root = pushed.tree.root();
      std::string text(pushed.tree.text(root));
      found.all.emplace(std::move(text), Found{Tested::BySource, pushed.tree, root, true});
    }
    if (found.all.size() > kMostPredicates) found.is_known = false;
    return found;
  }

 private:
  struct Pushed {
    ExpressionTree tree;
    bool is_tested_again = false;
  };

  const Attribute* find(NodeId id, AttributeKind kind, SourcePredicates& found) const {
    const Attribute* attribute = side_.plan.find(id, kind);
    if (attribute == nullptr) return nullptr;
    if (attribute->is_whole()) return attribute;
    found.is_known = false;
    return nullptr;
  }

  void read_filters_above(NodeId source, SourcePredicates& found) {
    for (NodeId at = source; side_.plan.node(at).link == Link::Child;) {
      at = side_.plan.node(at).parent;
      const PlanNode& node = side_.plan.node(at);
      if (family(node.kind) == OperatorFamily::Filter) {
        const Attribute* condition = find(at, AttributeKind::Condition, found);
        if (condition == nullptr) {
          found.is_known = false;
          return;
        }
        add_conjuncts(condition->text, found);
      } else if (family(node.kind) != OperatorFamily::Project && family(node.kind) != OperatorFamily::Transition &&
                 !(is_structural(node.kind) && family(node.kind) == OperatorFamily::Structural)) {
        return;
      }
    }
  }

  void add_conjuncts(std::string_view condition, SourcePredicates& found) {
    const ExpressionTree tree = parser_.expression(condition);
    if (tree.empty()) return;
    for (const ExpressionIndex conjunct : tree.conjuncts(tree.root())) {
      if (is_null_test(tree, conjunct)) continue;
      Tested tested = Tested::InFilter;
      for (Pushed& pushed : pushed_) {
        if (same_predicate(tree, conjunct, pushed.tree, pushed.tree.root()) != Answer::Yes) continue;
        pushed.is_tested_again = true;
        tested = Tested::BySource;
      }
      Tested& known =
          found.all.emplace(without_ids(tree.text(conjunct)), Found{tested, tree, conjunct}).first->second.tested;
      known = std::max(known, tested);
    }
  }

  const Side& side_;
  const ExpressionParser& parser_;
  std::vector<Pushed> pushed_;
};

// One text has a predicate as the source prints it, the other as the query does.
bool is_known_to(const Found& one, const Predicates& others) {
  return std::any_of(others.begin(), others.end(), [&](const auto& entry) {
    const Found& other = entry.second;
    if (other.tested != Tested::BySource || one.is_as_pushed == other.is_as_pushed) return false;
    const Found& condition = one.is_as_pushed ? other : one;
    const Found& pushed = one.is_as_pushed ? one : other;
    return same_predicate(condition.tree, condition.root, pushed.tree, pushed.root) == Answer::Yes;
  });
}

void compare_predicates(Comparison& comparison, NodeId old_id, NodeId new_id) {
  const SourcePredicates was = Reader(comparison.before, comparison.parser).read(old_id);
  const SourcePredicates is = Reader(comparison.after, comparison.parser).read(new_id);
  if (!was.is_known || !is.is_known) return;
  const std::string& source = comparison.after.names.source(new_id);
  const auto add = [&](ChangeKind kind, std::string old_text, std::string new_text, Tested place) {
    comparison.add({kind, old_id, new_id, source, std::move(old_text), std::move(new_text), std::string(how(place))});
  };
  for (const auto& [text, old_one] : was.all) {
    const auto partner = is.all.find(text);
    if (partner == is.all.end()) {
      if (old_one.tested == Tested::BySource && is_known_to(old_one, is.all)) continue;
      add(ChangeKind::PredicateGone, text, {}, old_one.tested);
      continue;
    }
    const Tested before = old_one.tested;
    const Tested after = partner->second.tested;
    if (before == after) continue;
    if (before == Tested::ByPartition) {
      add(ChangeKind::PartitionFilterLost, {}, text, after);
    } else if (after == Tested::ByPartition) {
      add(ChangeKind::PartitionFilterGained, {}, text, before);
    } else {
      const bool is_pushed = after == Tested::BySource;
      add(is_pushed ? ChangeKind::PredicatePushed : ChangeKind::PredicateNotPushed, {}, text, after);
    }
  }
  for (const auto& [text, new_one] : is.all) {
    if (was.all.count(text) != 0) continue;
    if (new_one.tested == Tested::BySource && is_known_to(new_one, was.all)) continue;
    add(ChangeKind::PredicateAdded, {}, text, new_one.tested);
  }
}

std::vector<std::string> columns_of(const Side& side, NodeId id) {
  std::vector<std::string> names;
  const Attribute* output = side.whole(id, AttributeKind::Output);
  if (output == nullptr) return names;
  const ItemList list = split_list(output->text, output->count > 0 ? output->count : kAnyCount);
  if (list.is_truncated || !list.is_balanced) return names;
  for (const std::string_view item : list.items) names.emplace_back(read_attribute_text(item).name);
  std::sort(names.begin(), names.end());
  return names;
}

std::string only_in(const std::vector<std::string>& these, const std::vector<std::string>& those) {
  std::string out;
  for (const std::string& name : these) {
    if (!std::binary_search(those.begin(), those.end(), name)) out.append(out.empty() ? "" : ", ").append(name);
  }
  return out;
}

void compare_pair(Comparison& comparison, NodeId old_id, NodeId new_id) {
  compare_predicates(comparison, old_id, new_id);
  const std::string& source = comparison.after.names.source(new_id);
  const std::vector<std::string> was = columns_of(comparison.before, old_id);
  const std::vector<std::string> is = columns_of(comparison.after, new_id);
  if (!was.empty() && !is.empty() && was != is) {
    std::string gone = only_in(was, is);
    std::string added = only_in(is, was);
    if (!gone.empty() || !added.empty()) {
      comparison.add({ChangeKind::ColumnsRead, old_id, new_id, source, std::move(gone), std::move(added), {}});
    }
  }
  constexpr std::array kFacts = {
      AttributeKind::Batched,      AttributeKind::Bucketed,     AttributeKind::SelectedBuckets,
      AttributeKind::PushedLimit,  AttributeKind::PushedTopN,   AttributeKind::PushedAggregates,
      AttributeKind::PushedOffset, AttributeKind::PushedSample, AttributeKind::PushedGroupBy};
  for (const AttributeKind kind : kFacts) {
    if (!comparison.differs(old_id, new_id, kind)) continue;
    comparison.add({ChangeKind::SourceChanged, old_id, new_id, source, comparison.before.text(old_id, kind),
                    comparison.after.text(new_id, kind), printed_label(kind)});
  }
  const PlanNode& old_node = comparison.before.plan.node(old_id);
  const PlanNode& new_node = comparison.after.plan.node(new_id);
  if (old_node.kind != new_node.kind) {
    comparison.add({ChangeKind::OperatorReplaced,
                    old_id,
                    new_id,
                    "scan of " + source,
                    kind_in_words(old_node),
                    kind_in_words(new_node),
                    {}});
  }
}

}  // namespace

void compare_sources(Comparison& comparison) {
  std::map<std::string, std::pair<std::size_t, std::size_t>> counts;
  for (const PlanNode& node : comparison.before.plan.nodes()) {
    if (role_of(comparison.before.plan, node.id) != Role::Source) continue;
    ++counts[comparison.before.names.source(node.id)].first;
    const NodeId partner = comparison.matching.after[index(node.id)];
    if (partner != kNoNode) compare_pair(comparison, node.id, partner);
  }
  for (const PlanNode& node : comparison.after.plan.nodes()) {
    if (role_of(comparison.after.plan, node.id) == Role::Source) {
      ++counts[comparison.after.names.source(node.id)].second;
    }
  }
  for (const auto& [source, count] : counts) {
    if (count.first == count.second) continue;
    const ChangeKind kind = count.first == 0    ? ChangeKind::SourceAdded
                            : count.second == 0 ? ChangeKind::SourceGone
                                                : ChangeKind::SourceCount;
    comparison.add({kind, kNoNode, kNoNode, source, std::to_string(count.first), std::to_string(count.second), {}});
  }
}

}  // namespace planvet::compare
