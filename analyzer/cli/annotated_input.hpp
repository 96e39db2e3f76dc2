// One input of `planvet annotate`: read and judged beside others, shown when its turn has come.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/cli/annotate_outlets.hpp"
#include "analyzer/cli/annotate_selection.hpp"
#include "analyzer/cli/command.hpp"
#include "analyzer/cli/measured_plans.hpp"
#include "analyzer/cli/options.hpp"
#include "analyzer/cli/pipeline.hpp"
#include "analyzer/cli/progress.hpp"
#include "analyzer/cli/suppressions.hpp"
#include "analyzer/config/settings.hpp"
#include "analyzer/io/paths.hpp"
#include "analyzer/io/turns.hpp"
#include "analyzer/io/watched_source.hpp"
#include "analyzer/plan/expression_parser.hpp"

namespace planvet::cli {

// What all inputs of a run share. Streams, outlets and progress belong to the input whose turn it is.
struct AnnotateRun {
  const AnnotateOptions& options;
  const Streams& streams;
  const ExpressionParser& parser;
  AnnotateOutlets& outlets;
  Progress& progress;
  bool out_is_terminal;
  std::mutex& suppressions_mutex;
  Suppressions& suppressions;
  std::atomic<bool>& is_closed;  // nobody reads standard output any more
};

// What became of an input, or of several.
struct AnnotatedResult {
  std::vector<InputError> errors;
  std::vector<InputError> empty_logs;  // found in folders and archives: told where nothing else was found
  std::size_t queries = 0;
  std::vector<std::int64_t> missing;                             // of --sql
  std::optional<std::pair<std::int64_t, std::int64_t>> numbers;  // of the queries that there are, from and to
  bool is_measured = true;                                       // --metrics had some for each plan
};

class AnnotatedInput {
 public:
  // `identity`: the input's path for fingerprints. `watch`: counts what is read of it; its whole size at the end.
  AnnotatedInput(const io::InputFile& file, std::string identity, std::shared_ptr<const config::Settings> settings,
                 AnnotateRun& run, io::ReadWatch& watch);
  AnnotatedInput(const AnnotatedInput&) = delete;
  AnnotatedInput& operator=(const AnnotatedInput&) = delete;

  // Shows what is wanted whatever comes, when its turn has come. With --metrics, plans wait for them.
  void read(io::Turn& turn);
  [[nodiscard]] std::vector<WaitingPlan>& waiting_plans() { return waiting_plans_; }
  // All that is left to be shown, and said.
  [[nodiscard]] AnnotatedResult show_rest(io::Turn& turn);

 private:
  void take(PlanDocument&& document);
  [[nodiscard]] DocumentReport judged(PlanDocument&& document);
  void accept(DocumentReport& report);
  void show(const DocumentReport& report);
  void show_heading();
  void show_queries();
  void show_list(std::vector<render::QuerySummary> summaries);
  [[nodiscard]] bool wants_list(const std::vector<render::QuerySummary>& summaries) const;
  void say_remarks();
  void say_interrupted() const;
  template <typename Piece>
  void put(const Piece& piece);

  const io::InputFile& file_;
  std::shared_ptr<const config::Settings> settings_;
  AnnotateRun& run_;
  io::ReadWatch& watch_;
  io::Turn* turn_ = nullptr;
  render::Application application_;
  AnnotateSelection selection_;
  std::vector<WaitingPlan> waiting_plans_;
  Reading reading_;
  bool has_heading_ = false;
  bool is_cut_short_ = false;  // by Ctrl-C; not where the end was reached before it
};

// What an input is called; of standard input, what the user calls it.
[[nodiscard]] std::string input_name(const io::InputFile& file, const InputOptions& options);

// In bytes, all parts together; 0 of standard input.
[[nodiscard]] std::uint64_t input_size(const io::InputFile& file);

}  // namespace planvet::cli
