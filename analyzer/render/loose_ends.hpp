// What accepts nothing any more: lines that allow a finding, [[suppress]] of planvet.toml, entries of a baseline. Findings
// they are not; every format says them in its quietest way.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/render/place.hpp"
#include "analyzer/report/report.hpp"

namespace planvet::render {

struct LooseEnd {
  std::string_view kind;  // "allow", "suppress", "baseline"
  std::string path;       // of the plan, of planvet.toml, of the baseline
  std::optional<Place> place;
  std::string message;
};

// Allow lines by plan, then the others. Of many entries of a baseline the first ten, and one that counts the rest.
[[nodiscard]] std::vector<LooseEnd> loose_ends_of(const Report& report);
// Of entries of baselines alone.
[[nodiscard]] std::vector<LooseEnd> stale_entries_of(const Report& report);

// "an accepted missed-broadcast on SortMergeJoin in plans/daily.txt is gone"
[[nodiscard]] std::string message_of(const StaleEntry& entry);

}  // namespace planvet::render
