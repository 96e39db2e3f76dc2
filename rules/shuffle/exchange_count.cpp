#include <vector>

#include <fmt/core.h>

#include "analyzer/plan/walk.hpp"
#include "rules/exchange_bill.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {{"max", "10", "shuffles that one query may have"}};

void check(const PlanContext& context, Reporter& reporter) {
  const double max = context.options().number("max");
  const ExchangeBill bill = exchange_bill(context);
  if (bill.shuffle <= max) return;
  NodeId root = below_structure(context.plan(), NodeId{0});
  if (root == kNoNode) root = NodeId{0};
  const std::vector<NodeId>& shuffles = context.exchanges().shuffles;
  Finding& finding =
      reporter.report(context.plan().node(root), Severity::Warning,
                      fmt::format("the query shuffles {} times, its budget is {:.0f}: {}{}", bill.shuffle, max,
                                  shuffle_reasons(context, shuffles),
                                  bill.reused == 0 ? std::string()
                                                   : fmt::format("; {} more {} reused", bill.reused,
                                                                 bill.reused == 1 ? "exchange is" : "exchanges are")));
  finding.fix = fmt::format(
      "join on the same key one after another, aggregate before joining, broadcast small sides; or "
      "set the budget in planvet.toml: `[rules.exchange-count]` `max = {}`",
      bill.shuffle);
  finding.evidence.push_back({"shuffle exchanges", static_cast<double>(bill.shuffle), "count", EvidenceSource::Plan});
  finding.saves = shuffles;
  double bytes = 0;
  bool is_measured = context.statistics().measured() != nullptr;
  for (const NodeId id : shuffles) {
    const auto size = context.statistics().bytes(id);
    is_measured = is_measured && size && size->source == EvidenceSource::Measured;
    bytes += size ? size->value : 0;
  }
  if (is_measured) finding.evidence.push_back({"shuffled", bytes, "bytes", EvidenceSource::Measured});
  finding.evidence.push_back({"reused exchanges", static_cast<double>(bill.reused), "count", EvidenceSource::Plan});
}

}  // namespace

extern constinit const Rule kExchangeCount{
    .info = {.code = "PV301",
             .name = "exchange-count",
             .severity = Severity::Warning,
             .summary = "The query shuffles more often than its budget allows.",
             .why =
                 "Every shuffle writes, sends and reads its whole input, and the next stage waits for the last task of "
                 "the one before. Of 103 TPC-DS queries the median has 4 and 9 have more than 10. A query that grew "
                 "past its budget has usually gained a join or a distinct that nobody looked at.",
             .fix = "Join on the same key one after another, aggregate before joining, broadcast small sides, drop "
                    "repartitions that the next shuffle undoes.",
             .bad = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- Union
   :- Exchange hashpartitioning(a#1, 8), REPARTITION_BY_COL, [plan_id=1]
   :  +- FileScan parquet shop.t1[a#1] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/t1], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<a:int>
   :- Exchange hashpartitioning(a#2, 8), REPARTITION_BY_COL, [plan_id=2]
   :  +- FileScan parquet shop.t2[a#2] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/t2], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<a:int>
   :- Exchange hashpartitioning(a#3, 8), REPARTITION_BY_COL, [plan_id=3]
   :  +- FileScan parquet shop.t3[a#3] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/t3], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<a:int>
   :- Exchange hashpartitioning(a#4, 8), REPARTITION_BY_COL, [plan_id=4]
   :  +- FileScan parquet shop.t4[a#4] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/t4], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<a:int>
   :- Exchange hashpartitioning(a#5, 8), REPARTITION_BY_COL, [plan_id=5]
   :  +- FileScan parquet shop.t5[a#5] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/t5], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<a:int>
   :- Exchange hashpartitioning(a#6, 8), REPARTITION_BY_COL, [plan_id=6]
   :  +- FileScan parquet shop.t6[a#6] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/t6], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<a:int>
   :- Exchange hashpartitioning(a#7, 8), REPARTITION_BY_COL, [plan_id=7]
   :  +- FileScan parquet shop.t7[a#7] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/t7], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<a:int>
   :- Exchange hashpartitioning(a#8, 8), REPARTITION_BY_COL, [plan_id=8]
   :  +- FileScan parquet shop.t8[a#8] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/t8], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<a:int>
   :- Exchange hashpartitioning(a#9, 8), REPARTITION_BY_COL, [plan_id=9]
   :  +- FileScan parquet shop.t9[a#9] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/t9], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<a:int>
   :- Exchange hashpartitioning(a#10, 8), REPARTITION_BY_COL, [plan_id=10]
   :  +- FileScan parquet shop.t10[a#10] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/t10], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<a:int>
   +- Exchange hashpartitioning(a#11, 8), REPARTITION_BY_COL, [plan_id=11]
      +- FileScan parquet shop.t11[a#11] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/t11], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<a:int>
)",
             .good = R"(== Physical Plan ==
Exchange hashpartitioning(a#1, 8), REPARTITION_BY_COL, [plan_id=1]
+- Union
   :- FileScan parquet shop.t1[a#1] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/t1], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<a:int>
   +- FileScan parquet shop.t2[a#2] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/t2], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<a:int>
)",
             .limits =
                 "Before an adaptive plan has run, equal exchanges are counted once because Spark will reuse them. "
                 "Exchanges inside a cached plan are a number of their own.",
             .options = kOptions},
    .check = check};

}  // namespace planvet::rules
