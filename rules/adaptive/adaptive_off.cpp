#include <algorithm>

#include <fmt/core.h>

#include "analyzer/plan/walk.hpp"
#include "rules/exchange_bill.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"warning", "64 MiB", "measured: bytes shuffled from which on it is a warning"},
};

constexpr std::string_view kKey = "spark.sql.adaptive.enabled";

// A query of foreachBatch: streams switch AQE off for the session that such a query runs in. Only the RDD tells.
bool is_of_a_batch(const PlanTree& plan, const PlanNode& node) {
  if (node.kind != OperatorKind::RDDScan) return false;
  for (const AttributeKind kind : {AttributeKind::Rdd, AttributeKind::Arguments}) {
    const Attribute* rdd = plan.find(node.id, kind);
    if (rdd != nullptr && rdd->text.find("SQLExecutionRDD") != std::string_view::npos) return true;
  }
  return false;
}

// Marks of a plan that AQE has planned, or will: what only it prints.
bool is_adaptive(const PlanTree& plan, const PlanNode& node) {
  const OperatorFamily what = family(node.kind);
  const bool is_mark =
      what == OperatorFamily::Adaptive || what == OperatorFamily::QueryStage || what == OperatorFamily::ShuffleRead;
  return is_mark && !is_inside(plan, node.id, Link::CachedPlan) && !is_inside(plan, node.id, Link::Subquery);
}

// Did the top of the paste get lost, and AdaptiveSparkPlan with it?
bool may_lack_its_top(const PlanDocument& document) {
  if (!document.is_complete || document.input == InputKind::ExplainCodegen) return true;
  return std::any_of(document.notes.begin(), document.notes.end(),
                     [](const Note& note) { return note.kind == NoteKind::UnreadablePart; });
}

void check(const PlanContext& context, Reporter& reporter) {
  const PlanTree& plan = context.plan();
  if (context.is_streaming()) return;
  for (const PlanNode& node : context.operators()) {
    if (is_of_a_batch(plan, node) || is_adaptive(plan, node)) return;
  }
  const std::vector<NodeId>& shuffles = context.exchanges().shuffles;
  if (shuffles.empty()) return;
  if (may_lack_its_top(context.document())) return;

  const auto flag = context.facts().conf_flag(kKey);
  const bool is_said_off = flag == false && context.facts().is_conf_set(kKey);
  const bool is_said_on = flag == true && context.facts().is_conf_set(kKey);
  if (!is_said_off && !is_said_on && !context.facts().is_at_least(3, 2)) {
    if (!context.facts().version()) {
      reporter.skip(
          "needs the Spark version: a line `-- planvet: spark 3.5.9` above the plan, or [spark] version in "
          "planvet.toml");
    }
    return;
  }
  double bytes = 0;
  const Measured* const log = context.statistics().measured();
  for (const NodeId id : shuffles) {
    const auto written = log == nullptr ? std::nullopt : log->quantity(id, metrics::MetricKey::ShuffleBytesWritten);
    if (written) bytes += written->value;
  }
  Finding& finding = reporter.report(
      plan.node(shuffles.front()), bytes >= context.options().bytes("warning") ? Severity::Warning : Severity::Info,
      fmt::format(
          "{} run without adaptive execution{}",
          shuffles.size() == 1 ? "a shuffle has to" : fmt::format("{} shuffles have to", shuffles.size()),
          is_said_off ? fmt::format(": {} is false", kKey) : std::string(": the plan has no AdaptiveSparkPlan")));
  finding.fix = fmt::format("`SET {}=true`", kKey);
  finding.evidence.push_back(
      {"shuffle exchanges", static_cast<double>(shuffles.size()), "count", EvidenceSource::Plan});
  if (bytes > 0) finding.evidence.push_back({"shuffled, compressed", bytes, "bytes", EvidenceSource::Measured});
  finding.saves = shuffles;
  finding.reasons.emplace_back(is_said_off ? "conf-off" : "not-adaptive");
}

}  // namespace

extern constinit const Rule kAdaptiveOff{
    .info = {.code = "PV502",
             .name = "adaptive-off",
             .severity = Severity::Info,
             .summary = "A plan with shuffles runs without adaptive query execution.",
             .why =
                 "AQE merges small partitions, splits skewed ones and turns sort merge joins into broadcasts once it "
                 "has seen the data. It is on by default from Spark 3.2.",
             .fix = "Set spark.sql.adaptive.enabled=true for the session.",
             .bad = R"(-- planvet: spark 3.5.9
== Physical Plan ==
*(2) HashAggregate(keys=[store#2], functions=[count(1)])
+- Exchange hashpartitioning(store#2, 200), ENSURE_REQUIREMENTS, [plan_id=10]
   +- *(1) HashAggregate(keys=[store#2], functions=[partial_count(1)])
      +- *(1) ColumnarToRow
         +- FileScan parquet shop.sales[store#2] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<store:int>
)",
             .good = R"(-- planvet: spark 3.5.9
== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- HashAggregate(keys=[store#2], functions=[count(1)])
   +- Exchange hashpartitioning(store#2, 200), ENSURE_REQUIREMENTS, [plan_id=10]
      +- HashAggregate(keys=[store#2], functions=[partial_count(1)])
         +- FileScan parquet shop.sales[store#2] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<store:int>
)",
             .limits =
                 "Silent on streaming queries, on plans whose top was lost, on cached plans, and where neither the "
                 "user nor the text says that the version is 3.2 or newer.",
             .needs = "the Spark version",
             .options = kOptions},
    .check = check};

}  // namespace planvet::rules
