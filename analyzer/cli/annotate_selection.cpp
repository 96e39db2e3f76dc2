#include "analyzer/cli/annotate_selection.hpp"

#include <algorithm>
#include <utility>

#include "analyzer/cli/application_run.hpp"
#include "analyzer/render/findings.hpp"
#include "analyzer/report/finding_order.hpp"

namespace planvet::cli {

namespace {

// Queries end in nearly the order in which they began.
constexpr std::size_t kMostHeldBack = 64;
// Of an application with caches: what a cache is good for is known at its end.
constexpr std::size_t kMostHeldBackForCaches = 256;

// What all queries together told of one of them.
void add_to(DocumentReport& report, const DocumentReport& told) {
  report.skipped = told.skipped;
  if (told.findings.empty()) return;
  report.findings.insert(report.findings.end(), told.findings.begin(), told.findings.end());
  put_in_order(report.findings);
}

}  // namespace

AnnotateSelection::AnnotateSelection(const AnnotateOptions& options, bool is_whole, std::string path, Show show)
    : options_(options),
      show_(std::move(show)),
      shows_none_(options.list),
      fingerprints_(std::move(path)),
      found_(options.queries.size()) {
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
  const Number number{summary.execution.value_or(-1), arrived_++};
  has_gaps_ = has_gaps_ || cli::has_gaps(report);
  for (const Finding& finding : report.findings) contexts_[number].push_back(finding.subject.context);
  const bool is_wanted = wants(summary);
  if (!report.cache_reads.empty()) {
    CacheReader& reader = cache_readers_[number];
    reader.report.document.execution_id = report.document.execution_id;
    reader.report.cache_reads = std::move(report.cache_reads);
    reader.report.skipped = report.skipped;
    if (is_wanted) reader.summary = summaries_.size();
  }
  if (!is_wanted) return;
  const std::int64_t duration = summary.duration_ms.value_or(-1);
  summaries_.push_back(std::move(summary));
  if (shows_none_) return;
  if (!slowest_) {
    kept_.emplace(number, std::move(report));
    if (kept_.size() > (cache_readers_.empty() ? kMostHeldBack : kMostHeldBackForCaches)) show_first();
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
  number_findings(first->first);
  show_(first->second);
  if (const auto reader = cache_readers_.find(first->first); reader != cache_readers_.end())
    reader->second.summary.reset();
  kept_.erase(first);
}

// Equal findings are told apart by how many came before them in the application, shown or not.
void AnnotateSelection::number_findings(const Number& last) {
  while (!contexts_.empty() && contexts_.begin()->first <= last) {
    const auto next = contexts_.begin();
    if (const auto kept = kept_.find(next->first); kept != kept_.end()) {
      fingerprints_.assign(kept->second);
    } else {
      fingerprints_.pass(next->second);
    }
    contexts_.erase(next);
  }
}

void AnnotateSelection::judge_together(const rules::ApplicationRun& run, const RuleSettings& settings,
                                       const std::function<void(DocumentReport&)>& accept) {
  std::vector<DocumentReport> queries;
  for (auto& [number, reader] : cache_readers_) queries.push_back(std::move(reader.report));
  rules::judge_application(queries, run, settings);
  auto told = queries.begin();
  for (const auto& [number, reader] : cache_readers_) {
    DocumentReport& query = *told++;
    for (const Finding& finding : query.findings) contexts_[number].push_back(finding.subject.context);
    if (!reader.summary) continue;
    accept(query);
    for (const Finding& finding : query.findings) render::add(summaries_[*reader.summary].findings, finding);
    if (const auto kept = kept_.find(number); kept != kept_.end()) add_to(kept->second, query);
  }
  cache_readers_.clear();
}

void AnnotateSelection::finish() {
  if (!slowest_) {
    while (!kept_.empty()) show_first();
    return;
  }
  if (!contexts_.empty()) number_findings(contexts_.rbegin()->first);
  // The slowest first.
  for (auto slow = by_duration_.rbegin(); slow != by_duration_.rend(); ++slow) {
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
