// What is known beside the plan: the Spark version, the session's configuration, the tables.
//
// The user says it in planvet.toml or on the command line; a document adds its own header lines, which win.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/plan/document.hpp"

namespace planvet {

// [tables."db.orders"] size = "80 GiB", rows = 600_000_000, partition-columns = ["dt"], bucket-columns = ["id"]
struct TableFact {
  std::string name;
  std::optional<double> size_bytes;
  std::optional<double> rows;
  std::vector<std::string> partition_columns;
  std::vector<std::string> bucket_columns;
};

struct Facts {
  std::optional<SparkVersion> spark_version;
  std::vector<std::pair<std::string, std::string>> conf;  // of planvet.toml, then `--conf k=v`: the last one wins
  std::vector<TableFact> tables;
};

// "3.5.9", "3.5", "4.1.0-SNAPSHOT", "13.3.x-photon-scala2.12" is none.
[[nodiscard]] std::optional<SparkVersion> parse_spark_version(std::string_view text);

// "80 GiB", "10MB", "10m", "1024b", "1g", "1024": Spark's own units are powers of two, and so are ours.
[[nodiscard]] std::optional<double> parse_size(std::string_view text);

// "8.3 MiB", "412 B": as Spark prints sizes.
[[nodiscard]] std::string format_size(double bytes);

// Do both names mean one table? Their last two parts are compared, ignoring case; with one part on either side, one.
[[nodiscard]] bool same_table(std::string_view a, std::string_view b);

}  // namespace planvet
