// planvet.toml: text in, settings out.
//
//   select = ["PV1", "unpushed-filter"]      ignore = ["adaptive-off"]      fail-on = "error"
//   [severity]                missed-broadcast = "error"
//   [rules.exchange-count]    max = 6
//   [tables."db.orders"]      size = "80 GiB"   rows = 600_000_000   partition-columns = ["dt"]
//   [spark]                   version = "3.5.9"
//   [spark.conf]              spark.sql.shuffle.partitions = 400
//
// Every key is checked: what is not known is refused with the line and the nearest right name.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/config/settings.hpp"

namespace planvet::config {

inline constexpr std::string_view kFileName = "planvet.toml";

struct Place {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

struct ConfigProblem {
  Place place;
  std::string message;
};

struct ConfigFile {
  Settings settings;
  // Where "select", "ignore", "severity", "rules", "rules.exchange-count" stand: for problems that only who knows the
  // rules can find.
  std::map<std::string, Place> places;
  std::vector<ConfigProblem> problems;  // the settings are good only without any
};

[[nodiscard]] ConfigFile parse_planvet_toml(std::string_view text);

}  // namespace planvet::config
