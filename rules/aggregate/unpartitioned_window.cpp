#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"
#include "analyzer/report/fix_parts.hpp"
#include "rules/input_rows.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"min-rows", "100000", "fewer rows are no work for one task; a warning from here on, or where nobody knows"},
};

// The specification of one window expression, as far as it was printed.
struct Specification {
  bool is_known = false;
  bool is_partitioned = false;
  bool is_ordered = false;
  std::string order;  // "sold_at DESC"; empty also where Spark gave the expression a name of its own
};

std::string order_text(const ExpressionTree& tree, ExpressionIndex order) {
  const ExpressionIndex child = tree.child(order, 0);
  // `_w0`: an expression that Spark computes below and gives a name of its own.
  if (tree.kind(child) == ExpressionKind::Attribute && tree.name(child).starts_with("_w")) return {};
  const std::string column =
      tree.kind(child) == ExpressionKind::Attribute ? sql_column(tree.name(child)) : plain(tree.text(child), 60);
  return column + (tree.has(order, ExpressionFlag::Descending) ? " DESC" : "");
}

Specification specification_of(const ExpressionTree& tree) {
  Specification result;
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    const ExpressionIndex at{i};
    if (tree.kind(at) != ExpressionKind::WindowSpecification) continue;
    result.is_known = true;
    for (const ExpressionIndex part : tree.children(at)) {
      if (tree.kind(part) == ExpressionKind::SortOrder) {
        result.is_ordered = true;
        const std::string order = order_text(tree, part);
        if (!order.empty()) result.order += (result.order.empty() ? "" : ", ") + order;
      } else if (tree.function_name(part) != "specifiedwindowframe") {
        result.is_partitioned = true;
      }
    }
    return result;
  }
  return result;
}

struct Spec {
  std::string function;  // "row_number"
  std::string argument;  // "qty" of sum(qty)
  bool is_ordered = false;
  std::string order;
};

// Nothing: partitioned, or not told.
std::optional<Spec> unpartitioned(const PlanContext& context, const PlanNode& node, Reporter& reporter) {
  const Attribute* partitions = context.plan().find(node.id, AttributeKind::PartitionSpec);
  if (partitions != nullptr && partitions->text != "[]") return std::nullopt;
  const Attribute* expressions = context.plan().find(node.id, AttributeKind::WindowExpressions);
  if (expressions == nullptr) return std::nullopt;
  const ItemList list = split_list(expressions->text);
  if (list.items.empty()) return std::nullopt;
  const ExpressionTree tree = context.parse(list.items.front());
  const Specification specification = tree.empty() ? Specification{} : specification_of(tree);
  if (specification.is_partitioned) return std::nullopt;
  if (!specification.is_known || tree.contains_opaque(tree.root())) {
    if (!expressions->is_whole()) reporter.want(node, *expressions);
    return std::nullopt;
  }
  Spec spec;
  spec.is_ordered = specification.is_ordered;
  spec.order = specification.order;
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    const ExpressionIndex at{i};
    if (tree.kind(at) != ExpressionKind::WindowExpression) continue;
    const ExpressionIndex call = tree.child(at, 0);
    spec.function = tree.function_name(call);
    const ExpressionIndex argument = tree.kind(call) == ExpressionKind::Call ? tree.child(call, 0) : kNoExpression;
    if (argument != kNoExpression && tree.kind(argument) == ExpressionKind::Attribute) {
      spec.argument = sql_column(tree.name(argument));
    }
    break;
  }
  return spec;
}

struct Below {
  bool is_limited_in_groups = false;  // WindowGroupLimit: each task passes on its first ranks only
  NodeId aggregate = kNoNode;         // with keys: nobody says how many groups
};

// What feeds the window, through what keeps the number of rows or lowers it.
Below look_below(const PlanTree& plan, NodeId window) {
  Below below;
  for (NodeId at = plan.input(window); at != kNoNode; at = plan.input(at)) {
    const OperatorKind kind = plan.node(at).kind;
    if (kind == OperatorKind::WindowGroupLimit) below.is_limited_in_groups = true;
    const OperatorFamily what = family(kind);
    if (what == OperatorFamily::Aggregate) {
      below.aggregate = at;
      return below;
    }
    const bool is_passed = what == OperatorFamily::Project || what == OperatorFamily::Filter ||
                           what == OperatorFamily::Sort || what == OperatorFamily::Exchange ||
                           what == OperatorFamily::Window || is_structural(kind);
    if (!is_passed) return below;
  }
  return below;
}

// The exchange that brings all rows into one task.
NodeId exchange_below(const PlanTree& plan, NodeId window) {
  for (NodeId at = plan.input(window); at != kNoNode; at = plan.input(at)) {
    const OperatorKind kind = plan.node(at).kind;
    if (Exchange::of(plan, at)) return at;
    const OperatorFamily what = family(kind);
    const bool is_passed = what == OperatorFamily::Project || what == OperatorFamily::Filter ||
                           what == OperatorFamily::Sort || what == OperatorFamily::Window || is_structural(kind);
    if (!is_passed) return kNoNode;
  }
  return kNoNode;
}

std::string fix_text(const Spec& spec, std::string_view table, bool is_grouped) {
  if (!spec.is_ordered && !spec.argument.empty() && !table.empty() && !is_grouped) {
    return "compute it once and join the one row: " +
           code(fmt::format("CROSS JOIN (SELECT {}({}) AS total FROM {}) AS totals", spec.function, spec.argument,
                            table));
  }
  if (!spec.is_ordered) {
    return "compute it once by an aggregate without keys, and join the one row that it gives by CROSS JOIN";
  }
  std::string fix;
  const bool is_of_columns = spec.order.find('(') == std::string::npos;  // what Spark prints of others is no SQL
  if (spec.function == "row_number" && !spec.order.empty() && is_of_columns && !is_grouped) {
    fix = fmt::format("for unique ids: `monotonically_increasing_id()`; for the first rows: {}; else ",
                      code(fmt::format("ORDER BY {} LIMIT 100", spec.order)));
  }
  fix += is_grouped ? "with more than a few thousand groups, " : "";
  return fix + "give the window a column that splits the rows, such as a day or a region, in PARTITION BY";
}

void check(const PlanContext& context, Reporter& reporter) {
  const PlanTree& plan = context.plan();
  const double least = context.options().number("min-rows");
  std::vector<bool> is_told(plan.size(), false);
  for (const PlanNode& node : context.operators()) {
    if (node.kind != OperatorKind::Window && node.kind != OperatorKind::ArrowWindowPython) continue;
    if (is_told[index(node.id)]) continue;
    const auto spec = unpartitioned(context, node, reporter);
    if (!spec) continue;
    const NodeId input = plan.input(node.id);
    if (has_at_most(context, input, least - 1)) continue;
    const Below below = look_below(plan, node.id);
    if (below.is_limited_in_groups) continue;

    const auto rows = rows_if_at_least(context, input, least);
    const bool is_grouped = below.aggregate != kNoNode;
    const std::string_view table = only_table(plan, node.id);
    Finding& finding =
        reporter.report(node, is_grouped && !rows ? Severity::Info : Severity::Warning,
                        fmt::format("{} over all {}{}{} has no PARTITION BY: one task {} and reads them all",
                                    spec->function.empty() ? std::string("a window") : spec->function + "()",
                                    is_grouped ? "groups" : "rows", table.empty() ? "" : fmt::format(" of {}", table),
                                    rows ? " (" + count_text(rows->value) + ")" : "",
                                    !spec->is_ordered     ? "collects"
                                    : spec->order.empty() ? "sorts"
                                                          : fmt::format("sorts them by {}", spec->order)));
    finding.fix = fix_text(*spec, node.kind == OperatorKind::Window ? table : std::string_view{}, is_grouped);
    if (rows) finding.evidence.push_back(rows_evidence("rows of the window", *rows));
    if (const NodeId exchange = exchange_below(plan, node.id); exchange != kNoNode)
      finding.also_about.push_back(exchange);
    // Further windows over the same rows, in the same task: one cause.
    for (NodeId at = input; at != kNoNode && plan.node(at).kind != OperatorKind::ShuffleExchange; at = plan.input(at)) {
      const PlanNode& other = plan.node(at);
      if ((other.kind != OperatorKind::Window && other.kind != OperatorKind::ArrowWindowPython) ||
          !unpartitioned(context, other, reporter)) {
        continue;
      }
      is_told[index(at)] = true;
      finding.related.push_back({at, other.name_span, "another window without PARTITION BY, in the same task"});
    }
  }
}

}  // namespace

extern constinit const Rule kUnpartitionedWindow{
    .info =
        {.code = "PV402",
         .name = "unpartitioned-window",
         .severity = Severity::Warning,
         .summary = "A window without PARTITION BY brings all rows into one task.",
         .why =
             "Every row has to see the same window, so Spark shuffles everything into a single partition and one core "
             "sorts and reads it, while the rest of the cluster waits. It often ends in a spill or a lost executor.",
         .fix = "Add PARTITION BY. A total over all rows is an aggregate that can be joined; an id for each row is "
                "monotonically_increasing_id(); the first rows are ORDER BY .. LIMIT.",
         .bad = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- Window [sum(qty#3) windowspecdefinition(sold_at#4 ASC NULLS FIRST, specifiedwindowframe(RowFrame, unboundedpreceding$(), currentrow$())) AS total#9L], [sold_at#4 ASC NULLS FIRST]
   +- Sort [sold_at#4 ASC NULLS FIRST], false, 0
      +- Exchange SinglePartition, ENSURE_REQUIREMENTS, [plan_id=20]
         +- FileScan parquet shop.sales[store#2,qty#3,sold_at#4] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<store:int,qty:int,sold_at:timestamp>
)",
         .good = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- Window [sum(qty#3) windowspecdefinition(store#2, sold_at#4 ASC NULLS FIRST, specifiedwindowframe(RowFrame, unboundedpreceding$(), currentrow$())) AS total#9L], [store#2], [sold_at#4 ASC NULLS FIRST]
   +- Sort [store#2 ASC NULLS FIRST, sold_at#4 ASC NULLS FIRST], false, 0
      +- Exchange hashpartitioning(store#2, 200), ENSURE_REQUIREMENTS, [plan_id=20]
         +- FileScan parquet shop.sales[store#2,qty#3,sold_at#4] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<store:int,qty:int,sold_at:timestamp>
)",
         .limits =
             "Silent after a limit, on rows that are known to be few, and where only the first ranks are kept. Above "
             "an aggregate of unknown size it is info.",
         .options = kOptions},
    .check = check};

}  // namespace planvet::rules
