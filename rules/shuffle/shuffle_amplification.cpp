#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "analyzer/facts/facts.hpp"
#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"
#include "rules/input_rows.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/saving.hpp"
#include "rules/shuffle_calls.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"factor", "3", "how many times the rows that were read below it a shuffle has to write"},
    {"size", "1 GiB", "and how much, as rows"},
};

// The rows that the sources below an exchange gave, at most; nothing where one of them is not known. What a broadcast
// or another shuffle carries was read further down, or by what is reused.
std::optional<double> rows_read_below(const PlanContext& context, NodeId exchange) {
  const PlanTree& plan = context.plan();
  double sum = 0;
  std::vector<NodeId> open = plan.inputs(exchange);
  while (!open.empty()) {
    const NodeId at = open.back();
    open.pop_back();
    const std::vector<NodeId> inputs = plan.inputs(at);
    const bool is_source = inputs.empty() || family(plan.node(at).kind) == OperatorFamily::Cache;
    if (!is_source) {
      open.insert(open.end(), inputs.begin(), inputs.end());
      continue;
    }
    const auto rows = known_rows(context, at);
    if (!rows || !rows->is_at_most) return std::nullopt;
    sum += rows->value;
  }
  return sum;
}

// What between the sources and the exchange makes more rows of fewer.
std::vector<NodeId> multipliers(const PlanContext& context, NodeId exchange) {
  std::vector<NodeId> found;
  for (const PlanNode& node : context.plan().subtree(exchange)) {
    if (node.link == Link::Subquery || node.is_logical) continue;
    const OperatorFamily what = family(node.kind);
    if (what == OperatorFamily::Join || what == OperatorFamily::Generate || what == OperatorFamily::Expand) {
      const auto out = context.statistics().rows(node.id);
      double in = 0;
      for (const NodeId input : context.plan().inputs(node.id)) {
        const auto rows = context.statistics().rows(input);
        in = std::max(in, rows ? rows->value : 0);
      }
      if (out && in > 0 && out->value >= 2 * in) found.push_back(node.id);
    }
  }
  return found;
}

void check(const PlanContext& context, Reporter& reporter) {
  const PlanTree& plan = context.plan();
  const std::vector<NodeId>& shuffles = context.exchanges().shuffles;
  if (shuffles.empty()) return;
  const Measured* const log = context.statistics().measured();
  if (log == nullptr) {
    reporter.skip("needs an event log");
    return;
  }
  // One exchange speaks for the query: the largest.
  NodeId largest = kNoNode;
  double most = 0;
  for (const NodeId id : shuffles) {
    const auto bytes = log->bytes(id);
    if (bytes && bytes->value > most) {
      most = bytes->value;
      largest = id;
    }
  }
  if (largest == kNoNode || most < context.options().bytes("size")) return;
  const auto written = log->rows(largest);
  if (!written || !written->is_at_least) return;
  const auto read = rows_read_below(context, largest);
  if (!read) {
    reporter.skip("needs the rows of every source below the largest shuffle");
    return;
  }
  if (*read <= 0 || written->value < context.options().number("factor") * *read) return;

  const std::vector<NodeId> causes = multipliers(context, largest);
  const std::string_view cause = causes.empty() ? std::string_view{} : plan.node(causes.front()).printed_name;
  Finding& finding =
      reporter.report(plan.node(largest), Severity::Warning,
                      fmt::format("{} rows are read below this shuffle, and it writes {} of them, {}{}",
                                  count_text(*read), count_text(written->value), format_size(most),
                                  cause.empty() ? std::string() : fmt::format(": {} makes many rows of one", cause)));
  finding.fix = cause.empty() ? "filter and select before the shuffle, or shuffle before the rows are multiplied"
                              : fmt::format(
                                    "filter, select and aggregate before the {}; look for keys that come more than "
                                    "once on both sides of a join",
                                    cause);
  finding.also_about = causes;
  finding.saves = up_to_root(plan, largest);
  finding.evidence.push_back({"rows read", *read, "rows", EvidenceSource::Measured});
  finding.evidence.push_back({"rows shuffled", written->value, "rows", written->source});
  finding.evidence.push_back({"shuffled", most, "bytes", EvidenceSource::Measured});
  for (const NodeId node : causes) {
    finding.related.push_back({node, plan.node(node).name_span, "makes many rows of one"});
  }
}

}  // namespace

extern constinit const Rule kShuffleAmplification{
    .info = {.code = "PV305",
             .name = "shuffle-amplification",
             .severity = Severity::Warning,
             .summary = "A shuffle writes several times the rows that were read below it.",
             .why = "A join on duplicate keys, an explode or several grouping sets made many rows of one, and all of "
                    "them are written, sent and read again. Rows are compared, not bytes: files are compressed by "
                    "columns and shuffles by rows, so that every healthy shuffle is larger than its input.",
             .fix = "Filter, select and aggregate before the rows are multiplied; look for duplicate keys.",
             .bad = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=true
+- == Final Plan ==
   *(3) HashAggregate(keys=[tag#5], functions=[max(note#2)])
   +- ShuffleQueryStage 0
      +- Exchange hashpartitioning(tag#5, 200), ENSURE_REQUIREMENTS, [plan_id=20]
         +- *(1) Generate explode(tags#3), [note#2], false, [tag#5]
            +- *(1) ColumnarToRow
               +- FileScan parquet shop.sales[note#2,tags#3] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<note:string,tags:array<string>>
)",
             .good = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=true
+- == Final Plan ==
   *(3) HashAggregate(keys=[tag#5], functions=[count(1)])
   +- ShuffleQueryStage 0
      +- Exchange hashpartitioning(tag#5, 200), ENSURE_REQUIREMENTS, [plan_id=20]
         +- *(1) HashAggregate(keys=[tag#5], functions=[partial_count(1)])
            +- *(1) Generate explode(tags#3), false, [tag#5]
               +- *(1) ColumnarToRow
                  +- FileScan parquet shop.sales[tags#3] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<tags:array<string>>
)",
             .limits = "The largest shuffle of a query speaks for all. Silent where a source below it counts no rows, "
                       "and where the log is not whole.",
             .needs = "an event log",
             .options = kOptions,
             .needs_event_log = true},
    .check = check};

}  // namespace planvet::rules
