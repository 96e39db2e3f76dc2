// How one query ran: when, in which jobs and stages, what their tasks read, wrote and cost. As the log says it.
//
//   ExecutionRun            query 7, 12:00:00.000 to 12:00:04.100, succeeded
//     JobRun                job 12: stages 20, 21
//     StageRun              stage 20, attempt 0: 8 tasks, one failed; 1.2 MiB read, ..
//
// Times are milliseconds since 1970, or of duration; sizes are bytes. Nothing where the log does not say.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/metrics/saturating.hpp"

namespace planvet::metrics {

// Sums over the task ends of one stage attempt, failed and killed ones included, as the REST API's /stages has them.
struct TaskTotals {
#define PLANVET_TASK_TOTAL(field, rest_name, group, name) std::int64_t field = 0;
#include "analyzer/metrics/task_totals.def"
  void add(const TaskTotals& other) {
#define PLANVET_TASK_TOTAL(field, rest_name, group, name) field = saturating_add(field, other.field);
#include "analyzer/metrics/task_totals.def"
  }
};

// Each is the value of one task: the one that stands at that share of the tasks when they are sorted.
struct Quantiles {
  std::int64_t min = 0;
  std::int64_t quarter = 0;
  std::int64_t median = 0;
  std::int64_t three_quarters = 0;
  std::int64_t max = 0;
};

// Over the tasks of one stage attempt that succeeded, as the REST API's taskSummary has them.
struct TaskQuantiles {
#define PLANVET_TASK_QUANTILE(field, group, name, value) Quantiles field;
#include "analyzer/metrics/task_quantiles.def"
};

// The REST API calls one that neither completed nor runs tasks "ACTIVE" or "PENDING".
enum class StageResult : std::uint8_t { Running, Succeeded, Failed };

struct StageRun {
  std::int32_t stage = 0;
  std::int32_t attempt = 0;
  std::string name;          // "collect at App.scala:88"
  std::int32_t tasks = 0;    // that it has
  std::int32_t started = 0;  // task starts, ends and the like: attempts of tasks, not partitions
  std::int32_t succeeded = 0;
  std::int32_t failed = 0;
  std::int32_t killed = 0;
  std::int32_t partitions_done = 0;  // task indices that succeeded
  std::optional<std::int64_t> submission_time;
  std::optional<std::int64_t> first_launch_time;
  std::optional<std::int64_t> completion_time;
  std::string failure;  // why it failed; empty: it did not, or not that the log says
  TaskTotals totals;
  TaskQuantiles quantiles;  // all 0 where no task succeeded

  [[nodiscard]] StageResult result() const {
    if (!failure.empty()) return StageResult::Failed;
    return completion_time ? StageResult::Succeeded : StageResult::Running;
  }
};

enum class JobResult : std::uint8_t { Running, Succeeded, Failed };

struct JobRun {
  std::int32_t job = 0;
  std::optional<std::int64_t> submission_time;
  std::optional<std::int64_t> completion_time;
  JobResult result = JobResult::Running;
  std::vector<std::int32_t> stages;  // also those that were skipped since their output was there
};

struct ExecutionRun {
  std::int64_t execution = 0;
  std::optional<std::int64_t> root_execution;  // of the query that this one is a part of; itself where it is none
  std::string description;
  std::optional<std::int64_t> submission_time;
  std::optional<std::int64_t> completion_time;  // nothing: the log ended first
  std::int64_t last_event_time = 0;             // of the log: a running query lasted at least up to here
  std::string error;                            // empty: none, or not known (before 3.4)
  std::vector<JobRun> jobs;                     // by id
  std::vector<StageRun> stages;                 // that ran, by id and attempt
  std::uint32_t plan_updates = 0;               // adaptive execution's

  [[nodiscard]] std::optional<std::int64_t> duration() const {
    if (!submission_time) return std::nullopt;
    return saturating_subtract(completion_time ? *completion_time : last_event_time, *submission_time);
  }
};

}  // namespace planvet::metrics
