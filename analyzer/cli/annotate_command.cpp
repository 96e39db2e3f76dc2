// `planvet annotate`: several inputs at a time, what is wanted of them shown in their order.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "analyzer/cli/annotated_input.hpp"
#include "analyzer/cli/commands.hpp"
#include "analyzer/cli/input_errors.hpp"
#include "analyzer/cli/project_paths.hpp"
#include "analyzer/cli/settings_source.hpp"
#include "analyzer/io/interrupt.hpp"
#include "analyzer/io/workers.hpp"

namespace planvet::cli {

namespace {

// One input: its thread writes here, and the one that shows how far it is looks at it.
struct Work {
  std::string identity;  // its path for fingerprints
  std::shared_ptr<const config::Settings> settings;
  io::ReadWatch watch;
  std::optional<AnnotatedResult> result;  // nothing: Ctrl-C came first
};

// 0: not known.
std::uint64_t total_size(const io::InputFiles& files) {
  std::uint64_t total = 0;
  for (const io::InputFile& file : files.files) {
    if (file.path == "-" || !file.archive.empty()) return 0;
    total += input_size(file);
  }
  return total;
}

// Of several inputs that --sql asks for a query, one has to have it.
void add_to(AnnotatedResult& all, AnnotatedResult&& one, bool is_first) {
  std::ranges::move(one.errors, std::back_inserter(all.errors));
  std::ranges::move(one.empty_logs, std::back_inserter(all.empty_logs));
  all.queries += one.queries;
  all.is_measured = all.is_measured && one.is_measured;
  if (is_first) {
    all.missing = std::move(one.missing);
  } else {
    std::erase_if(all.missing,
                  [&](std::int64_t query) { return std::ranges::find(one.missing, query) == one.missing.end(); });
  }
  if (!one.numbers) return;
  if (!all.numbers) all.numbers = one.numbers;
  all.numbers->first = std::min(all.numbers->first, one.numbers->first);
  all.numbers->second = std::max(all.numbers->second, one.numbers->second);
}

class Annotating {
 public:
  Annotating(const AnnotateOptions& options, const Streams& streams, const io::Terminal& terminal)
      : options_(options),
        streams_(streams),
        terminal_(terminal),
        settings_(options.settings, options.input.stdin_filename),
        parser_(expression_parser()),
        outlets_(options, terminal, parser_) {}

  ExitStatus run() {
    io::InputFiles files = io::find_inputs(options_.input.paths, [&](const std::string& path, bool is_folder) {
      return settings_.excludes(path, is_folder);
    });
    std::vector<Work> works(files.files.size());
    ProjectPaths paths;
    for (std::size_t i = 0; i < works.size(); ++i) {
      works[i].identity = paths.identity(input_name(files.files[i], options_.input));
      works[i].settings = settings_.settings_for(files.files[i].path);
    }
    for (const std::string& problem : settings_.problems()) streams_.err << "planvet: " << problem << '\n';
    if (!settings_.problems().empty()) return ExitStatus::Failure;
    const io::InterruptWatch interrupts;
    outlets_.put(streams_.out, [](render::AnnotateWriter& writer) { return writer.begin(); });
    read(files, works);
    outlets_.put(streams_.out, [](render::AnnotateWriter& writer) { return writer.end(); });
    streams_.out.flush();
    AnnotatedResult all;
    for (io::InputFiles::Problem& problem : files.problems)
      all.errors.push_back({std::move(problem.path), std::move(problem.message)});
    bool is_first = true;
    for (Work& work : works)
      if (work.result) add_to(all, std::move(*work.result), std::exchange(is_first, false));
    const bool is_answered = say_what_is_missing(all);
    const bool is_written = outlets_.write_files(streams_.err);
    if (io::is_interrupted()) return ExitStatus::Interrupted;
    return is_answered && is_written ? ExitStatus::Clean : ExitStatus::Failure;
  }

 private:
  void read(const io::InputFiles& files, std::vector<Work>& works) {
    std::atomic<bool> is_closed{false};
    // Nobody reads what is still to come: `planvet annotate .. --sql all | head`.
    const auto is_stopped = [&] { return io::is_interrupted() || is_closed; };
    for (Work& work : works) work.watch.is_stopped = is_stopped;
    const auto bytes_read = [&] {
      return std::transform_reduce(works.begin(), works.end(), std::uint64_t{0}, std::plus<>(),
                                   [](const Work& work) { return work.watch.bytes.load(); });
    };
    Progress progress(options_.input, options_.terminal, streams_.err, terminal_, bytes_read, total_size(files));
    Suppressions suppressions(today());
    std::mutex suppressions_mutex;
    AnnotateRun run{options_,           streams_,     parser_,  outlets_, progress, terminal_.output_is_terminal,
                    suppressions_mutex, suppressions, is_closed};
    io::Turns turns(works.size());
    io::for_each_parallel(works.size(), options_.input.jobs, [&](std::size_t i) {
      io::Turn turn(turns, i);
      if (is_stopped()) return;
      works[i].result =
          annotate_input(files.files[i], works[i].identity, *works[i].settings, run, turn, works[i].watch);
      progress.show_again();
    });
  }

  // False: something that was asked for is not there.
  bool say_what_is_missing(const AnnotatedResult& all) {
    print_input_errors(all.errors, streams_.err);
    bool is_answered = all.errors.empty() && all.is_measured;
    if (all.queries == 0 && all.errors.empty() && !io::is_interrupted()) {
      print_input_errors(all.empty_logs, streams_.err);
      streams_.err << "planvet: no query in any of these inputs: name an event log, as Spark writes it to "
                      "spark.eventLog.dir with spark.eventLog.enabled=true\n";
      is_answered = false;
    }
    if (!all.numbers) return is_answered;
    for (const std::int64_t query : all.missing) {
      streams_.err << fmt::format("planvet: --sql: there is no query {}; there are {} to {}, and --list shows them\n",
                                  query, all.numbers->first, all.numbers->second);
      is_answered = false;
    }
    return is_answered;
  }

  const AnnotateOptions& options_;
  const Streams& streams_;
  const io::Terminal& terminal_;
  SettingsSource settings_;
  ExpressionParser parser_;
  AnnotateOutlets outlets_;
};

}  // namespace

ExitStatus run_annotate(const AnnotateOptions& options, const Streams& streams, const io::Terminal& terminal) {
  return Annotating(options, streams, terminal).run();
}

}  // namespace planvet::cli
