// One query while its events come in: plan versions, metrics, jobs and stages.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/metrics/execution_run.hpp"
#include "analyzer/metrics/summary.hpp"
#include "analyzer/read/eventlog/declared_metrics.hpp"
#include "analyzer/read/eventlog/events.hpp"
#include "analyzer/read/eventlog/scala_set.hpp"
#include "analyzer/read/eventlog/stage_attempt.hpp"

namespace planvet::read::eventlog {

// All attempts of one stage id, in the order in which they began. The History Server knows the last one only.
struct Stage {
  std::int32_t stage = 0;
  std::int32_t tasks = 0;
  std::int64_t rdd = -1;
  std::string name;
  std::vector<std::unique_ptr<StageAttempt>> attempts;
  std::int64_t execution = 0;  // whose job named it last
  [[nodiscard]] StageAttempt& current() { return *attempts.back(); }
  [[nodiscard]] const StageAttempt& current() const { return *attempts.back(); }
  [[nodiscard]] bool has_running_tasks() const;
};

// The JSON of a plan, kept with the room behind it that simdjson needs.
class PlanText {
 public:
  PlanText() = default;
  explicit PlanText(std::string_view json);
  [[nodiscard]] std::string_view json() const { return std::string_view(text_).substr(0, size_); }
  [[nodiscard]] bool empty() const { return size_ == 0; }

 private:
  std::string text_;
  std::size_t size_ = 0;
};

// Rows are those of Execution::declared; nothing in one: the metric is not shown.
using Summaries = std::vector<std::optional<metrics::Summary>>;

struct Execution {
  metrics::ExecutionRun run;
  std::vector<std::pair<std::string, std::string>> conf;
  PlanText first_plan;
  PlanText last_plan;  // of the last adaptive update; empty: none came
  DeclaredMetrics declared;
  std::vector<AccumulatorUpdate> driver_updates;
  std::vector<std::shared_ptr<Stage>> stages;  // of its jobs, each once, in the order in which jobs named them
  std::size_t open_jobs = 0;
  Scala scala = Scala::V2_12;  // of the application
  bool has_start = false;
  bool has_ended = false;
  // What the History Server shows was fixed when the query ended; set where its tasks had not all ended by then.
  std::optional<Summaries> shown_at_end;

  void add_stage(const std::shared_ptr<Stage>& stage);
  // As the History Server goes through them.
  [[nodiscard]] std::vector<const Stage*> stages_in_order() const;
  [[nodiscard]] metrics::JobRun* find_job(std::int32_t job);
  [[nodiscard]] bool has_running_tasks() const;
};

}  // namespace planvet::read::eventlog
