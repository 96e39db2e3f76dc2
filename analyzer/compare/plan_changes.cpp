#include "analyzer/compare/plan_changes.hpp"

#include <algorithm>

#include "analyzer/compare/comparison.hpp"

namespace planvet::compare {

std::vector<Change> plan_changes(const PlanTree& before, const PlanTree& after, const ExpressionParser& parser) {
  if (before.empty() || after.empty()) return {};
  Comparison comparison{{before, Names(before)}, {after, Names(after)}, parser, {}, {}};
  comparison.matching = match(before, comparison.before.names, after, comparison.after.names);
  compare_joins(comparison);
  compare_sources(comparison);
  compare_shuffles(comparison);
  compare_operators(comparison);
  compare_results(comparison);
  std::stable_sort(comparison.changes.begin(), comparison.changes.end(),
                   [](const Change& a, const Change& b) { return a.kind < b.kind; });
  return std::move(comparison.changes);
}

}  // namespace planvet::compare
