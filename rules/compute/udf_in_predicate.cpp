#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"
#include "rules/builtin_functions.hpp"
#include "rules/input_rows.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/scan_filter.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"small-rows", "1000", "so few rows may be filtered by a function"},
};

// What computes the functions of a Filter, and what their rows come from.
struct Source {
  NodeId eval = kNoNode;  // BatchEvalPython, ArrowEvalPython
  NodeId join = kNoNode;  // a function of both sides stands above the join
  std::vector<std::pair<std::uint64_t, std::string_view>> calls;
};

Source source_of(const PlanTree& plan, NodeId filter) {
  Source source;
  for (NodeId at = plan.input(filter); at != kNoNode; at = plan.input(at)) {
    const PlanNode& node = plan.node(at);
    if (node.kind == OperatorKind::BatchEvalPython || node.kind == OperatorKind::ArrowEvalPython) {
      if (source.eval == kNoNode) source.eval = at;
      const Attribute* results = plan.find(at, AttributeKind::ResultAttributes);
      const Attribute* functions = plan.find(at, AttributeKind::Functions);
      if (results == nullptr || functions == nullptr) continue;
      const ItemList result_items = split_list(results->text);
      const ItemList call_items = split_list(functions->text);
      for (std::size_t i = 0; i < std::min(result_items.items.size(), call_items.items.size()); ++i) {
        source.calls.emplace_back(read_attribute_text(result_items.items[i]).expr_id, call_items.items[i]);
      }
      continue;
    }
    if (family(node.kind) == OperatorFamily::Join) source.join = at;
    const bool is_passed =
        node.kind == OperatorKind::Project || node.kind == OperatorKind::Filter || is_structural(node.kind);
    if (!is_passed) break;
  }
  return source;
}

struct UserFunction {
  bool is_python = false;
  std::string call;  // "is_small(n)", "reverse_text(str)"
};

std::optional<UserFunction> user_function_in(const ExpressionTree& tree, ExpressionIndex root, const Source& source) {
  std::optional<UserFunction> found;
  tree.for_each(root, [&](ExpressionIndex at) {
    if (found) return;
    if (tree.kind(at) == ExpressionKind::Attribute && tree.name(at).starts_with("pythonUDF")) {
      for (const auto& [id, call] : source.calls) {
        if (id == tree.expr_id(at)) found = UserFunction{true, plain(call, 60)};
      }
      return;
    }
    if (tree.kind(at) == ExpressionKind::Call && is_user_function(tree.function_name(at))) {
      found = UserFunction{false, plain(tree.text(at), 60)};
    }
  });
  return found;
}

std::string columns_in(const ExpressionTree& tree, ExpressionIndex root, std::string_view call) {
  std::string names;
  tree.for_each_attribute(root, [&](ExpressionIndex at) {
    const std::string_view name = tree.name(at);
    if (!name.starts_with("pythonUDF") && names.empty()) names = name;
  });
  const std::size_t open = call.find('(');
  if (names.empty() && open != std::string_view::npos)
    names = call.substr(open + 1, call.find_first_of(",()", open + 1) - open - 1);
  return names.empty() ? std::string("the columns") : names;
}

std::string_view what_is(const UserFunction& function) {
  return function.is_python ? std::string_view("a Python function") : std::string_view("a user-defined function");
}

struct HeldBack {
  std::string predicate;  // empty: nothing
  NodeId filter = kNoNode;
};

// A predicate on plain columns beside a Python function, or above it: had the function been deterministic, Spark would
// have put it below.
HeldBack held_back(const PlanContext& context, const PlanNode& filter, const ExpressionTree& tree,
                   const Source& source) {
  for (const ExpressionIndex conjunct : tree.conjuncts(tree.root())) {
    if (is_sparks_own(tree, conjunct) || user_function_in(tree, conjunct, source)) continue;
    return {plain(tree.text(conjunct), 60), filter.id};
  }
  const NodeId above = above_structure(context.plan(), filter.id);
  if (above == kNoNode || context.plan().node(above).kind != OperatorKind::Filter) return {};
  const Attribute* condition = context.plan().find(above, AttributeKind::Condition);
  if (condition == nullptr || has_null_tests_only(condition->text)) return {};
  const ExpressionTree next = context.parse(condition->text);
  for (const ExpressionIndex conjunct : next.conjuncts(next.root())) {
    bool is_computed = false;
    next.for_each_attribute(
        conjunct, [&](ExpressionIndex at) { is_computed = is_computed || next.name(at).starts_with("pythonUDF"); });
    if (!is_computed && !is_sparks_own(next, conjunct)) return {plain(next.text(conjunct), 60), above};
  }
  return {};
}

void check_filter(const PlanContext& context, const PlanNode& node, Reporter& reporter) {
  const PlanTree& plan = context.plan();
  const Attribute* condition = plan.find(node.id, AttributeKind::Condition);
  if (condition == nullptr || has_null_tests_only(condition->text)) return;
  const auto filtered = FilteredScan::of(context, node);
  const Source source = source_of(plan, node.id);
  const bool is_above_join = source.eval != kNoNode && source.join != kNoNode;
  if (!filtered && !is_above_join) return;
  const ExpressionTree tree = context.parse(condition->text);
  if (has_at_most(context, plan.input(node.id), context.options().number("small-rows"))) return;
  for (const ExpressionIndex conjunct : tree.conjuncts(tree.root())) {
    const auto function = user_function_in(tree, conjunct, source);
    if (!function) continue;
    const std::string_view table = filtered ? filtered->scan().display_name() : std::string_view{};
    const HeldBack held = function->is_python && filtered ? held_back(context, node, tree, source) : HeldBack{};
    std::string what = !filtered ? "it runs above the join, for every pair that the join makes"
                                 : fmt::format(
                                       "the predicate is not pushed to {}, and every row that is read goes through "
                                       "{}",
                                       table.empty() ? std::string("the scan") : fmt::format("the scan of {}", table),
                                       function->is_python ? "a Python worker" : "it");
    if (!held.predicate.empty()) {
      what += fmt::format("; it is non-deterministic, so {} waits for it too", held.predicate);
    }
    Finding& finding = reporter.report_fact(node, tree.text(conjunct), Severity::Warning,
                                            fmt::format("{} is {}: {}", function->call, what_is(*function), what));
    finding.fix = filtered ? fmt::format(
                                 "replace {} by built-in functions, or put a predicate on {} itself beside it, "
                                 "joined by AND",
                                 function->call, columns_in(tree, conjunct, function->call))
                           : fmt::format("replace {} by built-in functions: they become part of the join's condition",
                                         function->call);
    if (!held.predicate.empty()) finding.fix += ", and filter by the others in a step before it";
    finding.reasons.emplace_back(function->is_python ? "python-udf" : "udf");
    if (!held.predicate.empty()) {
      finding.reasons.emplace_back("non-deterministic");
      finding.also_about.push_back(held.filter);
    }
    if (source.eval != kNoNode && function->is_python) finding.also_about.push_back(source.eval);
    if (is_above_join) finding.also_about.push_back(source.join);
    return;
  }
}

void check_join(const PlanContext& context, const PlanNode& node, Reporter& reporter) {
  const auto join = Join::of(context.plan(), node.id);
  const Attribute* condition = join ? join->condition() : nullptr;
  if (condition == nullptr) return;
  const ExpressionTree tree = context.parse(condition->text);
  if (tree.empty()) return;
  const auto function = user_function_in(tree, tree.root(), Source{});
  if (!function) return;
  Finding& finding = reporter.report_fact(
      node, condition->text, Severity::Warning,
      fmt::format("{} is {} in the join's condition: it runs for every pair of rows with equal keys", function->call,
                  what_is(*function)));
  finding.fix =
      fmt::format("replace {} by built-in functions, or compute it below the join as a column", function->call);
  finding.reasons.emplace_back("udf");
}

void check(const PlanContext& context, Reporter& reporter) {
  for (const PlanNode& node : context.operators()) {
    if (node.kind == OperatorKind::Filter) check_filter(context, node, reporter);
    if (family(node.kind) == OperatorFamily::Join) check_join(context, node, reporter);
  }
}

}  // namespace

extern constinit const Rule kUdfInPredicate{
    .info =
        {.code = "PV407",
         .name = "udf-in-predicate",
         .severity = Severity::Warning,
         .summary = "A user-defined function decides which rows stay, so the source cannot filter.",
         .why = "Spark does not know what a function of the user does: it is never pushed to a source, prunes no "
                "partition, "
                "and every row is read, and for Python sent to a worker, before it can be dropped. A non-deterministic "
                "Python function holds the predicates beside it back as well.",
         .fix =
             "Replace it by built-in functions. Where that cannot be, put a predicate on the columns themselves beside "
             "it: Spark runs that first.",
         .bad = R"(== Physical Plan ==
*(2) Project [id#1L]
+- *(2) Filter pythonUDF0#9
   +- BatchEvalPython [is_small(amount#2)#7], [pythonUDF0#9]
      +- *(1) ColumnarToRow
         +- FileScan parquet shop.sales[id#1L,amount#2] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint,amount:int>
)",
         .good = R"(== Physical Plan ==
*(1) Project [id#1L]
+- *(1) Filter (isnotnull(amount#2) AND (amount#2 < 30))
   +- *(1) ColumnarToRow
      +- FileScan parquet shop.sales[id#1L,amount#2] Batched: true, DataFilters: [isnotnull(amount#2), (amount#2 < 30)], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [IsNotNull(amount), LessThan(amount,30)], ReadSchema: struct<id:bigint,amount:int>
)",
         .limits = "A registered Scala or Java function prints nothing but its name: what is not in Spark's own list "
                   "is taken "
                   "for one. Functions above an aggregate (HAVING) and in join keys are silent.",
         .options = kOptions},
    .check = check};

}  // namespace planvet::rules
