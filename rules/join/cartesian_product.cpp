#include "rules/join_pairs.hpp"
#include "rules/rule.hpp"

namespace planvet::rules {
namespace {

void check(const PlanContext& context, Reporter& reporter) {
  check_pairs(context, reporter, OperatorKind::CartesianProduct, "partition", "is read against");
}

}  // namespace

extern constinit const Rule kCartesianProduct{
    .info = {.code = "PV102",
             .name = "cartesian-product",
             .severity = Severity::Warning,
             .summary = "Every row of one side is paired with every row of the other, partition by partition.",
             .why = "The plan runs |left partitions| x |right partitions| tasks, and each right partition is computed "
                    "again for every left one. Neither side was small enough for a broadcast.",
             .fix = "Give the join an equality that Spark can hash, or broadcast the side that is small.",
             .bad = R"(== Physical Plan ==
CartesianProduct (area#2L > price#11L)
:- FileScan parquet shop.store[id#1,area#2L] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/store], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:int,area:bigint>
+- FileScan parquet shop.offer[price#11L] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/offer], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<price:bigint>
)",
             .good = R"(== Physical Plan ==
CartesianProduct
:- FileScan parquet shop.store[id#1,area#2L] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/store], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:int,area:bigint>
+- *(1) Range (0, 16, step=1, splits=2)
)",
             .limits = "Bare text says nothing about rows: the warning then means that nothing proves it harmless. "
                       "Salting with a small Range is silent.",
             .options = kPairOptions},
    .check = check};

}  // namespace planvet::rules
