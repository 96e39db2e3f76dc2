#include <string>

#include <fmt/core.h>

#include "rules/join_pairs.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"small-rows", "1000", "a side with at most so many rows is no problem"},
    {"warning-pairs", "1000000", "pairs of rows from which on it is a warning, where the rows of both sides are known"},
    {"error-pairs", "1000000000", "measured pairs of rows from which on it is an error"},
};

void check(const PlanContext& context, Reporter& reporter) {
  for (const PlanNode& node : context.operators()) {
    if (node.kind != OperatorKind::CartesianProduct) continue;
    const auto join = Join::of(context.plan(), node.id);
    if (!join) continue;
    const Options& options = context.options();
    const auto verdict = judge_pairs(
        context, *join, {options.number("small-rows"), options.number("warning-pairs"), options.number("error-pairs")});
    if (!verdict) continue;
    if (lacks_details(context, *join)) {
      reporter.skip(std::string(kLacksDetails));
      continue;
    }

    const PairingCauses causes = pairing_causes(context, *join);
    if (join->condition() != nullptr && !join->condition()->is_whole()) reporter.want(node, *join->condition());
    Finding& finding =
        reporter.report(node, verdict->severity,
                        fmt::format("every partition of {} is read against every partition of {}{}{}: {}",
                                    side_text(*join, Side::Left), side_text(*join, Side::Right),
                                    verdict->numbers.empty() ? "" : ", ", verdict->numbers, causes.because));
    finding.fix = causes.fix;
    finding.evidence = verdict->evidence;
    for (const PairingCause cause : causes.all) finding.reasons.emplace_back(slug(cause));
  }
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
             .options = kOptions},
    .check = check};

}  // namespace planvet::rules
