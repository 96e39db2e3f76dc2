#include <algorithm>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "analyzer/facts/facts.hpp"
#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/shuffle_read.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"partitions", "1000", "partitions of a shuffle from which on it is reported"},
    {"share", "0.05", "and the share of them that AQE left, at most"},
};

struct Merged {
  NodeId exchange = kNoNode;
  double before = 0;
  double after = 0;
};

std::vector<Merged> merged_shuffles(const PlanContext& context, const Measured& log) {
  std::vector<Merged> found;
  for (const NodeId id : context.exchanges().shuffles) {
    const NodeId read = shuffle_read_above(context.plan(), id);
    const auto exchange = Exchange::of(context.plan(), id);
    if (read == kNoNode || !exchange || !exchange->partitions()) continue;
    const Attribute* how = context.plan().find(read, AttributeKind::ShuffleRead);
    if (how == nullptr || how->text != "coalesced") continue;  // a local read follows the map tasks
    const auto after = log.total(read, metrics::MetricKey::Partitions);
    const auto before = static_cast<double>(*exchange->partitions());
    if (!after || before < context.options().number("partitions")) continue;
    if (*after > context.options().number("share") * before) continue;
    found.push_back({id, before, *after});
  }
  return found;
}

void check(const PlanContext& context, Reporter& reporter) {
  const Measured* const log = context.statistics().measured();
  if (log == nullptr) {
    for (const PlanNode& node : context.operators()) {
      if (node.kind != OperatorKind::AQEShuffleRead) continue;
      reporter.skip("needs an event log");
      return;
    }
    return;
  }
  const std::vector<Merged> merged = merged_shuffles(context, *log);
  if (merged.empty()) return;
  const Merged& most = *std::max_element(merged.begin(), merged.end(),
                                         [](const Merged& a, const Merged& b) { return a.before < b.before; });
  const auto bytes = log->quantity(most.exchange, metrics::MetricKey::ShuffleBytesWritten);
  double read = 0;
  for (const Merged& one : merged) read = std::max(read, one.after);
  Finding& finding = reporter.report(
      context.plan().node(most.exchange), Severity::Info,
      fmt::format("AQE merged {:.0f} partitions{} into {:.0f}{}: every map task wrote a piece for each of them",
                  most.before, bytes ? fmt::format(" of {} in all", format_size(bytes->value)) : std::string(),
                  most.after,
                  merged.size() == 1 ? std::string() : fmt::format(", and so in {} more shuffles", merged.size() - 1)));
  finding.fix =
      fmt::format("for queries of this size: `SET spark.sql.shuffle.partitions={:.0f}`", std::max(200.0, 4 * read));
  for (const Merged& one : merged) {
    finding.saves.push_back(one.exchange);
    if (one.exchange == most.exchange) continue;
    finding.related.push_back({one.exchange, context.plan().node(one.exchange).name_span,
                               fmt::format("{:.0f} partitions became {:.0f} here", one.before, one.after)});
  }
  finding.evidence.push_back({"partitions written", most.before, "count", EvidenceSource::Plan});
  finding.evidence.push_back({"partitions read", most.after, "count", EvidenceSource::Measured});
}

}  // namespace

extern constinit const Rule kOverPartitioned{
    .info = {.code = "PV505",
             .name = "over-partitioned",
             .severity = Severity::Info,
             .summary = "AQE merged thousands of shuffle partitions into a few.",
             .why =
                 "Every map task writes a piece for every partition, and the driver keeps the size of each: that is "
                 "paid before AQE merges what is small. Measured: 2,000 partitions merged into one cost 0.3 s, so it "
                 "is a remark, no alarm.",
             .fix = "Lower spark.sql.shuffle.partitions for queries of this size.",
             .bad = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=true
+- == Final Plan ==
   *(2) HashAggregate(keys=[store#2], functions=[count(1)])
   +- AQEShuffleRead coalesced
      +- ShuffleQueryStage 0
         +- Exchange hashpartitioning(store#2, 4000), ENSURE_REQUIREMENTS, [plan_id=20]
            +- *(1) HashAggregate(keys=[store#2], functions=[partial_count(1)])
               +- *(1) ColumnarToRow
                  +- FileScan parquet shop.sales[store#2] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<store:int>
)",
             .good = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=true
+- == Final Plan ==
   *(2) HashAggregate(keys=[store#2], functions=[count(1)])
   +- ShuffleQueryStage 0
      +- Exchange hashpartitioning(store#2, 200), ENSURE_REQUIREMENTS, [plan_id=20]
         +- *(1) HashAggregate(keys=[store#2], functions=[partial_count(1)])
            +- *(1) ColumnarToRow
               +- FileScan parquet shop.sales[store#2] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<store:int>
)",
             .limits = "Plans do not print how many partitions AQE made: an event log does.",
             .needs = "an event log",
             .options = kOptions,
             .needs_event_log = true},
    .check = check};

}  // namespace planvet::rules
