// Accepted findings, by their fingerprints: a file for git, one finding a line, in an order that nothing but the findings
// decides.
//
//   {
//     "schema_version": 1,
//     "findings": [
//       {"path": "plans/daily.txt", "rule": "missed-broadcast", "operator": "SortMergeJoin", "tables": ["shop.orders"],
//        "fingerprint": "xxh128:.."}
//     ]
//   }
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace planvet {

inline constexpr std::string_view kBaselineFileName = "planvet-baseline.json";

struct BaselineEntry {
  std::string path;  // of the plan, relative to the baseline's folder
  std::string rule;
  std::string operator_kind;
  std::vector<std::string> tables;
  std::string fingerprint;
};

struct BaselineProblem {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string message;
};

struct BaselineFile {
  std::vector<BaselineEntry> entries;
  std::optional<BaselineProblem> problem;  // entries are good only without one
};

[[nodiscard]] BaselineFile parse_baseline(std::string_view text);

// Sorted, each fingerprint once.
[[nodiscard]] std::string baseline_text(std::vector<BaselineEntry> entries);

}  // namespace planvet
