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

// 0: not known.
std::uint64_t total_size(const std::vector<io::InputFile>& files, const std::vector<io::InputFile>& metrics) {
  std::uint64_t total = 0;
  for (const std::vector<io::InputFile>* const some : {&files, &metrics}) {
    for (const io::InputFile& file : *some) {
      if (file.path == "-" || !file.archive.empty() || io::is_pipe(file.path)) return 0;
      total += input_size(file);
    }
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
    std::vector<std::shared_ptr<const config::Settings>> settings;
    for (const io::InputFile& file : files.files) settings.push_back(settings_.settings_for(file.path));
    for (const std::string& problem : settings_.problems()) streams_.err << "planvet: " << problem << '\n';
    if (!settings_.problems().empty()) return ExitStatus::Failure;
    const io::InterruptWatch interrupts;
    outlets_.put(streams_.out, [](render::AnnotateWriter& writer) { return writer.begin(); });
    AnnotatedResult all = read(files.files, settings);
    outlets_.put(streams_.out, [](render::AnnotateWriter& writer) { return writer.end(); });
    streams_.out.flush();
    std::vector<InputError> errors;
    for (io::InputFiles::Problem& problem : files.problems)
      errors.push_back({std::move(problem.path), std::move(problem.message)});
    all.errors.insert(all.errors.begin(), errors.begin(), errors.end());
    const bool is_answered = say_what_is_missing(all);
    const bool is_written = outlets_.write_files(streams_.err);
    if (io::is_interrupted()) return ExitStatus::Interrupted;
    return is_answered && is_written ? ExitStatus::Clean : ExitStatus::Failure;
  }

 private:
  using Inputs = std::vector<std::unique_ptr<AnnotatedInput>>;
  using Settings = std::vector<std::shared_ptr<const config::Settings>>;

  AnnotatedResult read(const std::vector<io::InputFile>& files, const Settings& settings) {
    std::atomic<bool> is_closed{false};
    std::vector<io::ReadWatch> watches(files.size() + 1);  // the last one is for --metrics
    for (io::ReadWatch& watch : watches) {
      // Nobody reads what is still to come: `planvet annotate .. --sql all | head`.
      watch.is_stopped = [&is_closed] { return io::is_interrupted() || is_closed; };
    }
    const auto bytes_read = [&watches] {
      return std::transform_reduce(watches.begin(), watches.end(), std::uint64_t{0}, std::plus<>(),
                                   [](const io::ReadWatch& watch) { return watch.bytes.load(); });
    };
    const io::InputFiles metrics = options_.metrics.empty() ? io::InputFiles() : io::find_inputs({options_.metrics});
    Progress progress(options_.input, options_.terminal, streams_.err, terminal_, bytes_read,
                      total_size(files, metrics.files));
    Suppressions suppressions(today());
    std::mutex suppressions_mutex;
    AnnotateRun run{options_,           streams_,     parser_,  outlets_, progress, terminal_.output_is_terminal,
                    suppressions_mutex, suppressions, is_closed};
    ProjectPaths paths;
    std::vector<std::string> identities;
    for (const io::InputFile& file : files) identities.push_back(paths.identity(input_name(file, options_.input)));
    const auto open = [&](std::size_t i) {
      return std::make_unique<AnnotatedInput>(files[i], std::move(identities[i]), settings[i], run, watches[i]);
    };

    Inputs inputs(files.size());  // as long as they are of use
    AnnotatedResult all;
    if (!options_.metrics.empty()) {
      for (std::size_t i = 0; i < files.size(); ++i) inputs[i] = open(i);
      all.errors = measure(inputs, metrics, watches.back());
    }
    std::vector<std::optional<AnnotatedResult>> results(files.size());
    io::Turns turns(files.size());
    io::for_each_parallel(files.size(), options_.input.jobs, [&](std::size_t i) {
      io::Turn turn(turns, i);
      if (watches[i].wants_stop()) return;
      if (inputs[i] == nullptr) {
        inputs[i] = open(i);
        inputs[i]->read(turn);
      }
      results[i] = inputs[i]->show_rest(turn);
      inputs[i].reset();
      progress.show_again();
    });
    bool is_first = true;
    for (auto& result : results)
      if (result) add_to(all, std::move(*result), std::exchange(is_first, false));
    say_what_was_not_read(
        static_cast<std::size_t>(std::ranges::count_if(results, [](const auto& result) { return !result; })),
        results.size());
    return all;
  }

  void say_what_was_not_read(std::size_t count, std::size_t inputs) const {
    if (!io::is_interrupted() || count == 0) return;
    streams_.err << fmt::format("planvet: stopped by Ctrl-C: {} of {} inputs {} not read\n", count, inputs,
                                count == 1 ? "was" : "were");
  }

  // Reads all inputs, and then --metrics once for all their plans.
  std::vector<InputError> measure(Inputs& inputs, const io::InputFiles& metrics, io::ReadWatch& watch) {
    io::Turns turns(inputs.size());
    io::for_each_parallel(inputs.size(), options_.input.jobs, [&](std::size_t i) {
      io::Turn turn(turns, i);
      inputs[i]->read(turn);
    });
    std::vector<WaitingPlan*> plans;
    for (const auto& input : inputs)
      for (WaitingPlan& plan : input->waiting_plans()) plans.push_back(&plan);
    std::vector<InputError> errors;
    if (plans.empty()) return errors;
    for (std::string& error : add_metrics(plans, metrics, options_.input, streams_.in, &watch))
      errors.push_back({options_.metrics, std::move(error)});
    return errors;
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
