// The events of a log that planvet uses, as plain values.
//
// Their views point into the line, or into buffers of the parser that made them: they live until the next line.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/metrics/execution_run.hpp"
#include "analyzer/metrics/saturating.hpp"

namespace planvet::read::eventlog {

enum class EventKind : std::uint8_t {
  Dropped,  // an event of no use here: read no further
  NoEvent,  // no line of an event log
  LogStart,
  EnvironmentUpdate,
  ApplicationStart,
  ApplicationEnd,
  JobStart,
  JobEnd,
  StageSubmitted,
  StageCompleted,
  TaskStart,
  TaskEnd,
  ExecutionStart,
  ExecutionEnd,
  AdaptiveUpdate,
  AdaptiveMetrics,
  DriverUpdates,
};

// By the line's first bytes, before any JSON is parsed: {"Event":"SparkListenerTaskEnd",
[[nodiscard]] EventKind event_kind(std::string_view line);

struct AccumulatorUpdate {
  std::int64_t accumulator = 0;
  std::int64_t value = 0;
};

enum class TaskOutcome : std::uint8_t { Succeeded, Failed, Killed };

struct TaskEnd {
  std::int32_t stage = -1;
  std::int32_t attempt = 0;
  std::int64_t task = -1;
  std::int32_t index = -1;
  std::int32_t partition = -1;  // -1: not said (before 3.3)
  TaskOutcome outcome = TaskOutcome::Succeeded;
  bool is_resubmitted = false;  // no end at all: the output of a task that had succeeded is lost, and it runs again
  bool is_speculative = false;
  std::int64_t launch_time = 0;
  std::int64_t getting_result_time = 0;  // when its result began to be fetched; 0: it came with the task's end
  std::int64_t finish_time = 0;
  metrics::TaskTotals totals;
  std::vector<AccumulatorUpdate> updates;  // of SQL metrics: what this task alone did
  void clear();                            // keeps the room of `updates`

  [[nodiscard]] std::int64_t duration() const { return metrics::saturating_subtract(finish_time, launch_time); }
  [[nodiscard]] std::int64_t getting_result() const {
    return getting_result_time > 0 ? metrics::saturating_subtract(finish_time, getting_result_time) : 0;
  }
  // What of its time Spark cannot explain.
  [[nodiscard]] std::int64_t scheduler_delay() const;
};

struct TaskStart {
  std::int32_t stage = -1;
  std::int32_t attempt = 0;
  std::int64_t launch_time = 0;  // 0: not said
};

struct StageInfo {
  std::int32_t stage = -1;
  std::int32_t attempt = 0;
  std::int32_t tasks = 0;
  std::int64_t rdd = -1;  // what the stage computes: stages of one RDD do the same work
  std::string_view name;
  std::string_view failure;
  std::optional<std::int64_t> submission_time;
  std::optional<std::int64_t> completion_time;
};

struct JobStart {
  std::int32_t job = -1;
  std::int64_t time = 0;
  std::optional<std::int64_t> execution;
  std::vector<StageInfo> stages;
  std::vector<std::int32_t> stage_ids;
};

struct JobEnd {
  std::int32_t job = -1;
  std::int64_t time = 0;
  bool has_succeeded = false;
};

struct ExecutionStart {
  std::int64_t execution = -1;
  std::optional<std::int64_t> root_execution;
  std::int64_t time = 0;
  std::string description;
  std::string_view plan;  // JSON of sparkPlanInfo; empty: none
  std::vector<std::pair<std::string, std::string>> conf;
};

struct ExecutionEnd {
  std::int64_t execution = -1;
  std::int64_t time = 0;
  std::string error;
};

struct AdaptiveUpdate {
  std::int64_t execution = -1;
  std::string_view plan;
};

// A metric and its accumulator as a plan, or an event about one, declares it.
struct MetricDeclaration {
  std::int64_t accumulator = -1;
  std::string_view name;
  std::string_view type;
};

struct AdaptiveMetrics {
  std::int64_t execution = -1;
  std::vector<MetricDeclaration> metrics;
};

struct DriverUpdates {
  std::int64_t execution = -1;
  std::vector<AccumulatorUpdate> updates;
};

struct Environment {
  std::string scala_version;  // "version 2.13.16"
  std::vector<std::pair<std::string, std::string>> spark_properties;
};

struct ApplicationStart {
  std::string name;
  std::string id;
  std::string attempt;  // empty: none
  std::int64_t time = 0;
};

struct ApplicationEnd {
  std::int64_t time = 0;
};

}  // namespace planvet::read::eventlog
