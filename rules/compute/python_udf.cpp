#include <optional>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "analyzer/plan/views.hpp"
#include "rules/input_rows.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"small-rows", "1000", "so few rows may go through Python"},
};

constexpr std::string_view kPlainThroughArrow = "101";

enum class Way { RowByRow, PlainThroughArrow, Pandas };

std::optional<Way> way_of(const PlanTree& plan, const PlanNode& node) {
  switch (node.kind) {
    case OperatorKind::BatchEvalPython: return Way::RowByRow;
    case OperatorKind::ArrowEvalPython: {
      const Attribute* type = plan.find(node.id, AttributeKind::EvalType);
      return type != nullptr && type->text == kPlainThroughArrow ? Way::PlainThroughArrow : Way::Pandas;
    }
    case OperatorKind::MapInPandas:
    case OperatorKind::MapInArrow:
    case OperatorKind::FlatMapGroupsInPandas:
    case OperatorKind::FlatMapGroupsInArrow:
    case OperatorKind::FlatMapCoGroupsInPandas:
    case OperatorKind::FlatMapCoGroupsInArrow:
    case OperatorKind::ArrowAggregatePython:
    case OperatorKind::ArrowWindowPython: return Way::Pandas;
    default: return std::nullopt;
  }
}

struct Functions {
  std::string calls;  // "shout(name), is_small(price)"
  std::string first;  // "shout"; empty for a lambda, and where it is not printed
};

Functions functions_of(const PlanContext& context, const PlanNode& node) {
  Functions result;
  constexpr AttributeKind kKinds[] = {AttributeKind::Functions, AttributeKind::PythonFunction,
                                      AttributeKind::WindowExpressions};
  for (const AttributeKind kind : kKinds) {
    const Attribute* attribute = context.plan().find(node.id, kind);
    if (attribute == nullptr) continue;
    ItemList list = split_list(attribute->text);
    if (kind == AttributeKind::PythonFunction) list.items = {attribute->text};
    if (list.items.empty()) continue;
    for (std::string_view& item : list.items) item = item.substr(0, item.find(" windowspecdefinition("));
    result.calls = plain_list(list, 2);
    const std::string_view name = list.items.front().substr(0, list.items.front().find('('));
    if (sql_column(name) == name) result.first = name;
    return result;
  }
  return result;
}

std::string fix_text(const PlanContext& context, Way way, const Functions& functions) {
  const std::string_view name = functions.first.empty() ? std::string_view("function") : functions.first;
  std::string fix = "use built-in functions where there are some";
  if (way != Way::RowByRow) return fix + ": they run in the JVM, inside of the generated code";
  if (context.facts().is_before(3, 5)) {
    return fmt::format("{}, else whole columns at a time: `pandas_udf({}, returnType)`", fix, name);
  }
  return fmt::format(
      "{}, else send the rows in batches{}: `udf({}, returnType, useArrow=True)`, or "
      "`spark.conf.set(\"spark.sql.execution.pythonUDF.arrow.enabled\", \"true\")` before the function is "
      "made",
      fix, context.facts().is_at_least(3, 5) ? "" : " (from Spark 3.5 on)", name);
}

void check(const PlanContext& context, Reporter& reporter) {
  const PlanTree& plan = context.plan();
  for (const PlanNode& node : context.operators()) {
    const auto way = way_of(plan, node);
    if (!way) continue;
    const NodeId input = plan.input(node.id);
    const double small = context.options().number("small-rows");
    if (has_at_most(context, input, small) || is_cut_by_limit(context, node.id, small)) continue;

    const Functions functions = functions_of(context, node);
    const std::string_view table = table_read_by(plan, input);
    const auto rows = rows_if_at_least(context, input, 0);
    Finding& finding =
        reporter.report(node, *way == Way::RowByRow ? Severity::Warning : Severity::Info,
                        fmt::format("{}: {}{} go to a Python worker and back, {}",
                                    functions.calls.empty() ? std::string("a Python function") : functions.calls,
                                    rows ? count_text(rows->value) + " rows" : std::string("all rows"),
                                    table.empty() ? "" : fmt::format(" of {}", table),
                                    *way == Way::RowByRow ? "pickled and called one by one" : "in Arrow batches"));
    finding.fix = fix_text(context, *way, functions);
    if (rows) finding.evidence.push_back(rows_evidence("rows sent to Python", *rows));
    if (const Measured* const log = context.statistics().measured()) {
      if (const auto sent = log->total(node.id, metrics::MetricKey::PythonBytesSent)) {
        finding.evidence.push_back({"sent to Python", *sent, "bytes", EvidenceSource::Measured});
      }
      if (const auto time = log->total(node.id, metrics::MetricKey::PythonRunTime)) {
        finding.evidence.push_back({"time of Python workers", *time, "ms", EvidenceSource::Measured});
      }
    }
    finding.reasons.emplace_back(*way == Way::RowByRow            ? "row-by-row"
                                 : *way == Way::PlainThroughArrow ? "plain-through-arrow"
                                                                  : "pandas");
  }
}

}  // namespace

extern constinit const Rule kPythonUdf{
    .info =
        {.code = "PV406",
         .name = "python-udf",
         .severity = Severity::Warning,
         .summary = "Rows leave the JVM for a Python function, one by one or in batches.",
         .why =
             "Every value is serialised, sent to a Python process, computed by the interpreter and sent back. Measured "
             "on 500,000 rows: a built-in function 0.07 s, a pandas function 0.20 s, a plain one through Arrow 0.30 s, "
             "and row by row 0.62 s.",
         .fix = "Use built-in functions. Where there is none, let Arrow carry the rows: useArrow=True (from 3.5), or "
                "pandas_udf.",
         .bad = R"(== Physical Plan ==
*(2) Project [id#1L, pythonUDF0#9 AS loud#8]
+- BatchEvalPython [shout(name#2)#7], [pythonUDF0#9]
   +- *(1) ColumnarToRow
      +- FileScan parquet shop.customers[id#1L,name#2] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/customers], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint,name:string>
)",
         .good = R"(== Physical Plan ==
*(1) Project [id#1L, upper(name#2) AS loud#8]
+- *(1) ColumnarToRow
   +- FileScan parquet shop.customers[id#1L,name#2] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/customers], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint,name:string>
)",
         .limits =
             "Arrow and pandas are info. Table functions and stateful functions have no other form and are silent; a "
             "function in a predicate is udf-in-predicate's.",
         .options = kOptions},
    .check = check};

}  // namespace planvet::rules
