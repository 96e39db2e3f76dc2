#include "analyzer/cli/annotated_input.hpp"

#include <algorithm>
#include <ostream>

#include <fmt/core.h>

#include "analyzer/cli/application_run.hpp"
#include "analyzer/cli/measured_plans.hpp"
#include "analyzer/facts/facts.hpp"
#include "analyzer/io/interrupt.hpp"
#include "analyzer/render/annotate.hpp"
#include "rules/run_rules.hpp"

namespace planvet::cli {

namespace {

// More rows than that in front of the plan, and nobody sees either; --list has all.
constexpr std::size_t kMostListed = 20;

class AnnotatedInput {
 public:
  AnnotatedInput(const io::InputFile& file, std::string identity, const config::Settings& settings, AnnotateRun& run,
                 io::Turn& turn, io::ReadWatch& watch)
      : file_(file),
        settings_(settings),
        run_(run),
        turn_(turn),
        watch_(watch),
        selection_(run.options, run.options.format == render::AnnotateFormat::Json, std::move(identity),
                   [this](const DocumentReport& report) { show(report); }) {
    application_.source = input_name(file, run.options.input);
  }

  AnnotatedResult annotate() {
    const Reading reading = read_documents(
        file_, run_.options.input, run_.streams.in, [this](PlanDocument&& document) { take(std::move(document)); },
        &watch_);
    if (!plans_.empty()) measure();
    for (PlanDocument& plan : plans_) selection_.add(judged(std::move(plan)));
    if (reading.log) {
      selection_.judge_together(application_run(*reading.log, reading.error, selection_.has_gaps()), settings_.rules,
                                [this](DocumentReport& report) { accept(report); });
    }
    turn_.wait();
    show_rest(reading);
    if (io::is_interrupted()) say_interrupted(reading);
    return result(reading);
  }

 private:
  void take(PlanDocument&& document) {
    // A document without operators says in its notes what it is; there is nothing to draw.
    if (judged_fragment(document) == nullptr) return;
    if (!application_.spark_version) application_.spark_version = document.spark_version;
    if (run_.options.metrics.empty()) {
      selection_.add(judged(std::move(document)));
    } else {
      plans_.push_back(std::move(document));
    }
  }

  [[nodiscard]] DocumentReport judged(PlanDocument&& document) {
    DocumentReport report = rules::run_rules(std::move(document), settings_.facts, settings_.rules, run_.parser);
    accept(report);
    return report;
  }

  void accept(DocumentReport& report) {
    if (settings_.suppressions.empty()) return;
    const std::lock_guard lock(run_.suppressions_mutex);
    run_.suppressions.apply(report, settings_, io::canonical_path(file_.path));
  }

  // Plans without metrics get those that --metrics has. Standard input may be among them: one after the other.
  void measure() {
    turn_.wait();
    const io::InputFiles metrics = io::find_inputs({run_.options.metrics});
    const MetricsResult found = add_metrics(plans_, metrics, run_.options.input, run_.streams.in, &watch_);
    run_.progress.hide();
    for (const std::string& remark : found.remarks)
      run_.streams.err << fmt::format("planvet: {}: {}\n", file_.path, remark);
    for (const std::string& error : found.errors) result_.errors.push_back({run_.options.metrics, error});
    result_.is_measured = found.all_found;
  }

  template <typename Piece>
  void put(const Piece& piece) {
    if (run_.out_is_terminal) run_.progress.hide();
    run_.outlets.put(run_.streams.out, piece);
    if (!run_.streams.out.good()) run_.is_closed = true;
  }

  void show_heading() {
    if (std::exchange(has_heading_, true)) return;
    put([this](render::AnnotateWriter& writer) { return writer.heading(application_); });
  }

  void show(const DocumentReport& report) {
    turn_.wait();
    show_heading();
    put([&](render::AnnotateWriter& writer) { return writer.query(report); });
  }

  void show_rest(const Reading& reading) {
    application_.queries = selection_.queries();
    application_.failed = selection_.failed();
    application_.running = selection_.running();
    if (reading.log) {
      application_.id = reading.log->application_id;
      application_.name = reading.log->application_name;
    }
    if (selection_.queries() == 0) return;
    const std::vector<render::QuerySummary> summaries = selection_.summaries();
    show_heading();
    if (wants_list(summaries)) show_list(summaries);
    selection_.finish();
    application_.is_interrupted = io::is_interrupted();
    put([&](render::AnnotateWriter& writer) {
      writer.finished(application_, summaries);
      return std::string();
    });
  }

  // Without a choice the list stands in front of the slowest query; a single query needs none.
  [[nodiscard]] bool wants_list(const std::vector<render::QuerySummary>& summaries) const {
    const AnnotateOptions& options = run_.options;
    if (options.list || (options.failed && summaries.empty())) return true;
    return !options.slowest && !selection_.is_streaming() && summaries.size() > 1;
  }

  void show_list(std::vector<render::QuerySummary> summaries) {
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

  void say_interrupted(const Reading& reading) const {
    run_.progress.hide();
    run_.streams.out.flush();
    const auto done = static_cast<double>(watch_.bytes.load());
    const auto total = static_cast<double>(input_size(file_));
    const std::string how_far =
        total > 0 ? fmt::format("{:.0f} % of it", std::min(100.0, 100 * done / total)) : format_size(done) + " of it";
    run_.streams.err << fmt::format("planvet: {}: stopped by Ctrl-C after {}: {}\n", reading.path, how_far,
                                    selection_.queries() > 0 ? "what was read so far is shown; queries that had not "
                                                               "ended by then are not whole"
                                                             : "no query had been read by then");
  }

  [[nodiscard]] AnnotatedResult result(const Reading& reading) {
    if (!reading.error.empty() && !reading.is_skipped && !io::is_interrupted())
      result_.errors.push_back({reading.path, reading.error});
    if (reading.is_skipped && reading.log) result_.empty_logs.push_back({reading.path, reading.error});
    result_.queries = selection_.queries();
    result_.missing = selection_.missing();
    result_.numbers = selection_.numbers();
    return std::move(result_);
  }

  const io::InputFile& file_;
  const config::Settings& settings_;
  AnnotateRun& run_;
  io::Turn& turn_;
  io::ReadWatch& watch_;
  render::Application application_;
  AnnotateSelection selection_;
  std::vector<PlanDocument> plans_;  // that wait for --metrics
  AnnotatedResult result_;
  bool has_heading_ = false;
};

}  // namespace

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

AnnotatedResult annotate_input(const io::InputFile& file, const std::string& identity, const config::Settings& settings,
                               AnnotateRun& run, io::Turn& turn, io::ReadWatch& watch) {
  AnnotatedResult result = AnnotatedInput(file, identity, settings, run, turn, watch).annotate();
  // Also of what nobody counts: plans, and what was skipped.
  watch.bytes = std::max<std::uint64_t>(watch.bytes, input_size(file));
  return result;
}

}  // namespace planvet::cli
