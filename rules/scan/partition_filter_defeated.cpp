#include <optional>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "analyzer/report/fix_parts.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/scan_filter.hpp"
#include "rules/unpushed_reason.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"small", "10 MiB", "measured: a scan that read no more than this is silent"},
};

// The first partition column that a predicate mentions, also through the arguments of a Python UDF.
std::optional<std::string> partition_column_in(const PlanContext& context, const FilteredScan& filtered,
                                               const ExpressionTree& tree, ExpressionIndex root,
                                               bool& has_data_column) {
  std::optional<std::string> column;
  const auto visit = [&](const ExpressionTree& in, ExpressionIndex at) {
    const std::string_view name = in.name(at);
    if (name.starts_with("pythonUDF")) return;
    if (!filtered.is_partition_column(name)) {
      has_data_column = true;
    } else if (!column) {
      column = std::string(name);
    }
  };
  tree.for_each_attribute(root, [&](ExpressionIndex at) {
    visit(tree, at);
    const std::string_view call = filtered.python_call(tree.expr_id(at));
    if (call.empty()) return;
    const ExpressionTree inner = context.parse(call);
    inner.for_each_attribute(inner.root(), [&](ExpressionIndex argument) {
      // The call's own result, `pyf(p#1)#5`, may be read as a column: its name holds the brackets.
      if (inner.name(argument).find('(') == std::string_view::npos) visit(inner, argument);
    });
    if (!column && filtered.partition_columns()) {
      for (const std::string_view known : *filtered.partition_columns()) {
        if (call.find(fmt::format("{}#", known)) != std::string_view::npos) column = std::string(known);
      }
    }
  });
  return column;
}

std::string fix_text(const std::string& column, std::string_view reason) {
  const std::string name = sql_column(column);
  if (reason == "or-with-data-column") {
    return fmt::format("put a predicate on {} outside the OR, joined by AND, for the partitions that can match: {}",
                       in_prose(name), code(name + " IN (:partitions)"));
  }
  if (reason == "data-column-comparison") {
    return fmt::format("add a predicate that compares {} with constants: {}", in_prose(name),
                       code(fmt::format("{0} >= :first AND {0} <= :last", name)));
  }
  if (reason == "non-deterministic") return fmt::format("compare {} with a constant", in_prose(name));
  return fmt::format("compare {} itself: replace the function by built-in ones over {} only, or put {} beside it",
                     in_prose(name), in_prose(name), code(name + " = :value"));
}

void check(const PlanContext& context, Reporter& reporter) {
  for (const PlanNode& node : context.operators()) {
    if (node.kind != OperatorKind::Filter) continue;
    const Attribute* condition = context.plan().find(node.id, AttributeKind::Condition);
    if (condition == nullptr || has_null_tests_only(condition->text)) continue;
    const auto filtered = FilteredScan::of(context, node);
    if (!filtered || !filtered->partition_columns() || filtered->partition_columns()->empty()) continue;
    if (!condition->is_whole()) {
      reporter.want(node, *condition);
      continue;
    }
    const auto read = context.statistics().table_bytes(filtered->scan().id());
    const bool is_tiny =
        read && read->bytes.source == EvidenceSource::Measured && read->bytes.value <= context.options().bytes("small");
    if (is_tiny) continue;
    const ExpressionTree tree = context.parse(condition->text);
    for (const ExpressionIndex conjunct : tree.conjuncts(tree.root())) {
      if (is_sparks_own(tree, conjunct) || tree.contains_opaque(conjunct)) continue;
      bool has_data_column = false;
      const auto column = partition_column_in(context, *filtered, tree, conjunct, has_data_column);
      if (!column) continue;
      const Answer pushed = filtered->is_pushed(tree, conjunct);
      if (pushed == Answer::Unknown && filtered->cut_list() != nullptr) {
        reporter.want(filtered->scan().node(), *filtered->cut_list());
      }
      if (pushed != Answer::No) continue;
      const bool is_or = tree.op(conjunct) == ExpressionOperator::Or;
      // Spark derives what it can from an OR: (p = 1 AND n = 2) OR (p = 3 AND ..) prunes by (p = 1 OR p = 3).
      if (is_or && filtered->is_partition_pruned_by(*column)) continue;

      const Unpushed unpushed = why_unpushed(*filtered, tree, conjunct);
      const UnpushedReason why = unpushed.reason;
      std::string_view reason;
      std::string because;
      if (why == UnpushedReason::PythonUdf || why == UnpushedReason::Udf || why == UnpushedReason::NonDeterministic) {
        reason = slug(why);
        because = unpushed.because;
      } else if (is_or && has_data_column) {
        reason = "or-with-data-column";
        because = "the OR also tests a column inside the files";
      } else if (has_data_column) {
        reason = "data-column-comparison";
        because = "it compares the partition with a column inside the files";
      } else {
        continue;  // any deterministic expression over partition columns prunes
      }
      const std::string_view table = filtered->scan().display_name();
      Finding& finding =
          reporter.report_fact(node, tree.text(conjunct), Severity::Warning,
                               fmt::format("{} mentions the partition column {} and prunes no partition of {}: {}",
                                           filtered->readable(tree, conjunct), *column,
                                           table.empty() ? std::string_view("the scan") : table, because));
      finding.fix = fix_text(*column, reason);
      finding.reasons.emplace_back(reason);
      if (read) finding.evidence.push_back({"read", read->bytes.value, "bytes", read->bytes.source});
    }
  }
}

}  // namespace

extern constinit const Rule kPartitionFilterDefeated{
    .info = {.code = "PV202",
             .name = "partition-filter-defeated",
             .severity = Severity::Warning,
             .summary = "A predicate mentions a partition column and prunes nothing.",
             .why =
                 "Partitions are skipped before a file is opened, by predicates over partition columns alone. A UDF, a "
                 "comparison with a column inside the files, or an OR with one can only be tested on rows: every "
                 "partition is read.",
             .fix = "Compare the partition column itself with constants, joined by AND. Any deterministic built-in "
                    "expression over partition columns only still prunes.",
             .bad = R"(== Physical Plan ==
*(1) Filter ((dt#3 = 2024-01-05) OR (qty#2 = 5))
+- *(1) ColumnarToRow
   +- FileScan parquet shop.sales[id#1L,qty#2,dt#3] Batched: true, DataFilters: [((dt#3 = 2024-01-05) OR (qty#2 = 5))], Format: Parquet, Location: CatalogFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint,qty:int>
)",
             .good = R"(== Physical Plan ==
*(1) Filter (isnotnull(qty#2) AND (qty#2 = 5))
+- *(1) ColumnarToRow
   +- FileScan parquet shop.sales[id#1L,qty#2,dt#3] Batched: true, DataFilters: [isnotnull(qty#2), (qty#2 = 5)], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales/dt=2024-01-05], PartitionFilters: [isnotnull(dt#3), (year(dt#3) = 2024)], PushedFilters: [IsNotNull(qty), EqualTo(qty,5)], ReadSchema: struct<id:bigint,qty:int>
)",
             .limits =
                 "Partition columns are Output minus ReadSchema, Hive's `Partition Cols`, or declared in planvet.toml "
                 "([tables.\"db.t\"] partition-columns). Iceberg prints neither: silent unless declared.",
             .options = kOptions},
    .check = check};

}  // namespace planvet::rules
