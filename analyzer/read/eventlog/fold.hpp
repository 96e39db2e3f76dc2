// From events to queries: each is handed on, and forgotten, when it and all its tasks have ended.
//
//   JobStart, StageSubmitted, TaskEnd .. --> stages, jobs --+
//   SQLExecutionStart, AdaptiveUpdate .. --> executions ----+--> sink(Execution)
//
// Task ends can follow the end of their stage, of their job, even of their query. What is in memory: the columns of the
// stages of queries that still run, and their plans.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "analyzer/read/eventlog/events.hpp"
#include "analyzer/read/eventlog/execution.hpp"
#include "analyzer/read/eventlog/id_ranges.hpp"

namespace planvet::read::eventlog {

// `is_whole`: the query and its jobs ended before the log did.
using ExecutionSink = std::function<void(Execution&& execution, bool is_whole)>;

// Stages that no job of the log named, though they ran.
struct StagesOfNoJob {
  std::size_t stages = 0;
  std::size_t tasks = 0;  // that ended
};

class Fold {
 public:
  explicit Fold(ExecutionSink sink) : sink_(std::move(sink)) {}

  // Another application begins, in the same stream: hands on what runs, and ids have a new meaning.
  void begin_application();
  void on(const Environment& event);
  void on(const JobStart& event);
  void on(const JobEnd& event);
  void on_stage_submitted(const StageInfo& event);
  void on_stage_completed(const StageInfo& event);
  void on(const TaskStart& event);
  void on(const TaskEnd& event);
  // `metrics`: those that the event's plan declares.
  void on(const ExecutionStart& event, const std::vector<MetricDeclaration>& metrics);
  void on(const AdaptiveUpdate& event, const std::vector<MetricDeclaration>& metrics);
  void on(const AdaptiveMetrics& event);
  void on(const DriverUpdates& event);
  void on(const ExecutionEnd& event);
  // The log is at its end: hands on what still runs, by id.
  void finish();
  // Jobs that ran for RDDs: what they read is in no plan.
  [[nodiscard]] std::optional<std::int32_t> last_job_of_no_query() const { return last_job_of_no_query_; }
  [[nodiscard]] StagesOfNoJob stages_of_no_job() const { return {lost_stages_.size(), lost_tasks_}; }

 private:
  void lose(std::int32_t stage);
  // Nothing where it was handed on already: what comes behind that is late.
  Execution* execution(std::int64_t id);
  Stage* find_stage(std::int32_t stage);
  void saw(std::int64_t time);
  void end_if_done(std::int64_t id);
  void hand_on(std::int64_t id, bool is_whole);

  ExecutionSink sink_;
  KnownMetrics known_metrics_;
  Scala scala_ = Scala::V2_12;
  std::unordered_map<std::int64_t, std::unique_ptr<Execution>> executions_;
  std::unordered_map<std::int32_t, std::shared_ptr<Stage>> stages_;  // of executions that are in memory
  std::unordered_map<std::int32_t, std::int64_t> jobs_;              // open ones -> execution
  std::unordered_set<std::int64_t> handed_on_;
  std::deque<std::int64_t>
      waiting_;  // ended, but for tasks that may never end: speculative copies have no end at times
  std::int64_t last_time_ = 0;
  std::optional<std::int32_t> last_job_of_no_query_;
  IdRanges named_stages_;  // by any job
  std::unordered_set<std::int32_t> lost_stages_;
  std::size_t lost_tasks_ = 0;
};

}  // namespace planvet::read::eventlog
