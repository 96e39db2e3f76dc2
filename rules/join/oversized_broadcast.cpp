#include <optional>
#include <string>

#include <fmt/core.h>

#include "analyzer/facts/facts.hpp"
#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"
#include "analyzer/report/fix_parts.hpp"
#include "rules/column_count.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/scan_filter.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"warning", "256 MiB", "a broadcast larger than this is a warning"},
    {"error", "1 GiB", "measured: one larger than this is an error"},
    {"error-share", "0.3", "or one of this share of the driver's memory"},
    {"error-seconds", "30", "or one that took so long to collect, build and send"},
};

constexpr std::string_view kThresholdKey = "spark.sql.autoBroadcastJoinThreshold";
constexpr double kFewRows = 1e6;      // whatever they hold, no hundreds of megabytes for one table
constexpr double kBytesOfColumn = 8;  // of an UnsafeRow: a word for each column, and one for which are NULL

// Without row counts the optimizer multiplies the sides of a join and lets filters and aggregates pass everything: its
// size is then no size of what comes out.
bool is_estimate_firm(const PlanContext& context, NodeId broadcast) {
  if (context.statistics().rows(broadcast)) return true;
  for (NodeId at = context.plan().input(broadcast); at != kNoNode; at = context.plan().input(at)) {
    const PlanNode& node = context.plan().node(at);
    if (family(node.kind) == OperatorFamily::Scan) return true;
    if (node.kind == OperatorKind::Filter) {
      const Attribute* condition = context.plan().find(at, AttributeKind::Condition);
      if (condition == nullptr || !has_null_tests_only(condition->text)) return false;
    } else if (family(node.kind) != OperatorFamily::Project && !is_structural(node.kind)) {
      return false;
    }
  }
  return false;
}

// What surely is sent: a known size, or the rows that came, of at least a word for each column.
std::optional<Quantity> least_size(const PlanContext& context, NodeId broadcast) {
  const PlanTree& plan = context.plan();
  const auto size = context.statistics().bytes(broadcast);
  const NodeId above = plan.node(broadcast).parent;
  if (above != kNoNode && plan.node(above).kind == OperatorKind::BroadcastQueryStage) {
    const auto rows = context.statistics().rows(above);
    const auto columns = column_count(plan, plan.input(broadcast));
    if (rows && rows->source == EvidenceSource::Runtime && columns && *columns > 0) {
      const double least = rows->value * kBytesOfColumn * (1 + static_cast<double>(*columns));
      return Quantity{least, EvidenceSource::Runtime, false, true};
    }
  }
  if (const Measured* const log = context.statistics().measured()) {
    if (const auto bytes = log->bytes(broadcast)) return Quantity{bytes->value, bytes->source, false, true};
    const auto rows = log->rows(broadcast);
    const auto columns = column_count(plan, plan.input(broadcast));
    if (rows && rows->is_at_least && columns && *columns > 0) {
      const double least = rows->value * kBytesOfColumn * (1 + static_cast<double>(*columns));
      return Quantity{least, EvidenceSource::Measured, false, true};
    }
    if (rows) return std::nullopt;
  }
  if (!size || !size->is_at_least) return std::nullopt;
  if (size->source == EvidenceSource::Estimated && !is_estimate_firm(context, broadcast)) return std::nullopt;
  return size;
}

std::string fix_text(const PlanContext& context, NodeId broadcast) {
  const PlanTree& plan = context.plan();
  const std::string_view table = only_table(plan, broadcast);
  const NodeId above = above_structure(plan, broadcast);
  const auto join = above == kNoNode ? std::nullopt : Join::of(plan, above);
  if (join && !join->left_keys().items.empty()) {
    const std::string hint = table.empty()
                                 ? std::string("take the BROADCAST hint away")
                                 : "the hint " + code(fmt::format("/*+ MERGE({}) */", sql_column(short_name(table))));
    return fmt::format("let both sides be shuffled: {}, or `SET {}=10485760`", hint, kThresholdKey);
  }
  return fmt::format("give the join an equality, so that both sides can be shuffled, or keep fewer rows and columns{}",
                     table.empty() ? "" : fmt::format(" of {} before it", table));
}

// What makes a measured broadcast more than slow: it hardly fits into the driver, or kept the query waiting.
struct Danger {
  Severity severity = Severity::Warning;
  std::string text;
  std::optional<double> milliseconds;
};

Danger danger_of(const PlanContext& context, NodeId broadcast, const Quantity& least, bool is_by_executors) {
  Danger danger;
  const Measured* const log = context.statistics().measured();
  if (log == nullptr || least.source != EvidenceSource::Measured) return danger;
  double spent = 0;
  for (const metrics::MetricKey key :
       {metrics::MetricKey::CollectTime, metrics::MetricKey::BuildTime, metrics::MetricKey::BroadcastTime}) {
    spent += log->total(broadcast, key).value_or(0);
  }
  if (spent > 0) danger.milliseconds = spent;
  const auto memory = context.facts().conf_bytes("spark.driver.memory");
  const bool is_set = context.facts().is_conf_set("spark.driver.memory");
  const double share = context.options().number("error-share");
  if (least.value > context.options().bytes("error")) danger.severity = Severity::Error;
  if (spent > context.options().number("error-seconds") * 1000) {
    danger.severity = Severity::Error;
    danger.text = fmt::format("; to collect, build and send it took {:.0f} s", spent / 1000);
  }
  if (!is_by_executors && is_set && memory && *memory > 0 && least.value >= share * *memory) {
    danger.severity = Severity::Error;
    danger.text += fmt::format("; the driver has {}", format_size(*memory));
  }
  return danger;
}

void check(const PlanContext& context, Reporter& reporter) {
  const double limit = context.options().bytes("warning");
  for (const NodeId broadcast : context.exchanges().broadcasts) {
    const PlanNode& node = context.plan().node(broadcast);
    const auto least = least_size(context, broadcast);
    if (!least) {
      const auto most = context.statistics().bytes(broadcast);
      const bool is_small = most && most->value <= limit;
      const auto bound = context.statistics().max_rows(broadcast);
      if (!is_small && !(bound && bound->value <= kFewRows)) {
        reporter.skip_without("the size of what is broadcast",
                              "a final plan in formatted mode, explain(\"cost\"), or [tables] in planvet.toml");
      }
      continue;
    }
    if (least->value <= limit) continue;

    const std::string_view table = only_table(context.plan(), broadcast);
    const bool is_by_executors = node.engine == Engine::Photon;
    const NodeId above = node.parent;
    const bool is_stage = above != kNoNode && context.plan().node(above).kind == OperatorKind::BroadcastQueryStage;
    const auto rows = context.statistics().rows(is_stage ? above : broadcast);
    const Danger danger = danger_of(context, broadcast, *least, is_by_executors);
    Finding& finding = reporter.report(node, danger.severity,
                                       fmt::format("{}{}{} is sent {}every executor, which keeps all of it in memory{}",
                                                   least->is_at_most ? "" : "at least ", format_size(least->value),
                                                   table.empty() ? "" : fmt::format(" of {}", table),
                                                   is_by_executors ? "to " : "through the driver to ", danger.text));
    finding.fix = fix_text(context, broadcast);
    finding.evidence.push_back({"broadcast side", least->value, "bytes", least->source});
    if (rows) finding.evidence.push_back({"broadcast side", rows->value, "rows", rows->source});
    if (danger.milliseconds) {
      finding.evidence.push_back({"collect, build and send", *danger.milliseconds, "ms", EvidenceSource::Measured});
    }
    finding.evidence.push_back({"limit", limit, "bytes", EvidenceSource::Plan});
  }
}

}  // namespace

extern constinit const Rule kOversizedBroadcast{
    .info = {.code = "PV104",
             .name = "oversized-broadcast",
             .severity = Severity::Warning,
             .summary = "A table of hundreds of megabytes is broadcast to every executor.",
             .why = "The driver collects the whole side, builds a hash table of it and sends it to every executor, "
                    "where each keeps it in memory. Past some hundred MiB that is slower than a shuffle, and ends in "
                    "out-of-memory errors or broadcast timeouts.",
             .fix = "Take the BROADCAST hint away, lower spark.sql.autoBroadcastJoinThreshold, or keep fewer rows and "
                    "columns of that side before the join.",
             .bad = R"(== Optimized Logical Plan ==
Project [id#1L, name#12], Statistics(sizeInBytes=120.0 GiB)
+- Join Inner, (item#2 = item#11), rightHint=(strategy=broadcast), Statistics(sizeInBytes=160.0 GiB)
   :- Relation shop.sales[id#1L,item#2] parquet, Statistics(sizeInBytes=80.0 GiB)
   +- Relation shop.item[item#11,name#12] parquet, Statistics(sizeInBytes=3.0 GiB)

== Physical Plan ==
*(2) Project [id#1L, name#12]
+- *(2) BroadcastHashJoin [item#2], [item#11], Inner, BuildRight, false
   :- *(2) ColumnarToRow
   :  +- FileScan parquet shop.sales[id#1L,item#2] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint,item:int>
   +- BroadcastExchange HashedRelationBroadcastMode(List(cast(input[0, int, false] as bigint)),false), [plan_id=20]
      +- *(1) ColumnarToRow
         +- FileScan parquet shop.item[item#11,name#12] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/item], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<item:int,name:string>
)",
             .good = R"(== Optimized Logical Plan ==
Project [id#1L, name#12], Statistics(sizeInBytes=120.0 GiB)
+- Join Inner, (item#2 = item#11), Statistics(sizeInBytes=160.0 GiB)
   :- Relation shop.sales[id#1L,item#2] parquet, Statistics(sizeInBytes=80.0 GiB)
   +- Relation shop.item[item#11,name#12] parquet, Statistics(sizeInBytes=3.0 MiB)

== Physical Plan ==
*(2) Project [id#1L, name#12]
+- *(2) BroadcastHashJoin [item#2], [item#11], Inner, BuildRight, false
   :- *(2) ColumnarToRow
   :  +- FileScan parquet shop.sales[id#1L,item#2] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint,item:int>
   +- BroadcastExchange HashedRelationBroadcastMode(List(cast(input[0, int, false] as bigint)),false), [plan_id=20]
      +- *(1) ColumnarToRow
         +- FileScan parquet shop.item[item#11,name#12] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/item], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<item:int,name:string>
)",
             .limits = "The size that a broadcast stage prints is memory pages, not data: its row count is used, with "
                       "8 bytes for each column, which is the least that a row takes. Estimates above joins, filters "
                       "and aggregates without row counts prove nothing and are not used. Photon's executor broadcast "
                       "does not pass the driver.",
             .needs = "the size or the rows of the broadcast side",
             .options = kOptions},
    .check = check};

}  // namespace planvet::rules
