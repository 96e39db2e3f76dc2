#include "rules/unpushed_reason.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include <fmt/core.h>

#include "analyzer/report/fix_parts.hpp"
#include "rules/builtin_functions.hpp"
#include "rules/cast_rewrite.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

bool has_column(const ExpressionTree& tree, ExpressionIndex root) {
  bool found = false;
  tree.for_each_attribute(root, [&](ExpressionIndex) { found = true; });
  return found;
}

ExpressionIndex first_column(const ExpressionTree& tree, ExpressionIndex root) {
  ExpressionIndex first = kNoExpression;
  tree.for_each_attribute(root, [&](ExpressionIndex at) {
    if (first == kNoExpression) first = at;
  });
  return first;
}

std::string column_name(const ExpressionTree& tree, ExpressionIndex root) {
  const ExpressionIndex column = first_column(tree, root);
  return column == kNoExpression ? std::string("the column") : sql_column(tree.name(column));
}

// The comparison `operand op constant`, whichever way around it is printed.
struct Comparison {
  ExpressionIndex operand = kNoExpression;
  ExpressionIndex constant = kNoExpression;
  ExpressionOperator op = ExpressionOperator::None;
};

std::optional<Comparison> against_constant(const ExpressionTree& tree, ExpressionIndex at) {
  if (!is_comparison(tree.op(at))) return std::nullopt;
  const ExpressionIndex left = tree.child(at, 0);
  const ExpressionIndex right = tree.child(at, 1);
  if (left == kNoExpression || right == kNoExpression) return std::nullopt;
  if (!has_column(tree, right)) return Comparison{left, right, tree.op(at)};
  if (!has_column(tree, left)) return Comparison{right, left, flipped(tree.op(at))};
  return std::nullopt;
}

constexpr auto kFunctionsOfDatesWithRewrite = std::to_array<std::string_view>(
    {"year", "trunc", "date_trunc", "date_format", "to_date", "date", "last_day", "from_unixtime", "unix_timestamp",
     "to_timestamp", "to_unix_timestamp", "date_add", "date_sub", "add_months", "gettimestamp", "datediff", "date_diff",
     "truncdate", "trunctimestamp"});
constexpr auto kOtherFunctionsWithRewrite =
    std::to_array<std::string_view>({"substring", "substr", "left", "coalesce", "nvl", "ifnull", "nullif", "nvl2",
                                     "abs", "negative", "ceil", "ceiling", "floor", "round", "upper", "lower"});

template <std::size_t N>
bool is_in(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

bool is_substring(std::string_view function) {
  return function == "substring" || function == "substr" || function == "left";
}

// substring(s, 1, 4): 4. Only a beginning is something that a source can look for.
std::optional<std::int64_t> length_of_beginning(const ExpressionTree& tree, ExpressionIndex call) {
  const std::string_view function = tree.function_name(call);
  if (!is_substring(function)) return std::nullopt;
  ExpressionIndex length = tree.child(call, 1);
  if (function != "left") {
    if (length == kNoExpression || (tree.text(length) != "1" && tree.text(length) != "0")) return std::nullopt;
    length = tree.child(call, 2);
  }
  if (length == kNoExpression || tree.kind(length) != ExpressionKind::Literal) return std::nullopt;
  const std::string digits(tree.name(length));
  return is_number(digits) ? std::optional<std::int64_t>(std::atoll(digits.c_str())) : std::nullopt;
}

bool has_several_columns(const ExpressionTree& tree, ExpressionIndex root) {
  std::uint64_t first = kNoExprId;
  bool is_other = false;
  tree.for_each_attribute(root, [&](ExpressionIndex at) {
    if (first == kNoExprId) first = tree.expr_id(at);
    is_other = is_other || tree.expr_id(at) != first;
  });
  return is_other;
}

// The call's rewrite, where one can be written down.
std::string rewrite_of_call(const ExpressionTree& tree, ExpressionIndex call,
                            const std::optional<Comparison>& comparison, const FilteredScan& filtered) {
  const std::string_view function = tree.function_name(call);
  if (has_several_columns(tree, call)) {
    return fmt::format("store {} as a column of its own, or add a predicate on one of its columns",
                       plain(tree.text(call), 60));
  }
  const std::string column = column_name(tree, call);
  const ExpressionIndex at = first_column(tree, call);
  const std::string_view type = at == kNoExpression ? std::string_view{} : filtered.type_of(tree.name(at));
  const bool is_equal = comparison && comparison->op == ExpressionOperator::Equal;
  const std::string constant = comparison ? std::string(tree.text(comparison->constant)) : std::string{};
  if (function == "year" && is_equal && is_number(constant)) {
    const int year = std::atoi(constant.c_str());
    const std::string_view kind = type.starts_with("timestamp") ? "TIMESTAMP" : is_text_type(type) ? "" : "DATE";
    return "write " + code(fmt::format("{0} >= {1}'{2}-01-01' AND {0} < {1}'{3}-01-01'", column, kind, year, year + 1));
  }
  if ((function == "trunc" || function == "date_trunc") && is_equal) {
    return fmt::format("write {} with the interval of the truncated unit",
                       code(fmt::format("{0} >= {1} AND {0} < {1} + :unit", column,
                                        sql_literal(constant, type.empty() ? "date" : type))));
  }
  if (const auto length = length_of_beginning(tree, call); length && comparison) {
    const auto characters = static_cast<std::int64_t>(character_count(constant));
    if (is_equal && *length > characters) return "write " + code(column + " = " + sql_text(constant));
    if (!is_equal || *length < characters)
      return fmt::format("compare {} itself with the values or beginnings that qualify", in_prose(column));
    const bool has_wildcard = constant.find_first_of("%_\\") != std::string::npos;
    return "write " + code(has_wildcard ? fmt::format("startswith({}, {})", column, sql_text(constant))
                                        : fmt::format("{} LIKE {}", column, sql_text(constant + "%")));
  }
  if (function == "coalesce" || function == "nvl" || function == "ifnull") {
    const std::string or_null =
        fmt::format("and beside it, by OR, {} if the default qualifies", code(column + " IS NULL"));
    if (!comparison) return fmt::format("test {} itself, {}", in_prose(column), or_null);
    return fmt::format(
        "compare the column itself: {}, {}",
        code(fmt::format("{} {} {}", column, operator_symbol(comparison->op), sql_literal(constant, type))), or_null);
  }
  if (function == "date_add" || function == "date_sub" || function == "add_months") {
    return fmt::format("move the days to the other side: compare {} itself with a date computed from the literal",
                       in_prose(column));
  }
  if (is_in(kFunctionsOfDatesWithRewrite, function)) {
    return fmt::format("compare {0} itself with the bounds of the period: {1}", in_prose(column),
                       code(fmt::format("{0} >= :first AND {0} < :next", column)));
  }
  if (function == "upper" || function == "lower") {
    return fmt::format("compare {} itself with the spellings that occur: {}, or store it in one case", in_prose(column),
                       code(column + " IN (:spellings)"));
  }
  if (is_in(kOtherFunctionsWithRewrite, function) && !is_substring(function)) {
    return fmt::format("solve it for {}: compare the column itself with the values or bounds that qualify",
                       in_prose(column));
  }
  return fmt::format("store {} as a column of its own, or add a predicate on {} itself that is implied by it",
                     plain(tree.text(call), 60), in_prose(column));
}

// upper(s) = 'X' has no equal predicate on s; year(d) = 2024 has.
bool has_exact_rewrite(const ExpressionTree& tree, ExpressionIndex call) {
  const std::string_view function = tree.function_name(call);
  if (function == "upper" || function == "lower" || has_several_columns(tree, call)) return false;
  if (is_substring(function)) return length_of_beginning(tree, call).has_value();
  return is_in(kFunctionsOfDatesWithRewrite, function) || is_in(kOtherFunctionsWithRewrite, function);
}

std::string_view because_text(UnpushedReason reason) {
  switch (reason) {
    case UnpushedReason::PythonUdf: return "it needs a Python UDF";
    case UnpushedReason::Udf: return "it calls a user-defined function";
    case UnpushedReason::NonDeterministic: return "it is not deterministic";
    case UnpushedReason::CastOnColumn: return "the column is cast";
    case UnpushedReason::FunctionOnColumn: return "a function stands on the column";
    case UnpushedReason::ArithmeticOnColumn: return "the column is computed with";
    case UnpushedReason::OrWithUnpushableSide: return "one side of the OR cannot be pushed";
    case UnpushedReason::ColumnToColumn: return "it compares columns with each other";
    case UnpushedReason::NestedField: return "it looks into a nested value";
    case UnpushedReason::LikeInnerWildcard: return "the pattern has an inner wildcard";
    case UnpushedReason::RLike: return "it is a regular expression";
    case UnpushedReason::SourceCannotPush: return "the source takes no such predicate";
    case UnpushedReason::Unknown: return "the plan does not say why";
  }
  return {};
}

Unpushed of_reason(UnpushedReason reason, bool has_rewrite, std::string fix) {
  Unpushed result;
  result.reason = reason;
  result.has_rewrite = has_rewrite;
  result.because = because_text(reason);
  result.fix = std::move(fix);
  return result;
}

// What is not deterministic or not Spark's own spoils everything around it.
std::optional<Unpushed> foreign_part(const FilteredScan& filtered, const ExpressionTree& tree, ExpressionIndex root) {
  std::optional<Unpushed> result;
  tree.for_each(root, [&](ExpressionIndex at) {
    if (result) return;
    const ExpressionKind kind = tree.kind(at);
    if (kind == ExpressionKind::Attribute && tree.name(at).starts_with("pythonUDF")) {
      const std::string_view call = filtered.python_call(tree.expr_id(at));
      result = of_reason(UnpushedReason::PythonUdf, false,
                         fmt::format("replace {} by built-in functions, or put a predicate on the columns themselves "
                                     "beside it",
                                     call.empty() ? std::string("the Python UDF") : plain(call, 60)));
      return;
    }
    if (kind == ExpressionKind::Attribute) {
      const std::string_view alias = filtered.aliased(tree.expr_id(at));
      for (const std::string_view mark : {"rand(", "randn(", "uuid(", "monotonically_increasing_id("}) {
        if (alias.find(mark) == std::string_view::npos) continue;
        result =
            of_reason(UnpushedReason::NonDeterministic, false, "filter before the non-deterministic column is made");
      }
      return;
    }
    if (kind != ExpressionKind::Call) return;
    const std::string_view function = tree.function_name(at);
    if (is_non_deterministic_function(function)) {
      result =
          of_reason(UnpushedReason::NonDeterministic, false,
                    fmt::format("`{}()` is evaluated for every row that is read: to sample, use TABLESAMPLE or a hash "
                                "of a key that is stored",
                                function));
      return;
    }
    if (is_user_function(function)) {
      result =
          of_reason(UnpushedReason::Udf, false,
                    fmt::format("replace the user-defined function {} by built-in functions, or put a predicate on "
                                "the columns themselves beside it",
                                function));
    }
  });
  return result;
}

Unpushed of_plain_column(const FilteredScan& filtered) {
  switch (filtered.scan().source()) {
    case ScanSource::Text:
    case ScanSource::Hive:
    case ScanSource::Xml:
    case ScanSource::OtherV1:
    case ScanSource::OtherV2:
    case ScanSource::Unknown:
      return of_reason(UnpushedReason::SourceCannotPush, false,
                       fmt::format("store the table in a format that filters while reading (Parquet, ORC, Delta, "
                                   "Iceberg): {} reads every row",
                                   filtered.scan().source() == ScanSource::Hive ? "a Hive SerDe" : "this source"));
    case ScanSource::Parquet:
    case ScanSource::Orc:
    case ScanSource::Avro:
    case ScanSource::Csv:
    case ScanSource::Json:
    case ScanSource::Jdbc:
    case ScanSource::Iceberg: break;
  }
  if (filtered.is_above_typed_filter()) {
    Unpushed held =
        of_reason(UnpushedReason::Udf, true, "put this filter before the typed one (a lambda over objects)");
    held.because = "a typed filter below holds it back";
    return held;
  }
  if (filtered.is_above_python()) {
    Unpushed held = of_reason(UnpushedReason::PythonUdf, true,
                              "filter on the columns first, and by the non-deterministic Python UDF in a second step");
    held.because = "a non-deterministic Python UDF beside it holds it back";
    return held;
  }
  if (filtered.scan().is_v2() && filtered.scan().source() != ScanSource::Iceberg) {
    return of_reason(
        UnpushedReason::SourceCannotPush, false,
        "read the table through the V1 source, which is given more predicates, or put one on another column "
        "beside it");
  }
  return of_reason(UnpushedReason::Unknown, false, "check that filter pushdown is on for this source");
}

// Why is a comparison of this operand with a constant not pushed?
Unpushed of_operand(const FilteredScan& filtered, const ExpressionTree& tree, ExpressionIndex operand,
                    const std::optional<Comparison>& comparison) {
  const std::string column = column_name(tree, operand);
  switch (tree.kind(operand)) {
    case ExpressionKind::Attribute: return of_plain_column(filtered);
    case ExpressionKind::Field:
    case ExpressionKind::Item:
      return of_reason(UnpushedReason::NestedField, false,
                       fmt::format("store {} as a column of its own: {}", plain(tree.text(operand), 60),
                                   tree.kind(operand) == ExpressionKind::Item
                                       ? "no source is given elements of arrays and maps"
                                       : fmt::format("{} is not given nested fields", name(filtered.scan().source()))));
    case ExpressionKind::Cast: {
      const ExpressionIndex below = tree.column_below_casts(operand);
      if (below == kNoExpression) return of_operand(filtered, tree, tree.child(operand, 0), comparison);
      const std::string_view type = filtered.type_of(tree.name(below));
      const std::string_view target = tree.name(operand);
      const bool is_literal = comparison && tree.kind(comparison->constant) == ExpressionKind::Literal;
      CastRewrite rewrite =
          rewrite_of_cast(column, type, target, is_literal ? comparison->op : ExpressionOperator::None,
                          is_literal ? tree.name(comparison->constant) : std::string_view{});
      return of_reason(UnpushedReason::CastOnColumn, rewrite.is_pushable, std::move(rewrite.fix));
    }
    case ExpressionKind::Binary: {
      std::size_t columns = 0;
      tree.for_each_attribute(operand, [&](ExpressionIndex) { ++columns; });
      if (columns > 1) {
        return of_reason(
            UnpushedReason::ColumnToColumn, false,
            "a source compares columns with constants only: store the result as a column of its own, or add "
            "a predicate on one column");
      }
      const ExpressionOperator op = tree.op(operand);
      const bool is_solvable = op == ExpressionOperator::Add || op == ExpressionOperator::Subtract ||
                               op == ExpressionOperator::Multiply || op == ExpressionOperator::Divide;
      return of_reason(UnpushedReason::ArithmeticOnColumn, is_solvable,
                       is_solvable
                           ? fmt::format("solve it for {0}: put the arithmetic on the other side, so that {0} stands "
                                         "alone",
                                         in_prose(column))
                           : fmt::format("store {} as a column of its own", plain(tree.text(operand), 60)));
    }
    case ExpressionKind::Case:
    case ExpressionKind::If:
      return of_reason(UnpushedReason::FunctionOnColumn, true,
                       "write the condition itself instead of CASE or IF: its branches as AND and OR of comparisons");
    case ExpressionKind::Call: {
      const std::string_view function = tree.function_name(operand);
      if (function == "-") {
        return of_reason(UnpushedReason::ArithmeticOnColumn, true,
                         fmt::format("solve it for {0}: change the sign on the other side, so that {0} stands alone",
                                     in_prose(column)));
      }
      // A cast inside a function counts as the function.
      return of_reason(UnpushedReason::FunctionOnColumn, has_exact_rewrite(tree, operand),
                       rewrite_of_call(tree, operand, comparison, filtered));
    }
    default:
      return of_reason(UnpushedReason::Unknown, false,
                       fmt::format("put a predicate on {} itself beside it", in_prose(column)));
  }
}

Unpushed of_one(const FilteredScan& filtered, const ExpressionTree& tree, ExpressionIndex at);

// (n = 5 OR upper(s) = 'K1'): the first side that could not be pushed alone.
Unpushed of_or(const FilteredScan& filtered, const ExpressionTree& tree, ExpressionIndex at) {
  Unpushed worst;
  bool is_found = false;
  for (const ExpressionIndex disjunct : tree.disjuncts(at)) {
    for (const ExpressionIndex part : tree.conjuncts(disjunct)) {
      if (is_sparks_own(tree, part) && !tree.contains(part, ExpressionKind::Subquery)) continue;
      // Inside an AND of an OR there can be no further OR that disjuncts() has not seen but a nested one: as a whole.
      const Unpushed side = tree.op(part) == ExpressionOperator::Or ? Unpushed{} : of_one(filtered, tree, part);
      if (side.reason == UnpushedReason::Unknown) continue;
      if (is_found) {
        worst.has_rewrite = worst.has_rewrite && side.has_rewrite;
        continue;
      }
      worst = side;
      is_found = true;
    }
  }
  Unpushed result;
  result.reason = is_found ? UnpushedReason::OrWithUnpushableSide : UnpushedReason::Unknown;
  result.side_reason = worst.reason;
  result.has_rewrite = is_found && worst.has_rewrite;
  result.because = is_found ? fmt::format("one side of the OR cannot be pushed ({})", worst.because)
                            : std::string(because_text(UnpushedReason::Unknown));
  result.fix = is_found ? fmt::format("an OR is pushed as a whole or not at all: {}", worst.fix)
                        : std::string("add a predicate that is implied by the OR and can be pushed");
  return result;
}

Unpushed of_one(const FilteredScan& filtered, const ExpressionTree& tree, ExpressionIndex at) {
  if (auto foreign = foreign_part(filtered, tree, at)) return *foreign;
  switch (tree.kind(at)) {
    case ExpressionKind::Not: {
      const ExpressionIndex inner = tree.child(at, 0);
      if (inner == kNoExpression || !is_comparison(tree.op(inner))) return of_one(filtered, tree, inner);
      auto comparison = against_constant(tree, inner);
      if (!comparison) return of_one(filtered, tree, inner);
      comparison->op = negated(comparison->op);
      return of_operand(filtered, tree, comparison->operand, comparison);
    }
    case ExpressionKind::Like: {
      const ExpressionIndex value = tree.child(at, 0);
      if (!tree.is_column(value)) return of_operand(filtered, tree, value, std::nullopt);
      return of_reason(UnpushedReason::LikeInnerWildcard, false,
                       fmt::format("only beginnings, ends and parts are pushed: put {} beside it",
                                   code(fmt::format("startswith({}, :beginning)", column_name(tree, value)))));
    }
    case ExpressionKind::RLike:
      return of_reason(
          UnpushedReason::RLike, false,
          fmt::format("regular expressions are never pushed: put {} beside it where the expression has a fixed "
                      "beginning",
                      code(fmt::format("startswith({}, :beginning)", column_name(tree, at)))));
    case ExpressionKind::In:
    case ExpressionKind::InSet: {
      const ExpressionIndex value = tree.child(at, 0);
      for (const ExpressionIndex child : tree.children(at)) {
        if (child != value && has_column(tree, child)) {
          return of_reason(UnpushedReason::ColumnToColumn, false, "a source compares columns with constants only");
        }
      }
      return of_operand(filtered, tree, value, std::nullopt);
    }
    case ExpressionKind::Case:
    case ExpressionKind::If: return of_operand(filtered, tree, at, std::nullopt);
    case ExpressionKind::Attribute: return of_plain_column(filtered);
    case ExpressionKind::Field:
    case ExpressionKind::Item: return of_operand(filtered, tree, at, std::nullopt);
    case ExpressionKind::Call: {
      const std::string_view function = tree.function_name(at);
      const bool is_part_test = function == "StartsWith" || function == "EndsWith" || function == "Contains" ||
                                function == "startswith" || function == "endswith" || function == "contains";
      if (!is_part_test) return of_operand(filtered, tree, at, std::nullopt);
      const ExpressionIndex value = tree.child(at, 0);
      if (!tree.is_column(value)) return of_operand(filtered, tree, value, std::nullopt);
      const ExpressionIndex part = tree.child(at, 1);
      if (part != kNoExpression && has_column(tree, part)) {
        return of_reason(UnpushedReason::ColumnToColumn, false, "a source compares columns with constants only");
      }
      if (filtered.scan().source() == ScanSource::Iceberg) {
        return of_reason(UnpushedReason::SourceCannotPush, false,
                         "Iceberg is given beginnings only: put a predicate on another column beside it");
      }
      return of_operand(filtered, tree, value, std::nullopt);
    }
    case ExpressionKind::Binary: break;
    default: return of_reason(UnpushedReason::Unknown, false, "put a predicate on the columns themselves beside it");
  }
  if (tree.op(at) == ExpressionOperator::Or) return of_or(filtered, tree, at);
  if (tree.op(at) == ExpressionOperator::And) {
    for (const ExpressionIndex part : tree.conjuncts(at)) {
      if (is_sparks_own(tree, part)) continue;
      const Unpushed inner =
          tree.op(part) == ExpressionOperator::Or ? of_or(filtered, tree, part) : of_one(filtered, tree, part);
      if (inner.reason != UnpushedReason::Unknown) return inner;
    }
    return {};
  }
  if (!is_comparison(tree.op(at))) return {};
  const auto comparison = against_constant(tree, at);
  if (!comparison) {
    return of_reason(
        UnpushedReason::ColumnToColumn, false,
        "a source compares columns with constants only: store the comparison as a column of its own, or add a "
        "predicate on one of them");
  }
  return of_operand(filtered, tree, comparison->operand, comparison);
}

}  // namespace

std::string_view slug(UnpushedReason reason) {
  switch (reason) {
    case UnpushedReason::PythonUdf: return "python-udf";
    case UnpushedReason::Udf: return "udf";
    case UnpushedReason::NonDeterministic: return "non-deterministic";
    case UnpushedReason::CastOnColumn: return "cast-on-column";
    case UnpushedReason::FunctionOnColumn: return "function-on-column";
    case UnpushedReason::ArithmeticOnColumn: return "arithmetic-on-column";
    case UnpushedReason::OrWithUnpushableSide: return "or-with-unpushable-side";
    case UnpushedReason::ColumnToColumn: return "column-to-column";
    case UnpushedReason::NestedField: return "nested-field";
    case UnpushedReason::LikeInnerWildcard: return "like-inner-wildcard";
    case UnpushedReason::RLike: return "rlike";
    case UnpushedReason::SourceCannotPush: return "source-cannot-push";
    case UnpushedReason::Unknown: return "unknown";
  }
  return "unknown";
}

Unpushed why_unpushed(const FilteredScan& filtered, const ExpressionTree& tree, ExpressionIndex conjunct) {
  return of_one(filtered, tree, conjunct);
}

}  // namespace planvet::rules
