#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "rules/join_pairs.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
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
};

// `((a#1 = b#2) OR isnull((a#1 = b#2)))`, one for each column: what NOT IN over columns that may be null becomes.
std::vector<Columns> null_aware_columns(const ExpressionTree& tree) {
  std::vector<Columns> columns;
  for (const ExpressionIndex conjunct : tree.conjuncts(tree.root())) {
    if (tree.op(conjunct) != ExpressionOperator::Or) continue;
    ExpressionIndex equality = kNoExpression;
    bool has_null_test = false;
    for (const ExpressionIndex disjunct : tree.disjuncts(conjunct)) {
      if (tree.op(disjunct) == ExpressionOperator::Equal) equality = disjunct;
      if (tree.kind(disjunct) == ExpressionKind::Call && tree.name(disjunct) == "isnull") has_null_test = true;
    }
    if (!has_null_test) continue;
    Columns both;
    if (equality != kNoExpression) {
      both.left = plain(tree.text(tree.child(equality, 0)), 60);
      both.right = plain(tree.text(tree.child(equality, 1)), 60);
    }
    columns.push_back(both);
  }
  return columns;
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

std::string fix_text(const Join& join, const std::vector<Columns>& columns) {
  const std::string_view table = only_table(join.plan(), join.input(Side::Right));
  const std::string from = table.empty() ? "..." : std::string(table);
  const bool is_one = columns.size() == 1;
  const std::string left = joined(columns, &Columns::left, ", ", "");
  std::string equal;
  for (const Columns& both : columns)
    equal += fmt::format("{}{} = {}", equal.empty() ? "" : " AND ", both.right, both.left);
  return fmt::format(
      "make the columns non-null: WHERE {} AND {} NOT IN (SELECT {} FROM {} WHERE {}); or NOT EXISTS (SELECT 1 FROM {} "
      "WHERE {}), which also keeps rows whose {} is NULL and ignores NULLs of {}",
      joined(columns, &Columns::left, " AND ", " IS NOT NULL"), is_one ? left : "(" + left + ")",
      joined(columns, &Columns::right, ", ", ""), from, joined(columns, &Columns::right, " AND ", " IS NOT NULL"), from,
      equal, joined(columns, &Columns::left, " or ", ""), joined(columns, &Columns::right, " and ", ""));
}

void check(const PlanContext& context, Reporter& reporter) {
  for (const PlanNode& node : context.operators()) {
    const bool is_loop = node.kind == OperatorKind::BroadcastNestedLoopJoin;
    if (!is_loop && node.kind != OperatorKind::BroadcastHashJoin) continue;
    const auto join = Join::of(context.plan(), node.id);
    if (!join || join->type() != JoinType::LeftAnti) continue;

    std::vector<Columns> columns;
    Severity severity = Severity::Info;
    std::string message;
    std::vector<Evidence> evidence;
    if (is_loop) {
      const Attribute* condition = join->condition();
      if (condition == nullptr || condition->text.find("isnull(") == std::string_view::npos) continue;
      columns = null_aware_columns(context.parse(condition->text));
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
      columns.emplace_back();
      if (!left.items.empty()) columns.front().left = plain(left.items.front(), 60);
      if (!right.items.empty()) columns.front().right = plain(right.items.front(), 60);
      message = fmt::format("NOT IN broadcasts {} whatever its size, and one NULL in {} makes the result empty",
                            side_text(*join, Side::Right), columns.front().right);
    }
    Finding& finding = reporter.report(node, severity, std::move(message));
    finding.fix = fix_text(*join, columns);
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
