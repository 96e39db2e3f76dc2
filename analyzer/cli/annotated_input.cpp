#include "analyzer/cli/annotated_input.hpp"

#include <algorithm>
#include <ostream>

#include <fmt/core.h>

#include "analyzer/cli/application_run.hpp"
#include "analyzer/facts/facts.hpp"
#include "analyzer/io/interrupt.hpp"
#include "analyzer/render/annotate.hpp"
#include "analyzer/render/place.hpp"
#include "rules/run_rules.hpp"

namespace planvet::cli {

namespace {

// More rows than that in front of the plan, and nobody sees either; --list has all.
constexpr std::size_t kMostListed = 20;

}  // namespace

AnnotatedInput::AnnotatedInput(const io::InputFile& file, std::string identity,
                               std::shared_ptr<const config::Settings> settings, AnnotateRun& run, io::ReadWatch& watch)
    : file_(file),
      settings_(std::move(settings)),
      run_(run),
      watch_(watch),
      selection_(run.options, run.options.format == render::AnnotateFormat::Json, std::move(identity),
                 [this](const DocumentReport& report) { show(report); }) {
  application_.source = input_name(file, run.options.input);
}

void AnnotatedInput::read(io::Turn& turn) {
  turn_ = &turn;
  reading_ = read_documents(
      file_, run_.options.input, run_.streams.in, [this](PlanDocument&& document) { take(std::move(document)); },
      &watch_);
  is_cut_short_ = io::is_interrupted() && (watch_.was_stopped || selection_.queries() + waiting_plans_.size() == 0);
  // Also of what nobody counts: plans, and what was skipped.
  if (!is_cut_short_) watch_.bytes = std::max<std::uint64_t>(watch_.bytes, input_size(file_));
}

void AnnotatedInput::take(PlanDocument&& document) {
  io::something_was_read();
  // A document without operators says in its notes what it is; there is nothing to draw.
  if (judged_fragment(document) == nullptr) return;
  // Answers that were cut: nobody sees the notes of queries that are not shown.
  if (document.input == InputKind::SqlRestJson && !document.is_complete) application_.has_gaps = true;
  if (!application_.spark_version) application_.spark_version = document.spark_version;
  if (run_.options.metrics.empty()) {
    selection_.add(judged(std::move(document)));
  } else {
    waiting_plans_.push_back({std::move(document), {}, true});
  }
}

DocumentReport AnnotatedInput::judged(PlanDocument&& document) {
  DocumentReport report = rules::run_rules(std::move(document), settings_->facts, settings_->rules, run_.parser);
  accept(report);
  return report;
}

void AnnotatedInput::accept(DocumentReport& report) {
  if (settings_->suppressions.empty()) return;
  const std::lock_guard lock(run_.suppressions_mutex);
  run_.suppressions.apply(report, *settings_, io::canonical_path(file_.path));
}

template <typename Piece>
void AnnotatedInput::put(const Piece& piece) {
  if (run_.out_is_terminal) run_.progress.hide();
  run_.outlets.put(run_.streams.out, piece);
  if (!run_.streams.out.good()) run_.is_closed = true;
}

void AnnotatedInput::show_heading() {
  if (std::exchange(has_heading_, true)) return;
  put([this](render::AnnotateWriter& writer) { return writer.heading(application_); });
}

void AnnotatedInput::show(const DocumentReport& report) {
  turn_->wait();
  show_heading();
  put([&](render::AnnotateWriter& writer) { return writer.query(report); });
}

AnnotatedResult AnnotatedInput::show_rest(io::Turn& turn) {
  turn_ = &turn;
  AnnotatedResult result;
  for (WaitingPlan& plan : waiting_plans_) {
    result.is_measured = result.is_measured && plan.is_measured;
    selection_.add(judged(std::move(plan.document)));
  }
  if (reading_.log) {
    selection_.judge_together(application_run(*reading_.log, reading_.error, selection_.has_gaps()), settings_->rules,
                              [this](DocumentReport& report) { accept(report); });
  }
  turn_->wait();
  say_remarks();
  show_queries();
  if (is_cut_short_) say_interrupted();
  if (!reading_.error.empty() && !reading_.is_skipped && !is_cut_short_)
    result.errors.push_back({reading_.path, reading_.error});
  if (reading_.is_skipped && reading_.log) result.empty_logs.push_back({reading_.path, reading_.error});
  result.queries = selection_.queries();
  result.missing = selection_.missing();
  result.numbers = selection_.numbers();
  return result;
}

void AnnotatedInput::say_remarks() {
  for (const WaitingPlan& plan : waiting_plans_) {
    if (plan.remark.empty()) continue;
    run_.progress.hide();
    run_.streams.err << fmt::format("planvet: {}: {}\n", render::shown_path(file_.path), plan.remark);
  }
}

void AnnotatedInput::show_queries() {
  application_.queries = selection_.queries();
  application_.failed = selection_.failed();
  application_.running = selection_.running();
  if (reading_.log) {
    application_.id = reading_.log->application_id;
    application_.name = reading_.log->application_name;
    application_.has_gaps = reading_.log->has_gaps;
  }
  if (selection_.queries() == 0) return;
  const std::vector<render::QuerySummary> summaries = selection_.summaries();
  show_heading();
  if (wants_list(summaries)) show_list(summaries);
  selection_.finish();
  application_.is_interrupted = is_cut_short_;
  put([&](render::AnnotateWriter& writer) {
    writer.finished(application_, summaries);
    return std::string();
  });
  // Whoever reads a pipe gets each input as soon as it is whole, and may have enough then.
  run_.streams.out.flush();
  if (!run_.streams.out.good()) run_.is_closed = true;
}

// Without a choice the list stands in front of the slowest query; a single query needs none.
bool AnnotatedInput::wants_list(const std::vector<render::QuerySummary>& summaries) const {
  const AnnotateOptions& options = run_.options;
  if (options.list || (options.failed && summaries.empty())) return true;
  return !options.slowest && !selection_.is_streaming() && summaries.size() > 1;
}

void AnnotatedInput::show_list(std::vector<render::QuerySummary> summaries) {
  std::size_t left_out = 0;
  if (!run_.options.list && summaries.size() > kMostListed) {
    left_out = summaries.size() - kMostListed;
    std::ranges::stable_sort(summaries, [](const render::QuerySummary& a, const render::QuerySummary& b) {
      return a.duration_ms.value_or(-1) > b.duration_ms.value_or(-1);
    });
    summaries.resize(kMostListed);
    std::ranges::stable_sort(summaries, {},
                             [](const render::QuerySummary& summary) { return summary.execution.value_or(-1); });
  }
  put([&](render::AnnotateWriter& writer) { return writer.list(summaries, left_out); });
}

void AnnotatedInput::say_interrupted() const {
  run_.progress.hide();
  const auto done = static_cast<double>(watch_.bytes.load());
  const auto total = static_cast<double>(input_size(file_));
  const std::string how_far =
      total > 0 ? fmt::format("{:.0f} % of it", std::min(100.0, 100 * done / total)) : format_size(done) + " of it";
  run_.streams.err << fmt::format("planvet: {}: stopped by Ctrl-C after {}: {}\n", render::shown_path(reading_.path),
                                  how_far,
                                  selection_.queries() > 0 ? "what was read so far is shown; queries that had not "
                                                             "ended by then are not whole"
                                                           : "no query had been read by then");
}

std::string input_name(const io::InputFile& file, const InputOptions& options) {
  return file.path == "-" && !options.stdin_filename.empty() ? options.stdin_filename : file.path;
}

std::uint64_t input_size(const io::InputFile& file) {
  if (file.path == "-") return 0;
  if (file.parts.empty()) return io::file_size(file.path);
  std::uint64_t size = 0;
  for (const io::LogPart& part : file.parts) size += io::file_size(part.path);
  return size;
}

}  // namespace planvet::cli
