#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"
#include "analyzer/report/fix_parts.hpp"
#include "rules/exchange_bill.hpp"
#include "rules/near_equal.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/shuffle_calls.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {{"warning", "1 GiB", "bytes of the second shuffle from which on it is a warning"}};

constexpr std::string_view kReuseKey = "spark.sql.exchange.reuse";
// Machine-made plans have thousands of exchanges: no person compares those.
constexpr std::size_t kMostAlike = 12;
constexpr std::size_t kLargestPart = 400;

struct Pair {
  NodeId first;
  NodeId second;
  Difference difference;
  std::vector<NodeId> more;  // equal to the first too
};

// Exchanges by what is quickly told: how they partition, and which tables they read.
std::map<std::string, std::vector<NodeId>> by_outline(const PlanTree& plan, const std::vector<NodeId>& exchanges) {
  std::map<std::string, std::vector<NodeId>> groups;
  for (const NodeId id : exchanges) {
    const Attribute* how = plan.find(id, AttributeKind::Partitioning);
    if (how == nullptr || plan.subtree(id).size() > kLargestPart) continue;
    std::vector<std::string_view> tables;
    const auto add_tables = [&](NodeId top) {
      for (const PlanNode& node : plan.subtree(top)) {
        if (const auto scan = Scan::of(plan, node.id)) tables.push_back(scan->display_name());
      }
    };
    add_tables(id);
    for (const PlanNode& node : plan.subtree(id)) {
      if (node.kind == OperatorKind::ReusedExchange && node.reuses != kNoNode) add_tables(node.reuses);
    }
    if (tables.empty()) continue;
    std::sort(tables.begin(), tables.end());
    std::string key = plain(how->text, 1000);
    for (const std::string_view table : tables) key.append(" ").append(table);
    groups[key].push_back(id);
  }
  return groups;
}

bool is_below(const PlanTree& plan, NodeId id, NodeId top) { return id > top && id < plan.node(top).subtree_end; }

std::vector<Pair> pairs_of(const PlanContext& context) {
  const PlanTree& plan = context.plan();
  std::vector<Pair> pairs;
  for (const auto& [key, alike] : by_outline(plan, context.exchanges().shuffles)) {
    if (alike.size() > kMostAlike) continue;
    std::vector<bool> is_taken(alike.size(), false);
    for (std::size_t i = 0; i < alike.size(); ++i) {
      for (std::size_t j = i + 1; j < alike.size() && !is_taken[i]; ++j) {
        if (is_taken[j] || is_below(plan, alike[j], alike[i])) continue;
        auto difference = compare_plans(context, alike[i], alike[j]);
        if (!difference) continue;
        is_taken[j] = true;
        const bool is_one_more = difference->kind == Difference::Kind::None && !pairs.empty() &&
                                 pairs.back().first == alike[i] &&
                                 pairs.back().difference.kind == Difference::Kind::None;
        if (is_one_more) {
          pairs.back().more.push_back(alike[j]);
        } else {
          pairs.push_back({alike[i], alike[j], std::move(*difference), {}});
        }
      }
    }
  }
  // The exchanges below an equal pair are equal too: the topmost speaks.
  std::vector<Pair> topmost;
  std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(topmost), [&](const Pair& pair) {
    return std::none_of(pairs.begin(), pairs.end(), [&](const Pair& above) {
      return is_below(plan, pair.second, above.second) && is_below(plan, pair.first, above.first);
    });
  });
  std::sort(topmost.begin(), topmost.end(), [](const Pair& a, const Pair& b) { return a.second < b.second; });
  return topmost;
}

std::string list_text(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size() && i < 3; ++i) text += (i == 0 ? "" : ", ") + plain(words[i], 60);
  if (words.size() > 3) text += fmt::format(" and {} more", words.size() - 3);
  return text;
}

struct Wording {
  std::string_view slug;
  std::string because;
  std::string fix;
};

Wording wording_of(const PlanContext& context, const Difference& difference) {
  const std::string_view has_it = difference.is_first_larger ? "the first" : "this one";
  switch (difference.kind) {
    case Difference::Kind::None:
      if (context.facts().conf_flag(kReuseKey) == false) {
        return {"reuse-off", fmt::format("{} is false", kReuseKey), fmt::format("`SET {}=true`", kReuseKey)};
      }
      return {"equal", "Spark did not reuse it", "`df.cache()` the common part, or write it once to a table"};
    case Difference::Kind::Columns:
      return {"columns-differ", fmt::format("only {} also has {}", has_it, list_text(difference.what)),
              "select the same columns and aggregates in both places, so that Spark runs one shuffle for both; or "
              "`df.cache()` the common part"};
    case Difference::Kind::Filter:
      return {"filter-differs", fmt::format("only {} is filtered by {}", has_it, list_text(difference.what)),
              "`df.cache()` the common part before the filter, or take both results from one pass with conditional "
              "aggregates"};
    case Difference::Kind::Swapped:
      return {"join-sides-swapped", "the inputs of their join stand the other way round",
              "write the join in the same order in both places, or `df.cache()` it"};
  }
  return {};
}

void check(const PlanContext& context, Reporter& reporter) {
  if (context.exchanges().shuffles.size() < 2) return;
  const std::vector<Pair> pairs = pairs_of(context);
  const bool is_unexecuted = is_unexecuted_adaptive(context);
  for (const Pair& pair : pairs) {
    const bool is_equal = pair.difference.kind == Difference::Kind::None;
    if (is_unexecuted && !(is_equal && context.facts().conf_flag(kReuseKey) == false)) {
      reporter.skip("needs the plan after it ran: before that every exchange is printed, reused or not");
      continue;
    }
    const Wording wording = wording_of(context, pair.difference);
    const PlanNode& node = context.plan().node(pair.second);
    const auto bytes = shuffled_bytes(context, pair.second);
    const bool is_large = bytes && bytes->is_at_least && bytes->value >= context.options().bytes("warning");
    Finding& finding =
        reporter.report(node, is_large && is_equal ? Severity::Warning : Severity::Info,
                        fmt::format("{} is shuffled {}, {}{}: {}", input_text(context.plan(), pair.second),
                                    pair.more.empty() ? "twice" : fmt::format("{} times", pair.more.size() + 2),
                                    partitioning_text(partitioning_of(*Exchange::of(context.plan(), pair.second))),
                                    is_equal ? "" : ", with one difference", wording.because));
    finding.fix = wording.fix;
    finding.reasons.emplace_back(wording.slug);
    finding.related.push_back({pair.first, context.plan().node(pair.first).name_span, "the first of them"});
    for (const NodeId id : pair.more) {
      finding.related.push_back({id, context.plan().node(id).name_span, "this one too"});
    }
    if (bytes) finding.evidence.push_back({"shuffled again", bytes->value, "bytes", bytes->source});
  }
}

}  // namespace

extern constinit const Rule kUnreusedExchange{
    .info = {.code = "PV306",
             .name = "unreused-exchange",
             .severity = Severity::Info,
             .summary = "Two parts of the query shuffle the same rows, and each does its own shuffle.",
             .why = "Spark runs equal exchanges once and reads the result twice, but only when they are equal to the "
                    "last column. One more filter, one column less or a swapped join makes it scan, aggregate and "
                    "shuffle everything again.",
             .fix = "Make the two parts equal, or cache what they share. Spark never keeps the result of a CTE.",
             .bad = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=true
+- == Final Plan ==
   *(4) SortMergeJoin [store#2], [store#12], Inner
   :- *(2) HashAggregate(keys=[store#2], functions=[max(price#3)])
   :  +- ShuffleQueryStage 0
   :     +- Exchange hashpartitioning(store#2, 200), ENSURE_REQUIREMENTS, [plan_id=12]
   :        +- *(1) HashAggregate(keys=[store#2], functions=[partial_max(price#3)])
   :           +- FileScan parquet shop.sales[store#2,price#3] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<store:int,price:double>
   +- *(3) HashAggregate(keys=[store#12], functions=[max(price#13)])
      +- ShuffleQueryStage 1
         +- Exchange hashpartitioning(store#12, 200), ENSURE_REQUIREMENTS, [plan_id=15]
            +- *(2) HashAggregate(keys=[store#12], functions=[partial_max(price#13)])
               +- *(2) Filter (price#13 > 5.0)
                  +- FileScan parquet shop.sales[store#12,price#13] Batched: true, DataFilters: [(price#13 > 5.0)], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [GreaterThan(price,5.0)], ReadSchema: struct<store:int,price:double>
)",
             .good = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=true
+- == Final Plan ==
   *(4) SortMergeJoin [store#2], [store#12], Inner
   :- *(2) HashAggregate(keys=[store#2], functions=[max(price#3)])
   :  +- ShuffleQueryStage 0
   :     +- Exchange hashpartitioning(store#2, 200), ENSURE_REQUIREMENTS, [plan_id=12]
   :        +- *(1) HashAggregate(keys=[store#2], functions=[partial_max(price#3)])
   :           +- FileScan parquet shop.sales[store#2,price#3] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<store:int,price:double>
   +- *(3) HashAggregate(keys=[store#12], functions=[max(price#13)])
      +- ShuffleQueryStage 1
         +- ReusedExchange [store#12, max#20], Exchange hashpartitioning(store#2, 200), ENSURE_REQUIREMENTS, [plan_id=12]
)",
             .limits = "An adaptive plan shows reuse only after it ran. Parts with subqueries, cached tables or "
                       "operators with code of the user are not compared, nor are broadcasts.",
             .needs = "a plan that ran, or one without AQE",
             .options = kOptions},
    .check = check};

}  // namespace planvet::rules
