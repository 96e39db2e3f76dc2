#include <array>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "analyzer/plan/expression_list.hpp"
#include "analyzer/plan/walk.hpp"
#include "analyzer/report/fix_parts.hpp"
#include "rules/input_rows.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/shuffle_calls.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {{"small-rows", "1000", "a sort of at most so many rows is no problem"}};

// Values that depend on which row comes when: there the order was used before it is lost.
bool uses_order(const PlanTree& plan, NodeId id) {
  constexpr auto kFunctions = std::to_array<std::string_view>(
      {"monotonically_increasing_id(", "spark_partition_id(", "rand(", "randn(", "uuid(", "UDF("});
  for (const AttributeKind kind : {AttributeKind::ProjectList, AttributeKind::Condition}) {
    const Attribute* attribute = plan.find(id, kind);
    if (attribute == nullptr) continue;
    if (!attribute->is_whole()) return true;
    for (const std::string_view function : kFunctions) {
      if (attribute->text.find(function) != std::string_view::npos) return true;
    }
  }
  return false;
}

// The sorts whose rows come to the exchange with nothing between that wants their order.
std::vector<NodeId> sorts_below(const PlanTree& plan, NodeId exchange) {
  std::vector<NodeId> sorts;
  std::vector<NodeId> open = plan.inputs(exchange);
  while (!open.empty()) {
    const NodeId at = open.back();
    open.pop_back();
    const PlanNode& node = plan.node(at);
    switch (family(node.kind)) {
      case OperatorFamily::Sort: sorts.push_back(at); continue;
      case OperatorFamily::Project:
      case OperatorFamily::Filter:
        if (uses_order(plan, at)) continue;
        break;
      case OperatorFamily::Generate:
      case OperatorFamily::Union: break;
      default:
        if (!is_structural(node.kind)) continue;
    }
    for (const NodeId input : plan.inputs(at)) open.push_back(input);
  }
  return sorts;
}

std::string fix_text(const Exchange& exchange, const ItemList& order) {
  const std::string columns = order.is_truncated ? std::string() : python_columns(order.items);
  const std::string call = repartition_call(exchange);
  if (exchange.is_users() && !columns.empty() && !call.empty()) {
    return fmt::format("sort after the shuffle: {}", code(fmt::format("{}.sortWithinPartitions({})", call, columns)));
  }
  if (exchange.is_users()) return "sort after the repartition, within its partitions, or drop the sort";
  return fmt::format("drop the sort{}: only the last one of a query orders its result",
                     columns.empty() ? std::string() : fmt::format(" {}", code(fmt::format(".orderBy({})", columns))));
}

void check(const PlanContext& context, Reporter& reporter) {
  const PlanTree& plan = context.plan();
  for (const NodeId id : context.exchanges().shuffles) {
    for (const NodeId sort : sorts_below(plan, id)) {
      if (has_always_at_most(context, sort, context.options().number("small-rows"))) continue;
      const auto exchange = Exchange::of(plan, id);
      const Attribute* order = plan.find(sort, AttributeKind::SortOrder);
      const ItemList keys = order == nullptr ? ItemList{} : split_list(order->text);
      const Attribute* is_global = plan.find(sort, AttributeKind::IsGlobal);
      Partitioning as_sorted;
      as_sorted.kind = PartitioningKind::Range;
      as_sorted.keys = keys.items;
      Finding& finding =
          reporter.report(plan.node(sort), Severity::Warning,
                          fmt::format("the {}sort {} is lost: the next shuffle, {}, mixes the rows again",
                                      is_global != nullptr && is_global->text == "true" ? "global " : "",
                                      keys.items.empty() ? std::string("of its rows") : partitioning_text(as_sorted),
                                      partitioning_text(partitioning_of(*exchange))));
      finding.fix = fix_text(*exchange, keys);
      finding.also_about.push_back(id);
      if (const auto rows = shuffled_rows(context, id)) {
        finding.evidence.push_back({"sorted rows", rows->value, "rows", rows->source});
      }
    }
  }
}

}  // namespace

extern constinit const Rule kLostSort{
    .info = {.code = "PV308",
             .name = "lost-sort",
             .severity = Severity::Warning,
             .summary = "Rows are sorted, and the next shuffle mixes them again.",
             .why = "A sort keeps its order only up to the next shuffle. The sort, and for a global one the shuffle by "
                    "ranges before it, is work without a result, and files that were meant to be sorted are not.",
             .fix = "Sort after the last shuffle: repartition first, then sortWithinPartitions; or drop the sort.",
             .bad = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- Exchange RoundRobinPartitioning(10), REPARTITION_BY_COL, [plan_id=13]
   +- Sort [day#3 ASC NULLS FIRST], true, 0
      +- Exchange rangepartitioning(day#3 ASC NULLS FIRST, 200), ENSURE_REQUIREMENTS, [plan_id=10]
         +- FileScan parquet shop.sales[id#1L,day#3] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint,day:date>
)",
             .good = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- Sort [day#3 ASC NULLS FIRST], false, 0
   +- Exchange RoundRobinPartitioning(10), REPARTITION_BY_COL, [plan_id=13]
      +- FileScan parquet shop.sales[id#1L,day#3] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint,day:date>
)",
             .limits = "A sort that an operator before the shuffle uses (merge join, window, sort aggregate, limit, a "
                       "function of the row order) is none. Sorts that the optimizer removed are not in the plan.",
             .options = kOptions},
    .check = check};

}  // namespace planvet::rules
