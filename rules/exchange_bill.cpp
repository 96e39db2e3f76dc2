#include "rules/exchange_bill.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include <fmt/core.h>

#include "analyzer/plan/canonical.hpp"
#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"

namespace planvet::rules {

bool is_unexecuted_adaptive(const PlanContext& context) {
  for (const PlanNode& node : context.operators()) {
    if (node.kind != OperatorKind::AdaptiveSparkPlan) continue;
    const Attribute* flag = context.plan().find(node.id, AttributeKind::IsFinalPlan);
    return flag != nullptr && flag->text == "false";  // the outermost one decides
  }
  return false;
}

namespace {

bool is_exchange(const PlanNode& node) {
  return node.kind == OperatorKind::ShuffleExchange || node.kind == OperatorKind::BroadcastExchange;
}

// Exchanges that this plan prints in full and that Spark will run once: duplicates, each with the one further up in the
// print that it repeats.
std::unordered_map<std::uint32_t, NodeId> expected_reuses(const PlanContext& context) {
  std::unordered_map<std::uint32_t, NodeId> reuses;
  if (!is_unexecuted_adaptive(context)) return reuses;
  if (context.facts().conf_flag("spark.sql.exchange.reuse") == false) return reuses;
  const PlanTree& plan = context.plan();

  // Expressions are read only where two exchanges look alike without them.
  const std::vector<std::uint64_t> outline = outlines(plan);
  std::unordered_map<std::uint64_t, int> seen;
  bool has_equal_outlines = false;
  for (const PlanNode& node : context.operators()) {
    if (is_exchange(node) && ++seen[outline[index(node.id)]] > 1) has_equal_outlines = true;
  }
  if (!has_equal_outlines) return reuses;

  const std::vector<std::uint64_t> hashes = canonical_hashes(plan, context.parser());
  std::unordered_map<std::uint64_t, NodeId> known;
  for (const PlanNode& node : context.operators()) {
    if (!is_exchange(node)) continue;
    const auto [first, is_new] = known.emplace(hashes[index(node.id)], node.id);
    if (!is_new) reuses.emplace(index(node.id), first->second);
  }
  return reuses;
}

enum class Reason { Join, Aggregate, Window, Sort, Limit, Write, User, Other };
constexpr std::array<std::string_view, 8> kReasonTexts = {
    "for joins",  "for aggregates",         "for windows",        "for sorts", "for limits",
    "for writes", "asked for by the query", "for other operators"};

Reason reason_of(const PlanTree& plan, NodeId id) {
  const auto exchange = Exchange::of(plan, id);
  if (exchange && exchange->is_users()) return Reason::User;
  for (NodeId above = above_structure(plan, id); above != kNoNode; above = above_structure(plan, above)) {
    switch (family(plan.node(above).kind)) {
      case OperatorFamily::Join: return Reason::Join;
      case OperatorFamily::Aggregate: return Reason::Aggregate;
      case OperatorFamily::Window: return Reason::Window;
      case OperatorFamily::Limit: return Reason::Limit;
      case OperatorFamily::Write: return Reason::Write;
      case OperatorFamily::Sort: {
        const Attribute* is_global = plan.find(above, AttributeKind::IsGlobal);
        if (is_global != nullptr && is_global->text == "true") return Reason::Sort;
        break;  // a local sort is some other operator's
      }
      case OperatorFamily::Project:
      case OperatorFamily::Filter: break;
      default: return Reason::Other;
    }
  }
  return Reason::Other;
}

}  // namespace

CountedExchanges count_exchanges(const PlanContext& context) {
  CountedExchanges counted;
  const PlanTree& plan = context.plan();
  const std::unordered_map<std::uint32_t, NodeId> reuses = expected_reuses(context);
  std::unordered_set<std::uint32_t> operator_ids;  // formatted text prints a subquery once for each of its hosts
  NodeId cached_until{};
  NodeId reused_until{};
  for (const PlanNode& node : plan.nodes()) {
    if (node.link == Link::CachedPlan && node.id >= cached_until) cached_until = node.subtree_end;
    if (node.is_logical || node.id < reused_until) continue;
    if (node.link == Link::ReusedSubquery) {
      reused_until = node.subtree_end;
      continue;
    }
    if (node.kind == OperatorKind::ReusedExchange) {
      if (node.id >= cached_until) ++counted.reused;
      if (node.reuses != kNoNode) counted.read_again.push_back(node.reuses);
      continue;
    }
    if (!is_exchange(node)) continue;
    if (node.operator_id && !operator_ids.insert(*node.operator_id).second) continue;
    if (node.id < cached_until) {
      ++counted.in_cached_plans;
    } else if (const auto reuse = reuses.find(index(node.id)); reuse != reuses.end()) {
      ++counted.reused;
      counted.expected_reuses.push_back(node.id);
      counted.read_again.push_back(reuse->second);
      reused_until = node.subtree_end;  // nothing below a reused exchange runs
    } else {
      (node.kind == OperatorKind::ShuffleExchange ? counted.shuffles : counted.broadcasts).push_back(node.id);
    }
  }
  return counted;
}

const CountedExchanges& PlanContext::exchanges() const {
  if (!exchanges_) exchanges_ = count_exchanges(*this);
  return *exchanges_;
}

ExchangeBill exchange_bill(const PlanContext& context) {
  const CountedExchanges& counted = context.exchanges();
  ExchangeBill bill;
  bill.shuffle = static_cast<std::uint32_t>(counted.shuffles.size());
  bill.broadcast = static_cast<std::uint32_t>(counted.broadcasts.size());
  bill.reused = counted.reused;
  bill.in_cached_plans = counted.in_cached_plans;
  for (const NodeId id : counted.shuffles) {
    if (reason_of(context.plan(), id) == Reason::User) ++bill.user_requested;
  }
  // Exchanges that AQE cut out of the tree while something still reads what they made.
  for (const PlanTree& plan : context.document().optimized_out) {
    for (const PlanNode& node : plan.nodes()) {
      if (node.is_logical) continue;
      if (node.kind == OperatorKind::ShuffleExchange) ++bill.shuffle;
      if (node.kind == OperatorKind::BroadcastExchange) ++bill.broadcast;
    }
  }
  return bill;
}

std::string shuffle_reasons(const PlanContext& context, const std::vector<NodeId>& shuffles) {
  std::array<int, kReasonTexts.size()> counts{};
  for (const NodeId id : shuffles) ++counts[static_cast<std::size_t>(reason_of(context.plan(), id))];
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counts[i], kReasonTexts[i]);
  }
  return text;
}

}  // namespace planvet::rules
