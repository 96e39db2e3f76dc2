#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "analyzer/plan/predicate.hpp"
#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/scan_filter.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

// What fills the cache, as all of its readers print it: the scans of its plan with their expression ids. The rest may
// look otherwise once it has run. Empty: no scan to know it by.
std::string identity_of(const PlanContext& context, NodeId read) {
  std::string identity;
  for (const PlanNode& node : context.operators_below(read)) {
    if (node.id == read || family(node.kind) != OperatorFamily::Scan) continue;
    identity.append(info(node.kind).name).append(" ").append(node.printed_name);
    for (const AttributeKind kind : {AttributeKind::Output, AttributeKind::Arguments, AttributeKind::DataFilters}) {
      if (const Attribute* const text = context.plan().find(node.id, kind)) identity.append(" ").append(text->text);
    }
    identity += '\n';
  }
  return identity;
}

// The one scan that fills the cache, its rows as they are: no join, aggregate or computed column of that name between.
bool is_column_of_source(const PlanContext& context, NodeId read, std::string_view column) {
  const std::string alias = fmt::format(" AS {}#", column);
  bool is_found = false;
  int scans = 0;
  for (const PlanNode& node : context.operators_below(read)) {
    if (node.id == read || is_structural(node.kind) || node.kind == OperatorKind::InMemoryRelation) continue;
    const auto scan = Scan::of(context.plan(), node.id);
    if (scan) {
      ++scans;
      for (const std::string_view item : scan->output().items)
        is_found = is_found || read_attribute_text(item).name == column;
      continue;
    }
    const OperatorFamily what = family(node.kind);
    if (what != OperatorFamily::Project && what != OperatorFamily::Filter) return false;
    for (const Attribute& attribute : context.plan().attributes(node.id)) {
      if (attribute.text.find(alias) != std::string_view::npos) return false;
    }
  }
  return is_found && scans == 1;
}

// `(qty#3 = 5)`, `qty#3 IN (1,2)`: every source takes those.
std::string_view plainly_compared(const ExpressionTree& tree, ExpressionIndex conjunct) {
  if (!is_comparison(tree.op(conjunct)) || is_null_test(tree, conjunct)) return {};
  const ExpressionIndex left = tree.child(conjunct, 0);
  const ExpressionIndex right = tree.child(conjunct, 1);
  if (left == kNoExpression || right == kNoExpression) return {};
  const bool is_plain = tree.kind(left) == ExpressionKind::Attribute && tree.kind(right) == ExpressionKind::Literal;
  return is_plain ? tree.name(left) : std::string_view{};
}

void read_filter(const PlanContext& context, NodeId read, CacheRead& cache) {
  const NodeId above = above_structure(context.plan(), read);
  if (above == kNoNode || context.plan().node(above).kind != OperatorKind::Filter) return;
  const Attribute* const condition = context.plan().find(above, AttributeKind::Condition);
  if (condition == nullptr || !condition->is_whole() || has_null_tests_only(condition->text)) return;
  const ExpressionTree tree = context.parse(condition->text);
  if (tree.empty()) return;
  for (const ExpressionIndex conjunct : tree.conjuncts(tree.root())) {
    if (is_null_test(tree, conjunct)) continue;
    cache.filter += (cache.filter.empty() ? "" : " AND ") + plain(tree.text(conjunct));
    const std::string_view column = plainly_compared(tree, conjunct);
    cache.is_source_pushable =
        cache.is_source_pushable || (!column.empty() && is_column_of_source(context, read, column));
  }
}

std::string what_is_read(const PlanContext& context, const PlanNode& read) {
  constexpr std::string_view kNamed = "Scan In-memory table ";
  if (read.printed_name.size() > kNamed.size() && read.printed_name.starts_with(kNamed))
    return "the cached table " + std::string(read.printed_name.substr(kNamed.size()));
  std::string table;
  for (const PlanNode& node : context.operators_below(read.id)) {
    const auto scan = Scan::of(context.plan(), node.id);
    if (!scan || node.id == read.id) continue;
    if (!table.empty()) return "the cached rows";
    table = scan->display_name();
  }
  return table.empty() ? "the cached rows" : "the cached rows of " + table;
}

void remember(const PlanContext& context, const PlanNode& node, Reporter& reporter) {
  const PlanTree& plan = context.plan();
  const std::string identity = identity_of(context, node.id);
  if (identity.empty()) return;
  CacheRead& read = reporter.cache_read(node, Severity::Info);
  read.cache = identity;
  read.what = what_is_read(context, node);
  const Attribute* const columns = plan.find(node.id, AttributeKind::Output);
  read.reads_columns = columns != nullptr && !columns->text.empty() && columns->text != "[]";
  read.is_nested = is_inside(plan, node.id, Link::CachedPlan);
  read_filter(context, node.id, read);
  for (const metrics::JobRun& job : context.document().metrics->run.jobs)
    read.first_job = std::min(job.job, read.first_job.value_or(job.job));
}

void check(const PlanContext& context, Reporter& reporter) {
  const bool is_of_a_log = context.document().input == InputKind::EventLog && context.document().metrics != nullptr;
  for (const PlanNode& node : context.operators()) {
    if (node.kind != OperatorKind::InMemoryTableScan) continue;
    if (is_of_a_log) {
      remember(context, node, reporter);
      reporter.skip(
          "needs all queries of the application side by side, whole, and no RDDs that may read the cache too");
      continue;
    }
    const NodeId above = above_structure(context.plan(), node.id);
    if (above == kNoNode || context.plan().node(above).kind != OperatorKind::Filter) continue;
    // That is what every cache read looks like.
    reporter.skip("needs an event log: who else reads the cached table, and with which filter");
  }
}

}  // namespace

extern constinit const Rule kFilterAboveCache{
    .info =
        {.code = "PV210",
         .name = "filter-above-cache",
         .severity = Severity::Info,
         .summary = "A table is cached, and always read with the same filter, or only once.",
         .why = "A cache holds every row and column of what was cached. Predicates do not go below it: where each "
                "reader wants the same few rows, the source would have skipped the others for less.",
         .fix = "Filter before cache(), or do not cache what is read once.",
         .bad = R"(== Physical Plan ==
*(1) Filter (isnotnull(qty#2) AND (qty#2 = 5))
+- *(1) ColumnarToRow
   +- InMemoryTableScan [id#1L, qty#2], [isnotnull(qty#2), (qty#2 = 5)]
         +- InMemoryRelation [id#1L, qty#2], StorageLevel(disk, memory, deserialized, 1 replicas)
               +- *(1) ColumnarToRow
                  +- FileScan parquet shop.sales[id#1L,qty#2] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint,qty:int>
)",
         .good = R"(== Physical Plan ==
*(1) ColumnarToRow
+- InMemoryTableScan [id#1L, qty#2]
      +- InMemoryRelation [id#1L, qty#2], StorageLevel(disk, memory, deserialized, 1 replicas)
            +- *(1) Filter (isnotnull(qty#2) AND (qty#2 = 5))
               +- *(1) ColumnarToRow
                  +- FileScan parquet shop.sales[id#1L,qty#2] Batched: true, DataFilters: [isnotnull(qty#2), (qty#2 = 5)], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [IsNotNull(qty), EqualTo(qty,5)], ReadSchema: struct<id:bigint,qty:int>
)",
         .limits =
             "A filter above InMemoryTableScan is the normal form of a cache read. Only the whole event log of an "
             "application tells who else reads it: plans alone are skipped and counted, and so are logs that are "
             "not whole, and caches behind which jobs of RDDs ran, which may read them too. Caches that are filled "
             "by the same scans are taken for one; `annotate`, which shows queries one by one, does not judge them.",
         .needs = "an event log",
         .needs_event_log = true},
    .check = check};

}  // namespace planvet::rules
