#include <algorithm>
#include <cstdint>
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
#include "rules/shuffle_above.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"warning-growth", "10", "how many rows have to become of one, where that is known, for a warning"},
    {"min-rows", "100000", "where the shuffle is known to have written fewer rows, it is no problem"},
    {"small-rows", "1000", "so few rows may be multiplied"},
};

using Ids = std::vector<std::uint64_t>;

bool mentions(const PlanContext& context, std::string_view list, const Ids& ids) {
  const ExpressionTree tree = context.parse(list);
  bool is_found = false;
  if (tree.empty()) return true;
  tree.for_each_attribute(tree.root(), [&](ExpressionIndex at) {
    is_found = is_found || std::find(ids.begin(), ids.end(), tree.expr_id(at)) != ids.end();
  });
  return is_found || tree.contains_opaque(tree.root()) || tree.is_truncated(tree.root());
}

// Does the operator need an element? True where its text does not say.
bool needs(const PlanContext& context, NodeId node, const Ids& ids) {
  constexpr AttributeKind kLists[] = {AttributeKind::LeftKeys,  AttributeKind::RightKeys,
                                      AttributeKind::SortOrder, AttributeKind::PartitionSpec,
                                      AttributeKind::OrderSpec, AttributeKind::WindowExpressions};
  for (const AttributeKind kind : kLists) {
    const Attribute* list = context.plan().find(node, kind);
    if (list == nullptr) continue;
    if (!list->is_whole()) return true;
    for (const std::string_view item : split_list(list->text).items) {
      if (mentions(context, item, ids)) return true;
    }
  }
  for (const AttributeKind kind :
       {AttributeKind::Condition, AttributeKind::JoinCondition, AttributeKind::Partitioning}) {
    const Attribute* expression = context.plan().find(node, kind);
    if (expression != nullptr && expression->text != "None" && mentions(context, expression->text, ids)) return true;
  }
  return false;
}

// Window functions whose value does not change when rows are repeated.
bool ignores_repeats(const PlanContext& context, NodeId window) {
  const Attribute* expressions = context.plan().find(window, AttributeKind::WindowExpressions);
  if (expressions == nullptr || !expressions->is_whole()) return false;
  for (const std::string_view item : split_list(expressions->text).items) {
    const ExpressionTree tree = context.parse(item);
    bool is_fine = false;
    for (std::uint32_t i = 0; i < tree.size(); ++i) {
      if (tree.kind(ExpressionIndex{i}) != ExpressionKind::WindowExpression) continue;
      const std::string_view function = tree.function_name(tree.child(ExpressionIndex{i}, 0));
      is_fine = function == "max" || function == "min" || function == "dense_rank";
    }
    if (!is_fine) return false;
  }
  return true;
}

struct Exploded {
  std::string_view function;  // "explode"
  std::string array;          // "tags"
  bool is_column = false;
  Ids elements;
  std::string names;  // "tag"
};

// explode(), posexplode() and inline() of something that the data holds.
std::optional<Exploded> read_generator(const PlanContext& context, const PlanNode& node) {
  const Attribute* generator = context.plan().find(node.id, AttributeKind::Generator);
  const Attribute* output = context.plan().find(node.id, AttributeKind::GeneratorOutput);
  if (generator == nullptr || output == nullptr || !output->is_whole()) return std::nullopt;
  const ExpressionTree tree = context.parse(generator->text);
  if (tree.empty() || tree.kind(tree.root()) != ExpressionKind::Call) return std::nullopt;
  Exploded exploded;
  exploded.function = tree.name(tree.root());
  if (exploded.function != "explode" && exploded.function != "posexplode" && exploded.function != "inline") {
    return std::nullopt;
  }
  const ExpressionIndex array = tree.child(tree.root(), 0);
  bool has_column = false;
  tree.for_each_attribute(array, [&](ExpressionIndex) { has_column = true; });
  const bool is_made_here =
      tree.kind(array) == ExpressionKind::Call && (tree.name(array) == "array" || tree.name(array) == "map");
  if (!has_column || is_made_here) return std::nullopt;
  exploded.array =
      tree.kind(array) == ExpressionKind::Attribute ? sql_column(tree.name(array)) : plain(tree.text(array), 60);
  exploded.is_column = tree.kind(array) == ExpressionKind::Attribute;
  for (const std::string_view item : split_list(output->text).items) {
    const AttributeText element = read_attribute_text(item);
    exploded.elements.push_back(element.expr_id);
    exploded.names += (exploded.names.empty() ? "" : ", ") + sql_column(element.name);
  }
  return exploded;
}

// Who takes the rows behind the shuffle: past its own sort and structure.
NodeId consumer_of(const PlanTree& plan, NodeId exchange, const PlanContext& context, const Ids& elements,
                   bool& is_needed) {
  for (NodeId at = above_structure(plan, exchange); at != kNoNode; at = above_structure(plan, at)) {
    if (plan.node(at).kind != OperatorKind::Sort) return at;
    is_needed = is_needed || needs(context, at, elements);
  }
  return kNoNode;
}

// What a projection computes of an element is as good as the element.
void add_computed(const PlanContext& context, NodeId project, Ids& elements) {
  for (const AttributeKind kind : {AttributeKind::ProjectList, AttributeKind::Output}) {
    const Attribute* list = context.plan().find(project, kind);
    if (list == nullptr) continue;
    for (const std::string_view item : split_list(list->text).items) {
      if (item.find(" AS ") == std::string_view::npos || !mentions(context, item, elements)) continue;
      const std::uint64_t id = read_attribute_text(item).expr_id;
      if (id != kNoExprId) elements.push_back(id);
    }
  }
}

bool is_needed_between(const PlanContext& context, NodeId generate, NodeId exchange, Ids& elements) {
  const PlanTree& plan = context.plan();
  for (NodeId at = plan.node(generate).parent; at != exchange; at = plan.node(at).parent) {
    if (needs(context, at, elements)) return true;
    if (plan.node(at).kind == OperatorKind::Project) add_computed(context, at, elements);
  }
  return needs(context, exchange, elements);
}

void check(const PlanContext& context, Reporter& reporter) {
  const PlanTree& plan = context.plan();
  for (const PlanNode& node : context.operators()) {
    if (node.kind != OperatorKind::Generate) continue;
    const auto shuffle = shuffle_above(plan, node.id);
    if (!shuffle || shuffle->is_aggregated) continue;
    const auto exchange = Exchange::of(plan, shuffle->exchange);
    if (!exchange || exchange->is_users() || exchange->is_single_partition()) continue;
    auto exploded = read_generator(context, node);
    if (!exploded) continue;
    bool is_needed = is_needed_between(context, node.id, exchange->id(), exploded->elements);
    const NodeId consumer = consumer_of(plan, exchange->id(), context, exploded->elements, is_needed);
    if (is_needed || (consumer != kNoNode && needs(context, consumer, exploded->elements))) continue;
    const bool is_join = consumer != kNoNode && family(plan.node(consumer).kind) == OperatorFamily::Join;
    const bool is_sort = exchange->partitioning().starts_with("rangepartitioning");
    const bool is_window =
        consumer != kNoNode && plan.node(consumer).kind == OperatorKind::Window && ignores_repeats(context, consumer);
    if (!is_join && !is_sort && !is_window) continue;
    const NodeId input = plan.input(node.id);
    if (has_at_most(context, input, context.options().number("small-rows"))) continue;
    const auto written = rows_written(context, exchange->id());
    if (written && written->value < context.options().number("min-rows")) continue;

    const auto read = known_rows(context, input);
    const bool is_growth_known = written && read && read->is_at_most && read->value > 0;
    const double growth = is_growth_known ? written->value / read->value : 0;
    const char* const what = is_join ? "join" : is_sort ? "sort" : "window";
    Finding& finding = reporter.report(
        node, growth >= context.options().number("warning-growth") ? Severity::Warning : Severity::Info,
        fmt::format(
            "{} is exploded before the shuffle for a {} that does not need {}: every element travels with a copy of "
            "its row",
            exploded->array, what, exploded->names));
    finding.fix = fmt::format("explode behind the {}", what);
    if (exploded->is_column) {
      finding.fix +=
          ": " + code(fmt::format("{}ed.select(\"*\", {}(\"{}\"))", what, exploded->function, exploded->array));
    }
    if (written) finding.evidence.push_back(rows_evidence("rows shuffled above", *written));
    if (is_growth_known) finding.evidence.push_back({"rows for each row", growth, "ratio", written->source});
    finding.related.push_back({exchange->id(), exchange->node().name_span, "the shuffle that carries the elements"});
  }
}

}  // namespace

extern constinit const Rule kEarlyExplode{
    .info =
        {.code = "PV404",
         .name = "early-explode",
         .severity = Severity::Info,
         .summary = "An array is exploded before a shuffle that does not need its elements.",
         .why =
             "explode() makes a row of every element and copies all other columns to it; a join or sort above then "
             "shuffles the copies. Measured: 3.6 million exploded rows shuffled took 2.2 s, exploded after it 0.3 s.",
         .fix = "Join or sort the rows with their arrays, and explode at the end.",
         .bad = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- Project [tag#9, qty#3]
   +- SortMergeJoin [product#1], [product#2], Inner
      :- Sort [product#1 ASC NULLS FIRST], false, 0
      :  +- Exchange hashpartitioning(product#1, 200), ENSURE_REQUIREMENTS, [plan_id=20]
      :     +- Generate explode(tags#5), [product#1], false, [tag#9]
      :        +- Filter ((size(tags#5, true) > 0) AND isnotnull(product#1))
      :           +- FileScan parquet shop.products[product#1,tags#5] Batched: true, DataFilters: [(size(tags#5, true) > 0), isnotnull(product#1)], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/products], PartitionFilters: [], PushedFilters: [IsNotNull(product)], ReadSchema: struct<product:int,tags:array<string>>
      +- Sort [product#2 ASC NULLS FIRST], false, 0
         +- Exchange hashpartitioning(product#2, 200), ENSURE_REQUIREMENTS, [plan_id=21]
            +- Filter isnotnull(product#2)
               +- FileScan parquet shop.sales[product#2,qty#3] Batched: true, DataFilters: [isnotnull(product#2)], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [IsNotNull(product)], ReadSchema: struct<product:int,qty:int>
)",
         .good = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- Generate explode(tags#5), [qty#3], false, [tag#9]
   +- Project [tags#5, qty#3]
      +- SortMergeJoin [product#1], [product#2], Inner
         :- Sort [product#1 ASC NULLS FIRST], false, 0
         :  +- Exchange hashpartitioning(product#1, 200), ENSURE_REQUIREMENTS, [plan_id=20]
         :     +- Filter ((size(tags#5, true) > 0) AND isnotnull(product#1))
         :        +- FileScan parquet shop.products[product#1,tags#5] Batched: true, DataFilters: [(size(tags#5, true) > 0), isnotnull(product#1)], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/products], PartitionFilters: [], PushedFilters: [IsNotNull(product)], ReadSchema: struct<product:int,tags:array<string>>
         +- Sort [product#2 ASC NULLS FIRST], false, 0
            +- Exchange hashpartitioning(product#2, 200), ENSURE_REQUIREMENTS, [plan_id=21]
               +- Filter isnotnull(product#2)
                  +- FileScan parquet shop.sales[product#2,qty#3] Batched: true, DataFilters: [isnotnull(product#2)], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [IsNotNull(product)], ReadSchema: struct<product:int,qty:int>
)",
         .limits =
             "Speaks of joins, sorts and windows that ignore repeated rows. Silent where anything up to there needs "
             "an element, where a partial aggregate or the user's own repartition stands between, and for arrays "
             "that are made in the query.",
         .options = kOptions},
    .check = check};

}  // namespace planvet::rules
