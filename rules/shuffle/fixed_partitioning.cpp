#include <algorithm>
#include <string>

#include <fmt/core.h>

#include "analyzer/plan/walk.hpp"
#include "analyzer/report/fix_parts.hpp"
#include "rules/input_rows.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/shuffle_calls.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"small-rows", "1000",
     "a repartition of at most so many rows is no problem, where the query itself or a log says how many"}};

// What AQE plans, or did: an exchange of a subquery too has an AdaptiveSparkPlan above it.
bool is_adaptive(const PlanTree& plan, NodeId id) {
  for (NodeId at = plan.node(id).parent; at != kNoNode; at = plan.node(at).parent) {
    const OperatorFamily what = family(plan.node(at).kind);
    if (what == OperatorFamily::Adaptive || what == OperatorFamily::QueryStage) return true;
  }
  return false;
}

// The join whose other side has to follow; kNoNode where none comes before the next shuffle.
NodeId join_above(const PlanTree& plan, NodeId id) {
  for (NodeId at = above_structure(plan, id); at != kNoNode; at = above_structure(plan, at)) {
    const OperatorFamily what = family(plan.node(at).kind);
    if (what == OperatorFamily::Join) {
      const bool is_shuffled =
          plan.node(at).kind == OperatorKind::SortMergeJoin || plan.node(at).kind == OperatorKind::ShuffledHashJoin;
      return is_shuffled ? at : kNoNode;
    }
    if (what != OperatorFamily::Sort && what != OperatorFamily::Project && what != OperatorFamily::Filter &&
        what != OperatorFamily::Aggregate) {
      return kNoNode;
    }
  }
  return kNoNode;
}

void check(const PlanContext& context, Reporter& reporter) {
  const PlanTree& plan = context.plan();
  for (const NodeId id : context.exchanges().shuffles) {
    const auto exchange = Exchange::of(plan, id);
    if (!exchange || exchange->origin_text() != "REPARTITION_BY_NUM") continue;
    const auto partitions = exchange->partitions();
    if (!partitions || *partitions <= 1 || !is_adaptive(plan, id)) continue;
    if (has_always_at_most(context, id, context.options().number("small-rows"))) continue;

    const NodeId join = join_above(plan, id);
    Finding& finding = reporter.report(
        plan.node(id), Severity::Info,
        fmt::format("{} partitions stay {} partitions: AQE may neither merge small ones nor split skewed ones of a "
                    "repartition by number{}",
                    *partitions, *partitions,
                    join == kNoNode
                        ? std::string()
                        : fmt::format(", nor those of the other side of the {}", plan.node(join).printed_name)));
    const std::string call = adaptive_call(*exchange);
    finding.fix = call.empty() ? std::string(
                                     "repartition by the columns alone, without a number, or use the hint "
                                     "`/*+ REBALANCE */`")
                               : fmt::format("leave the number to AQE: {}{}", code(call),
                                             call.starts_with(".hint") ? ", or the hint `/*+ REBALANCE */`" : "");
    finding.evidence.push_back({"partitions", static_cast<double>(*partitions), "count", EvidenceSource::Plan});
  }
}

}  // namespace

extern constinit const Rule kFixedPartitioning{
    .info = {.code = "PV310",
             .name = "fixed-partitioning",
             .severity = Severity::Info,
             .summary = "A repartition with a number of partitions cannot be adapted at run time.",
             .why = "AQE merges small partitions and splits skewed ones of every shuffle but those for which the "
                    "program named a number. A join with such a side is left alone on its other side too.",
             .fix =
                 "Repartition by columns without a number, or rebalance; keep the number where it is meant, as for a "
                 "fixed number of files.",
             .bad = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- Project [id#1L, upper(note#2) AS note#5]
   +- Exchange hashpartitioning(id#1L, 400), REPARTITION_BY_NUM, [plan_id=11]
      +- FileScan parquet shop.sales[id#1L,note#2] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint,note:string>
)",
             .good = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- Project [id#1L, upper(note#2) AS note#5]
   +- Exchange hashpartitioning(id#1L, 200), REPARTITION_BY_COL, [plan_id=11]
      +- FileScan parquet shop.sales[id#1L,note#2] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint,note:string>
)",
             .limits = "The number that is printed may be Spark's own: a join raises it to that of its other side. One "
                       "partition is one-task-output's, and without AQE nothing is lost.",
             .options = kOptions},
    .check = check};

}  // namespace planvet::rules
