#include "analyzer/cli/annotate_selection.hpp"

#include <algorithm>
#include <utility>

namespace planvet::cli {

namespace {

// Queries end in nearly the order in which they began.
constexpr std::size_t kMostHeldBack = 64;

}  // namespace

AnnotateSelection::AnnotateSelection(const AnnotateOptions& options, bool is_whole, Show show)
    : options_(options), show_(std::move(show)), shows_none_(options.list), found_(options.queries.size()) {
  const bool is_choice = options.all || !options.queries.empty() || options.failed;
  if (options.slowest) {
    slowest_ = options.slowest;
  } else if (!is_choice && !is_whole) {
    slowest_ = 1;
  }
}

bool AnnotateSelection::wants(const render::QuerySummary& summary) const {
  if (options_.failed && !summary.is_failed()) return false;
  if (options_.queries.empty() || options_.all) return true;
  return summary.execution && std::ranges::find(options_.queries, *summary.execution) != options_.queries.end();
}

void AnnotateSelection::add(DocumentReport&& report) {
  render::QuerySummary summary = render::summary_of(report);
  ++queries_;
  if (summary.is_failed()) ++failed_;
  if (summary.status == render::QueryStatus::Running) ++running_;
  for (std::size_t i = 0; i < options_.queries.size(); ++i)
    if (summary.execution == options_.queries[i]) found_[i] = true;
  if (summary.execution) {
    if (!numbers_) numbers_ = {*summary.execution, *summary.execution};
    numbers_->first = std::min(numbers_->first, *summary.execution);
    numbers_->second = std::max(numbers_->second, *summary.execution);
  }
  if (!wants(summary)) return;
  const Number number{summary.execution.value_or(-1), arrived_++};
  const std::int64_t duration = summary.duration_ms.value_or(-1);
  summaries_.push_back(std::move(summary));
  if (shows_none_) return;
  if (!slowest_) {
    kept_.emplace(number, std::move(report));
    if (kept_.size() > kMostHeldBack) show_first();
    return;
  }
  // Of equally slow ones, the first.
  const Number earlier_is_more{-number.first, arrived_};
  if (by_duration_.size() == *slowest_) {
    const auto shortest = by_duration_.begin();
    if (std::pair(duration, earlier_is_more) < shortest->first) return;
    kept_.erase(shortest->second);
    by_duration_.erase(shortest);
  }
  by_duration_.emplace(std::pair(duration, earlier_is_more), number);
  kept_.emplace(number, std::move(report));
}

void AnnotateSelection::show_first() {
  const auto first = kept_.begin();
  ++shown_;
  show_(first->second);
  kept_.erase(first);
}

void AnnotateSelection::finish() {
  if (!slowest_) {
    while (!kept_.empty()) show_first();
    return;
  }
  // The slowest first.
  for (auto slow = by_duration_.rbegin(); slow != by_duration_.rend(); ++slow) {
    ++shown_;
    show_(kept_.at(slow->second));
  }
  kept_.clear();
}

std::vector<render::QuerySummary> AnnotateSelection::summaries() {
  std::vector<render::QuerySummary> summaries = std::move(summaries_);
  std::ranges::stable_sort(summaries, {},
                           [](const render::QuerySummary& summary) { return summary.execution.value_or(-1); });
  return summaries;
}

std::vector<std::int64_t> AnnotateSelection::missing() const {
  std::vector<std::int64_t> missing;
  for (std::size_t i = 0; i < options_.queries.size(); ++i)
    if (!found_[i]) missing.push_back(options_.queries[i]);
  return missing;
}

}  // namespace planvet::cli
