#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"
#include "analyzer/report/fix_parts.hpp"
#include "rules/computed_columns.hpp"
#include "rules/input_rows.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"warning-rows", "10000000",
     "rows into the aggregate from which on it is a warning, and one of objects that fell back is reported"},
    {"small-rows", "1000", "so few rows are sorted in no time"},
};

constexpr std::string_view kModes[] = {"partial_merge_", "partial_", "merge_"};

std::string_view without_mode(std::string_view function) {
  for (const std::string_view mode : kModes) {
    if (function.starts_with(mode)) return function.substr(mode.size());
  }
  return function;
}

// Keeps one of the values that it saw, so that its buffer is as wide as they are.
bool keeps_a_value(std::string_view function) {
  for (const std::string_view name :
       {"max", "min", "first", "last", "any_value", "first_value", "last_value", "max_by", "min_by"}) {
    if (function == name) return true;
  }
  return false;
}

struct Forcing {
  std::string function;  // "max"
  std::string argument;  // "note", "date_format(sold_at, yyyy)"
  std::string call;      // "max(note)"
  std::string inner;     // of a cast or date_format: the value that was made text
  std::string_view type;
  bool is_column = false;
  bool is_number_as_text = false;
  bool is_proven = false;
};

// The function because of which the buffer has no fixed width. One whose type nobody knows counts only if there is none
// that is known to be the cause.
std::optional<Forcing> forcing_function(const PlanContext& context, const ComputedColumns& columns,
                                        const ItemList& list) {
  std::optional<Forcing> found;
  for (const std::string_view item : list.items) {
    const ExpressionTree tree = context.parse(item);
    if (tree.empty()) continue;
    ExpressionIndex call = tree.below_alias(tree.root());
    if (tree.kind(call) == ExpressionKind::FilterClause) call = tree.child(call, 0);
    if (tree.kind(call) != ExpressionKind::Call) continue;
    const std::string_view function = without_mode(tree.function_name(call));
    const bool is_bitmap = function == "bitmap_construct_agg";
    if (!is_bitmap && !keeps_a_value(function)) continue;
    const std::size_t values = function.ends_with("_by") ? 2 : 1;
    Forcing forcing;
    bool may_be = is_bitmap;
    forcing.is_proven = is_bitmap;
    ExpressionIndex culprit = tree.child(call, 0);
    for (std::size_t i = 0; i < values && !is_bitmap; ++i) {
      const ExpressionIndex value = tree.child(call, i);
      if (value == kNoExpression) continue;
      const std::string_view type = columns.type_of(tree, value);
      if (!type.empty() && !is_variable_width(type)) continue;
      may_be = true;
      if (forcing.is_proven) continue;
      forcing.is_proven = !type.empty();
      culprit = value;
      forcing.type = type;
    }
    if (!may_be || culprit == kNoExpression) continue;
    forcing.function = function;
    forcing.call = fmt::format("{}({}{})", function, plain(tree.text(tree.child(call, 0)), 60),
                               values == 2 ? ", " + plain(tree.text(tree.child(call, 1)), 60) : std::string());
    forcing.argument = plain(tree.text(culprit), 60);
    forcing.is_column = tree.kind(culprit) == ExpressionKind::Attribute;
    if (forcing.is_column) forcing.argument = sql_column(tree.name(culprit));
    const bool is_text_of_date = tree.kind(culprit) == ExpressionKind::Call && tree.name(culprit) == "date_format";
    if (is_text_of_date || tree.kind(culprit) == ExpressionKind::Cast) {
      const ExpressionIndex value = tree.child(culprit, 0);
      if (tree.kind(value) == ExpressionKind::Attribute) {
        forcing.inner = sql_column(tree.name(value));
        forcing.is_number_as_text = !is_text_of_date;
      }
    }
    if (!found || (forcing.is_proven && !found->is_proven)) found = std::move(forcing);
  }
  return found;
}

std::string key_names(const ItemList& keys) {
  std::string names;
  for (const std::string_view key : keys.items) {
    const AttributeText column = read_attribute_text(key);
    names += names.empty() ? "" : ", ";
    names += column.name.empty() ? plain(key, 60) : sql_column(column.name);
  }
  return names;
}

// `_groupingexpression` is Spark's name for a computed key: what it computes says more.
std::string shown_keys(const ComputedColumns& columns, const ItemList& keys) {
  ItemList shown = keys;
  for (std::string_view& key : shown.items) {
    const AttributeText column = read_attribute_text(key);
    const std::string_view behind = columns.expression_of(column.expr_id);
    if (column.name == "_groupingexpression" && !behind.empty()) key = behind;
  }
  return plain_list(shown);
}

bool has_computed_key(const ItemList& keys) {
  return std::any_of(keys.items.begin(), keys.items.end(), [](std::string_view key) {
    const std::string_view name = read_attribute_text(key).name;
    return name.empty() || name == "_groupingexpression";
  });
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string fix_text(const Forcing& forcing, const ItemList& keys) {
  const std::string function = upper(forcing.function);
  if (forcing.function == "bitmap_construct_agg") return "count by approx_count_distinct() instead of bitmaps";
  if (!forcing.inner.empty()) {
    return fmt::format(
        "aggregate the value and make the result text: {}{}", code(fmt::format("{}({})", function, forcing.inner)),
        forcing.is_number_as_text ? ", which of numbers is the largest, not the one that sorts last" : "");
  }
  if (forcing.function.ends_with("_by")) {
    return fmt::format("keep a number in the aggregate, such as the row's id, and look {} up by it afterwards",
                       forcing.argument);
  }
  if (!forcing.is_column || has_computed_key(keys)) {
    return fmt::format("aggregate a number or a date instead of {}", forcing.argument);
  }
  if (forcing.type.starts_with("struct<")) {
    const std::vector<SchemaField> fields = schema_fields(forcing.type);
    if (!fields.empty() && !is_variable_width(fields.front().type)) {
      return "aggregate the field that decides: " +
             code(fmt::format("{}({}.{})", function, forcing.argument, sql_column(fields.front().name)));
    }
  }
  std::string fix = fmt::format("where {} is the same in all rows of a group, make it a key: {}", forcing.argument,
                                code(fmt::format("GROUP BY {}, {}", key_names(keys), forcing.argument)));
  if (forcing.type.starts_with("string")) {
    fix += fmt::format("; where it holds dates or numbers, aggregate those: {}",
                       code(fmt::format("{}(CAST({} AS DATE))", function, forcing.argument)));
  }
  return fix;
}

// A Sort by exactly the keys, directly below: what the aggregate needs, and nothing else does.
bool is_sorted_for(const PlanContext& context, NodeId aggregate, const ItemList& keys) {
  const PlanTree& plan = context.plan();
  const NodeId sort = below_structure(plan, plan.input(aggregate));
  if (sort == kNoNode || plan.node(sort).kind != OperatorKind::Sort) return false;
  const Attribute* order = plan.find(sort, AttributeKind::SortOrder);
  if (order == nullptr) return false;
  const ItemList orders = split_list(order->text);
  if (orders.items.size() + orders.missing != keys.items.size() + keys.missing) return false;
  std::vector<std::uint64_t> sorted;
  for (const std::string_view item : orders.items) {
    const ExpressionTree tree = context.parse(item);
    if (tree.empty()) return false;
    tree.for_each_attribute(tree.root(), [&](ExpressionIndex at) { sorted.push_back(tree.expr_id(at)); });
  }
  return std::all_of(keys.items.begin(), keys.items.end(), [&](std::string_view key) {
    return std::find(sorted.begin(), sorted.end(), read_attribute_text(key).expr_id) != sorted.end();
  });
}

// The lower steps of one aggregation: partial, merging, distinct.
std::vector<NodeId> lower_steps(const PlanTree& plan, NodeId aggregate) {
  std::vector<NodeId> steps;
  for (NodeId at = plan.input(aggregate); at != kNoNode; at = plan.input(at)) {
    const OperatorKind kind = plan.node(at).kind;
    const OperatorFamily what = family(kind);
    if (kind == OperatorKind::SortAggregate) steps.push_back(at);
    const bool is_step = what == OperatorFamily::Aggregate || what == OperatorFamily::Sort ||
                         what == OperatorFamily::Exchange || what == OperatorFamily::Project || is_structural(kind);
    if (!is_step) break;
  }
  return steps;
}

// 4.x: text of a collation is grouped by sorting, since equal keys may differ in their bytes.
std::string collated_key(const ComputedColumns& columns, const ItemList& keys) {
  for (const std::string_view key : keys.items) {
    const std::string_view behind = columns.expression_of(read_attribute_text(key).expr_id);
    if (behind.find("collat") != std::string_view::npos) return plain(behind, 60);
    if (key.find("collat") != std::string_view::npos) return plain(key, 60);
  }
  return {};
}

// Aggregates that began with a hash table and had to sort after all. One of fixed-width buffers does that when memory
// runs out, one of objects already at 128 groups.
void check_fallbacks(const PlanContext& context, Reporter& reporter) {
  constexpr std::string_view kThresholdKey = "spark.sql.objectHashAggregate.sortBased.fallbackThreshold";
  const Measured* const log = context.statistics().measured();
  if (log == nullptr) return;
  const PlanTree& plan = context.plan();
  for (const PlanNode& node : context.operators()) {
    const bool is_of_objects = node.kind == OperatorKind::ObjectHashAggregate;
    if (!is_of_objects && node.kind != OperatorKind::HashAggregate) continue;
    const auto tasks = log->total(node.id, metrics::MetricKey::SortFallbackTasks);
    if (!tasks || *tasks <= 0) continue;
    const NodeId input = plan.input(node.id);
    const auto many = rows_if_at_least(context, input, context.options().number("warning-rows"));
    if (is_of_objects && !many) continue;
    const Attribute* grouping = plan.find(node.id, AttributeKind::GroupingKeys);
    const std::string keys = grouping == nullptr ? std::string() : plain_list(split_list(grouping->text));
    Finding& finding =
        reporter.report(node, is_of_objects ? Severity::Info : Severity::Warning,
                        fmt::format("{} of its tasks ran out of {} and sorted {} instead{}", count_text(*tasks),
                                    is_of_objects ? "hash entries" : "memory for the hash table",
                                    many ? count_text(many->value) + " rows" : std::string("their rows"),
                                    keys.empty() ? std::string() : fmt::format(" by {}", keys)));
    finding.fix =
        is_of_objects
            ? fmt::format("let its hash table hold more groups, for more memory: `SET {}=10000`", kThresholdKey)
            : "give each task fewer groups, by a larger spark.sql.shuffle.partitions, or more memory "
              "(spark.executor.memory)";
    finding.reasons.emplace_back("sort-fallback");
    finding.evidence.push_back({"tasks that fell back", *tasks, "count", EvidenceSource::Measured});
    if (many) finding.evidence.push_back(rows_evidence("rows to aggregate", *many));
  }
}

void check(const PlanContext& context, Reporter& reporter) {
  check_fallbacks(context, reporter);
  const PlanTree& plan = context.plan();
  std::optional<ComputedColumns> columns;
  std::vector<bool> is_told(plan.size(), false);
  for (const PlanNode& node : context.operators()) {
    if (node.kind != OperatorKind::SortAggregate || is_told[index(node.id)]) continue;
    const Attribute* grouping = plan.find(node.id, AttributeKind::GroupingKeys);
    const Attribute* functions = plan.find(node.id, AttributeKind::Functions);
    if (grouping == nullptr || functions == nullptr) continue;
    const ItemList keys = split_list(grouping->text);
    if (keys.items.empty() || !is_sorted_for(context, node.id, keys)) continue;
    const std::vector<NodeId> steps = lower_steps(plan, node.id);
    const NodeId lowest = steps.empty() ? node.id : steps.back();
    const NodeId input = plan.input(lowest);
    if (has_at_most(context, input, context.options().number("small-rows"))) continue;

    if (!columns) columns.emplace(context);
    const auto forcing = forcing_function(context, *columns, split_list(functions->text));
    const std::string collated = forcing ? std::string() : collated_key(*columns, keys);
    if (!forcing && collated.empty()) {
      if (!functions->is_whole()) reporter.want(node, *functions);
      continue;
    }
    for (const NodeId step : steps) is_told[index(step)] = true;
    const auto many = rows_if_at_least(context, input, context.options().number("warning-rows"));
    const std::string_view table = only_table(plan, node.id);
    Finding& finding = reporter.report(
        node, many ? Severity::Warning : Severity::Info,
        fmt::format("the rows{} are sorted by {} to group them, because {}",
                    table.empty() ? "" : fmt::format(" of {}", table), shown_keys(*columns, keys),
                    forcing ? fmt::format("{} keeps {}", forcing->call,
                                          forcing->type.empty() || forcing->type.starts_with("string") ? "text"
                                          : forcing->function == "bitmap_construct_agg"                ? "a bitmap"
                                          : forcing->type.find('<') == std::string_view::npos
                                              ? fmt::format("a {} value", forcing->type)
                                              : fmt::format("a value of type {}",
                                                            forcing->type.substr(0, forcing->type.find('<'))))
                            : std::string("text of a collation is grouped by sorting")));
    finding.fix =
        forcing ? fix_text(*forcing, keys)
                : std::string("group by a plain string, such as lower() of the text where the collation ignores case");
    finding.reasons.emplace_back(forcing ? "variable-width-buffer" : "collated-key");
    if (many) finding.evidence.push_back(rows_evidence("rows to aggregate", *many));
    for (const NodeId step : steps) {
      finding.related.push_back({step, plan.node(step).name_span, "a lower step of the same aggregation, sorted too"});
    }
  }
}

}  // namespace

extern constinit const Rule kSortAggregate{
    .info =
        {.code = "PV401",
         .name = "sort-aggregate",
         .severity = Severity::Info,
         .summary = "An aggregate sorts its input because a function keeps a value of no fixed width.",
         .why =
             "A hash aggregate changes its buffer in place and needs fields of fixed width. MAX, MIN, FIRST, LAST and "
             "MAX_BY of text, binary, array or struct have none, so Spark sorts all rows by the group keys, twice. "
             "Measured: the maximum of 4 million rows in 1,000 groups took 1.1 s as text and 0.2 s as a number.",
         .fix =
             "Aggregate the number or date instead of its text, and format the result. Where the text is the same in "
             "all rows of a group, make it a group key.",
         .bad = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- SortAggregate(key=[store#2], functions=[max(day#3)])
   +- Sort [store#2 ASC NULLS FIRST], false, 0
      +- Exchange hashpartitioning(store#2, 200), ENSURE_REQUIREMENTS, [plan_id=20]
         +- SortAggregate(key=[store#2], functions=[partial_max(day#3)])
            +- Sort [store#2 ASC NULLS FIRST], false, 0
               +- FileScan parquet shop.sales[store#2,day#3] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<store:int,day:string>
)",
         .good = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- HashAggregate(keys=[store#2], functions=[max(day#3)])
   +- Exchange hashpartitioning(store#2, 200), ENSURE_REQUIREMENTS, [plan_id=20]
      +- HashAggregate(keys=[store#2], functions=[partial_max(day#3)])
         +- FileScan parquet shop.sales[store#2,day#3] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<store:int,day:date>
)",
         .limits = "Hash aggregates that fell back to sorting at run time show that in their metrics only. Aggregates "
                   "without keys, and those that 4.3 gives rows in order already, are silent.",
         .options = kOptions},
    .check = check};

}  // namespace planvet::rules
