// `planvet annotate`: inputs one after the other, their queries judged by the rules, those that are wanted drawn.
#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "analyzer/cli/annotate_selection.hpp"
#include "analyzer/cli/commands.hpp"
#include "analyzer/cli/input_errors.hpp"
#include "analyzer/cli/measured_plans.hpp"
#include "analyzer/cli/pipeline.hpp"
#include "analyzer/cli/progress.hpp"
#include "analyzer/cli/settings_source.hpp"
#include "analyzer/cli/suppressions.hpp"
#include "analyzer/cli/terminal_style.hpp"
#include "analyzer/facts/facts.hpp"
#include "analyzer/io/atomic_file.hpp"
#include "analyzer/io/interrupt.hpp"
#include "analyzer/io/paths.hpp"
#include "analyzer/io/watched_source.hpp"
#include "analyzer/render/annotate.hpp"
#include "rules/run_rules.hpp"

namespace planvet::cli {

namespace {

// More rows than that in front of the plan, and nobody sees either; --list has all.
constexpr std::size_t kMostListed = 20;

// Where the pieces of one format go: standard output at once, files when all is there.
class Outlet {
 public:
  Outlet(std::unique_ptr<render::AnnotateWriter> writer, render::AnnotateFormat format)
      : writer_(std::move(writer)), format_(format) {}
  Outlet(std::unique_ptr<render::AnnotateWriter> writer, const AnnotateOutput& file)
      : writer_(std::move(writer)), format_(file.format), path_(file.path) {}

  [[nodiscard]] render::AnnotateWriter& writer() { return *writer_; }
  [[nodiscard]] render::AnnotateFormat format() const { return format_; }
  [[nodiscard]] const std::string& path() const { return path_; }  // empty: standard output
  [[nodiscard]] const std::string& text() const { return text_; }
  void put(const std::string& text, std::ostream& out) {
    if (path_.empty()) {
      out << text;
    } else {
      text_ += text;
    }
  }

 private:
  std::unique_ptr<render::AnnotateWriter> writer_;
  render::AnnotateFormat format_;
  std::string path_;
  std::string text_;
};

std::uint64_t size_of(const io::InputFile& file) {
  if (file.parts.empty()) return io::file_size(file.path);
  std::uint64_t size = 0;
  for (const io::LogPart& part : file.parts) size += io::file_size(part.path);
  return size;
}

class Annotating {
 public:
  Annotating(const AnnotateOptions& options, const Streams& streams, const io::Terminal& terminal)
      : options_(options),
        streams_(streams),
        terminal_(terminal),
        settings_(options.settings, options.input.stdin_filename),
        parser_(expression_parser()),
        suppressions_(today()) {
    // Nobody reads what is still to come: `planvet annotate .. --sql all | head`.
    watch_.is_stopped = [this] { return io::is_interrupted() || !streams_.out.good(); };
    const render::AnnotateOptions look{style_for(options.terminal, terminal), parser_};
    render::AnnotateOptions plain = look;
    plain.style.colour = false;
    plain.style.unicode = !options.terminal.ascii;
    plain.style.width = options.terminal.width.value_or(render::kDefaultWidth);
    outlets_.emplace_back(render::make_annotate_writer(options.format, look), options.format);
    for (const AnnotateOutput& file : options.files)
      outlets_.emplace_back(render::make_annotate_writer(file.format, plain), file);
  }

  ExitStatus run();

 private:
  [[nodiscard]] DocumentReport judged(PlanDocument&& document, const io::InputFile& file);
  void read(const io::InputFile& file);
  [[nodiscard]] bool wants_list(const AnnotateSelection& selection,
                                const std::vector<render::QuerySummary>& summaries) const;
  void show_list(std::vector<render::QuerySummary> summaries);
  void say_interrupted(const io::InputFile& file, const Reading& reading, const AnnotateSelection& selection) const;
  void remember_problems(const Reading& reading, const AnnotateSelection& selection);
  [[nodiscard]] bool write_files();
  void measure(std::vector<PlanDocument>& plans, const io::InputFile& file);
  template <typename Piece>
  void put(Piece piece) {
    for (Outlet& outlet : outlets_) outlet.put(piece(outlet), streams_.out);
  }

  const AnnotateOptions& options_;
  const Streams& streams_;
  const io::Terminal& terminal_;
  SettingsSource settings_;
  ExpressionParser parser_;
  Suppressions suppressions_;
  std::vector<Outlet> outlets_;
  io::ReadWatch watch_;
  std::vector<InputError> errors_;
  std::vector<InputError> empty_logs_;  // found in folders and archives: told where nothing else was
  std::vector<std::int64_t> missing_;   // of --sql, in all inputs so far
  std::optional<std::pair<std::int64_t, std::int64_t>> numbers_;  // of the queries that there are
  bool is_first_input_ = true;
  std::size_t queries_ = 0;
  bool is_measured_ = true;  // --metrics had some for each plan
};

DocumentReport Annotating::judged(PlanDocument&& document, const io::InputFile& file) {
  const auto own = settings_.settings_for(file.path);
  DocumentReport report = rules::run_rules(std::move(document), own->facts, own->rules, parser_);
  if (!own->suppressions.empty()) suppressions_.apply(report, *own, io::canonical_path(file.path));
  return report;
}

// Plans without metrics get those that --metrics has.
void Annotating::measure(std::vector<PlanDocument>& plans, const io::InputFile& file) {
  const io::InputFiles metrics = io::find_inputs({options_.metrics});
  const MetricsResult result = add_metrics(plans, metrics, options_.input, streams_.in, &watch_);
  for (const std::string& remark : result.remarks) streams_.err << fmt::format("planvet: {}: {}\n", file.path, remark);
  for (const std::string& error : result.errors) errors_.push_back({options_.metrics, error});
  is_measured_ = is_measured_ && result.all_found;
}

void Annotating::read(const io::InputFile& file) {
  const bool is_json = options_.format == render::AnnotateFormat::Json;
  watch_.bytes = 0;
  Progress progress(options_.input, options_.terminal, streams_.err, terminal_, watch_.bytes,
                    file.path == "-" ? 0 : size_of(file));
  render::Application application;
  application.source =
      file.path == "-" && !options_.input.stdin_filename.empty() ? options_.input.stdin_filename : file.path;
  bool has_heading = false;
  const auto show = [&](const DocumentReport& report) {
    progress.finish();
    if (!std::exchange(has_heading, true)) put([&](Outlet& outlet) { return outlet.writer().heading(application); });
    put([&](Outlet& outlet) { return outlet.writer().query(report); });
  };
  AnnotateSelection selection(options_, is_json, show);
  std::vector<PlanDocument> plans;  // that wait for --metrics
  const Reading reading = read_documents(
      file, options_.input, streams_.in,
      [&](PlanDocument&& document) {
        // A document without operators says in its notes what it is; there is nothing to draw.
        if (judged_fragment(document) == nullptr) return;
        if (!application.spark_version) application.spark_version = document.spark_version;
        if (options_.metrics.empty()) {
          selection.add(judged(std::move(document), file));
        } else {
          plans.push_back(std::move(document));
        }
      },
      &watch_);
  if (!plans.empty()) measure(plans, file);
  for (PlanDocument& plan : plans) selection.add(judged(std::move(plan), file));
  progress.finish();
  application.queries = selection.queries();
  application.failed = selection.failed();
  application.running = selection.running();
  if (reading.log) {
    application.id = reading.log->application_id;
    application.name = reading.log->application_name;
  }
  if (selection.queries() > 0) {
    const std::vector<render::QuerySummary> summaries = selection.summaries();
    if (!std::exchange(has_heading, true)) put([&](Outlet& outlet) { return outlet.writer().heading(application); });
    if (wants_list(selection, summaries)) show_list(summaries);
    selection.finish();
    application.is_interrupted = io::is_interrupted();
    put([&](Outlet& outlet) {
      outlet.writer().finished(application, summaries);
      return std::string();
    });
  }
  if (io::is_interrupted()) say_interrupted(file, reading, selection);
  remember_problems(reading, selection);
}

// Without a choice the list stands in front of the slowest query; a single query needs none.
bool Annotating::wants_list(const AnnotateSelection& selection,
                            const std::vector<render::QuerySummary>& summaries) const {
  if (options_.list || (options_.failed && summaries.empty())) return true;
  return !options_.slowest && !selection.is_streaming() && summaries.size() > 1;
}

void Annotating::show_list(std::vector<render::QuerySummary> summaries) {
  std::size_t left_out = 0;
  if (!options_.list && summaries.size() > kMostListed) {
    left_out = summaries.size() - kMostListed;
    std::ranges::stable_sort(summaries, [](const render::QuerySummary& a, const render::QuerySummary& b) {
      return a.duration_ms.value_or(-1) > b.duration_ms.value_or(-1);
    });
    summaries.resize(kMostListed);
    std::ranges::stable_sort(summaries, {},
                             [](const render::QuerySummary& summary) { return summary.execution.value_or(-1); });
  }
  put([&](Outlet& outlet) { return outlet.writer().list(summaries, left_out); });
}

void Annotating::say_interrupted(const io::InputFile& file, const Reading& reading,
                                 const AnnotateSelection& selection) const {
  streams_.out.flush();
  const auto done = static_cast<double>(watch_.bytes.load());
  const auto total = static_cast<double>(file.path == "-" ? 0 : size_of(file));
  const std::string how_far =
      total > 0 ? fmt::format("{:.0f} % of it", std::min(100.0, 100 * done / total)) : format_size(done) + " of it";
  streams_.err << fmt::format("planvet: {}: stopped by Ctrl-C after {}: {}\n", reading.path, how_far,
                              selection.queries() > 0
                                  ? "what was read so far is shown; queries that had not ended by then are not whole"
                                  : "no query had been read by then");
}

void Annotating::remember_problems(const Reading& reading, const AnnotateSelection& selection) {
  if (!reading.error.empty() && !reading.is_skipped && !io::is_interrupted())
    errors_.push_back({reading.path, reading.error});
  if (reading.is_skipped && reading.log) empty_logs_.push_back({reading.path, reading.error});
  queries_ += selection.queries();
  const std::vector<std::int64_t> missing = selection.missing();
  if (is_first_input_) {
    missing_ = missing;
  } else {
    std::erase_if(missing_, [&](std::int64_t query) { return std::ranges::find(missing, query) == missing.end(); });
  }
  is_first_input_ = false;
  if (const auto numbers = selection.numbers()) {
    if (!numbers_) numbers_ = numbers;
    numbers_->first = std::min(numbers_->first, numbers->first);
    numbers_->second = std::max(numbers_->second, numbers->second);
  }
}

bool Annotating::write_files() {
  bool is_written = true;
  for (const Outlet& outlet : outlets_) {
    if (outlet.path().empty()) continue;
    const auto error = io::write_file(outlet.path(), outlet.text());
    if (!error) continue;
    streams_.err << fmt::format("planvet: {}: cannot be written: {}\n", outlet.path(), error->message);
    is_written = false;
  }
  return is_written;
}

ExitStatus Annotating::run() {
  io::InputFiles files = io::find_inputs(options_.input.paths, [&](const std::string& path, bool is_folder) {
    return settings_.excludes(path, is_folder);
  });
  for (const io::InputFile& file : files.files) static_cast<void>(settings_.settings_for(file.path));
  for (const std::string& problem : settings_.problems()) streams_.err << "planvet: " << problem << '\n';
  if (!settings_.problems().empty()) return ExitStatus::Failure;
  for (io::InputFiles::Problem& problem : files.problems)
    errors_.push_back({std::move(problem.path), std::move(problem.message)});

  const io::InterruptWatch interrupts;
  put([](Outlet& outlet) { return outlet.writer().begin(); });
  for (const io::InputFile& file : files.files) {
    if (watch_.wants_stop()) break;
    read(file);
  }
  put([](Outlet& outlet) { return outlet.writer().end(); });
  streams_.out.flush();
  print_input_errors(errors_, streams_.err);
  bool is_answered = errors_.empty() && is_measured_;
  if (queries_ == 0 && errors_.empty() && !io::is_interrupted()) {
    print_input_errors(empty_logs_, streams_.err);
    streams_.err << "planvet: no query in any of these inputs: name an event log, as Spark writes it to "
                    "spark.eventLog.dir with spark.eventLog.enabled=true\n";
    is_answered = false;
  }
  if (numbers_) {
    for (const std::int64_t query : missing_) {
      streams_.err << fmt::format("planvet: --sql: there is no query {}; there are {} to {}, and --list shows them\n",
                                  query, numbers_->first, numbers_->second);
      is_answered = false;
    }
  }
  is_answered = write_files() && is_answered;
  if (io::is_interrupted()) return ExitStatus::Interrupted;
  return is_answered ? ExitStatus::Clean : ExitStatus::Failure;
}

}  // namespace

ExitStatus run_annotate(const AnnotateOptions& options, const Streams& streams, const io::Terminal& terminal) {
  return Annotating(options, streams, terminal).run();
}

}  // namespace planvet::cli
