#include "rules/join_pairs.hpp"
#include "rules/rule.hpp"

namespace planvet::rules {
namespace {

void check(const PlanContext& context, Reporter& reporter) {
  check_pairs(context, reporter, OperatorKind::BroadcastNestedLoopJoin, "row", "is compared with");
}

}  // namespace

extern constinit const Rule kNestedLoopJoin{
    .info = {.code = "PV101",
             .name = "nested-loop-join",
             .severity = Severity::Warning,
             .summary = "A join without an equality compares every row of one side with every row of the other.",
             .why =
                 "Spark hashes or sorts by equalities only. Without one it takes each row of the streamed side and "
                 "runs through the whole broadcast side: |left| x |right| comparisons, all in the few tasks of the "
                 "streamed side. Outer, semi and anti joins without an equality are nested loops whatever the sizes.",
             .fix =
                 "Give the join an equality: a shared key, a bucket of the range, a computed column. Split an OR into "
                 "one equi-join for each alternative. If every pair is meant, write CROSS JOIN.",
             .bad = R"(== Physical Plan ==
BroadcastNestedLoopJoin BuildRight, Inner, ((amount#2 >= low#11) AND (amount#2 < high#12))
:- FileScan parquet shop.sales[id#1L,amount#2] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint,amount:int>
+- BroadcastExchange IdentityBroadcastMode, [plan_id=20]
   +- FileScan parquet shop.bands[low#11,high#12] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/bands], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<low:int,high:int>
)",
             .good = R"(== Physical Plan ==
BroadcastHashJoin [band#3], [band#13], Inner, BuildRight, ((amount#2 >= low#11) AND (amount#2 < high#12)), false
:- FileScan parquet shop.sales[id#1L,amount#2,band#3] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint,amount:int,band:int>
+- BroadcastExchange HashedRelationBroadcastMode(List(cast(input[2, int, true] as bigint)),false), [plan_id=20]
   +- FileScan parquet shop.bands[low#11,high#12,band#13] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/bands], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<low:int,high:int,band:int>
)",
             .limits =
                 "Bare text says nothing about rows: the warning then means that nothing proves it harmless. A side "
                 "with one row (a global aggregate), a LIMIT, a Range or known small rows is silent.",
             .options = kPairOptions},
    .check = check};

}  // namespace planvet::rules
