#include <algorithm>
#include <optional>
#include <string>

#include <fmt/core.h>

#include "analyzer/plan/expression.hpp"
#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"
#include "analyzer/report/fix_parts.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/saving.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"ratio", "10", "how many times the larger input must come out"},
    {"rows", "1000000", "and how many rows at least"},
    {"error-ratio", "100", "measured: how many times the larger input has to come out for an error"},
    {"error-rows", "100000000", "and how many rows at least"},
};

// The rows that came out of the join: its own where they were measured, those of the stage above, where only what keeps every row stands between, or the
// optimizer's.
std::optional<Quantity> rows_out(const PlanContext& context, NodeId join) {
  const PlanTree& plan = context.plan();
  const auto counted = context.statistics().rows(join);
  if (counted && counted->source == EvidenceSource::Measured && counted->is_at_least) return counted;
  for (NodeId at = join; plan.node(at).link == Link::Child;) {
    at = plan.node(at).parent;
    if (at == kNoNode) break;
    const OperatorFamily what = family(plan.node(at).kind);
    if (what == OperatorFamily::QueryStage) return context.statistics().rows(at);
    const bool keeps_rows = what == OperatorFamily::Project || what == OperatorFamily::Sort ||
                            what == OperatorFamily::Exchange || is_structural(plan.node(at).kind);
    if (!keeps_rows) break;
  }
  return context.statistics().rows(join);
}

// `SELECT k, count(*) FROM sales GROUP BY k HAVING count(*) > 1 ..`: the keys that come more than once.
std::string duplicates_query(const PlanContext& context, const Join& join, Side side) {
  std::string columns;
  for (const std::string_view key : join.keys(side).items) {
    const ExpressionTree tree = context.parse(key);
    const ExpressionIndex column = tree.empty() ? kNoExpression : tree.column_below_casts(tree.root());
    if (column == kNoExpression || tree.kind(column) != ExpressionKind::Attribute) return {};
    columns += (columns.empty() ? "" : ", ") + sql_column(tree.name(column));
  }
  const std::string table = sql_table(context.plan(), join.input(side));
  if (columns.empty() || table.empty() || join.keys(side).is_truncated) return {};
  return fmt::format("SELECT {0}, count(*) FROM {1} GROUP BY {0} HAVING count(*) > 1 ORDER BY count(*) DESC LIMIT 10",
                     columns, table);
}

std::string fix_text(const PlanContext& context, const Join& join, Side smaller) {
  for (const Side side : {smaller, other(smaller)}) {
    const std::string query = duplicates_query(context, join, side);
    if (!query.empty()) {
      return fmt::format("look for keys that come more than once: {}; then join on more columns, or keep one row a key",
                         code(query));
    }
  }
  return "join on more columns, or keep one row for each key on one side before the join";
}

void check(const PlanContext& context, Reporter& reporter) {
  for (const PlanNode& node : context.operators()) {
    const auto join = Join::of(context.plan(), node.id);
    if (!join || join->left_keys().items.empty()) continue;  // without keys it is nested-loop-join's
    const JoinType type = join->type();
    if (type == JoinType::LeftSemi || type == JoinType::LeftAnti || type == JoinType::Existence ||
        type == JoinType::LeftSingle || type == JoinType::Unknown) {
      continue;  // no row comes out twice
    }
    const NodeId left = join->input(Side::Left);
    const NodeId right = join->input(Side::Right);
    if (left == kNoNode || right == kNoNode) continue;
    const auto out = rows_out(context, node.id);
    const auto from_left = context.statistics().rows(left);
    const auto from_right = context.statistics().rows(right);
    const Measured* const log = context.statistics().measured();
    if (log != nullptr && !log->trust(node.id).is_exact()) {
      reporter.skip("needs exact row counts: tasks around the join were tried again, or the log is not whole");
      continue;
    }
    if (!out || !from_left || !from_right) {
      reporter.skip_without("row counts around the join", "a final plan in formatted mode");
      continue;
    }
    const double larger = std::max(from_left->value, from_right->value);
    if (!out->is_at_least || out->value < context.options().number("rows")) continue;
    if (larger <= 0 || out->value < larger * context.options().number("ratio")) continue;

    const bool is_error = out->source == EvidenceSource::Measured &&
                          out->value >= context.options().number("error-rows") &&
                          out->value >= larger * context.options().number("error-ratio");
    const Side smaller = from_left->value <= from_right->value ? Side::Left : Side::Right;
    Finding& finding = reporter.report(
        node, is_error ? Severity::Error : Severity::Warning,
        fmt::format("{} rows of {} and {} of {} become {} rows: keys of {} come many times on both sides",
                    count_text(from_left->value), side_text(*join, Side::Left), count_text(from_right->value),
                    side_text(*join, Side::Right), count_text(out->value), plain_list(join->keys(smaller))));
    finding.fix = fix_text(context, *join, smaller);
    finding.saves = up_to_root(context.plan(), node.id);  // all that works on these rows
    finding.evidence.push_back({"left side", from_left->value, "rows", from_left->source});
    finding.evidence.push_back({"right side", from_right->value, "rows", from_right->source});
    finding.evidence.push_back({"join", out->value, "rows", out->source});
  }
}

}  // namespace

extern constinit const Rule kExplodingJoin{
    .info = {.code = "PV106",
             .name = "exploding-join",
             .severity = Severity::Warning,
             .summary = "A join puts out many times the rows of its larger input.",
             .why = "Keys that come many times on both sides are paired with each other: 1,000 and 1,000 rows of one "
                    "key are a million. Everything above works on that, and most often it is a missing join column.",
             .fix = "Count duplicates of the keys on both sides; join on more columns, or keep one row for each key.",
             .bad = R"(== Physical Plan ==
AdaptiveSparkPlan (12)
+- == Final Plan ==
   * Sort (11)
   +- ShuffleQueryStage (10), Statistics(sizeInBytes=4.8 GiB, rowCount=2.00E+8)
      +- Exchange (9)
         +- * SortMergeJoin Inner (8)
            :- * Sort (4)
            :  +- ShuffleQueryStage (3), Statistics(sizeInBytes=45.8 MiB, rowCount=2.00E+6)
            :     +- Exchange (2)
            :        +- Scan parquet shop.sales (1)
            +- * Sort (7)
               +- ShuffleQueryStage (6), Statistics(sizeInBytes=12.0 MiB, rowCount=1.00E+5)
                  +- Exchange (5)
                     +- Scan parquet shop.visit (13)


(1) Scan parquet shop.sales
Output [2]: [id#1L, store#2]
Batched: true
Location: InMemoryFileIndex [file:/lake/sales]
ReadSchema: struct<id:bigint,store:int>

(2) Exchange
Input [2]: [id#1L, store#2]
Arguments: hashpartitioning(store#2, 200), ENSURE_REQUIREMENTS, [plan_id=10]

(3) ShuffleQueryStage
Output [2]: [id#1L, store#2]
Arguments: 0

(4) Sort [codegen id : 3]
Input [2]: [id#1L, store#2]
Arguments: [store#2 ASC NULLS FIRST], false, 0

(13) Scan parquet shop.visit
Output [2]: [store#11, day#12]
Batched: true
Location: InMemoryFileIndex [file:/lake/visit]
ReadSchema: struct<store:int,day:date>

(5) Exchange
Input [2]: [store#11, day#12]
Arguments: hashpartitioning(store#11, 200), ENSURE_REQUIREMENTS, [plan_id=11]

(6) ShuffleQueryStage
Output [2]: [store#11, day#12]
Arguments: 1

(7) Sort [codegen id : 4]
Input [2]: [store#11, day#12]
Arguments: [store#11 ASC NULLS FIRST], false, 0

(8) SortMergeJoin [codegen id : 5]
Left keys [1]: [store#2]
Right keys [1]: [store#11]
Join type: Inner
Join condition: None

(9) Exchange
Input [4]: [id#1L, store#2, store#11, day#12]
Arguments: rangepartitioning(day#12 ASC NULLS FIRST, 200), ENSURE_REQUIREMENTS, [plan_id=12]

(10) ShuffleQueryStage
Output [4]: [id#1L, store#2, store#11, day#12]
Arguments: 2

(11) Sort [codegen id : 6]
Input [4]: [id#1L, store#2, store#11, day#12]
Arguments: [day#12 ASC NULLS FIRST], true, 0

(12) AdaptiveSparkPlan
Output [4]: [id#1L, store#2, store#11, day#12]
Arguments: isFinalPlan=true
)",
             .good = R"(== Physical Plan ==
AdaptiveSparkPlan (8)
+- == Final Plan ==
   * SortMergeJoin LeftSemi (7)
   :- * Sort (3)
   :  +- ShuffleQueryStage (2), Statistics(sizeInBytes=45.8 MiB, rowCount=2.00E+6)
   :     +- Exchange (1)
   :        +- Scan parquet shop.sales (9)
   +- * Sort (6)
      +- ShuffleQueryStage (5), Statistics(sizeInBytes=12.0 MiB, rowCount=1.00E+5)
         +- Exchange (4)
            +- Scan parquet shop.visit (10)


(9) Scan parquet shop.sales
Output [2]: [id#1L, store#2]
Batched: true
Location: InMemoryFileIndex [file:/lake/sales]
ReadSchema: struct<id:bigint,store:int>

(1) Exchange
Input [2]: [id#1L, store#2]
Arguments: hashpartitioning(store#2, 200), ENSURE_REQUIREMENTS, [plan_id=10]

(2) ShuffleQueryStage
Output [2]: [id#1L, store#2]
Arguments: 0

(3) Sort [codegen id : 3]
Input [2]: [id#1L, store#2]
Arguments: [store#2 ASC NULLS FIRST], false, 0

(10) Scan parquet shop.visit
Output [1]: [store#11]
Batched: true
Location: InMemoryFileIndex [file:/lake/visit]
ReadSchema: struct<store:int>

(4) Exchange
Input [1]: [store#11]
Arguments: hashpartitioning(store#11, 200), ENSURE_REQUIREMENTS, [plan_id=11]

(5) ShuffleQueryStage
Output [1]: [store#11]
Arguments: 1

(6) Sort [codegen id : 4]
Input [1]: [store#11]
Arguments: [store#11 ASC NULLS FIRST], false, 0

(7) SortMergeJoin [codegen id : 5]
Left keys [1]: [store#2]
Right keys [1]: [store#11]
Join type: LeftSemi
Join condition: None

(8) AdaptiveSparkPlan
Output [2]: [id#1L, store#2]
Arguments: isFinalPlan=true
)",
             .limits = "Without an event log the rows of a join are known only where a stage stands above it with "
                       "nothing between that drops or adds rows, or from the optimizer's row counts. Row counts of a "
                       "log that retries touched are not used. Semi and anti joins cannot explode; "
                       "joins without keys are nested-loop-join's.",
             .needs = "the rows of the join and of its inputs",
             .options = kOptions},
    .check = check};

}  // namespace planvet::rules
