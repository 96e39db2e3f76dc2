// planvet.toml: text in, settings out.
//
//   extend = "../planvet.toml"   select = ["PV1", "unpushed-filter"]   fail-on = "error"   exclude = ["old/"]
//   [severity]                missed-broadcast = "error"
//   [rules.exchange-count]    max = 6
//   [tables."db.orders"]      size = "80 GiB"   rows = 600_000_000   partition-columns = ["dt"]   bucket-columns = ["id"]
//   [spark]                   version = "3.5.9"
//   [spark.conf]              spark.sql.shuffle.partitions = 400
//   [[overrides]]             paths = ["nightly/"]   rules.exchange-count.max = 20
//   [[suppress]]              path = "plans/rates.txt"   rule = "nested-loop-join"   reason = "eleven rates"
//
// Every key is checked: what is not known (keys.def) is refused with the line and the nearest right name.
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

// What a file, or one of its overrides, says.
struct Layer {
  Settings settings;  // without origins; paths without their folder
  // Where "select", "severity", "severity.missed-broadcast", "rules.exchange-count", "rules.exchange-count.max" and the
  // like stand: for origins, and for problems that only who knows the rules can find.
  std::map<std::string, Place> places;
};

struct Override : Layer {
  std::vector<std::string> paths;
};

struct ConfigFile : Layer {
  std::string extend;  // as written; empty: none
  std::vector<Override> overrides;
  std::vector<ConfigProblem> problems;  // the settings are good only without any
};

[[nodiscard]] ConfigFile parse_planvet_toml(std::string_view text);

}  // namespace planvet::config
