#include "analyzer/read/eventlog/stage_attempt.hpp"

#include <algorithm>

namespace planvet::read::eventlog {
namespace {

// An index beyond this is damage: no stage has so many tasks.
constexpr std::int32_t kMostTasks = 20'000'000;
// Room for so many rows is set aside where a stage says that it has them. It costs no memory before it is written to.
constexpr std::size_t kMostRowsAhead = std::size_t{1} << 17U;
// The table of indices may be so much larger than the number of rows.
constexpr std::size_t kSpareIndices = 4096;
constexpr std::size_t kIndicesPerRow = 8;

}  // namespace

StageAttempt::StageAttempt(std::int32_t stage, std::int32_t attempt, std::int32_t tasks, std::size_t known_metrics)
    : known_metrics_(known_metrics), size_(static_cast<std::size_t>(std::clamp(tasks, 0, kMostTasks))) {
  run_.stage = stage;
  run_.attempt = attempt;
  run_.tasks = tasks;
}

MetricColumn& StageAttempt::column(std::int64_t accumulator) {
  if (next_column_ < columns_.size() && columns_[next_column_].accumulator == accumulator) {
    return columns_[next_column_++];
  }
  const auto [found, is_new] = columns_by_accumulator_.insert(accumulator, static_cast<std::uint32_t>(columns_.size()));
  if (is_new) {
    MetricColumn& added = columns_.emplace_back();
    added.accumulator = accumulator;
    added.values.reserve(std::max(rows(), std::min(size_, kMostRowsAhead)));
  }
  next_column_ = found + 1;
  return columns_[found];
}

std::optional<std::size_t> StageAttempt::find_row(std::int32_t index) const {
  const auto at = static_cast<std::size_t>(index);
  if (at < rows_.size() && rows_[at] != 0) return rows_[at] - 1;
  if (far_rows_.empty()) return std::nullopt;
  const auto far = far_rows_.find(index);
  return far == far_rows_.end() ? std::nullopt : std::optional<std::size_t>(far->second);
}

std::size_t StageAttempt::row(std::int32_t index) {
  if (const std::optional<std::size_t> known = find_row(index)) return *known;
  const auto at = static_cast<std::size_t>(index);
  const std::size_t added = rows();
  if (at < kSpareIndices + kIndicesPerRow * added) {
    if (at >= rows_.size()) rows_.resize(std::max(at + 1, std::min(size_, 2 * rows_.size())));
    rows_[at] = static_cast<std::uint32_t>(added) + 1;
  } else {
    far_rows_.emplace(index, static_cast<std::uint32_t>(added));
  }
  indices_.push_back(index);
  done_.push_back(false);
  tasks_.push_back(-1);
  size_ = std::max(size_, at + 1);
  return added;
}

void StageAttempt::remember_partition(std::int32_t index, std::int32_t partition) {
  if (partition < 0) return;
  const std::int32_t offset = partition - index;
  if (!has_partition_) {
    has_partition_ = true;
    partition_offset_ = offset;
  } else if (offset != partition_offset_) {
    other_partitions_[index] = partition;
  }
}

std::int64_t StageAttempt::partition(std::size_t row) const {
  const std::int64_t index = indices_[row];
  if (!has_partition_) return run_.attempt == 0 ? index : -1;
  const auto other = other_partitions_.find(indices_[row]);
  return other != other_partitions_.end() ? other->second : index + partition_offset_;
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
  if (event.outcome != TaskOutcome::Succeeded || event.index < 0) return false;
  const std::optional<std::size_t> known = find_row(event.index);
  return known && done_[*known] && tasks_[*known] == event.task;
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
  const std::size_t row = this->row(event.index);
  if (done_[row]) {
    has_doubles_ = has_doubles_ || has_succeeded;
    return;
  }
  next_column_ = 0;
  if (columns_.empty()) columns_.reserve(event.updates.size());
  for (const AccumulatorUpdate& update : event.updates) {
    MetricColumn& known = column(update.accumulator);
    if (row < known.values.size()) {
      known.values[row] = update.value;
    } else {
      known.values.resize(row);
      known.values.push_back(update.value);
    }
    if (known.max_task < 0 || update.value > known.max) {
      known.max = update.value;
      known.max_task = event.task;
    }
  }
  if (!has_succeeded) return;
  done_[row] = true;
  tasks_[row] = event.task;
  ++done_count_;
  remember_partition(event.index, event.partition);
}

}  // namespace planvet::read::eventlog
