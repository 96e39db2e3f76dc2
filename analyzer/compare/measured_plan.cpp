#include "analyzer/compare/measured_plan.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>

#include <fmt/core.h>

#include "analyzer/compare/matching.hpp"
#include "analyzer/compare/names.hpp"
#include "analyzer/plan/walk.hpp"

namespace planvet::compare {
namespace {

// Below that it is another query.
constexpr double kLeastLikeness = 0.5;

// Of the operators alone, in pre-order: frames, stages and logical nodes are not counted, since not all inputs show them.
struct Operator {
  NodeId id{};
  OperatorKind kind{};
  std::uint64_t source = 0;  // the table that it reads
  std::uint64_t work = 0;
};

bool is_operator(const PlanNode& node) {
  return !node.is_logical && node.link != Link::ReusedSubquery && !is_structural(node.kind) &&
         family(node.kind) != OperatorFamily::QueryStage && node.kind != OperatorKind::InMemoryRelation &&
         node.kind != OperatorKind::ColumnarToRow && node.kind != OperatorKind::Subquery;
}

std::vector<Operator> operators_of(const PlanTree& plan) {
  const Names names(plan);
  std::vector<Operator> operators;
  NodeId end_of_empty{0};  // what stands below a relation that proved empty did run, but texts do not print it
  for (const PlanNode& node : plan.nodes()) {
    if (node.id < end_of_empty || !is_operator(node)) continue;
    if (node.kind == OperatorKind::EmptyRelation) end_of_empty = node.subtree_end;
    operators.push_back(
        {node.id, node.kind, std::hash<std::string>()(names.source(node.id)), work_hash(plan, node.id)});
  }
  return operators;
}

constexpr std::uint32_t kSameKind = 4;
constexpr std::uint32_t kSameWork = 3;
constexpr std::uint32_t kSameSource = 3;
constexpr std::uint32_t kMost = kSameKind + kSameWork + kSameSource;

// 0: not the same operator. Of two scans the table tells, where both name one.
std::uint32_t weight(const Operator& a, const Operator& b) {
  if (a.kind != b.kind) return 0;
  const bool is_same_source = a.source == b.source;
  return kSameKind + (a.work == b.work ? kSameWork : 0) + (is_same_source ? kSameSource : 0);
}

// The pairs that weigh most when both sequences are read from left to right.
std::vector<std::pair<std::size_t, std::size_t>> align(const std::vector<Operator>& a, const std::vector<Operator>& b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::uint32_t> best((a.size() + 1) * width, 0);
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      const std::uint32_t gain = weight(a[i], b[j]);
      std::uint32_t most = std::max(best[(i + 1) * width + j], best[i * width + j + 1]);
      if (gain > 0) most = std::max(most, gain + best[(i + 1) * width + j + 1]);
      best[i * width + j] = most;
    }
  }
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const std::uint32_t gain = weight(a[i], b[j]);
    if (gain > 0 && best[i * width + j] == gain + best[(i + 1) * width + j + 1]) {
      pairs.emplace_back(i++, j++);
    } else if (best[i * width + j] == best[(i + 1) * width + j]) {
      ++i;
    } else {
      ++j;
    }
  }
  return pairs;
}

// Longer plans are not aligned: a table of their product is too large.
constexpr std::size_t kLargestTable = 16'000'000;

// How many operators of each kind both have: an upper bound of the likeness, without a table.
double likeness_bound(const std::vector<Operator>& a, const std::vector<Operator>& b) {
  std::map<OperatorKind, std::pair<std::size_t, std::size_t>> counts;
  for (const Operator& one : a) ++counts[one.kind].first;
  for (const Operator& one : b) ++counts[one.kind].second;
  std::size_t common = 0;
  for (const auto& [kind, count] : counts) common += std::min(count.first, count.second);
  return a.size() + b.size() == 0 ? 0 : 2.0 * static_cast<double>(common) / static_cast<double>(a.size() + b.size());
}

NodeId paired_above(const PlanTree& plan, NodeId id, const std::vector<NodeId>& partner) {
  NodeId at = plan.node(id).parent;
  while (at != kNoNode && partner[index(at)] == kNoNode) at = plan.node(at).parent;
  return at;
}

// Equal with their expression ids, which no two runs share unless their plans are the same object.
std::size_t equal_texts(const PlanTree& plan, NodeId id, const PlanTree& measured, NodeId other) {
  std::size_t count = 0;
  for (const Attribute& attribute : plan.attributes(id)) {
    const Attribute* const same = measured.find(other, attribute.kind);
    if (same == nullptr || attribute.kind == AttributeKind::Other) continue;
    if (attribute.text.find('#') != std::string_view::npos && attribute.text == same->text) ++count;
  }
  return count;
}

// Arguments that both have whole, and that are not the same.
bool arguments_differ(const PlanTree& plan, NodeId id, const PlanTree& measured, NodeId other) {
  for (const Attribute& attribute : plan.attributes(id)) {
    switch (attribute.kind) {
      case AttributeKind::Condition:
      case AttributeKind::LeftKeys:
      case AttributeKind::RightKeys:
      case AttributeKind::JoinType:
      case AttributeKind::BuildSide:
      case AttributeKind::Partitioning:
      case AttributeKind::GroupingKeys:
      case AttributeKind::SortOrder:
      case AttributeKind::PushedFilters:
      case AttributeKind::PartitionFilters:
      case AttributeKind::Table: break;
      default: continue;
    }
    const Attribute* const same = measured.find(other, attribute.kind);
    if (same == nullptr || !same->is_whole() || !attribute.is_whole()) continue;
    if (without_ids(attribute.text) != without_ids(same->text)) return true;
  }
  return false;
}

OperatorPairs pair_lists(const PlanTree& plan, const std::vector<Operator>& a, const PlanTree& measured,
                         const std::vector<Operator>& b) {
  OperatorPairs result;
  result.partner.assign(plan.size(), kNoNode);
  result.differs.assign(plan.size(), false);
  result.operators = a.size();
  std::vector<NodeId> back(measured.size(), kNoNode);
  std::uint64_t total = 0;
  for (const auto& [i, j] : align(a, b)) {
    const NodeId above = paired_above(plan, a[i].id, result.partner);
    const NodeId other_above = paired_above(measured, b[j].id, back);
    const NodeId expected = above == kNoNode ? kNoNode : result.partner[index(above)];
    if (expected != other_above) continue;  // they stand below different operators
    result.partner[index(a[i].id)] = b[j].id;
    back[index(b[j].id)] = a[i].id;
    result.differs[index(a[i].id)] = arguments_differ(plan, a[i].id, measured, b[j].id);
    result.equal_texts += equal_texts(plan, a[i].id, measured, b[j].id);
    total += weight(a[i], b[j]);
  }
  for (const Operator& one : a) {
    if (result.partner[index(one.id)] == kNoNode) result.missing.push_back(one.id);
  }
  for (const Operator& one : b) {
    if (back[index(one.id)] == kNoNode) result.additional.push_back(one.id);
  }
  if (!a.empty() || !b.empty()) {
    result.likeness =
        2.0 * static_cast<double>(total) / (static_cast<double>(kMost) * static_cast<double>(a.size() + b.size()));
  }
  return result;
}

std::shared_ptr<const metrics::DocumentMetrics> moved_metrics(const PlanDocument& plan, const OperatorPairs& pairs,
                                                              const metrics::DocumentMetrics& from) {
  auto moved = std::make_shared<metrics::DocumentMetrics>();
  for (std::uint32_t at = 0; at < pairs.partner.size(); ++at) {
    const NodeId partner = pairs.partner[at];
    if (partner == kNoNode) continue;
    const auto metrics = from.judged.of(partner);
    if (metrics.empty()) continue;
    moved->judged.add(NodeId{at}, {metrics.begin(), metrics.end()}, from.judged.stages(partner));
  }
  moved->optimized_out.resize(plan.optimized_out.size());
  moved->run = from.run;
  return moved;
}

std::string names_of(const PlanTree& tree, const std::vector<NodeId>& nodes) {
  constexpr std::size_t kMostNamed = 5;
  std::string text;
  for (std::size_t i = 0; i < nodes.size() && i < kMostNamed; ++i) {
    const PlanNode& node = tree.node(nodes[i]);
    text += (i == 0 ? "" : ", ") + std::string(node.printed_name);
    if (node.operator_id) text += fmt::format(" ({})", *node.operator_id);
  }
  if (nodes.size() > kMostNamed) text += fmt::format(" and {} more", nodes.size() - kMostNamed);
  return text;
}

std::string query_name(const std::optional<std::int64_t>& execution) {
  return execution ? fmt::format("query {}", *execution) : std::string("a query without a number");
}

}  // namespace

OperatorPairs pair_operators(const PlanTree& plan, const PlanTree& measured) {
  return pair_lists(plan, operators_of(plan), measured, operators_of(measured));
}

struct MetricsSearch::State {
  explicit State(const PlanDocument& document) : plan(document), judged(judged_fragment(document)) {
    if (judged != nullptr) operators = operators_of(judged->tree);
  }
  const PlanDocument& plan;
  const Fragment* judged;
  std::vector<Operator> operators;
  std::optional<MeasuredPlan> found;
  double best_likeness = 0;
  std::size_t offered = 0;
};

MetricsSearch::MetricsSearch(const PlanDocument& plan) : state_(std::make_unique<State>(plan)) {}
MetricsSearch::~MetricsSearch() = default;
MetricsSearch::MetricsSearch(MetricsSearch&&) noexcept = default;

void MetricsSearch::offer(const std::shared_ptr<const PlanDocument>& measured) {
  State& state = *state_;
  const Fragment* const other = judged_fragment(*measured);
  if (state.judged == nullptr || other == nullptr || measured->metrics == nullptr) return;
  ++state.offered;
  const std::vector<Operator> others = operators_of(other->tree);
  if ((state.operators.size() + 1) * (others.size() + 1) > kLargestTable) return;
  if (state.found && likeness_bound(state.operators, others) < state.best_likeness) return;
  OperatorPairs pairs = pair_lists(state.judged->tree, state.operators, other->tree, others);
  const bool is_as_like = state.found && pairs.likeness == state.best_likeness;
  const bool is_equal = is_as_like && pairs.equal_texts == state.found->pairs.equal_texts;
  const bool is_better =
      pairs.likeness > state.best_likeness || (is_as_like && pairs.equal_texts > state.found->pairs.equal_texts);
  state.best_likeness = std::max(state.best_likeness, pairs.likeness);
  if (pairs.likeness < kLeastLikeness || (!is_better && !is_equal)) return;
  // Of equal ones the last.
  std::vector<std::optional<std::int64_t>> as_good;
  if (is_equal) {
    as_good = std::move(state.found->as_good);
    as_good.push_back(state.found->query->execution_id);
  }
  auto metrics = moved_metrics(state.plan, pairs, *measured->metrics);
  state.found = MeasuredPlan{measured, std::move(as_good), std::move(pairs), std::move(metrics)};
}

const std::optional<MeasuredPlan>& MetricsSearch::found() const { return state_->found; }
double MetricsSearch::best_likeness() const { return state_->best_likeness; }
std::size_t MetricsSearch::offered() const { return state_->offered; }

std::string MetricsSearch::describe() const {
  constexpr double kPercent = 100;
  if (!state_->found) {
    if (state_->offered == 0) return "no query with metrics was found there";
    return fmt::format("no query there has this plan: the nearest of {} is like it to {:.0f} %", state_->offered,
                       state_->best_likeness * kPercent);
  }
  const MeasuredPlan& found = *state_->found;
  const PlanTree& tree = state_->judged->tree;
  const OperatorPairs& pairs = found.pairs;
  std::string text =
      fmt::format("metrics of {}: {} of {} operators are in both plans", query_name(found.query->execution_id),
                  pairs.operators - pairs.missing.size(), pairs.operators);
  std::vector<NodeId> different;
  for (const PlanNode& node : tree.nodes()) {
    if (pairs.differs[index(node.id)]) different.push_back(node.id);
  }
  if (!different.empty()) text += "; with other arguments there: " + names_of(tree, different);
  if (!pairs.missing.empty()) text += "; without metrics, only in this plan: " + names_of(tree, pairs.missing);
  if (!pairs.additional.empty())
    text += "; only in the measured plan: " + names_of(judged_fragment(*found.query)->tree, pairs.additional);
  if (!found.as_good.empty()) {
    std::string others;
    for (const std::optional<std::int64_t>& execution : found.as_good)
      others += (others.empty() ? "" : ", ") + query_name(execution);
    text += "; as good a match, but earlier: " + others;
  }
  return text;
}

}  // namespace planvet::compare
