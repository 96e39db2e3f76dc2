#include "analyzer/render/loose_ends.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/core.h>

#include "analyzer/render/style.hpp"

namespace planvet::render {

std::string message_of(const StaleEntry& entry) {
  return entry.is_file_gone
             ? fmt::format("{} is gone, and with it an accepted {}", entry.path, entry.rule)
             : fmt::format("an accepted {} on {} in {} is gone", entry.rule, entry.operator_kind, entry.path);
}

std::vector<LooseEnd> stale_entries_of(const Report& report) {
  constexpr std::size_t kMost = 10;
  constexpr std::string_view kAdvice = "planvet baseline prune forgets what is gone";
  std::vector<LooseEnd> ends;
  const std::size_t count = report.stale_entries.size();
  const std::size_t shown = std::min(count, kMost);
  for (std::size_t i = 0; i < shown; ++i) {
    const StaleEntry& entry = report.stale_entries[i];
    ends.push_back({"baseline", entry.baseline, std::nullopt, fmt::format("{}: {}", message_of(entry), kAdvice)});
  }
  if (shown < count) {
    ends.push_back(
        {"baseline", report.stale_entries[shown].baseline, std::nullopt,
         fmt::format("{} of a baseline are gone: {}", count_of(count - shown, "more entry", "more entries"), kAdvice)});
  }
  return ends;
}

std::vector<LooseEnd> loose_ends_of(const Report& report) {
  std::vector<LooseEnd> ends;
  for (const DocumentReport& document : report.documents) {
    for (const AllowProblem& problem : document.allow_problems) {
      ends.push_back(
          {"allow", document.document.source->path(), place_of(document.document, problem.span), problem.message});
    }
  }
  for (const SuppressionProblem& problem : report.suppression_problems) {
    const Position position{problem.place.line, problem.place.column, {}};
    ends.push_back({"suppress", problem.place.file, Place{position, position}, problem.message});
  }
  std::vector<LooseEnd> stale = stale_entries_of(report);
  std::move(stale.begin(), stale.end(), std::back_inserter(ends));
  return ends;
}

}  // namespace planvet::render
