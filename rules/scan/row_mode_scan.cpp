#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "analyzer/facts/facts.hpp"
#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/scan_location.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"large", "1 GiB", "a read of this size or more is a warning"},
    {"small", "10 MiB", "a table known to be at most this large is silent"},
};

constexpr std::string_view kMaxFieldsKey = "spark.sql.codegen.maxFields";
constexpr double kDefaultMaxFields = 100;

std::string_view format_word(const Scan& scan) { return scan.source() == ScanSource::Orc ? "orc" : "parquet"; }

// Spark counts leaves: struct<a:int,b:struct<c:int>> has two, array<int> one, map<string,int> two. In a schema each leaf
// is followed by `,` or `>`.
std::size_t leaves(std::string_view schema) {
  std::size_t count = 0;
  std::size_t brackets = 0;  // of decimal(10,2)
  char before = '<';
  for (const char c : schema) {
    if (c == '(') ++brackets;
    if (c == ')' && brackets > 0) --brackets;
    if (brackets == 0 && (c == ',' || c == '>') && before != '>') ++count;
    before = c;
  }
  return count;
}

struct Columns {
  std::size_t count = 0;
  bool is_at_least = false;  // the schema was cut: only top-level columns are counted
  bool has_nested = false;
};

std::optional<Columns> columns_of(const Scan& scan) {
  const Attribute* schema = scan.find(AttributeKind::ReadSchema);
  Columns columns;
  if (schema != nullptr) {
    for (const std::string_view nested : {":array<", ":map<", ":struct<"}) {
      columns.has_nested = columns.has_nested || schema->text.find(nested) != std::string_view::npos;
    }
  }
  const auto partitions = scan.partition_columns();
  if (schema != nullptr && schema->is_whole()) {
    columns.count = leaves(schema->text) + (partitions ? partitions->size() : 0);
    return columns;
  }
  const ItemList output = scan.output();
  if (output.items.empty()) return std::nullopt;
  columns.count = output.items.size() + output.missing;
  columns.is_at_least = true;
  return columns;
}

struct Reason {
  std::string_view slug;
  std::string text;
  std::string fix;
};

Reason reason_of(const PlanContext& context, const Scan& scan, const Columns& columns) {
  const std::string_view format = format_word(scan);
  const double most = context.facts().conf_number(kMaxFieldsKey).value_or(kDefaultMaxFields);
  if (static_cast<double>(columns.count) > most) {
    return {"many-columns", fmt::format("{} columns are more than {} = {:.0f}", columns.count, kMaxFieldsKey, most),
            fmt::format("select the columns that are needed, or `SET {}={:.0f}`", kMaxFieldsKey,
                        std::ceil((static_cast<double>(columns.count) + 1) / 100) * 100)};
  }
  const std::string nested_key = fmt::format("spark.sql.{}.enableNestedColumnVectorizedReader", format);
  const auto nested = context.facts().conf_flag(nested_key);
  const std::string reader_key = fmt::format("spark.sql.{}.enableVectorizedReader", format);
  const auto is_off = [&](std::string_view key) {
    return context.facts().is_conf_set(key) && context.facts().conf_flag(key) == false;
  };
  const bool is_before_nested = context.facts().is_before(3, 4) && !context.facts().is_conf_set(nested_key);
  if (columns.has_nested && (nested == false || is_before_nested)) {
    return {"nested-columns", "arrays, maps or structs are read", fmt::format("`SET {}=true`", nested_key)};
  }
  if (is_off("spark.sql.codegen.wholeStage")) {
    return {"codegen-off", "whole-stage code generation is switched off", "`SET spark.sql.codegen.wholeStage=true`"};
  }
  if (is_off(reader_key)) {
    return {"vectorized-reader-off", fmt::format("{} is false", reader_key), fmt::format("`SET {}=true`", reader_key)};
  }
  const std::string switched = fmt::format("{} or spark.sql.codegen.wholeStage is false", reader_key);
  return {"unknown",
          columns.has_nested ? fmt::format("arrays, maps or structs are read by Spark 3.3 or older, or {}", switched)
                             : switched,
          columns.has_nested ? fmt::format("`SET {}=true`, `SET {}=true`", nested_key, reader_key)
                             : fmt::format("`SET {}=true`, `SET spark.sql.codegen.wholeStage=true`", reader_key)};
}

// A plan that has not run leaves transitions out.
bool shows_transitions(const PlanContext& context) {
  for (const PlanNode& node : context.operators()) {
    if (node.kind != OperatorKind::AdaptiveSparkPlan) continue;
    const Attribute* flag = context.plan().find(node.id, AttributeKind::IsFinalPlan);
    return flag != nullptr && flag->text == "true";
  }
  return true;
}

// Rows go up to a Spark operator, and nothing turns batches into them.
bool is_read_in_rows(const PlanContext& context, const Scan& scan) {
  const PlanNode& node = scan.node();
  if (node.kind == OperatorKind::FileSourceScan) {
    const Attribute* batched = scan.find(AttributeKind::Batched);
    return batched != nullptr && batched->text == "false";
  }
  if (node.kind != OperatorKind::BatchScan || node.engine != Engine::Spark || !shows_transitions(context)) return false;
  const PlanTree& plan = context.plan();
  NodeId above = node.parent;
  while (above != kNoNode && (plan.node(above).kind == OperatorKind::InputAdapter ||
                              plan.node(above).kind == OperatorKind::WholeStageCodegen)) {
    above = plan.node(above).parent;
  }
  if (above == kNoNode) return false;
  switch (family(plan.node(above).kind)) {
    case OperatorFamily::Filter:
    case OperatorFamily::Project:
    case OperatorFamily::Aggregate:
    case OperatorFamily::Exchange:
    case OperatorFamily::Sort:
    case OperatorFamily::Join: return plan.node(above).engine == Engine::Spark;
    default: return false;  // ColumnarToRow, Python by Arrow, caches, other engines take batches
  }
}

void check(const PlanContext& context, Reporter& reporter) {
  for (const PlanNode& node : context.operators()) {
    const auto scan = Scan::of(context.plan(), node.id);
    if (!scan || (scan->source() != ScanSource::Parquet && scan->source() != ScanSource::Orc)) continue;
    if (!is_read_in_rows(context, *scan)) continue;
    const auto size = context.statistics().table_bytes(node.id);
    if (size && size->bytes.value <= context.options().bytes("small")) continue;
    const auto columns = columns_of(*scan);
    if (!columns) continue;
    const Reason reason = reason_of(context, *scan, *columns);
    const auto location = ScanLocation::of(*scan);
    if (reason.slug == "unknown" && location && location->index.starts_with("Hoodie")) continue;  // merges logs by rows
    if (reason.slug == "unknown" && columns->is_at_least) {
      if (const Attribute* schema = scan->find(AttributeKind::ReadSchema)) reporter.want(node, *schema);
    }

    const bool is_large = size && size->bytes.value * size->column_share >= context.options().bytes("large");
    const std::string_view table = scan->display_name();
    Finding& finding =
        reporter.report(node, is_large ? Severity::Warning : Severity::Info,
                        fmt::format("{} of {} is read row by row, not in batches: {}", name(scan->source()),
                                    table.empty() ? std::string_view("files") : table, reason.text));
    finding.fix = reason.fix;
    finding.reasons.emplace_back(reason.slug);
    if (size) finding.evidence.push_back({"table", size->bytes.value, "bytes", size->bytes.source});
    if (reason.slug == "many-columns") {
      // The operators above, up to the next shuffle, have too many fields for generated code as well.
      for (NodeId above = above_structure(context.plan(), node.id);
           above != kNoNode && family(context.plan().node(above).kind) != OperatorFamily::Exchange;
           above = above_structure(context.plan(), above)) {
        finding.also_about.push_back(above);
      }
    }
  }
}

}  // namespace

extern constinit const Rule kRowModeScan{
    .info = {.code = "PV208",
             .name = "row-mode-scan",
             .severity = Severity::Info,
             .summary = "Parquet or ORC is read row by row instead of in column batches.",
             .why = "The vectorised readers decode thousands of values of a column at once. Without them each row is "
                    "put together value by value, several times slower.",
             .fix = "Read fewer columns, raise spark.sql.codegen.maxFields, or switch the reader back on.",
             .bad = R"(== Physical Plan ==
*(1) Filter (isnotnull(qty#2) AND (qty#2 = 5))
+- *(1) FileScan parquet shop.sales[id#1L,qty#2] Batched: false, DataFilters: [isnotnull(qty#2), (qty#2 = 5)], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [IsNotNull(qty), EqualTo(qty,5)], ReadSchema: struct<id:bigint,qty:int>
)",
             .good = R"(== Physical Plan ==
*(1) Filter (isnotnull(qty#2) AND (qty#2 = 5))
+- *(1) ColumnarToRow
   +- FileScan parquet shop.sales[id#1L,qty#2] Batched: true, DataFilters: [isnotnull(qty#2), (qty#2 = 5)], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [IsNotNull(qty), EqualTo(qty,5)], ReadSchema: struct<id:bigint,qty:int>
)",
             .limits = "Text formats are always read in rows: text-format-scan. V2 scans print no `Batched`: a missing "
                       "ColumnarToRow above them is the sign, which a plan that has not run does not show.",
             .options = kOptions},
    .check = check};

}  // namespace planvet::rules
