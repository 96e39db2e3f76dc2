// What the tasks of one stage attempt said: a row for each task index that came, in the order in which they came, and a
// column for each SQL metric that any of them updated, so 8 bytes for each task and updated metric. What the log says
// about the number of tasks takes no room: it may be damaged.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "analyzer/metrics/execution_run.hpp"
#include "analyzer/read/eventlog/accumulator_index.hpp"
#include "analyzer/read/eventlog/events.hpp"
#include "analyzer/read/eventlog/task_columns.hpp"

namespace planvet::read::eventlog {

struct MetricColumn {
  std::int64_t accumulator = 0;
  std::vector<std::int64_t> values;  // by row, 0 where a task said nothing; so are all rows behind its end
  std::int64_t max = 0;              // the first largest one that came, as the History Server keeps it
  std::int64_t max_task = -1;
  [[nodiscard]] std::int64_t value(std::size_t row) const { return row < values.size() ? values[row] : 0; }
};

class StageAttempt {
 public:
  // `known_metrics`: how many metrics the query had declared when the stage's job began (see Execution).
  StageAttempt(std::int32_t stage, std::int32_t attempt, std::int32_t tasks, std::size_t known_metrics);

  void add(const TaskEnd& event);
  void add_start(std::int64_t launch_time);

  [[nodiscard]] metrics::StageRun& run() { return run_; }
  [[nodiscard]] const metrics::StageRun& run() const { return run_; }
  [[nodiscard]] std::span<const MetricColumn> columns() const { return columns_; }
  [[nodiscard]] std::size_t known_metrics() const { return known_metrics_; }
  [[nodiscard]] bool has_task_ends() const { return run_.succeeded + run_.failed + run_.killed > 0; }
  [[nodiscard]] bool has_running_tasks() const { return run_.started > ended_; }
  // It was done, but the log does not hold the ends of all its tasks.
  [[nodiscard]] bool has_lost_ends() const {
    return run_.completion_time.has_value() && run_.failure.empty() &&
           static_cast<std::int64_t>(done_count_) < run_.tasks;
  }
  // Two copies of a task succeeded.
  [[nodiscard]] bool has_doubles() const { return has_doubles_; }
  // Tasks that had succeeded ran again, since their output was lost.
  [[nodiscard]] bool has_resubmitted() const { return has_resubmitted_; }
  // With what takes a while to find out: quantiles over its tasks.
  [[nodiscard]] metrics::StageRun finished_run() const;

  [[nodiscard]] std::size_t size() const { return size_; }  // task indices, whether they have a row or not
  [[nodiscard]] std::size_t rows() const { return tasks_.size(); }
  [[nodiscard]] std::int32_t index(std::size_t row) const { return indices_[row]; }
  [[nodiscard]] bool is_done(std::size_t row) const { return done_[row]; }
  [[nodiscard]] std::size_t done() const { return done_count_; }
  [[nodiscard]] std::int64_t task(std::size_t row) const { return tasks_[row]; }  // that was done; -1: none
  // Which partition a row is; -1: the log does not say.
  [[nodiscard]] std::int64_t partition(std::size_t row) const;

 private:
  [[nodiscard]] bool is_known_end(const TaskEnd& event) const;
  [[nodiscard]] std::optional<std::size_t> find_row(std::int32_t index) const;
  std::size_t row(std::int32_t index);
  MetricColumn& column(std::int64_t accumulator);
  void remember_partition(std::int32_t index, std::int32_t partition);

  metrics::StageRun run_;
  std::size_t known_metrics_;
  std::vector<MetricColumn> columns_;
  AccumulatorIndex columns_by_accumulator_;
  std::size_t next_column_ = 0;  // tasks of a stage mention their metrics in the same order
  std::size_t size_;
  // By row.
  std::vector<std::int32_t> indices_;
  std::vector<bool> done_;
  std::vector<std::int64_t> tasks_;
  // Row + 1 by index, 0: none. Indices far above the number of rows are in the map.
  std::vector<std::uint32_t> rows_;
  std::unordered_map<std::int32_t, std::uint32_t> far_rows_;
  std::size_t done_count_ = 0;
  std::int32_t ended_ = 0;  // of the tasks that were started
  std::tuple<std::int64_t, TaskOutcome, bool> last_end_{-1, TaskOutcome::Succeeded, false};
  bool has_doubles_ = false;
  bool has_resubmitted_ = false;
  TaskColumns task_columns_;
  // Nearly always partition = index + a constant; the others are listed.
  bool has_partition_ = false;
  std::int32_t partition_offset_ = 0;
  std::unordered_map<std::int32_t, std::int32_t> other_partitions_;
};

}  // namespace planvet::read::eventlog
