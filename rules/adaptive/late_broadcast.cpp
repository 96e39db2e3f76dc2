#include <optional>
#include <string>

#include <fmt/core.h>

#include "analyzer/facts/facts.hpp"
#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"
#include "analyzer/report/fix_parts.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {{"warning", "1 GiB", "shuffled bytes from which on it is a warning"}};

std::string broadcast_hints(std::string_view table) {
  const std::string name = sql_column(short_name(table));
  std::string hints = "the hint " + code(fmt::format("/*+ BROADCAST({}) */", name));
  if (name == short_name(table)) hints += fmt::format(", or `broadcast({})` in Python", name);
  return hints;
}

// The materialised shuffle directly below: nothing but structure and projections between.
NodeId shuffle_stage_below(const PlanTree& plan, NodeId id) {
  for (NodeId at = id; at != kNoNode; at = plan.input(at)) {
    const PlanNode& node = plan.node(at);
    if (node.kind == OperatorKind::ShuffleQueryStage) return at;
    const OperatorFamily what = family(node.kind);
    if (node.kind != OperatorKind::BroadcastExchange && what != OperatorFamily::Project &&
        what != OperatorFamily::Filter && !is_structural(node.kind)) {
      return kNoNode;
    }
  }
  return kNoNode;
}

// Was this join planned as a shuffled one? Nothing where the input has no initial plan.
std::optional<bool> was_shuffled_join(const PlanDocument& document, const Join& join) {
  std::optional<bool> answer;
  const ItemList keys = join.left_keys();
  for (const Fragment& fragment : document.fragments) {
    if (fragment.role != FragmentRole::Initial || fragment.tree.empty()) continue;
    answer = answer.value_or(false);
    for (const PlanNode& node : fragment.tree.nodes()) {
      if (node.kind != OperatorKind::SortMergeJoin && node.kind != OperatorKind::ShuffledHashJoin) continue;
      const auto planned = Join::of(fragment.tree, node.id);
      if (planned && planned->left_keys().items == keys.items &&
          planned->right_keys().items == join.right_keys().items) {
        answer = true;
      }
    }
  }
  return answer;
}

void check(const PlanContext& context, Reporter& reporter) {
  const PlanTree& plan = context.plan();
  for (const PlanNode& node : context.operators()) {
    if (node.kind != OperatorKind::BroadcastHashJoin) continue;
    const auto join = Join::of(plan, node.id);
    if (!join) continue;
    const auto build = join->build_side();
    if (!build) continue;
    const NodeId build_stage = shuffle_stage_below(plan, join->input(*build));
    if (build_stage == kNoNode) continue;
    const NodeId exchange_id = below_structure(plan, build_stage);
    const auto exchange = exchange_id == kNoNode ? std::nullopt : Exchange::of(plan, exchange_id);
    if (exchange && exchange->is_users()) continue;
    if (was_shuffled_join(context.document(), *join) == false) continue;

    const NodeId stream_stage = shuffle_stage_below(plan, join->input(other(*build)));
    double paid = 0;
    std::optional<EvidenceSource> source;
    std::vector<Evidence> evidence;
    std::optional<Quantity> sizes[2];  // of the side that was built, of the other
    for (const NodeId stage : {build_stage, stream_stage}) {
      if (stage == kNoNode) continue;
      const auto size = context.statistics().bytes(stage);
      if (!size) continue;
      sizes[stage == build_stage ? 0 : 1] = size;
      paid += size->value;
      source = source ? std::max(*source, size->source) : size->source;
      const Side side = stage == build_stage ? *build : other(*build);
      evidence.push_back({fmt::format("shuffle of the {} side", name(side)), size->value, "bytes", size->source});
    }
    const Severity severity = source && paid >= context.options().bytes("warning") ? Severity::Warning : Severity::Info;
    const std::string build_text = side_text(*join, *build);
    Finding& finding = reporter.report(
        node, severity,
        fmt::format("AQE switched to a broadcast of {} only after {} shuffled{}", build_text,
                    stream_stage == kNoNode ? "it was" : "both sides were",
                    source ? fmt::format(": {} written for nothing", format_size(paid)) : std::string()));
    // AQE takes the side whose stage ends first. To be asked for is the smaller one.
    const bool is_other_smaller =
        sizes[0] && sizes[1] && sizes[1]->value < sizes[0]->value && can_broadcast(join->type(), other(*build));
    const Side hinted = is_other_smaller ? other(*build) : *build;
    const std::string_view table = only_table(plan, join->input(hinted));
    if (table.empty()) {
      finding.fix = fmt::format("put broadcast() around the {} side: both shuffles then go away", name(hinted));
    } else if (!can_be_analyzed(plan, join->input(hinted))) {
      finding.fix = fmt::format("{}: the shuffles then go away", broadcast_hints(table));
    } else {
      finding.fix =
          fmt::format("{}, or {}: the shuffles then go away", broadcast_hints(table),
                      code(fmt::format("ANALYZE TABLE {} COMPUTE STATISTICS FOR ALL COLUMNS", sql_table(table))));
    }
    finding.evidence = std::move(evidence);
    finding.saves = {node.id};
    for (const NodeId stage : {build_stage, stream_stage}) {
      const NodeId shuffle = stage == kNoNode ? kNoNode : below_structure(plan, stage);
      if (shuffle != kNoNode) finding.saves.push_back(shuffle);
    }
  }
}

}  // namespace

extern constinit const Rule kLateBroadcast{
    .info = {.code = "PV504",
             .name = "late-broadcast",
             .severity = Severity::Info,
             .summary = "A join was planned with two shuffles and became a broadcast join when they had already run.",
             .why =
                 "AQE saw how small a side is only after both were shuffled. The join is cheap now, the shuffles are "
                 "paid.",
             .fix = "Hint the broadcast, or give Spark statistics, so that it plans the broadcast from the start.",
             .bad = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=true
+- == Final Plan ==
   *(3) BroadcastHashJoin [product_id#2], [product_id#11], Inner, BuildRight, false
   :- AQEShuffleRead local
   :  +- ShuffleQueryStage 0
   :     +- Exchange hashpartitioning(product_id#2, 200), ENSURE_REQUIREMENTS, [plan_id=10]
   :        +- FileScan parquet shop.sales[id#1L,product_id#2] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint,product_id:int>
   +- BroadcastQueryStage 2
      +- BroadcastExchange HashedRelationBroadcastMode(List(cast(input[0, int, false] as bigint)),false), [plan_id=12]
         +- AQEShuffleRead local
            +- ShuffleQueryStage 1
               +- Exchange hashpartitioning(product_id#11, 200), ENSURE_REQUIREMENTS, [plan_id=11]
                  +- FileScan parquet shop.product[product_id#11,name#12] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/product], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<product_id:int,name:string>
)",
             .good = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=true
+- == Final Plan ==
   *(2) BroadcastHashJoin [product_id#2], [product_id#11], Inner, BuildRight, false
   :- FileScan parquet shop.sales[id#1L,product_id#2] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint,product_id:int>
   +- BroadcastQueryStage 0
      +- BroadcastExchange HashedRelationBroadcastMode(List(cast(input[0, int, false] as bigint)),false), [plan_id=12]
         +- FileScan parquet shop.product[product_id#11,name#12] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/product], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<product_id:int,name:string>
)",
             .limits = "One-line modes print no sizes of stages. A side that turned out empty is no late broadcast.",
             .options = kOptions},
    .check = check};

}  // namespace planvet::rules
