#include "rules/join_pairs.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "analyzer/plan/walk.hpp"
#include "analyzer/report/fix_parts.hpp"
#include "rules/join_sides.hpp"
#include "rules/reporter.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

// A row takes no less than this in Spark's own sizes (8 bytes overhead in estimates, more in real rows).
constexpr double kLeastRowSize = 8;

std::optional<Quantity> rows_of(const Statistics& statistics, NodeId side) {
  if (side == kNoNode) return std::nullopt;
  if (const auto rows = statistics.rows(side)) return rows;
  if (const auto rows = statistics.max_rows(side)) return rows;
  if (const auto bytes = statistics.bytes(side)) {
    return Quantity{bytes->value / kLeastRowSize, bytes->source, true, false};
  }
  return std::nullopt;
}

// Does one operand of the comparison mix both sides? `abs(a - b) = 0`, but not `a = b`.
bool mixes_sides(const ExpressionTree& tree, ExpressionIndex comparison, const JoinSides& sides) {
  for (const ExpressionIndex operand : tree.children(comparison)) {
    if (sides.seen_in(tree, operand).both()) return true;
  }
  return false;
}

bool is_equality(ExpressionOperator op) {
  return op == ExpressionOperator::Equal || op == ExpressionOperator::NullSafeEqual;
}

PairingCause cause_of(const ExpressionTree& tree, ExpressionIndex conjunct, const JoinSides& sides) {
  const ExpressionOperator op = tree.op(conjunct);
  if (op == ExpressionOperator::Or) {
    // Without an equality in any alternative there is nothing to split.
    std::optional<PairingCause> cause;
    for (const ExpressionIndex alternative : tree.disjuncts(conjunct)) {
      for (const ExpressionIndex part : tree.conjuncts(alternative)) {
        if (!sides.are_known() || !sides.seen_in(tree, part).both()) continue;
        const PairingCause of_part = cause_of(tree, part, sides);
        if (of_part == PairingCause::Hint) return PairingCause::OrAcrossKeys;
        if (!cause) cause = of_part;
      }
    }
    return cause.value_or(PairingCause::OrAcrossKeys);
  }
  if (tree.kind(conjunct) == ExpressionKind::Not) {
    const ExpressionIndex inner = tree.child(conjunct, 0);
    if (is_equality(tree.op(inner))) return PairingCause::NotEqual;
    return cause_of(tree, inner, sides);
  }
  if (is_comparison(op)) {
    if (mixes_sides(tree, conjunct, sides)) return PairingCause::FunctionOfBothSides;
    if (op == ExpressionOperator::NotEqual) return PairingCause::NotEqual;
    return is_equality(op) ? PairingCause::Hint : PairingCause::RangeOnly;
  }
  if (tree.contains_opaque(conjunct)) return PairingCause::Unknown;
  return PairingCause::FunctionOfBothSides;
}

// A Python UDF over both sides cannot be a join condition: it is computed above, and the Filter above that.
bool has_udf_filter_above(const PlanTree& plan, NodeId join) {
  const NodeId eval = above_structure(plan, join);
  if (eval == kNoNode) return false;
  const OperatorKind kind = plan.node(eval).kind;
  if (kind != OperatorKind::BatchEvalPython && kind != OperatorKind::ArrowEvalPython) return false;
  const NodeId filter = above_structure(plan, eval);
  return filter != kNoNode && plan.node(filter).kind == OperatorKind::Filter;
}

}  // namespace

std::optional<PairVerdict> judge_pairs(const PlanContext& context, const Join& join, const PairLimits& limits) {
  const Statistics& statistics = context.statistics();
  PairVerdict verdict;
  std::optional<Quantity> rows[2];
  bool is_exact = true;
  for (const Side side : {Side::Left, Side::Right}) {
    const NodeId input = join.input(side);
    auto& known = rows[static_cast<std::size_t>(side)];
    known = rows_of(statistics, input);
    if (input != kNoNode) {
      const auto bound = statistics.max_rows(input);
      if (bound && bound->value <= limits.small_rows) return std::nullopt;
    }
    if (known && known->value <= limits.small_rows) return std::nullopt;
    if (!known || !known->is_at_least) {
      is_exact = false;
    } else {
      verdict.evidence.push_back(
          {fmt::format("rows of {}", side_text(join, side)), known->value, "rows", known->source});
    }
  }
  if (!rows[0] || !rows[1]) return verdict;
  const double pairs = rows[0]->value * rows[1]->value;
  if (pairs < limits.warning_pairs) return std::nullopt;
  if (!is_exact) return verdict;
  const EvidenceSource source = std::max(rows[0]->source, rows[1]->source);
  verdict.evidence.push_back({"row pairs", pairs, "count", source});
  verdict.numbers = fmt::format("{} x {} rows are {} pairs", count_text(rows[0]->value), count_text(rows[1]->value),
                                count_text(pairs));
  if (source == EvidenceSource::Measured && pairs >= limits.error_pairs) verdict.severity = Severity::Error;
  return verdict;
}

bool lacks_details(const PlanContext& context, const Join& join) {
  if (join.type() == JoinType::Unknown) return true;
  const PlanTree& plan = context.plan();
  for (const Side side : {Side::Left, Side::Right}) {
    for (NodeId at = join.input(side); at != kNoNode; at = plan.input(at)) {
      if (const auto aggregate = Aggregate::of(plan, at)) {
        if (!aggregate->has_details()) return true;
        break;
      }
      const OperatorFamily what = family(plan.node(at).kind);
      if (what != OperatorFamily::Exchange && what != OperatorFamily::Project && what != OperatorFamily::Filter &&
          what != OperatorFamily::Sort && !is_structural(plan.node(at).kind)) {
        break;
      }
    }
  }
  return false;
}

std::string_view slug(PairingCause cause) {
  switch (cause) {
    case PairingCause::NoCondition: return "no-condition";
    case PairingCause::UdfCondition: return "udf-condition";
    case PairingCause::OrAcrossKeys: return "or-across-keys";
    case PairingCause::FunctionOfBothSides: return "function-of-both-sides";
    case PairingCause::NotEqual: return "not-equal";
    case PairingCause::RangeOnly: return "range-only";
    case PairingCause::Hint: return "join-hint";
    case PairingCause::Unknown: return "unknown";
  }
  return "unknown";
}

namespace {

std::string because_of(PairingCause cause, const std::string& condition) {
  switch (cause) {
    case PairingCause::NoCondition: return "there is no join condition";
    case PairingCause::UdfCondition: return "the only condition is a Python UDF, evaluated above the join";
    case PairingCause::OrAcrossKeys: return fmt::format("the keys are joined by OR in {}", condition);
    case PairingCause::FunctionOfBothSides: return fmt::format("{} is a function of columns of both sides", condition);
    case PairingCause::NotEqual: return fmt::format("{} compares by <> only", condition);
    case PairingCause::RangeOnly: return fmt::format("{} has ranges and no equality", condition);
    case PairingCause::Hint: return fmt::format("{} has an equality, so a hint asked for it", condition);
    case PairingCause::Unknown: return "the text does not show its condition";
  }
  return {};
}

// `amount` between `low` and `high`: a bucket of the one, all buckets between the others.
std::string fix_of_range(const ExpressionTree& tree, const JoinSides& sides) {
  std::vector<std::string> columns[2];
  for (const ExpressionIndex conjunct : tree.conjuncts(tree.root())) {
    if (!sides.seen_in(tree, conjunct).both()) continue;
    tree.for_each_attribute(conjunct, [&](ExpressionIndex at) {
      const auto side = sides.of(tree.expr_id(at));
      if (!side) return;
      auto& known = columns[static_cast<std::size_t>(*side)];
      std::string column = sides.qualified_column(tree, at);
      if (std::find(known.begin(), known.end(), column) == known.end()) known.push_back(std::move(column));
    });
  }
  const bool is_left_point = columns[0].size() == 1;
  const auto& point = columns[is_left_point ? 0 : 1];
  const auto& bounds = columns[is_left_point ? 1 : 0];
  if (point.size() == 1 && bounds.size() == 2) {
    return fmt::format(
        "add an equality: a key that both sides share, or buckets of some width: {} on one side, joined {}, with the "
        "range kept beside it",
        code(fmt::format("explode(sequence(floor({} / :width), floor({} / :width))) AS bucket", bounds[0], bounds[1])),
        code(fmt::format("ON floor({} / :width) = bucket", point[0])));
  }
  return "add an equality that both sides share (a day, a region, a bucket of the compared value) and keep the range "
         "beside it";
}

std::string fix_of_or(const ExpressionTree& tree, const JoinSides& sides, bool is_inner) {
  if (!is_inner) return "split the OR: one equi-join for each alternative, then combine their results by key";
  const std::vector<ExpressionIndex> conjuncts = tree.conjuncts(tree.root());
  if (conjuncts.size() == 1) {
    const std::vector<ExpressionIndex> parts = tree.disjuncts(conjuncts.front());
    const auto first = sides.sql(tree, parts.front());
    const auto second = sides.sql(tree, parts.back());
    if (parts.size() == 2 && first && second) {
      return fmt::format("split the OR into a UNION ALL of two joins, {} and {}, so that no pair comes twice",
                         code("ON " + *first),
                         code(fmt::format("ON {} WHERE NOT coalesce({}, false)", *second, *first)));
    }
  }
  return fmt::format(
      "split the OR: one equi-join for each alternative, put together by UNION ALL, each with "
      "`WHERE NOT coalesce(:alternatives_before, false)` so that no pair comes twice{}",
      conjuncts.size() == 1 ? "" : "; what is joined to the OR by AND goes into each of them");
}

std::string fix_of(PairingCause cause, const Join& join, const ExpressionTree& tree, const JoinSides& sides) {
  const JoinType type = join.type();
  const bool is_inner = type == JoinType::Inner || type == JoinType::Cross;
  switch (cause) {
    case PairingCause::NoCondition:
      return is_inner ? "join on a key that both sides have; if every pair is meant, write CROSS JOIN or "
                        "`df.crossJoin(other)` and allow this finding"
                      : "join on a key that both sides have: without an equality Spark has no other join for this type";
    case PairingCause::UdfCondition:
      return "replace the UDF by built-in functions with an equality in them, or compute the UDF's result as a column "
             "of "
             "one side and join on its equality";
    case PairingCause::OrAcrossKeys: return fix_of_or(tree, sides, is_inner);
    case PairingCause::FunctionOfBothSides:
      return "compute one column on each side before the join, and join on the equality of the two";
    case PairingCause::NotEqual: return "join on what must be equal, and keep <> as an additional condition beside it";
    case PairingCause::RangeOnly: return fix_of_range(tree, sides);
    case PairingCause::Hint:
      return join.node().kind == OperatorKind::CartesianProduct
                 ? "drop the hint SHUFFLE_REPLICATE_NL: Spark then hashes or sorts by the equality"
                 : "drop the join hint: Spark then hashes or sorts by the equality";
    case PairingCause::Unknown:
      return "print the plan with `df.explain(\"formatted\")` to see the whole condition, and give it an equality";
  }
  return {};
}

}  // namespace

PairingCauses pairing_causes(const PlanContext& context, const Join& join) {
  PairingCauses causes;
  const JoinSides sides(context.plan(), join);
  const Attribute* condition = join.condition();
  ExpressionTree tree;
  std::string text;
  if (condition == nullptr && !join.has_details()) {
    causes.all.push_back(PairingCause::Unknown);
  } else if (condition == nullptr) {
    const bool is_udf = has_udf_filter_above(context.plan(), join.id());
    causes.all.push_back(is_udf ? PairingCause::UdfCondition : PairingCause::NoCondition);
  } else if (condition->is_whole()) {
    tree = context.parse(condition->text);
    text = sides.qualified(tree, tree.root());
    for (const ExpressionIndex conjunct : tree.conjuncts(tree.root())) {
      // A predicate of one side alone joins nothing.
      if (sides.are_known() && !sides.seen_in(tree, conjunct).both()) continue;
      const PairingCause cause = cause_of(tree, conjunct, sides);
      if (std::find(causes.all.begin(), causes.all.end(), cause) == causes.all.end()) causes.all.push_back(cause);
    }
    if (causes.all.empty()) causes.all.push_back(PairingCause::NoCondition);
  } else {
    causes.all.push_back(PairingCause::Unknown);
  }
  // An equality explains everything: only a hint makes Spark pair rows that it could hash.
  std::stable_sort(causes.all.begin(), causes.all.end(), [](PairingCause a, PairingCause b) {
    const auto rank = [](PairingCause cause) { return cause == PairingCause::Hint ? -1 : static_cast<int>(cause); };
    return rank(a) < rank(b);
  });
  causes.because = because_of(causes.all.front(), text);
  causes.fix = fix_of(causes.all.front(), join, tree, sides);
  return causes;
}

void check_pairs(const PlanContext& context, Reporter& reporter, OperatorKind kind, std::string_view unit,
                 std::string_view verb) {
  for (const PlanNode& node : context.operators()) {
    if (node.kind != kind) continue;
    const auto join = Join::of(context.plan(), node.id);
    if (!join) continue;
    const Options& options = context.options();
    const auto verdict = judge_pairs(
        context, *join, {options.number("small-rows"), options.number("warning-pairs"), options.number("error-pairs")});
    if (!verdict) continue;
    if (lacks_details(context, *join)) {
      reporter.skip(std::string(kLacksDetails));
      continue;
    }

    const PairingCauses causes = pairing_causes(context, *join);
    if (join->condition() != nullptr && !join->condition()->is_whole()) reporter.want(node, *join->condition());
    Finding& finding =
        reporter.report(node, verdict->severity,
                        fmt::format("every {} of {} {} every {} of {}{}{}: {}", unit, side_text(*join, Side::Left),
                                    verb, unit, side_text(*join, Side::Right), verdict->numbers.empty() ? "" : ", ",
                                    verdict->numbers, causes.because));
    finding.fix = causes.fix;
    finding.evidence = verdict->evidence;
    for (const PairingCause cause : causes.all) finding.reasons.emplace_back(slug(cause));
  }
}

}  // namespace planvet::rules
