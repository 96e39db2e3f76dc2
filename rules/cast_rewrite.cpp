#include "rules/cast_rewrite.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

#include <fmt/core.h>

#include "analyzer/plan/characters.hpp"
#include "analyzer/report/fix_parts.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

using Operator = ExpressionOperator;

bool is_integral(std::string_view type) {
  constexpr auto kTypes = std::to_array<std::string_view>({"tinyint", "smallint", "int", "bigint"});
  return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end() || type.ends_with(",0)");
}
bool is_fractional(std::string_view type) {
  return type == "float" || type == "double" || (type.starts_with("decimal") && !is_integral(type));
}
bool is_timestamp(std::string_view type) { return type.starts_with("timestamp"); }

std::optional<std::int64_t> whole_number(std::string_view literal) {
  std::int64_t value = 0;
  const char* end = literal.data() + literal.size();
  const auto [stop, error] = std::from_chars(literal.data(), end, value);
  // Room for the neighbours.
  if (error != std::errc{} || stop != end || value > INT64_MAX - 1 || value < INT64_MIN + 1) return std::nullopt;
  return value;
}

// "2024-01-05"
bool is_day(std::string_view text) {
  if (text.size() != 10) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == 4 || i == 7 ? text[i] != '-' : !is_digit(text[i])) return false;
  }
  return true;
}
// "2024-01-05 00:00:00"
bool is_second(std::string_view text) {
  return text.size() == 19 && is_day(text.substr(0, 10)) && text[10] == ' ' && text[13] == ':' && text[16] == ':';
}
bool is_midnight(std::string_view text) { return is_second(text) && text.substr(11) == "00:00:00"; }

bool is_range(Operator op) {
  return op == Operator::Greater || op == Operator::GreaterOrEqual || op == Operator::Less ||
         op == Operator::LessOrEqual;
}

std::string compare(std::string_view column, Operator op, std::string_view value) {
  return fmt::format("{} {} {}", column, op == Operator::NotEqual ? "<>" : operator_symbol(op), value);
}

std::string written(std::string_view predicate) { return "write " + code(predicate); }

CastRewrite itself(std::string_view column, std::string_view type, Operator op, std::string_view value) {
  return {true,
          fmt::format("compare {} itself, which is {}: {}", in_prose(column), type, code(compare(column, op, value)))};
}

// `first` is the smallest value that becomes the constant, `next` the smallest that becomes more.
CastRewrite steps(std::string_view column, Operator op, std::string_view first, std::string_view next) {
  switch (op) {
    case Operator::Equal: return {true, written(fmt::format("{0} >= {1} AND {0} < {2}", column, first, next))};
    case Operator::NotEqual: return {true, written(fmt::format("{0} < {1} OR {0} >= {2}", column, first, next))};
    case Operator::Greater: return {true, written(compare(column, Operator::GreaterOrEqual, next))};
    case Operator::GreaterOrEqual: return {true, written(compare(column, Operator::GreaterOrEqual, first))};
    case Operator::Less: return {true, written(compare(column, Operator::Less, first))};
    case Operator::LessOrEqual: return {true, written(compare(column, Operator::Less, next))};
    default: return {};
  }
}

// A cast to a whole number cuts the fraction off, towards zero: what becomes 0 lies between -1 and 1.
CastRewrite cut_off(std::string_view column, Operator op, std::int64_t value) {
  const auto text = [](std::int64_t number) { return fmt::format("{}", number); };
  if (value > 0) return steps(column, op, text(value), text(value + 1));
  const std::string below = text(value - 1);
  const bool is_zero = value == 0;
  const std::string above = text(is_zero ? 1 : value);
  switch (op) {
    case Operator::Equal:
      return {true, written(fmt::format("{0} > {1} AND {0} {2} {3}", column, below, is_zero ? "<" : "<=", above))};
    case Operator::NotEqual:
      return {true, written(fmt::format("{0} <= {1} OR {0} {2} {3}", column, below, is_zero ? ">=" : ">", above))};
    case Operator::Greater:
      return {true, written(compare(column, is_zero ? Operator::GreaterOrEqual : Operator::Greater, above))};
    case Operator::GreaterOrEqual: return {true, written(compare(column, Operator::Greater, below))};
    case Operator::Less: return {true, written(compare(column, Operator::LessOrEqual, below))};
    case Operator::LessOrEqual:
      return {true, written(compare(column, is_zero ? Operator::Less : Operator::LessOrEqual, above))};
    default: return {};
  }
}

CastRewrite of_text(std::string_view column, std::string_view target, Operator op, std::string_view literal) {
  const bool is_number_target = is_integral(target) || is_fractional(target);
  if (is_number_target && is_range(op)) {
    return {false, fmt::format("store {0} as {1}: it is text, which is ordered letter by letter ('10' < '9'), so no "
                               "range over {0} itself means the same",
                               in_prose(column), target)};
  }
  if (is_number_target && is_number(literal)) {
    return {true, fmt::format("compare {0} itself, which is text: {1}; where it also holds ' 5' or '05', store it as "
                              "{2} instead",
                              in_prose(column), code(compare(column, op, sql_text(literal))), target)};
  }
  if (target == "date" && is_day(literal)) {
    return {true, fmt::format("compare {0} itself, which is text: {1}; where it does not hold plain days like that, "
                              "store it as date instead",
                              in_prose(column), code(compare(column, op, sql_text(literal))))};
  }
  return {};
}

CastRewrite of_timestamp(std::string_view column, std::string_view target, Operator op, std::string_view literal) {
  const auto stamp = [](std::string_view text) { return "TIMESTAMP" + sql_text(text); };
  if (target == "date" && is_day(literal)) {
    return steps(column, op, stamp(literal), stamp(literal) + " + INTERVAL 1 DAY");
  }
  if (target == "bigint" || target == "int") {
    const auto second = whole_number(literal);
    if (!second) return {};
    return steps(column, op, fmt::format("timestamp_seconds({})", *second),
                 fmt::format("timestamp_seconds({})", *second + 1));
  }
  if (!is_text_type(target) || !is_range(op)) return {};
  if (is_second(literal) && (op == Operator::GreaterOrEqual || op == Operator::Less)) {
    return {true, written(compare(column, op, stamp(literal)))};
  }
  if (!is_day(literal)) return {};
  // '2024-01-05 00:00:00' is more than '2024-01-05', as text.
  const bool is_lower = op == Operator::Greater || op == Operator::GreaterOrEqual;
  return {true, written(compare(column, is_lower ? Operator::GreaterOrEqual : Operator::Less, stamp(literal)))};
}

CastRewrite of_date(std::string_view column, std::string_view target, Operator op, std::string_view literal) {
  if (is_text_type(target) && is_day(literal)) return itself(column, "date", op, "DATE" + sql_text(literal));
  if (!is_timestamp(target) || !is_second(literal)) return {};
  const std::string day = "DATE" + sql_text(literal.substr(0, 10));
  if (is_midnight(literal)) return itself(column, "date", op, day);
  // Days begin at midnight: none is 12:00.
  if (op == Operator::Greater || op == Operator::GreaterOrEqual) return itself(column, "date", Operator::Greater, day);
  if (op == Operator::Less || op == Operator::LessOrEqual) return itself(column, "date", Operator::LessOrEqual, day);
  return {};
}

CastRewrite known_rewrite(std::string_view column, std::string_view type, std::string_view target, Operator op,
                          std::string_view literal) {
  if (is_text_type(type)) return of_text(column, target, op, literal);
  if (is_timestamp(type)) return of_timestamp(column, target, op, literal);
  if (type == "date") return of_date(column, target, op, literal);
  const bool is_whole = is_integral(type);
  if (!is_whole && !is_fractional(type)) return {};
  if (is_text_type(target)) {
    if (is_range(op)) {
      return {false, fmt::format("compare {} as the number it is: as text '10' is less than '9'", in_prose(column))};
    }
    const auto value = whole_number(literal);
    if (is_whole && value && fmt::format("{}", *value) == literal) return itself(column, type, op, literal);
    return {};
  }
  if (!is_number(literal)) return {};
  if (!is_whole && is_integral(target)) {
    const auto value = whole_number(literal);
    return value ? cut_off(column, op, *value) : CastRewrite{};
  }
  if (is_integral(target) || is_fractional(target)) return itself(column, type, op, literal);
  return {};
}

}  // namespace

bool is_text_type(std::string_view type) {
  return type.starts_with("string") || type.starts_with("varchar") || type.starts_with("char");
}

bool is_number(std::string_view literal) {
  if (literal.starts_with('-')) literal.remove_prefix(1);
  if (literal.empty() || !is_digit(literal.front())) return false;
  bool is_exponent = false;
  for (std::size_t i = 0; i < literal.size(); ++i) {
    const char c = literal[i];
    if (is_digit(c) || (c == '.' && !is_exponent)) continue;
    if ((c == '-' || c == '+') && (literal[i - 1] == 'E' || literal[i - 1] == 'e')) continue;
    if ((c != 'E' && c != 'e') || is_exponent) return false;
    is_exponent = true;
  }
  return literal.back() != 'E' && literal.back() != 'e';
}

std::string sql_text(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out.push_back('\\');
    out.push_back(c);
  }
  return out + "'";
}

std::string sql_literal(std::string_view printed, std::string_view type) {
  if (is_text_type(type)) return sql_text(printed);
  if (type == "date") return "DATE" + sql_text(printed.substr(0, 10));
  if (is_timestamp(type)) return "TIMESTAMP" + sql_text(printed);
  return is_number(printed) || printed == "true" || printed == "false" ? std::string(printed) : sql_text(printed);
}

CastRewrite rewrite_of_cast(std::string_view column, std::string_view type, std::string_view target,
                            ExpressionOperator op, std::string_view literal) {
  if (op != Operator::None && !type.empty()) {
    CastRewrite known = known_rewrite(column, type, target, op, literal);
    if (!known.fix.empty()) return known;
  }
  return {true, fmt::format("compare {} itself with a value of its own type{}, or store it as {}", in_prose(column),
                            type.empty() ? std::string() : fmt::format(" ({})", type), target)};
}

}  // namespace planvet::rules
