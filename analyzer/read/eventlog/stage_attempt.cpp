#include "analyzer/read/eventlog/stage_attempt.hpp"

#include <algorithm>

namespace planvet::read::eventlog {
namespace {

// An index beyond this is damage: no stage has so many tasks, and columns would be made for it.
constexpr std::int32_t kMostTasks = 20'000'000;

}  // namespace

StageAttempt::StageAttempt(std::int32_t stage, std::int32_t attempt, std::int32_t tasks, std::size_t known_metrics)
    : known_metrics_(known_metrics),
      done_(static_cast<std::size_t>(std::clamp(tasks, 0, kMostTasks))),
      tasks_(done_.size(), -1) {
  run_.stage = stage;
  run_.attempt = attempt;
  run_.tasks = tasks;
}

MetricColumn& StageAttempt::column(std::int64_t accumulator) {
  if (next_column_ < columns_.size() && columns_[next_column_].accumulator == accumulator) {
    return columns_[next_column_++];
  }
  const auto [found, is_new] =
      columns_by_accumulator_.try_emplace(accumulator, static_cast<std::uint32_t>(columns_.size()));
  if (is_new) {
    MetricColumn& added = columns_.emplace_back();
    added.accumulator = accumulator;
    added.values.resize(done_.size());
  }
  next_column_ = found->second + 1;
  return columns_[found->second];
}

void StageAttempt::remember_partition(std::size_t index, std::int32_t partition) {
  if (partition < 0) return;
  const std::int32_t offset = partition - static_cast<std::int32_t>(index);
  if (!has_partition_) {
    has_partition_ = true;
    partition_offset_ = offset;
  } else if (offset != partition_offset_) {
    other_partitions_[index] = partition;
  }
}

std::int32_t StageAttempt::partition(std::size_t index) const {
  if (!has_partition_) return run_.attempt == 0 ? static_cast<std::int32_t>(index) : -1;
  const auto other = other_partitions_.find(index);
  return other != other_partitions_.end() ? other->second : static_cast<std::int32_t>(index) + partition_offset_;
}

void StageAttempt::add_start(std::int64_t launch_time) {
  ++run_.started;
  if (launch_time > 0 && (!run_.first_launch_time || launch_time < *run_.first_launch_time)) {
    run_.first_launch_time = launch_time;
  }
}

metrics::StageRun StageAttempt::finished_run() const {
  metrics::StageRun run = run_;
  run.partitions_done = static_cast<std::int32_t>(done_count_);
  run.quantiles = task_columns_.quantiles();
  return run;
}

// A line that was written twice.
bool StageAttempt::is_known_end(const TaskEnd& event) const {
  if (event.task < 0) return false;
  if (last_end_ == std::tuple(event.task, event.outcome, event.is_resubmitted)) return true;
  const auto index = static_cast<std::size_t>(event.index);
  return event.outcome == TaskOutcome::Succeeded && event.index >= 0 && index < done_.size() && done_[index] &&
         tasks_[index] == event.task;
}

void StageAttempt::add(const TaskEnd& event) {
  const bool has_succeeded = event.outcome == TaskOutcome::Succeeded;
  if (is_known_end(event)) return;
  last_end_ = {event.task, event.outcome, event.is_resubmitted};
  switch (event.outcome) {
    case TaskOutcome::Succeeded: ++run_.succeeded; break;
    case TaskOutcome::Failed: ++run_.failed; break;
    case TaskOutcome::Killed: ++run_.killed; break;
  }
  if (!event.is_resubmitted) ++ended_;
  run_.totals.add(event.totals);
  if (event.launch_time > 0 && (!run_.first_launch_time || event.launch_time < *run_.first_launch_time)) {
    run_.first_launch_time = event.launch_time;
  }
  has_resubmitted_ = has_resubmitted_ || event.is_resubmitted;
  if (has_succeeded) task_columns_.add(event);
  if (event.index < 0 || event.index >= kMostTasks) return;
  const auto index = static_cast<std::size_t>(event.index);
  if (index >= done_.size()) {  // the stage's own events are missing
    done_.resize(index + 1);
    tasks_.resize(index + 1, -1);
    for (MetricColumn& known : columns_) known.values.resize(done_.size());
  }
  if (done_[index]) {
    has_doubles_ = has_doubles_ || has_succeeded;
    return;
  }
  next_column_ = 0;
  for (const AccumulatorUpdate& update : event.updates) {
    MetricColumn& known = column(update.accumulator);
    known.values[index] = update.value;
    if (known.max_task < 0 || update.value > known.max) {
      known.max = update.value;
      known.max_task = event.task;
    }
  }
  if (!has_succeeded) return;
  done_[index] = true;
  tasks_[index] = event.task;
  ++done_count_;
  remember_partition(index, event.partition);
}

}  // namespace planvet::read::eventlog
