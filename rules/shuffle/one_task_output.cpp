#include <algorithm>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include <fmt/core.h>

#include "analyzer/plan/expression_list.hpp"
#include "analyzer/plan/walk.hpp"
#include "analyzer/report/fix_parts.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/shuffle_calls.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"small-rows", "100000", "one task may take so many rows"},
    {"small-bytes", "32 MiB", "or so many bytes"},
    {"error-rows", "100000000", "measured rows from which on it is an error"},
};

constexpr std::string_view kPartitionsKey = "spark.sql.shuffle.partitions";

// Where the rows of a stage come from: its scans and the shuffles below it.
std::vector<NodeId> sources_of_stage(const PlanTree& plan, NodeId id) {
  std::vector<NodeId> sources;
  std::vector<NodeId> open = plan.inputs(id);
  while (!open.empty()) {
    const NodeId at = open.back();
    open.pop_back();
    const PlanNode& node = plan.node(at);
    if (node.kind == OperatorKind::BroadcastExchange) continue;  // the other side of a join: not read row by row
    const std::vector<NodeId> inputs = plan.inputs(at);
    if (inputs.empty() || node.kind == OperatorKind::ShuffleExchange || node.kind == OperatorKind::ReusedExchange) {
      sources.push_back(at);
      continue;
    }
    open.insert(open.end(), inputs.begin(), inputs.end());
  }
  return sources;
}

bool is_one_partition(const PlanTree& plan, NodeId id) {
  const auto exchange = Exchange::of(plan, below_structure(plan, id));
  return exchange && exchange->partitions() == 1U;
}

// What one task reads anyway, or is too little to matter.
bool is_harmless(const PlanContext& context, const std::vector<NodeId>& sources) {
  const SmallSize limit{context.options().number("small-rows"), context.options().bytes("small-bytes")};
  return std::all_of(sources.begin(), sources.end(), [&](NodeId source) {
    return is_known_small(context, source, limit) || is_one_partition(context.plan(), source);
  });
}

Severity severity_of(const PlanContext& context, NodeId id) {
  const auto rows = shuffled_rows(context, id);
  const bool is_error = rows && rows->source == EvidenceSource::Measured && rows->is_at_least &&
                        rows->value >= context.options().number("error-rows");
  return is_error ? Severity::Error : Severity::Warning;
}

void add_sizes(const PlanContext& context, NodeId id, Finding& finding) {
  if (const auto rows = shuffled_rows(context, id)) {
    finding.evidence.push_back({"rows of the one task", rows->value, "rows", rows->source});
  }
  if (const auto bytes = shuffled_bytes(context, id)) {
    finding.evidence.push_back({"bytes of the one task", bytes->value, "bytes", bytes->source});
  }
}

// `coalesce(1)`: everything down to the next shuffle or scan runs in its task.
void check_coalesce(const PlanContext& context, const PlanNode& node, Reporter& reporter) {
  const PlanTree& plan = context.plan();
  const Attribute* number = plan.find(node.id, AttributeKind::NumPartitions);
  if (number == nullptr || number->text != "1") return;
  const std::vector<NodeId> sources = sources_of_stage(plan, node.id);
  if (sources.empty() || is_harmless(context, sources)) return;

  const NodeId below = below_structure(plan, plan.input(node.id));
  const Attribute* is_global = below == kNoNode ? nullptr : plan.find(below, AttributeKind::IsGlobal);
  const bool is_sorted = below != kNoNode && plan.node(below).kind == OperatorKind::Sort && is_global != nullptr &&
                         is_global->text == "true";
  const std::string input = input_text(plan, node.id);
  Finding& finding = reporter.report(
      node, severity_of(context, sources.front()),
      is_sorted ? fmt::format("coalesce(1) sorts all of {} in one task, after a shuffle into ranges for many", input)
                : fmt::format("coalesce(1) runs everything down to {} in one task: {}",
                              plan.node(sources.front()).kind == OperatorKind::ShuffleExchange ||
                                      plan.node(sources.front()).kind == OperatorKind::ReusedExchange
                                  ? "the next shuffle"
                                  : "the scan",
                              fmt::format("all rows of {} pass through it", input)));
  if (is_sorted) {
    const Attribute* order = plan.find(below, AttributeKind::SortOrder);
    const ItemList keys = order == nullptr ? ItemList{} : split_list(order->text);
    const std::string columns = keys.is_truncated ? std::string() : python_columns(keys.items);
    finding.fix = columns.empty() ? std::string(
                                        "in place of orderBy and coalesce(1) repartition into one partition and "
                                        "sort within it")
                                  : fmt::format("in place of orderBy and coalesce(1): {}",
                                                code(fmt::format(".repartition(1).sortWithinPartitions({})", columns)));
    finding.reasons.emplace_back("sorted-file");
  } else {
    finding.fix =
        "write `.repartition(1)` in place of coalesce(1), which keeps the work before it parallel; or drop it, "
        "if the result need not be one file";
    finding.reasons.emplace_back("coalesce");
  }
  add_sizes(context, sources.size() == 1 ? sources.front() : node.id, finding);
}

// `repartition(1)`: all rows go through one task.
void check_repartition(const PlanContext& context, const Exchange& exchange, Reporter& reporter) {
  const PlanTree& plan = context.plan();
  const NodeId id = exchange.id();
  const SmallSize limit{context.options().number("small-rows"), context.options().bytes("small-bytes")};
  if (is_known_small(context, id, limit) || is_one_partition(plan, plan.input(id))) return;
  // The one sorted file that cannot be had otherwise.
  const NodeId above = above_structure(plan, id);
  const Attribute* is_global = above == kNoNode ? nullptr : plan.find(above, AttributeKind::IsGlobal);
  const bool is_sorted_file = above != kNoNode && plan.node(above).kind == OperatorKind::Sort && is_global != nullptr &&
                              is_global->text == "false";
  Finding& finding =
      reporter.report(plan.node(id), is_sorted_file ? Severity::Info : severity_of(context, id),
                      fmt::format("the query repartitions {} into one partition: one task takes all of its rows",
                                  input_text(plan, id)));
  finding.fix = is_sorted_file ? "drop `.repartition(1)` if several sorted files do as well"
                               : "drop `.repartition(1)` if the result need not be one file; to avoid small files let "
                                 "Spark choose: `.hint(\"rebalance\")`, or the hint `/*+ REBALANCE */`";
  finding.reasons.emplace_back("repartition");
  add_sizes(context, id, finding);
}

// `spark.sql.shuffle.partitions` = 1 is one cause, however many shuffles it makes: the first is reported.
void check_conf(const PlanContext& context, const std::vector<NodeId>& shuffles, Reporter& reporter) {
  const PlanTree& plan = context.plan();
  const SmallSize limit{context.options().number("small-rows"), context.options().bytes("small-bytes")};
  const auto found =
      std::find_if(shuffles.begin(), shuffles.end(), [&](NodeId id) { return !is_known_small(context, id, limit); });
  if (found == shuffles.end()) return;
  const auto exchange = Exchange::of(plan, *found);
  Finding& finding = reporter.report(
      plan.node(*found), severity_of(context, *found),
      fmt::format("{} into one partition: one task takes all rows of {}",
                  shuffles.size() == 1
                      ? fmt::format("the shuffle {} goes", partitioning_text(partitioning_of(*exchange)))
                      : fmt::format("{} shuffles go", shuffles.size()),
                  input_text(plan, *found)));
  finding.fix = fmt::format("`SET {}=200`, or drop the setting of 1: AQE merges what is too small", kPartitionsKey);
  finding.reasons.emplace_back("shuffle-partitions");
  for (const NodeId id : shuffles) {
    if (id != *found) finding.related.push_back({id, plan.node(id).name_span, "this one too"});
  }
  add_sizes(context, *found, finding);
}

// One side of a join has one partition (a LIMIT, a window), so the other one is given one too.
bool is_for_a_join_with_one_partition(const PlanTree& plan, NodeId id) {
  const NodeId above = above_structure(plan, id);
  NodeId join_id = above;
  if (join_id != kNoNode && plan.node(join_id).kind == OperatorKind::Sort) join_id = above_structure(plan, join_id);
  const auto join = join_id == kNoNode ? std::nullopt : Join::of(plan, join_id);
  if (!join) return false;
  for (const Side side : {Side::Left, Side::Right}) {
    NodeId at = below_structure(plan, join->input(side));
    while (at != kNoNode && plan.node(at).kind != OperatorKind::ShuffleExchange && !plan.inputs(at).empty()) {
      at = below_structure(plan, plan.input(at));
    }
    const auto exchange = at == kNoNode ? std::nullopt : Exchange::of(plan, at);
    if (exchange && exchange->is_single_partition()) return true;
  }
  return false;
}

void check(const PlanContext& context, Reporter& reporter) {
  const PlanTree& plan = context.plan();
  std::unordered_set<std::uint32_t> operator_ids;  // formatted text prints a subquery once for each of its hosts
  for (const PlanNode& node : context.operators()) {
    if (node.kind != OperatorKind::Coalesce || is_inside(plan, node.id, Link::CachedPlan)) continue;
    if (node.operator_id && !operator_ids.insert(*node.operator_id).second) continue;
    check_coalesce(context, node, reporter);
  }
  std::vector<NodeId> by_conf;
  for (const NodeId id : context.exchanges().shuffles) {
    const auto exchange = Exchange::of(plan, id);
    if (!exchange || exchange->partitions() != 1U) continue;
    if (exchange->origin() == ShuffleOrigin::Repartition) {
      check_repartition(context, *exchange, reporter);
    } else if (exchange->origin() == ShuffleOrigin::Required && !exchange->is_single_partition() &&
               !is_for_a_join_with_one_partition(plan, id)) {
      by_conf.push_back(id);
    }
  }
  if (!by_conf.empty()) check_conf(context, by_conf, reporter);
}

}  // namespace

extern constinit const Rule kOneTaskOutput{
    .info = {.code = "PV309",
             .name = "one-task-output",
             .severity = Severity::Warning,
             .summary = "The query asks for one partition, so that one task does all of the work.",
             .why = "coalesce(1) pulls everything down to the next shuffle or scan into one task, and repartition(1) "
                    "sends all rows to one: the other cores wait, and one executor must hold what many could.",
             .fix = "Drop it where one file is not needed. repartition(1) keeps the work before it parallel, unlike "
                    "coalesce(1). For one sorted file: repartition(1).sortWithinPartitions(..).",
             .bad = R"(== Physical Plan ==
Execute InsertIntoHadoopFsRelationCommand file:/lake/out, false, Parquet, [path=file:/lake/out], Overwrite, [id, note]
+- WriteFiles
   +- Coalesce 1
      +- Project [id#1L, upper(note#2) AS note#5]
         +- FileScan parquet shop.sales[id#1L,note#2] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint,note:string>
)",
             .good = R"(== Physical Plan ==
Execute InsertIntoHadoopFsRelationCommand file:/lake/out, false, Parquet, [path=file:/lake/out], Overwrite, [id, note]
+- WriteFiles
   +- Project [id#1L, upper(note#2) AS note#5]
      +- FileScan parquet shop.sales[id#1L,note#2] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint,note:string>
)",
             .limits = "Bare text has no sizes: a result of a few rows looks the same, unless a LIMIT, a global "
                       "aggregate or declared tables say so.",
             .options = kOptions},
    .check = check};

}  // namespace planvet::rules
