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
    if (node.kind != OperatorKind::BroadcastNestedLoopJoin) continue;
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
                        fmt::format("every row of {} is compared with every row of {}{}{}: {}",
                                    side_text(*join, Side::Left), side_text(*join, Side::Right),
                                    verdict->numbers.empty() ? "" : ", ", verdict->numbers, causes.because));
    finding.fix = causes.fix;
    finding.evidence = verdict->evidence;
    for (const PairingCause cause : causes.all) finding.reasons.emplace_back(slug(cause));
  }
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
             .options = kOptions},
    .check = check};

}  // namespace planvet::rules
