#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "analyzer/facts/facts.hpp"
#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"
#include "analyzer/report/fix_parts.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/scan_filter.hpp"
#include "rules/scan_location.hpp"
#include "rules/scans_of_tables.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"large", "1 GiB", "a table of this size or more is a warning"},
    {"small", "64 MiB", "a table known to be at most this large is silent"},
    {"files", "1000", "measured: so many files read are a warning as well"},
};

struct Partitioning {
  std::vector<std::string> columns;
  const Attribute* filters = nullptr;  // null: not printed, as formatted mode does with an empty list
};

// The partition columns of a scan that the text shows to be read whole; nothing where it is pruned, or may be.
std::optional<Partitioning> unpruned(const PlanContext& context, const Scan& scan) {
  Partitioning partitioning;
  partitioning.filters = scan.find(AttributeKind::PartitionFilters);
  const TableFact* table = context.facts().table(scan.table());
  const bool is_declared = table != nullptr && !table->partition_columns.empty();
  if (const auto columns = scan.partition_columns()) {
    partitioning.columns.assign(columns->begin(), columns->end());
  } else if (is_declared) {
    partitioning.columns = table->partition_columns;
  }
  if (partitioning.columns.empty()) return std::nullopt;
  if (scan.is_v2()) {
    // Iceberg prunes by what stands in filters= and RuntimeFilters; null tests skip nothing.
    for (const AttributeKind kind : {AttributeKind::ScanFilters, AttributeKind::RuntimeFilters}) {
      const Attribute* filters = scan.find(kind);
      if (filters == nullptr) continue;
      for (const ExpressionTree& tree : context.parser().pushed_filters(filters->text)) {
        if (tree.empty() || !is_null_test(tree, tree.root())) return std::nullopt;
      }
    }
    if (scan.source() == ScanSource::Iceberg && scan.find(AttributeKind::ScanFilters) == nullptr) return std::nullopt;
  } else if (scan.node().kind == OperatorKind::FileSourceScan) {
    const auto location = ScanLocation::of(scan);
    if (!location) return std::nullopt;
    if (location->index != "CatalogFileIndex" && location->index != "InMemoryFileIndex") {
      return std::nullopt;  // Delta skips files by its own statistics
    }
    if (location->is_in_partition()) return std::nullopt;  // somebody chose the folders
  } else if (scan.node().kind != OperatorKind::HiveTableScan) {
    return std::nullopt;
  }
  return partitioning;
}

// A limit right above reads as few files as it needs.
bool is_limited(const PlanTree& plan, NodeId scan) {
  for (NodeId at = above_structure(plan, scan); at != kNoNode; at = above_structure(plan, at)) {
    const OperatorFamily what = family(plan.node(at).kind);
    if (what == OperatorFamily::Limit) return true;
    if (what != OperatorFamily::Project) return false;
  }
  return false;
}

const PlanNode* filter_above(const PlanTree& plan, NodeId scan) {
  for (NodeId at = above_structure(plan, scan); at != kNoNode; at = above_structure(plan, at)) {
    if (plan.node(at).kind == OperatorKind::Filter) return &plan.node(at);
    if (family(plan.node(at).kind) != OperatorFamily::Project) return nullptr;
  }
  return nullptr;
}

bool looks_like_a_day(std::string_view name) {
  for (const std::string_view word : {"dt", "ds", "day", "date"}) {
    if (name == word ||
        (name.size() > word.size() && name.ends_with(word) && name[name.size() - word.size() - 1] == '_')) {
      return true;
    }
  }
  return false;
}

bool is_day(std::string_view text) {
  if (text.size() < 10) return false;
  for (std::size_t i = 0; i < 10; ++i) {
    const bool is_dash = i == 4 || i == 7;
    if (is_dash ? text[i] != '-' : (text[i] < '0' || text[i] > '9')) return false;
  }
  return text.size() == 10 || text[10] == ' ';
}

// A predicate that asks for a day or a time on a column inside the files.
struct DateFilter {
  std::string column;     // sold_at
  std::string predicate;  // "sale_date >= DATE'2024-01-09'", said of the partition column
};

std::optional<DateFilter> date_filter(const PlanContext& context, const FilteredScan& filtered,
                                      const std::vector<std::string>& partitions) {
  const auto day = std::find_if(partitions.begin(), partitions.end(), looks_like_a_day);
  if (day == partitions.end()) return std::nullopt;
  const ExpressionTree tree = context.parse(filtered.condition().text);
  if (tree.empty()) return std::nullopt;
  for (const ExpressionIndex conjunct : tree.conjuncts(tree.root())) {
    const ExpressionOperator op = tree.op(conjunct);
    if (!is_comparison(op) || op == ExpressionOperator::NotEqual) continue;
    const ExpressionIndex column = tree.column_below_casts(tree.child(conjunct, 0));
    const ExpressionIndex literal = tree.child(conjunct, 1);
    if (column == kNoExpression || literal == kNoExpression || tree.kind(column) != ExpressionKind::Attribute) continue;
    if (tree.kind(literal) != ExpressionKind::Literal || !is_day(tree.name(literal))) continue;
    const std::string_view type = filtered.type_of(tree.name(column));
    if (type != "date" && !type.starts_with("timestamp")) continue;
    // A bound on a time is one on its day, but never a sharper one.
    std::string_view symbol = operator_symbol(op);
    if (op == ExpressionOperator::Greater) symbol = ">=";
    if (op == ExpressionOperator::Less) symbol = "<=";
    if (op == ExpressionOperator::NullSafeEqual) symbol = "=";
    return DateFilter{std::string(tree.name(column)),
                      fmt::format("{} {} DATE'{}'", sql_column(*day), symbol, tree.name(literal).substr(0, 10))};
  }
  return std::nullopt;
}

bool mentions_any(const PlanContext& context, const FilteredScan& filtered, const std::vector<std::string>& columns) {
  const ExpressionTree tree = context.parse(filtered.condition().text);
  bool is_found = tree.empty();
  if (is_found) return true;
  for (const ExpressionIndex conjunct : tree.conjuncts(tree.root())) {
    if (is_null_test(tree, conjunct)) continue;
    tree.for_each_attribute(conjunct, [&](ExpressionIndex at) {
      const bool is_partition = std::find(columns.begin(), columns.end(), tree.name(at)) != columns.end();
      is_found = is_found || is_partition || tree.name(at).starts_with("pythonUDF");
    });
  }
  return is_found;
}

std::string list_of(const std::vector<std::string>& columns) {
  std::string text;
  for (const std::string& column : columns) text += (text.empty() ? "" : ", ") + column;
  return text;
}

// Is this scan one of those that the rule is about? Then what its dates say is in `date`.
bool is_full(const PlanContext& context, Reporter& reporter, const Scan& scan, const Partitioning& partitioning,
             std::optional<DateFilter>& date) {
  if (partitioning.filters != nullptr) {
    if (!split_list(partitioning.filters->text).items.empty()) return false;
    if (!partitioning.filters->is_whole()) {
      reporter.want(scan.node(), *partitioning.filters);
      return false;
    }
  }
  if (is_inside(context.plan(), scan.id(), Link::CachedPlan)) return false;  // read when the cache was filled
  if (is_limited(context.plan(), scan.id())) return false;
  if (const PlanNode* filter = filter_above(context.plan(), scan.id())) {
    const auto filtered = FilteredScan::of(context, *filter);
    // A predicate over a partition column that did not prune is partition-filter-defeated's.
    if (!filtered || mentions_any(context, *filtered, partitioning.columns)) return false;
    date = date_filter(context, *filtered, partitioning.columns);
  }
  return true;
}

void check(const PlanContext& context, Reporter& reporter) {
  ScansOfTables told(reporter);
  for (const PlanNode& node : context.operators()) {
    const auto scan = Scan::of(context.plan(), node.id);
    if (!scan || scan->is_streaming()) continue;
    const auto partitioning = unpruned(context, *scan);
    std::optional<DateFilter> date;
    if (!partitioning || !is_full(context, reporter, *scan, *partitioning, date)) continue;
    const auto size = context.statistics().table_bytes(node.id);
    if (size && size->bytes.value <= context.options().bytes("small")) continue;

    const Measured* const log = context.statistics().measured();
    const double files = log == nullptr ? 0 : log->total(node.id, metrics::MetricKey::FilesRead).value_or(0);
    const bool has_many_files = files >= context.options().number("files");
    const bool is_large = has_many_files || (size && size->bytes.value >= context.options().bytes("large"));
    const std::string_view table = scan->display_name();
    std::string message = fmt::format(
        "every partition of {}{} is read: no predicate on {}", table.empty() ? std::string_view("the table") : table,
        size ? fmt::format(" ({}{})", format_size(size->bytes.value),
                           files > 0 ? fmt::format(" of {} files", count_text(files)) : "")
             : "",
        list_of(partitioning->columns));
    if (date) message += fmt::format("; the one on {} is inside the files and prunes none", date->column);
    Finding finding;
    finding.severity = is_large ? Severity::Warning : Severity::Info;
    finding.message = std::move(message);
    const std::string column = sql_column(partitioning->columns.front());
    finding.fix = date ? "add the same bound on the partition column, joined by AND: " + code(date->predicate)
                       : "add a predicate on a partition column: " +
                             code(fmt::format("WHERE {0} >= :first AND {0} <= :last", column));
    if (date) finding.reasons.emplace_back("date-filter-on-data-column");
    if (size) finding.evidence.push_back({"table", size->bytes.value, "bytes", size->bytes.source});
    if (files > 0) finding.evidence.push_back({"files", files, "count", EvidenceSource::Measured});
    told.add(*scan, std::move(finding));
  }
  told.report();
}

}  // namespace

extern constinit const Rule kFullPartitionScan{
    .info = {.code = "PV203",
             .name = "full-partition-scan",
             .severity = Severity::Info,
             .summary = "Every partition of a partitioned table is read.",
             .why = "Partitions exist to be skipped: a predicate on their column drops whole folders before a file "
                    "is opened. Without one the query grows with the table's history.",
             .fix = "Add a predicate on the partition column. Where a date or time inside the files is bounded, bound "
                    "the partition's day as well: Spark cannot know that they belong together.",
             .bad = R"(== Physical Plan ==
*(1) Project [id#1L]
+- *(1) Filter (isnotnull(qty#2) AND (qty#2 = 5))
   +- *(1) ColumnarToRow
      +- FileScan parquet shop.sales[id#1L,qty#2,dt#3] Batched: true, DataFilters: [isnotnull(qty#2), (qty#2 = 5)], Format: Parquet, Location: CatalogFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [IsNotNull(qty), EqualTo(qty,5)], ReadSchema: struct<id:bigint,qty:int>
)",
             .good = R"(== Physical Plan ==
*(1) Project [id#1L]
+- *(1) Filter (isnotnull(qty#2) AND (qty#2 = 5))
   +- *(1) ColumnarToRow
      +- FileScan parquet shop.sales[id#1L,qty#2,dt#3] Batched: true, DataFilters: [isnotnull(qty#2), (qty#2 = 5)], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales/dt=2024-01-05], PartitionFilters: [isnotnull(dt#3), (dt#3 = 2024-01-05)], PushedFilters: [IsNotNull(qty), EqualTo(qty,5)], ReadSchema: struct<id:bigint,qty:int>
)",
             .limits = "A warning needs the table's size: an event log, explain(\"cost\") or [tables] in planvet.toml. "
                       "Iceberg prints "
                       "no partition columns: silent unless they are declared. Delta skips files by statistics: "
                       "silent. Folders named by the query itself and limits are silent.",
             .options = kOptions},
    .check = check};

}  // namespace planvet::rules
