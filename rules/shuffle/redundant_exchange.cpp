#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "analyzer/plan/walk.hpp"
#include "analyzer/report/fix_parts.hpp"
#include "rules/costly_expression.hpp"
#include "rules/partial_aggregate.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/shuffle_calls.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {{"small-rows", "1000", "a repartition of at most so many rows is no problem"},
                                   {"small-bytes", "1 MiB", "where no more is shuffled it is info"}};

// The user's exchange whose rows come to this exchange with nothing dear in between.
NodeId repartition_below(const PlanContext& context, NodeId exchange) {
  const PlanTree& plan = context.plan();
  bool has_aggregate = false;
  for (NodeId at = plan.input(exchange); at != kNoNode; at = plan.input(at)) {
    const PlanNode& node = plan.node(at);
    if (node.kind == OperatorKind::ShuffleExchange) {
      const auto lower = Exchange::of(plan, at);
      return lower && lower->origin() == ShuffleOrigin::Repartition ? at : kNoNode;
    }
    switch (family(node.kind)) {
      case OperatorFamily::Sort: break;
      case OperatorFamily::Project:
      case OperatorFamily::Filter:
        if (has_costly_expression(context, at)) return kNoNode;
        break;
      case OperatorFamily::Aggregate:
        if (has_aggregate || !is_partial_aggregate(plan, at, exchange) || has_costly_expression(context, at)) {
          return kNoNode;
        }
        has_aggregate = true;
        break;
      default:
        if (!is_structural(node.kind)) return kNoNode;
    }
  }
  return kNoNode;
}

enum class Source { Many, MaybeOneTask, FewTasks };

// How many tasks read what the repartition spreads? Up to the next shuffle.
Source source_below(const PlanTree& plan, NodeId id) {
  Source worst = Source::Many;
  const NodeId end = plan.node(id).subtree_end;
  for (NodeId at = next(id); at < end;) {
    const PlanNode& node = plan.node(at);
    if (node.kind == OperatorKind::ShuffleExchange) {
      const auto exchange = Exchange::of(plan, at);
      if (exchange && exchange->partitions() == 1U) return Source::FewTasks;
    }
    const bool is_other_stage = family(node.kind) == OperatorFamily::Exchange || node.link != Link::Child;
    if (is_other_stage) {
      at = node.subtree_end;
      continue;
    }
    if (node.kind == OperatorKind::Coalesce || family(node.kind) == OperatorFamily::Unknown) return Source::FewTasks;
    if (node.kind == OperatorKind::RDDScan || node.kind == OperatorKind::ExternalRDDScan) return Source::FewTasks;
    if (const auto scan = Scan::of(plan, at)) {
      const Attribute* location = plan.find(at, AttributeKind::Location);
      if (location != nullptr && location->text.find(".gz") != std::string_view::npos) return Source::FewTasks;
      switch (scan->source()) {
        case ScanSource::Jdbc:
        case ScanSource::OtherV1: return Source::FewTasks;
        case ScanSource::Csv:
        case ScanSource::Json:
        case ScanSource::Text:
        case ScanSource::Xml: worst = Source::MaybeOneTask; break;
        default: break;
      }
    }
    at = next(at);
  }
  return worst;
}

std::string fix_text(const Exchange& exchange, Source source) {
  const std::string call = repartition_call(exchange);
  std::string fix = call.empty() ? std::string("drop the repartition") : "drop " + code(call);
  fix += ", or its hint or DISTRIBUTE BY in SQL";
  if (source == Source::MaybeOneTask) fix += ", unless it spreads a file that one task has to read (gzip, multiLine)";
  return fix;
}

void check(const PlanContext& context, Reporter& reporter) {
  const PlanTree& plan = context.plan();
  const CountedExchanges& exchanges = context.exchanges();
  for (const NodeId upper : exchanges.shuffles) {
    const NodeId lower = repartition_below(context, upper);
    if (lower == kNoNode) continue;
    const auto is_in = [&](const std::vector<NodeId>& list) {
      return std::find(list.begin(), list.end(), lower) != list.end();
    };
    if (!is_in(exchanges.shuffles) || is_in(exchanges.read_again)) continue;  // what it writes is read twice
    const Source source = source_below(plan, lower);
    if (source == Source::FewTasks) continue;
    const double small_rows = context.options().number("small-rows");
    const auto bound = context.statistics().max_rows(lower);
    const auto bytes = shuffled_bytes(context, lower);
    const bool is_measured = bytes && is_counted(bytes->source);
    if (bound && bound->value <= small_rows && !is_measured) continue;

    const bool is_tiny = is_known_small(context, lower, {small_rows, context.options().bytes("small-bytes")});
    const auto exchange = Exchange::of(plan, lower);
    Finding& finding = reporter.report(
        plan.node(lower), is_tiny || source == Source::MaybeOneTask ? Severity::Info : Severity::Warning,
        fmt::format("the query repartitions {} {}, and the next shuffle moves the same rows again, {}",
                    input_text(plan, lower), partitioning_text(partitioning_of(*exchange)),
                    partitioning_text(partitioning_of(*Exchange::of(plan, upper)))));
    finding.fix = fix_text(*exchange, source);
    finding.also_about.push_back(upper);
    if (bytes) finding.evidence.push_back({"shuffled twice", bytes->value, "bytes", bytes->source});
  }
}

}  // namespace

extern constinit const Rule kRedundantExchange{
    .info = {.code = "PV302",
             .name = "redundant-exchange",
             .severity = Severity::Warning,
             .summary = "The query repartitions rows that the next shuffle distributes anew.",
             .why = "A repartition writes, sends and reads all of its rows. Where only projections, filters, sorts or "
                    "the first half of an aggregate stand before the next shuffle, that one undoes it: the rows travel "
                    "twice for nothing.",
             .fix = "Drop the repartition. If it is there for more parallelism, the shuffle above gives that already; "
                    "if it is there for the number of files, put it last.",
             .bad = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- HashAggregate(keys=[store#2], functions=[count(1)])
   +- Exchange hashpartitioning(store#2, 200), ENSURE_REQUIREMENTS, [plan_id=12]
      +- HashAggregate(keys=[store#2], functions=[partial_count(1)])
         +- Exchange hashpartitioning(day#3, 200), REPARTITION_BY_COL, [plan_id=11]
            +- FileScan parquet shop.sales[store#2,day#3] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<store:int,day:date>
)",
             .good = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- HashAggregate(keys=[store#2], functions=[count(1)])
   +- HashAggregate(keys=[store#2], functions=[partial_count(1)])
      +- Exchange hashpartitioning(store#2, 200), REPARTITION_BY_COL, [plan_id=11]
         +- FileScan parquet shop.sales[store#2,day#3] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<store:int,day:date>
)",
             .limits =
                 "Silent where the repartition gives work to more tasks: over a source that few tasks read (gzip, "
                 "JDBC, an RDD, coalesce), or below a UDF, a parser, a regular expression, a generator. Text "
                 "files are info, because the plan does not show compression or multiLine.",
             .options = kOptions},
    .check = check};

}  // namespace planvet::rules
