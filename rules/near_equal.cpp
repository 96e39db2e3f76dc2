#include "rules/near_equal.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "analyzer/plan/expression_list.hpp"
#include "analyzer/plan/predicate.hpp"
#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr std::size_t kWhole = 1U << 20U;  // plain() does not cut
using Words = std::set<std::string>;

class Comparison {
 public:
  explicit Comparison(const PlanContext& context) : context_(context), plan_(context.plan()) {}

  bool run(NodeId first, NodeId second) {
    take_output(first, 0);
    take_output(second, 1);
    std::vector<std::pair<NodeId, NodeId>> open{{first, second}};
    while (!open.empty()) {
      auto [a, b] = open.back();
      open.pop_back();
      a = skip_projects(a, 0);
      b = skip_projects(b, 1);
      if (a == kNoNode || b == kNoNode) return false;
      if (is_filter(a) != is_filter(b)) {
        NodeId& filtered = is_filter(a) ? a : b;
        if (!take_filter(filtered, is_filter(a) ? 0 : 1)) return false;
        filtered = skip_projects(plan_.input(filtered), is_filter(a) ? 0 : 1);
        if (filtered == kNoNode) return false;
      }
      if (!compare_nodes(a, b)) return false;
      std::vector<NodeId> inputs_a = plan_.inputs(a);
      std::vector<NodeId> inputs_b = plan_.inputs(b);
      if (inputs_a.size() != inputs_b.size() || inputs_a.size() != plan_.children(a).size() ||
          inputs_b.size() != plan_.children(b).size()) {
        return false;  // subqueries are compared by nobody here
      }
      if (is_swapped_here_) std::swap(inputs_b[0], inputs_b[1]);
      for (std::size_t i = 0; i < inputs_a.size(); ++i) open.emplace_back(inputs_a[i], inputs_b[i]);
    }
    return true;
  }

  [[nodiscard]] std::optional<Difference> difference() const {
    Words more[2] = {without(columns_[0], columns_[1]), without(columns_[1], columns_[0])};
    if (more[0].empty() && more[1].empty()) {
      more[0] = without(outputs_[0], outputs_[1]);
      more[1] = without(outputs_[1], outputs_[0]);
    }
    const Words filters[2] = {without(filters_[0], filters_[1]), without(filters_[1], filters_[0])};
    const std::size_t filter_count = filters[0].size() + filters[1].size();
    if (!more[0].empty() && !more[1].empty()) return std::nullopt;
    Difference result;
    if (is_swapped_) {
      if (filter_count > 0 || !more[0].empty() || !more[1].empty()) return std::nullopt;
      result.kind = Difference::Kind::Swapped;
    } else if (filter_count == 1) {
      result.kind = Difference::Kind::Filter;
      result.is_first_larger = !filters[0].empty();
      const Words& one = filters[result.is_first_larger ? 0 : 1];
      if (!more[result.is_first_larger ? 1 : 0].empty()) return std::nullopt;
      result.what.assign(one.begin(), one.end());
    } else if (filter_count > 1) {
      return std::nullopt;
    } else if (!more[0].empty() || !more[1].empty()) {
      result.kind = Difference::Kind::Columns;
      result.is_first_larger = !more[0].empty();
      const Words& columns = more[result.is_first_larger ? 0 : 1];
      result.what.assign(columns.begin(), columns.end());
    }
    return result;
  }

 private:
  static Words without(const Words& words, const Words& others) {
    Words rest;
    std::set_difference(words.begin(), words.end(), others.begin(), others.end(), std::inserter(rest, rest.end()));
    return rest;
  }

  [[nodiscard]] bool is_filter(NodeId id) const { return plan_.node(id).kind == OperatorKind::Filter; }

  // `upper(s) AS t`: upper(s). Plain columns need not be told apart: the scans have them.
  // The columns that come out in the end; in one-line modes an exchange has none of its own.
  void take_output(NodeId id, int side) {
    for (NodeId at = id; at != kNoNode; at = plan_.input(at)) {
      for (const AttributeKind kind : {AttributeKind::ProjectList, AttributeKind::Output, AttributeKind::Input}) {
        const Attribute* list = plan_.find(at, kind);
        if (list == nullptr) continue;
        for (const std::string_view item : split_list(list->text).items) {
          const AttributeText column = read_attribute_text(item);
          // Columns that aggregates make are told apart by their functions.
          if (column.expr_id != kNoExprId && column.name.find('(') == std::string_view::npos) {
            outputs_[side].insert(std::string(column.name));
          }
        }
        return;
      }
      const OperatorFamily what = family(plan_.node(at).kind);
      if (what == OperatorFamily::Aggregate || what == OperatorFamily::Join) return;
    }
  }

  void take_items(const Attribute* list, int side) {
    if (list == nullptr) return;
    if (!list->is_whole()) is_cut_ = true;
    for (const std::string_view item : split_list(list->text).items) {
      std::string_view made = item.substr(0, item.rfind(" AS "));
      if (made.starts_with("partial_")) made.remove_prefix(8);
      if (made.find('(') != std::string_view::npos) columns_[side].insert(plain(made, kWhole));
    }
  }

  NodeId skip_projects(NodeId id, int side) {
    while (id != kNoNode) {
      id = below_structure(plan_, id);
      if (id == kNoNode || plan_.node(id).kind != OperatorKind::Project) return id;
      if (plan_.children(id).size() != 1) return kNoNode;
      take_items(plan_.find(id, AttributeKind::ProjectList), side);
      id = plan_.input(id);
    }
    return id;
  }

  bool take_filter(NodeId id, int side) {
    const Attribute* condition = plan_.find(id, AttributeKind::Condition);
    if (condition == nullptr || !condition->is_whole()) return false;
    const ExpressionTree tree = context_.parse(condition->text);
    for (const ExpressionIndex conjunct : tree.conjuncts(tree.root())) {
      if (!is_null_test(tree, conjunct)) filters_[side].insert(plain(tree.text(conjunct), kWhole));
    }
    return plan_.children(id).size() == 1;
  }

  [[nodiscard]] bool have_equal(NodeId a, NodeId b, AttributeKind kind) const {
    const Attribute* first = plan_.find(a, kind);
    const Attribute* second = plan_.find(b, kind);
    if (first == nullptr || second == nullptr) return first == second;
    return first->is_whole() && second->is_whole() && plain(first->text, kWhole) == plain(second->text, kWhole);
  }

  bool compare_nodes(NodeId a, NodeId b) {
    is_swapped_here_ = false;
    if (plan_.node(a).kind != plan_.node(b).kind || is_cut_) return false;
    switch (family(plan_.node(a).kind)) {
      case OperatorFamily::Filter: return take_filter(a, 0) && take_filter(b, 1);
      case OperatorFamily::Exchange:
        return have_equal(a, b, AttributeKind::Partitioning) && have_equal(a, b, AttributeKind::BroadcastMode);
      case OperatorFamily::Aggregate:
        take_items(plan_.find(a, AttributeKind::Functions), 0);
        take_items(plan_.find(b, AttributeKind::Functions), 1);
        return have_equal(a, b, AttributeKind::GroupingKeys) && plan_.find(a, AttributeKind::GroupingKeys) != nullptr;
      case OperatorFamily::Sort: return have_equal(a, b, AttributeKind::SortOrder);
      case OperatorFamily::Join: return compare_joins(a, b);
      case OperatorFamily::Scan: return compare_scans(a, b);
      case OperatorFamily::Union: return true;
      case OperatorFamily::Window:
        return have_equal(a, b, AttributeKind::WindowExpressions) && have_equal(a, b, AttributeKind::PartitionSpec) &&
               have_equal(a, b, AttributeKind::OrderSpec) && have_equal(a, b, AttributeKind::RankFunction) &&
               have_equal(a, b, AttributeKind::Limit);
      case OperatorFamily::Limit:
        return have_equal(a, b, AttributeKind::Limit) && have_equal(a, b, AttributeKind::SortOrder);
      case OperatorFamily::Expand: return have_equal(a, b, AttributeKind::Projections);
      case OperatorFamily::Generate:
        return have_equal(a, b, AttributeKind::Generator) && have_equal(a, b, AttributeKind::IsOuter);
      default: return false;
    }
  }

  bool compare_joins(NodeId a, NodeId b) {
    const auto first = Join::of(plan_, a);
    const auto second = Join::of(plan_, b);
    if (!first || !second || first->type() != second->type() || first->type() == JoinType::Unknown) return false;
    if (!have_equal(a, b, AttributeKind::JoinCondition)) return false;
    if (have_equal(a, b, AttributeKind::LeftKeys) && have_equal(a, b, AttributeKind::RightKeys) &&
        !is_other_table(first->input(Side::Left), second->input(Side::Left))) {
      return true;
    }
    const auto keys = [&](NodeId id, AttributeKind kind) {
      const Attribute* list = plan_.find(id, kind);
      return list == nullptr ? std::string() : plain(list->text, kWhole);
    };
    const bool is_crossed = keys(a, AttributeKind::LeftKeys) == keys(b, AttributeKind::RightKeys) &&
                            keys(a, AttributeKind::RightKeys) == keys(b, AttributeKind::LeftKeys);
    if (first->type() != JoinType::Inner || !is_crossed) return false;
    is_swapped_ = is_swapped_here_ = true;
    return true;
  }

  [[nodiscard]] bool is_other_table(NodeId a, NodeId b) const {
    const std::string_view first = only_table(plan_, a);
    const std::string_view second = only_table(plan_, b);
    return !first.empty() && !second.empty() && first != second;
  }

  bool compare_scans(NodeId a, NodeId b) {
    const auto first = Scan::of(plan_, a);
    const auto second = Scan::of(plan_, b);
    if (!first || !second || first->output().is_truncated || second->output().is_truncated) return false;
    const bool has_name = !first->table().empty() || plan_.find(a, AttributeKind::Location) != nullptr;
    if (!has_name || first->table() != second->table()) return false;
    if (first->table().empty() && !have_equal(a, b, AttributeKind::Location)) return false;
    for (const AttributeKind kind :
         {AttributeKind::PartitionFilters, AttributeKind::RuntimeFilters, AttributeKind::PushedAggregates,
          AttributeKind::PushedLimit, AttributeKind::PushedTopN, AttributeKind::PushedSample, AttributeKind::Bucketed,
          AttributeKind::SelectedBuckets, AttributeKind::HiveRelation}) {
      if (!have_equal(a, b, kind)) return false;
    }
    for (const std::string_view item : first->output().items) columns_[0].insert(plain(item, kWhole));
    for (const std::string_view item : second->output().items) columns_[1].insert(plain(item, kWhole));
    return true;
  }

  const PlanContext& context_;
  const PlanTree& plan_;
  Words columns_[2];
  Words outputs_[2];
  Words filters_[2];
  bool is_swapped_ = false;
  bool is_swapped_here_ = false;
  bool is_cut_ = false;
};

}  // namespace

std::optional<Difference> compare_plans(const PlanContext& context, NodeId first, NodeId second) {
  Comparison comparison(context);
  if (!comparison.run(first, second)) return std::nullopt;
  return comparison.difference();
}

}  // namespace planvet::rules
