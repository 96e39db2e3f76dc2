// A finding that somebody accepts: [[suppress]] of planvet.toml.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/plan/operator.hpp"
#include "analyzer/report/finding.hpp"

namespace planvet {

struct Date {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  friend auto operator<=>(const Date&, const Date&) = default;
};
[[nodiscard]] std::optional<Date> parse_date(std::string_view text);  // "2026-12-31"
[[nodiscard]] std::string to_text(const Date& date);

// Patterns as in .gitignore, relative to the folder of the file that they stand in.
struct PathList {
  std::string folder;
  std::vector<std::string> patterns;
};

// Where something stands in a configuration file.
struct ConfigPlace {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};
[[nodiscard]] std::string to_text(const ConfigPlace& place);  // "planvet.toml:3"

struct Suppression {
  ConfigPlace place;
  PathList paths;
  std::string rule;  // name or code
  std::optional<OperatorKind> operator_kind;
  std::string table;  // empty: any
  std::string reason;
  std::optional<Date> expires;  // the last day
};

// All but the path and the date.
[[nodiscard]] bool accepts(const Suppression& suppression, const Finding& finding);

}  // namespace planvet
