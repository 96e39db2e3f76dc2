#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"
#include "analyzer/report/fix_parts.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/shuffle_calls.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

std::string_view bucketed(const Scan& scan) {
  const Attribute* attribute = scan.find(AttributeKind::Bucketed);
  return attribute == nullptr ? std::string_view{} : attribute->text;
}

bool passes_partitioning(const PlanNode& node) {
  const OperatorFamily what = family(node.kind);
  return what == OperatorFamily::Filter || what == OperatorFamily::Project || what == OperatorFamily::Sort;
}

struct Shuffled {
  NodeId exchange = kNoNode;
  NodeId above = kNoNode;  // what the shuffle is for
};

// The shuffle that the rows of a scan go through first, and the operator that wanted it.
std::optional<Shuffled> first_shuffle(const PlanTree& plan, NodeId scan) {
  Shuffled found;
  for (NodeId at = above_structure(plan, scan); at != kNoNode; at = above_structure(plan, at)) {
    const PlanNode& node = plan.node(at);
    if (found.exchange == kNoNode) {
      if (const auto exchange = Exchange::of(plan, at)) {
        if (exchange->is_users()) return std::nullopt;
        found.exchange = at;
      } else if (!passes_partitioning(node) && family(node.kind) != OperatorFamily::Aggregate) {
        return std::nullopt;
      }
    } else if (!passes_partitioning(node)) {
      found.above = at;
      return found;
    }
  }
  return std::nullopt;
}

// The bucketed scan below a side that is not shuffled.
std::optional<Scan> used_buckets(const PlanTree& plan, NodeId side) {
  NodeId at = side;
  while (at != kNoNode && (passes_partitioning(plan.node(at)) || is_structural(plan.node(at).kind)))
    at = plan.input(at);
  if (at == kNoNode) return std::nullopt;
  const auto scan = Scan::of(plan, at);
  if (!scan || bucketed(*scan) != "true") return std::nullopt;
  return scan;
}

std::string count_of_buckets(const Scan& scan) {
  const Attribute* selected = scan.find(AttributeKind::SelectedBuckets);  // "8 out of 8"
  if (selected == nullptr) return {};
  const std::size_t at = selected->text.find("out of ");
  if (at == std::string_view::npos) return {};
  const std::string_view number = selected->text.substr(at + 7);
  return std::string(number.substr(0, number.find_first_not_of("0123456789")));
}

// The column that a side is joined on; empty where it is more than one, or no column.
std::string key_column(const PlanContext& context, const Join& join, Side side) {
  const ItemList keys = join.keys(side);
  if (keys.items.size() != 1) return {};
  const ExpressionTree tree = context.parse(keys.items.front());
  const ExpressionIndex column = tree.empty() ? kNoExpression : tree.column_below_casts(tree.root());
  if (column == kNoExpression || tree.kind(column) != ExpressionKind::Attribute) return {};
  return std::string(tree.name(column));
}

void report_switched_off(const PlanContext& context, Reporter& reporter, const Scan& scan) {
  const auto shuffled = first_shuffle(context.plan(), scan.id());
  if (!shuffled) return;  // nothing that buckets could save
  const std::string_view table = scan.display_name();
  Finding& finding =
      reporter.report_fact(scan.node(), bucketed(scan), Severity::Info,
                           fmt::format("the buckets of {} are not used, and it is shuffled: bucketing is switched off",
                                       table.empty() ? std::string_view("the table") : table));
  finding.fix = "`SET spark.sql.sources.bucketing.enabled=true`";
  finding.reasons.emplace_back("disabled-by-configuration");
}

void report_mismatch(const PlanContext& context, Reporter& reporter, const Scan& scan) {
  const PlanTree& plan = context.plan();
  const auto shuffled = first_shuffle(plan, scan.id());
  if (!shuffled) return;
  const auto join = Join::of(plan, shuffled->above);
  if (!join) return;
  std::optional<Side> side;
  for (const Side candidate : {Side::Left, Side::Right}) {
    const NodeId input = join->input(candidate);
    if (input != kNoNode && scan.id() >= input && scan.id() < plan.node(input).subtree_end) side = candidate;
  }
  if (!side) return;
  const auto other_scan = used_buckets(plan, join->input(other(*side)));
  if (!other_scan) return;

  const Attribute* partitioning = plan.find(shuffled->exchange, AttributeKind::Partitioning);
  const bool is_cast = partitioning != nullptr && partitioning->text.find("cast(") != std::string_view::npos;
  const std::string_view table = scan.display_name();
  const std::string_view facing = other_scan->display_name();
  const std::string buckets = count_of_buckets(*other_scan);
  Finding& finding =
      reporter.report_fact(scan.node(), bucketed(scan), Severity::Info,
                           fmt::format("the buckets of {} are not used: it is shuffled to join {}{}, whose {}",
                                       table.empty() ? std::string_view("the table") : table,
                                       facing.empty() ? std::string_view("the other side") : facing,
                                       buckets.empty() ? "" : fmt::format(" ({} buckets)", buckets),
                                       is_cast ? "key has another type" : "number of buckets differs"));
  const std::string column = key_column(context, *join, *side);
  const std::string create =
      buckets.empty() || column.empty() || scan.table().empty()
          ? std::string("give both tables the same number of buckets and keys of one type")
          : "give both the same buckets: " +
                code(fmt::format("CREATE TABLE {0} USING {1} CLUSTERED BY ({2}) INTO {3} BUCKETS AS SELECT * FROM {4}",
                                 sql_column(fmt::format("{}_{}", short_name(scan.table()), buckets)),
                                 scan.source() == ScanSource::Orc ? "orc" : "parquet", sql_column(column), buckets,
                                 sql_table(plan, scan.id())));
  constexpr std::string_view kCoalesce = "spark.sql.bucketing.coalesceBucketsInJoin.enabled";
  if (is_cast) {
    finding.fix = "store the join key in one type on both sides, then bucket by it";
  } else if (context.facts().is_conf_set(kCoalesce) && context.facts().conf_flag(kCoalesce) == true) {
    finding.fix = create;
  } else {
    finding.fix = fmt::format("{}, or, where one number is a multiple of the other, `SET {}=true`", create, kCoalesce);
  }
  finding.reasons.emplace_back(is_cast ? "key-types-differ" : "bucket-counts-differ");
  if (is_cast) finding.also_about.push_back(join->id());
}

// Somebody knows that the table is bucketed, and it is shuffled by these very columns: Spark does not know, or does not
// use it.
void report_declared(const PlanContext& context, Reporter& reporter, const Scan& scan) {
  const TableFact* const table = context.facts().table(scan.table());
  if (table == nullptr || table->bucket_columns.empty()) return;
  const auto shuffled = first_shuffle(context.plan(), scan.id());
  const auto exchange = shuffled ? Exchange::of(context.plan(), shuffled->exchange) : std::nullopt;
  if (!exchange || context.plan().node(shuffled->exchange).kind != OperatorKind::ShuffleExchange) return;
  const Partitioning partitioning = partitioning_of(*exchange);
  if (partitioning.kind != PartitioningKind::Hash) return;
  std::set<std::string> keys;
  for (const std::string_view key : partitioning.keys) {
    const ExpressionTree tree = context.parse(key);
    if (tree.empty() || tree.kind(tree.root()) != ExpressionKind::Attribute) return;
    keys.emplace(tree.name(tree.root()));
  }
  if (keys != std::set<std::string>(table->bucket_columns.begin(), table->bucket_columns.end())) return;
  std::string columns;
  for (const std::string& column : table->bucket_columns) columns += (columns.empty() ? "" : ", ") + column;
  Finding& finding =
      reporter.report(scan.node(), Severity::Info,
                      fmt::format("{} is bucketed by {}, as planvet.toml says, and shuffled by {} all the same",
                                  scan.display_name(), columns, columns));
  finding.fix = fmt::format("look whether the catalog has its buckets: {}",
                            code("DESCRIBE TABLE EXTENDED " + sql_table(context.plan(), scan.id())));
  finding.reasons.emplace_back("declared");
  finding.also_about.push_back(shuffled->exchange);
}

void check(const PlanContext& context, Reporter& reporter) {
  for (const PlanNode& node : context.operators()) {
    const auto scan = Scan::of(context.plan(), node.id);
    if (!scan) continue;
    const std::string_view text = bucketed(*scan);
    const bool is_used = text.starts_with("true") || text.find("not read") != std::string_view::npos;
    const std::size_t before = reporter.findings().size();
    if (text.find("disabled by configuration") != std::string_view::npos) {
      report_switched_off(context, reporter, *scan);
    } else if (text.find("disabled by query planner") != std::string_view::npos) {
      report_mismatch(context, reporter, *scan);
    }
    if (!is_used && reporter.findings().size() == before) report_declared(context, reporter, *scan);
  }
}

}  // namespace

extern constinit const Rule kBucketingUnused{
    .info = {.code = "PV211",
             .name = "bucketing-unused",
             .severity = Severity::Info,
             .summary = "A table is bucketed, and shuffled all the same.",
             .why =
                 "Buckets are a shuffle done once, when the table was written. They save it only where both sides of a "
                 "join have the same number of them by keys of one type, and bucketing is on.",
             .fix = "Bucket both tables alike, or let Spark coalesce the larger number "
                    "(spark.sql.bucketing.coalesceBucketsInJoin.enabled).",
             .bad = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- SortMergeJoin [item#2], [item#11], Inner
   :- Sort [item#2 ASC NULLS FIRST], false, 0
   :  +- FileScan parquet shop.sales[id#1L,item#2] Batched: true, Bucketed: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint,item:int>, SelectedBucketsCount: 8 out of 8
   +- Sort [item#11 ASC NULLS FIRST], false, 0
      +- Exchange hashpartitioning(item#11, 8), ENSURE_REQUIREMENTS, [plan_id=11]
         +- FileScan parquet shop.returns[item#11,reason#12] Batched: true, Bucketed: false (disabled by query planner), DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/returns], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<item:int,reason:string>
)",
             .good = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- SortMergeJoin [item#2], [item#11], Inner
   :- Sort [item#2 ASC NULLS FIRST], false, 0
   :  +- FileScan parquet shop.sales[id#1L,item#2] Batched: true, Bucketed: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint,item:int>, SelectedBucketsCount: 8 out of 8
   +- Sort [item#11 ASC NULLS FIRST], false, 0
      +- FileScan parquet shop.returns[item#11,reason#12] Batched: true, Bucketed: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/returns], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<item:int,reason:string>, SelectedBucketsCount: 8 out of 8
)",
             .limits = "Plans never name bucket columns; `bucket-columns` of a table in planvet.toml does. `disabled "
                       "by query planner` is healthy unless a shuffle above feeds a "
                       "join whose other side uses its buckets; switched off, it is reported only where something is "
                       "shuffled."},
    .check = check};

}  // namespace planvet::rules
