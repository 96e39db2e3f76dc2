#include "analyzer/report/suppression.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/core.h>

#include "analyzer/plan/characters.hpp"

namespace planvet {

namespace {

// As facts match tables: by the last two parts, or the last one where either has no more. Of `db.orders` the name
// `spark_catalog.db.orders` is one more spelling.
bool names_table(std::string_view written, std::string_view printed) {
  const std::string a = lower_case(written);
  const std::string b = lower_case(printed);
  const auto is_end_of = [](std::string_view end, std::string_view whole) {
    return whole == end ||
           (whole.size() > end.size() && whole.ends_with(end) && whole[whole.size() - end.size() - 1] == '.');
  };
  return is_end_of(a, b) || is_end_of(b, a);
}

}  // namespace

std::optional<Date> parse_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  Date date;
  const auto number = [](std::string_view digits, auto& value) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size();
  };
  if (!number(text.substr(0, 4), date.year) || !number(text.substr(5, 2), date.month) ||
      !number(text.substr(8, 2), date.day))
    return std::nullopt;
  constexpr std::array<unsigned, 12> kDays = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (date.month < 1 || date.month > 12 || date.day < 1 || date.day > kDays[date.month - 1]) return std::nullopt;
  const bool is_leap = (date.year % 4 == 0 && date.year % 100 != 0) || date.year % 400 == 0;
  if (date.month == 2 && date.day == 29 && !is_leap) return std::nullopt;
  return date;
}

std::string to_text(const Date& date) { return fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day); }

std::string to_text(const ConfigPlace& place) {
  return place.line == 0 ? place.file : fmt::format("{}:{}", place.file, place.line);
}

bool accepts(const Suppression& suppression, const Finding& finding) {
  if (suppression.rule != finding.rule->name && suppression.rule != finding.rule->code) return false;
  if (suppression.operator_kind && *suppression.operator_kind != finding.subject.kind) return false;
  if (suppression.table.empty()) return true;
  return std::ranges::any_of(finding.subject.tables,
                             [&](const std::string& table) { return names_table(suppression.table, table); });
}

}  // namespace planvet
