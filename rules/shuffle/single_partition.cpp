#include <optional>
#include <string>

#include <fmt/core.h>

#include "analyzer/plan/views.hpp"
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
    {"small-rows", "100000", "one task may take so many rows, where they are known"},
    {"error-rows", "100000000", "measured rows from which on it is an error"},
};

// The operator for which all rows have to be in one place; kNoNode where it makes no work of them.
NodeId consumer_of(const PlanTree& plan, NodeId exchange) {
  for (NodeId at = above_structure(plan, exchange); at != kNoNode; at = above_structure(plan, at)) {
    const PlanNode& node = plan.node(at);
    switch (family(node.kind)) {
      case OperatorFamily::Project:
      case OperatorFamily::Filter:
      case OperatorFamily::Generate: continue;
      case OperatorFamily::Sort: {
        const Attribute* is_global = plan.find(at, AttributeKind::IsGlobal);
        if (is_global != nullptr && is_global->text == "true") return at;
        continue;  // a local sort is some other operator's
      }
      case OperatorFamily::Window:
        if (node.kind == OperatorKind::WindowGroupLimit) continue;
        return at;
      case OperatorFamily::Join:
      case OperatorFamily::Write:
      case OperatorFamily::Python: return at;
      default: return kNoNode;  // the JVM's aggregates leave one row for each task, limits a few
    }
  }
  return kNoNode;
}

enum class Below { Rows, FewRows, Report };

// What flows into the exchange: a partial aggregate or a local limit leaves a row or a few for each task, a grouped
// aggregate an unknown number.
Below rows_below(const PlanTree& plan, NodeId exchange) {
  for (NodeId at = plan.input(exchange); at != kNoNode; at = plan.input(at)) {
    const PlanNode& node = plan.node(at);
    switch (family(node.kind)) {
      case OperatorFamily::Limit: return Below::FewRows;
      case OperatorFamily::Aggregate: {
        const auto aggregate = Aggregate::of(plan, at);
        if (aggregate && aggregate->is_global()) return Below::FewRows;
        return Below::Report;
      }
      case OperatorFamily::Window:
        if (node.kind == OperatorKind::WindowGroupLimit) return Below::FewRows;
        return Below::Rows;
      case OperatorFamily::Project:
      case OperatorFamily::Filter:
      case OperatorFamily::Sort:
      case OperatorFamily::Exchange: break;
      default:
        if (!is_structural(node.kind)) return Below::Rows;
    }
  }
  return Below::Rows;
}

std::string what_for(const PlanTree& plan, NodeId consumer) {
  const PlanNode& node = plan.node(consumer);
  switch (family(node.kind)) {
    case OperatorFamily::Window: return "the Window has no PARTITION BY";
    case OperatorFamily::Join: return "the other side of the join has one partition";
    case OperatorFamily::Sort: return "they are sorted as a whole";
    case OperatorFamily::Write: return "they are written by one task";
    default: return fmt::format("{} groups by nothing", node.printed_name);
  }
}

std::string fix_of(const PlanTree& plan, NodeId consumer) {
  switch (family(plan.node(consumer).kind)) {
    case OperatorFamily::Window: return "give the window a PARTITION BY, or aggregate before it";
    case OperatorFamily::Join:
      return "broadcast the side that a LIMIT or a window left in one partition, or repartition it by the join key";
    case OperatorFamily::Sort:
    case OperatorFamily::Write: return "let the result have several partitions";
    default:
      return "group by a key, or aggregate by built-in functions, which sum up each partition before the shuffle";
  }
}

void check(const PlanContext& context, Reporter& reporter) {
  const PlanTree& plan = context.plan();
  const double small_rows = context.options().number("small-rows");
  for (const NodeId id : context.exchanges().shuffles) {
    const auto exchange = Exchange::of(plan, id);
    if (!exchange || !exchange->is_single_partition() || exchange->is_users()) continue;
    const NodeId consumer = consumer_of(plan, id);
    if (consumer == kNoNode) continue;
    const Below below = rows_below(plan, id);
    if (below == Below::FewRows) continue;
    if (is_known_small(context, id, {small_rows, 0})) continue;

    const auto rows = shuffled_rows(context, id);
    Severity severity = below == Below::Report && !rows ? Severity::Info : Severity::Warning;
    if (rows && rows->source == EvidenceSource::Measured && rows->value >= context.options().number("error-rows")) {
      severity = Severity::Error;
    }
    const std::string input = input_text(plan, id);
    Finding& finding = reporter.report(
        plan.node(id), severity,
        fmt::format("all rows{} go to one task: {}",
                    rows && rows->is_at_least ? fmt::format(" of {}, {},", input, count_text(rows->value))
                                              : fmt::format(" of {}", input),
                    what_for(plan, consumer)));
    finding.fix = fix_of(plan, consumer);
    finding.also_about.push_back(consumer);
    if (rows) finding.evidence.push_back({"rows of the one task", rows->value, "rows", rows->source});
  }
}

}  // namespace

extern constinit const Rule kSinglePartition{
    .info = {.code = "PV304",
             .name = "single-partition",
             .severity = Severity::Warning,
             .summary = "An operator needs all rows in one partition, so one task does its work.",
             .why = "A window without PARTITION BY, a pandas aggregate without a key or a join with a side of one "
                    "partition gathers every row in one task. It does not get faster with more executors, and fails "
                    "when one of them cannot hold the data.",
             .fix = "Give it a key: PARTITION BY, GROUP BY, a join key on both sides.",
             .bad = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- SortMergeJoin [id#1L], [id#3L], Inner
   :- Sort [id#1L ASC NULLS FIRST], false, 0
   :  +- Exchange SinglePartition, ENSURE_REQUIREMENTS, [plan_id=12]
   :     +- FileScan parquet shop.sales[id#1L] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint>
   +- Sort [id#3L ASC NULLS FIRST], false, 0
      +- GlobalLimit 5000
         +- Exchange SinglePartition, ENSURE_REQUIREMENTS, [plan_id=11]
            +- LocalLimit 5000
               +- FileScan parquet shop.items[id#3L] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/items], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint>
)",
             .good = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- HashAggregate(keys=[], functions=[avg(price#2)])
   +- Exchange SinglePartition, ENSURE_REQUIREMENTS, [plan_id=12]
      +- HashAggregate(keys=[], functions=[partial_avg(price#2)])
         +- FileScan parquet shop.sales[price#2] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<price:double>
)",
             .limits = "Info above a grouped aggregate of unknown size: a rank over a report is fine. An unpartitioned "
                       "window is reported as such, on the window.",
             .options = kOptions},
    .check = check};

}  // namespace planvet::rules
