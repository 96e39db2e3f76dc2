#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "analyzer/report/fix_parts.hpp"
#include "rules/join_pairs.hpp"
#include "rules/join_sides.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/scan_filter.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"small-rows", "1000", "a side with at most so many rows is no problem"},
    {"warning-pairs", "1000000", "pairs of rows from which on the nested loop is reported, where the rows are known"},
};

struct Columns {
  std::string left = "x";
  std::string right = "y";
  std::string equality = "y = x";  // with the tables' names, since both may have a column of that name
};

constexpr JoinSides::Names kNames{"x", "y"};

struct NotIn {
  std::vector<Columns> columns;
  bool has_more = false;  // other conditions in the subquery
};

// `((a#1 = b#2) OR isnull((a#1 = b#2)))`, one for each column: what NOT IN over columns that may be null becomes. A null
// test of a column alone (`a = b OR b IS NULL`) is the user's own.
NotIn read_condition(const ExpressionTree& tree, const JoinSides& sides) {
  NotIn result;
  for (const ExpressionIndex conjunct : tree.conjuncts(tree.root())) {
    ExpressionIndex equality = kNoExpression;
    bool has_null_test = false;
    const auto disjuncts = tree.disjuncts(conjunct);
    for (const ExpressionIndex disjunct : disjuncts) {
      if (tree.op(disjunct) == ExpressionOperator::Equal) equality = disjunct;
    }
    for (const ExpressionIndex disjunct : disjuncts) {
      if (equality == kNoExpression || tree.kind(disjunct) != ExpressionKind::Call) continue;
      if (tree.name(disjunct) != "isnull" || tree.child(disjunct, 0) == kNoExpression) continue;
      has_null_test = has_null_test || tree.text(tree.child(disjunct, 0)) == tree.text(equality);
    }
    if (!has_null_test) {
      result.has_more = true;
      continue;
    }
    Columns both;
    ExpressionIndex left = tree.child(equality, 0);
    ExpressionIndex right = tree.child(equality, 1);
    if (sides.seen_in(tree, left).right) std::swap(left, right);
    both.left = sql_key(tree.text(left));
    both.right = sql_key(tree.text(right));
    both.equality = sides.sql(tree, equality).value_or(both.right + " = " + both.left);
    result.columns.push_back(both);
  }
  return result;
}

std::string joined(const std::vector<Columns>& columns, std::string Columns::*side, std::string_view between,
                   std::string_view behind) {
  std::string out;
  for (const Columns& both : columns) {
    if (!out.empty()) out += between;
    out += both.*side;
    out += behind;
  }
  return out;
}

// The subquery filters by more than the null tests that Spark adds.
bool has_filter(const PlanTree& plan, NodeId side) {
  if (side == kNoNode) return false;
  for (const PlanNode& node : plan.subtree(side)) {
    if (node.kind != OperatorKind::Filter) continue;
    const Attribute* condition = plan.find(node.id, AttributeKind::Condition);
    if (condition == nullptr || !has_null_tests_only(condition->text)) return true;
  }
  return false;
}

bool has_cut_text(const std::vector<Columns>& columns) {
  return std::any_of(columns.begin(), columns.end(), [](const Columns& both) {
    return (both.left + both.right + both.equality).find("...") != std::string::npos;
  });
}

std::string fix_text(const Join& join, const NotIn& not_in) {
  const std::vector<Columns>& columns = not_in.columns;
  const std::string_view table = only_table(join.plan(), join.input(Side::Right));
  if (table.empty() || has_cut_text(columns)) {
    return "make the columns non-null: filter the NULLs on both sides; or write NOT EXISTS, which also keeps rows "
           "whose "
           "own value is NULL and ignores NULLs of the subquery";
  }
  std::string from = sql_table(table);
  if (JoinSides(join.plan(), join, kNames).name_of(Side::Right) == kNames.right) from += " AS y";
  const bool is_one = columns.size() == 1;
  const std::string left = joined(columns, &Columns::left, ", ", "");
  const bool has_more = not_in.has_more || has_filter(join.plan(), join.input(Side::Right));
  const std::string not_null = fmt::format("WHERE {} AND {} NOT IN (SELECT {} FROM {} WHERE {})",
                                           joined(columns, &Columns::left, " AND ", " IS NOT NULL"),
                                           is_one ? left : "(" + left + ")", joined(columns, &Columns::right, ", ", ""),
                                           from, joined(columns, &Columns::right, " AND ", " IS NOT NULL"));
  const std::string not_exists =
      fmt::format("NOT EXISTS (SELECT 1 FROM {} WHERE {})", from, joined(columns, &Columns::equality, " AND ", ""));
  return fmt::format(
      "make the columns non-null: {}; or {}, which also keeps rows whose {} is NULL and ignores NULLs of {}{}",
      code(not_null), code(not_exists), joined(columns, &Columns::left, " or ", ""),
      joined(columns, &Columns::right, " and ", ""), has_more ? "; the subquery's own filter stays in it" : "");
}

void check(const PlanContext& context, Reporter& reporter) {
  for (const PlanNode& node : context.operators()) {
    const bool is_loop = node.kind == OperatorKind::BroadcastNestedLoopJoin;
    if (!is_loop && node.kind != OperatorKind::BroadcastHashJoin) continue;
    const auto join = Join::of(context.plan(), node.id);
    if (!join || join->type() != JoinType::LeftAnti) continue;

    NotIn not_in;
    std::vector<Columns>& columns = not_in.columns;
    Severity severity = Severity::Info;
    std::string message;
    std::vector<Evidence> evidence;
    if (is_loop) {
      const Attribute* condition = join->condition();
      if (condition == nullptr || condition->text.find("isnull(") == std::string_view::npos) continue;
      not_in = read_condition(context.parse(condition->text), JoinSides(context.plan(), *join, kNames));
      if (columns.empty()) continue;
      const auto verdict = judge_pairs(
          context, *join, {context.options().number("small-rows"), context.options().number("warning-pairs"), 1e18});
      if (!verdict) continue;
      severity = Severity::Warning;
      evidence = verdict->evidence;
      message = fmt::format("NOT IN compares every row of {} with every row of {}{}{}, because {} or {} may be NULL",
                            side_text(*join, Side::Left), side_text(*join, Side::Right),
                            verdict->numbers.empty() ? "" : ": ", verdict->numbers,
                            joined(columns, &Columns::left, ", ", ""), joined(columns, &Columns::right, ", ", ""));
    } else {
      if (!join->is_null_aware()) continue;
      const auto bound = context.statistics().max_rows(join->input(Side::Right));
      if (bound && bound->value <= context.options().number("small-rows")) continue;
      const ItemList left = join->left_keys();
      const ItemList right = join->right_keys();
      Columns& both = columns.emplace_back();
      if (!left.items.empty() && !right.items.empty()) {
        const JoinSides sides(context.plan(), *join, kNames);
        const ExpressionTree left_key = context.parse(left.items.front());
        const ExpressionTree right_key = context.parse(right.items.front());
        both.left = sql_key(left.items.front());
        both.right = sql_key(right.items.front());
        both.equality = fmt::format("{} = {}", sides.sql(right_key, right_key.root()).value_or(both.right),
                                    sides.sql(left_key, left_key.root()).value_or(both.left));
      }
      not_in.has_more = join->condition() != nullptr;
      message = fmt::format("NOT IN broadcasts {} whatever its size, and one NULL in {} makes the result empty",
                            side_text(*join, Side::Right), columns.front().right);
    }
    Finding& finding = reporter.report(node, severity, std::move(message));
    finding.fix = fix_text(*join, not_in);
    finding.evidence = std::move(evidence);
    finding.reasons.emplace_back(is_loop ? "not-in-nested-loop" : "not-in-hash");
  }
}

}  // namespace

extern constinit const Rule kNullAwareAntiJoin{
    .info =
        {.code = "PV107",
         .name = "null-aware-anti-join",
         .severity = Severity::Warning,
         .summary = "NOT IN over columns that may be NULL needs a null-aware anti join.",
         .why = "`x NOT IN (SELECT y ..)` is unknown as soon as one y is NULL, so Spark cannot use a plain anti join. "
                "One column becomes a hash join that must broadcast the subquery, even with the broadcast threshold at "
                "-1; two columns become a nested loop over all pairs.",
         .fix = "Filter the NULLs on both sides, or write NOT EXISTS. The two differ when NULLs exist: NOT IN gives "
                "nothing when the subquery holds a NULL, NOT EXISTS ignores it.",
         .bad = R"(== Physical Plan ==
BroadcastNestedLoopJoin BuildRight, LeftAnti, (((store#2 = shop#11) OR isnull((store#2 = shop#11))) AND ((note#3 = reason#12) OR isnull((note#3 = reason#12))))
:- FileScan parquet shop.sales[id#1L,store#2,note#3] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint,store:int,note:string>
+- BroadcastExchange IdentityBroadcastMode, [plan_id=20]
   +- FileScan parquet shop.returns[shop#11,reason#12] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/returns], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<shop:int,reason:string>
)",
         .good = R"(== Physical Plan ==
BroadcastHashJoin [store#2, note#3], [shop#11, reason#12], LeftAnti, BuildRight, false
:- FileScan parquet shop.sales[id#1L,store#2,note#3] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint,store:int,note:string>
+- BroadcastExchange HashedRelationBroadcastMode(List(input[0, int, true], input[1, string, true]),false), [plan_id=20]
   +- FileScan parquet shop.returns[shop#11,reason#12] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/returns], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<shop:int,reason:string>
)",
         .limits =
             "In 4.3 a NOT IN over columns that cannot be NULL is a plain anti join, and the two-column form may be "
             "a sort merge join: both are silent.",
         .options = kOptions},
    .check = check};

}  // namespace planvet::rules
