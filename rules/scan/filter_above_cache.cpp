#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"

namespace planvet::rules {
namespace {

void check(const PlanContext& context, Reporter& reporter) {
  for (const PlanNode& node : context.operators()) {
    if (node.kind != OperatorKind::InMemoryTableScan) continue;
    const NodeId above = above_structure(context.plan(), node.id);
    if (above == kNoNode || context.plan().node(above).kind != OperatorKind::Filter) continue;
    // That is what every cache read looks like.
    reporter.skip(context.document().metrics == nullptr
                      ? "needs an event log: who else reads the cached table, and with which filter"
                      : "needs all queries of the application side by side: who else reads the cached table");
  }
}

}  // namespace

extern constinit const Rule kFilterAboveCache{
    .info = {.code = "PV210",
             .name = "filter-above-cache",
             .severity = Severity::Info,
             .summary = "A table is cached, and always read with the same filter, or only once.",
             .why = "A cache holds every row and column of what was cached. Predicates do not go below it: where each "
                    "reader wants the same few rows, the source would have skipped the others for less.",
             .fix = "Filter before cache(), or do not cache what is read once.",
             .bad = R"(== Physical Plan ==
*(1) Filter (isnotnull(qty#2) AND (qty#2 = 5))
+- *(1) ColumnarToRow
   +- InMemoryTableScan [id#1L, qty#2], [isnotnull(qty#2), (qty#2 = 5)]
         +- InMemoryRelation [id#1L, qty#2], StorageLevel(disk, memory, deserialized, 1 replicas)
               +- *(1) ColumnarToRow
                  +- FileScan parquet shop.sales[id#1L,qty#2] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint,qty:int>
)",
             .good = R"(== Physical Plan ==
*(1) ColumnarToRow
+- InMemoryTableScan [id#1L, qty#2]
      +- InMemoryRelation [id#1L, qty#2], StorageLevel(disk, memory, deserialized, 1 replicas)
            +- *(1) Filter (isnotnull(qty#2) AND (qty#2 = 5))
               +- *(1) ColumnarToRow
                  +- FileScan parquet shop.sales[id#1L,qty#2] Batched: true, DataFilters: [isnotnull(qty#2), (qty#2 = 5)], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [IsNotNull(qty), EqualTo(qty,5)], ReadSchema: struct<id:bigint,qty:int>
)",
             .limits =
                 "A filter above InMemoryTableScan is the normal form of a cache read. Only an event log tells who "
                 "else reads it: plans alone are skipped and counted.",
             .needs = "an event log",
             .needs_event_log = true},
    .check = check};

}  // namespace planvet::rules
