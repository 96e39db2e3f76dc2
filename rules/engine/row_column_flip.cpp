#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "analyzer/facts/facts.hpp"
#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"
#include "rules/input_rows.hpp"
#include "rules/native_parts.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"small-rows", "1000", "so few rows may be converted"},
};

// Where rows become columns again: a transition, or the shuffle that Comet feeds with rows.
bool is_way_back(const PlanNode& node) {
  if (node.kind == OperatorKind::RowToColumnar) return true;
  return node.engine == Engine::Comet && node.kind == OperatorKind::ShuffleExchange &&
         node.printed_name.starts_with("CometColumnarExchange");
}

struct Between {
  std::vector<NodeId> spark;  // what works on rows, from above
  Engine engine = Engine::Spark;
  bool is_above_native = false;
  std::vector<NodeId> ways_back;  // further ones below, of the same chain
};

// Rows on the way: from the way back down to the native operators that gave them.
Between look_below(const PlanTree& plan, NodeId way_back) {
  Between between;
  std::vector<NodeId> open = plan.inputs(way_back);
  while (!open.empty()) {
    const NodeId at = open.back();
    open.pop_back();
    const PlanNode& node = plan.node(at);
    const bool is_passed = is_structural(node.kind) && !is_way_back(node);
    if (!is_passed && is_way_back(node)) {
      between.ways_back.push_back(at);
      between.is_above_native = true;
      between.engine = node.engine;
      continue;
    }
    if (!is_passed && node.engine != Engine::Spark) {
      between.is_above_native = true;
      between.engine = node.engine;
      continue;
    }
    if (!is_passed) between.spark.push_back(at);
    const std::vector<NodeId> inputs = plan.inputs(at);
    open.insert(open.end(), inputs.rbegin(), inputs.rend());
  }
  return between;
}

void check(const PlanContext& context, Reporter& reporter) {
  const PlanTree& plan = context.plan();
  std::vector<bool> is_told(plan.size(), false);
  for (const PlanNode& node : context.operators()) {
    if (!is_way_back(node) || is_told[index(node.id)]) continue;
    const Between between = look_below(plan, node.id);
    if (!between.is_above_native || between.spark.empty()) continue;
    if (has_at_most(context, plan.input(node.id), context.options().number("small-rows"))) continue;
    std::string names;
    for (const NodeId at : between.spark) {
      const std::string_view printed = plan.node(at).printed_name;
      const std::string name(printed.substr(0, printed.find_first_of(" ([")));
      if (names.find(name) == std::string::npos) names += (names.empty() ? "" : ", ") + name;
    }
    std::string message =
        fmt::format("columns of {} become rows for {} of Spark, and columns again", title(between.engine), names);
    std::vector<Evidence> evidence;
    if (const auto rows = rows_if_at_least(context, node.id, 0); rows && rows->source == EvidenceSource::Measured) {
      message += fmt::format(": {} rows", count_text(rows->value));
      evidence.push_back(rows_evidence("rows crossing", *rows));
      const auto bytes = context.statistics().measured()->total(node.id, metrics::MetricKey::DataSize);
      if (bytes) {
        message += fmt::format(", {}", format_size(*bytes));
        evidence.push_back({"bytes crossing", *bytes, "bytes", EvidenceSource::Measured});
      }
    }
    Finding& finding = reporter.report(node, Severity::Warning, std::move(message));
    finding.evidence = std::move(evidence);
    finding.fix = fmt::format("keep {} in {}, or behind the last native operator", names, title(between.engine));
    finding.reasons.emplace_back("rows-between");
    for (const NodeId at : between.spark) {
      finding.also_about.push_back(at);
      finding.related.push_back({at, plan.node(at).name_span, "works on rows"});
    }
    // A chain of flips has one cause: the first tells of all.
    std::vector<NodeId> open = between.ways_back;
    while (!open.empty()) {
      const NodeId at = open.back();
      open.pop_back();
      const Between below = look_below(plan, at);
      if (!below.is_above_native || below.spark.empty()) continue;
      is_told[index(at)] = true;
      finding.related.push_back({at, plan.node(at).name_span, "and once more here"});
      finding.also_about.insert(finding.also_about.end(), below.spark.begin(), below.spark.end());
      open.insert(open.end(), below.ways_back.begin(), below.ways_back.end());
    }
  }
}

}  // namespace

extern constinit const Rule kRowColumnFlip{
    .info =
        {.code = "PV602",
         .name = "row-column-flip",
         .severity = Severity::Warning,
         .summary = "Columns become rows and columns again in the middle of a native plan.",
         .why =
             "Turning columns into rows and back copies every value twice, and the operators between see none of the "
             "engine's speed.",
         .fix = "Let the native engine run what stands between, or do it behind the last native operator.",
         .bad = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- CometSort [store#2], [store#2 ASC NULLS FIRST]
   +- CometColumnarExchange rangepartitioning(store#2 ASC NULLS FIRST, 16), ENSURE_REQUIREMENTS, CometColumnarShuffle, [plan_id=20]
      +- LocalLimit 50000
         +- CometNativeScan parquet shop.sales[store#2] Batched: true, DataFilters: [], Format: CometParquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<store:int>
)",
         .good = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- CometSort [store#2], [store#2 ASC NULLS FIRST]
   +- CometExchange rangepartitioning(store#2 ASC NULLS FIRST, 16), ENSURE_REQUIREMENTS, CometNativeShuffle, [plan_id=20]
      +- CometLocalLimit 50000
         +- CometNativeScan parquet shop.sales[store#2] Batched: true, DataFilters: [], Format: CometParquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<store:int>
)",
         .limits = "Where operators fell back, engine-fallback says so and this is a line of it. Before execution the "
                   "way out to "
                   "rows is not printed; Comet's shuffle of native rows converts inside and is silent.",
         .options = kOptions},
    .check = check};

}  // namespace planvet::rules
