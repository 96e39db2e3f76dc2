#include "analyzer/read/eventlog/fold.hpp"

#include <algorithm>

#include "analyzer/read/eventlog/measure.hpp"

namespace planvet::read::eventlog {
namespace {

// So many queries may wait for ends of tasks after their own end.
constexpr std::size_t kMostWaiting = 32;

}  // namespace

// Events about a query whose start is missing make one, as in the History Server.
Execution* Fold::execution(std::int64_t id) {
  if (handed_on_.contains(id)) return nullptr;
  std::unique_ptr<Execution>& found = executions_[id];
  if (found == nullptr) {
    found = std::make_unique<Execution>();
    found->run.execution = id;
    found->scala = scala_;
  }
  return found.get();
}

Stage* Fold::find_stage(std::int32_t stage) {
  const auto found = stages_.find(stage);
  return found == stages_.end() ? nullptr : found->second.get();
}

void Fold::saw(std::int64_t time) { last_time_ = std::max(last_time_, time); }

void Fold::on(const Environment& event) {
  if (event.scala_version.find("2.13") != std::string::npos) scala_ = Scala::V2_13;
}

void Fold::on(const JobStart& event) {
  saw(event.time);
  for (const std::int32_t stage : event.stage_ids) named_stages_.add(stage);
  if (!event.execution) last_job_of_no_query_ = std::max(event.job, last_job_of_no_query_.value_or(event.job));
  if (!event.execution || jobs_.contains(event.job)) return;
  Execution* const found = execution(*event.execution);
  if (found == nullptr || found->find_job(event.job) != nullptr) return;  // a line that was written twice
  Execution& owner = *found;
  metrics::JobRun job;
  job.job = event.job;
  job.submission_time = event.time;
  job.stages = event.stage_ids;
  owner.run.jobs.push_back(std::move(job));
  ++owner.open_jobs;
  jobs_[event.job] = *event.execution;
  for (const StageInfo& info : event.stages) {
    std::shared_ptr<Stage>& stage = stages_[info.stage];
    if (stage == nullptr) {
      stage = std::make_shared<Stage>();
      stage->stage = info.stage;
      stage->tasks = info.tasks;
      stage->rdd = info.rdd;
      stage->name = info.name;
    }
    stage->execution = *event.execution;
    // The History Server begins anew, also where the stage runs for another job already.
    if (stage->attempts.empty() || stage->current().has_task_ends()) {
      stage->attempts.push_back(std::make_unique<StageAttempt>(info.stage, 0, info.tasks, owner.declared.size()));
      stage->current().run().name = info.name;
    }
    owner.add_stage(stage);
  }
}

void Fold::on(const JobEnd& event) {
  saw(event.time);
  const auto found = jobs_.find(event.job);
  if (found == jobs_.end()) return;
  const std::int64_t id = found->second;
  jobs_.erase(found);
  const auto owner = executions_.find(id);
  if (owner == executions_.end()) return;
  if (metrics::JobRun* const job = owner->second->find_job(event.job)) {
    job->completion_time = event.time;
    job->result = event.has_succeeded ? metrics::JobResult::Succeeded : metrics::JobResult::Failed;
  }
  --owner->second->open_jobs;
  end_if_done(id);
}

void Fold::lose(std::int32_t stage) {
  if (!named_stages_.contains(stage)) lost_stages_.insert(stage);
}

void Fold::on_stage_submitted(const StageInfo& event) {
  if (event.submission_time) saw(*event.submission_time);
  Stage* const stage = find_stage(event.stage);
  if (stage == nullptr) return lose(event.stage);
  if (stage->current().run().attempt != event.attempt) {
    const std::size_t known_metrics = stage->current().known_metrics();
    stage->attempts.push_back(std::make_unique<StageAttempt>(event.stage, event.attempt, stage->tasks, known_metrics));
    stage->current().run().name = stage->name;
    stage->current().run().tasks = event.tasks;
  }
  stage->current().run().submission_time = event.submission_time;
}

void Fold::on_stage_completed(const StageInfo& event) {
  if (event.completion_time) saw(*event.completion_time);
  Stage* const stage = find_stage(event.stage);
  if (stage == nullptr) return;
  for (auto attempt = stage->attempts.rbegin(); attempt != stage->attempts.rend(); ++attempt) {
    metrics::StageRun& run = (*attempt)->run();
    if (run.attempt != event.attempt) continue;
    run.submission_time = event.submission_time ? event.submission_time : run.submission_time;
    run.completion_time = event.completion_time;
    run.failure = event.failure;
    return;
  }
}

void Fold::on(const TaskStart& event) {
  Stage* const stage = find_stage(event.stage);
  if (stage == nullptr) return;
  for (auto attempt = stage->attempts.rbegin(); attempt != stage->attempts.rend(); ++attempt) {
    if ((*attempt)->run().attempt == event.attempt) return (*attempt)->add_start(event.launch_time);
  }
}

void Fold::on(const TaskEnd& event) {
  saw(event.finish_time);
  Stage* const stage = find_stage(event.stage);
  if (stage == nullptr) {
    lose(event.stage);
    if (lost_stages_.contains(event.stage)) ++lost_tasks_;
    return;
  }
  for (auto attempt = stage->attempts.rbegin(); attempt != stage->attempts.rend(); ++attempt) {
    if ((*attempt)->run().attempt != event.attempt) continue;
    (*attempt)->add(event);
    break;
  }
  if (!waiting_.empty() && !stage->has_running_tasks()) end_if_done(stage->execution);
}

void Fold::on(const ExecutionStart& event, const std::vector<MetricDeclaration>& metrics) {
  saw(event.time);
  Execution* const found = execution(event.execution);
  if (found == nullptr) return;
  Execution& started = *found;
  started.has_start = true;
  started.run.root_execution = event.root_execution;
  started.run.description = event.description;
  started.run.submission_time = event.time;
  started.conf = event.conf;
  started.first_plan = PlanText(event.plan);
  started.declared.add(metrics, DeclaredBy::Plan, known_metrics_);
}

void Fold::on(const AdaptiveUpdate& event, const std::vector<MetricDeclaration>& metrics) {
  Execution* const found = execution(event.execution);
  if (found == nullptr) return;
  Execution& updated = *found;
  ++updated.run.plan_updates;
  updated.last_plan = PlanText(event.plan);
  updated.declared.add(metrics, DeclaredBy::Plan, known_metrics_);
}

void Fold::on(const AdaptiveMetrics& event) {
  Execution* const found = execution(event.execution);
  if (found == nullptr) return;
  found->declared.add(event.metrics, DeclaredBy::Event, known_metrics_);
}

void Fold::on(const DriverUpdates& event) {
  const auto found = executions_.find(event.execution);
  if (found == executions_.end()) return;
  std::vector<AccumulatorUpdate>& updates = found->second->driver_updates;
  updates.insert(updates.end(), event.updates.begin(), event.updates.end());
}

void Fold::on(const ExecutionEnd& event) {
  saw(event.time);
  const auto found = executions_.find(event.execution);
  if (found == executions_.end() || found->second->has_ended) return;
  Execution& ended = *found->second;
  ended.has_ended = true;
  ended.run.completion_time = event.time;
  ended.run.error = event.error;
  if (ended.open_jobs > 0 || ended.has_running_tasks()) {
    ended.shown_at_end = shown_by_history_server(ended);
    waiting_.push_back(event.execution);
    if (waiting_.size() > kMostWaiting) {
      const std::int64_t oldest = waiting_.front();
      waiting_.pop_front();
      if (executions_.contains(oldest)) hand_on(oldest, true);
    }
    return;
  }
  hand_on(event.execution, true);
}

void Fold::end_if_done(std::int64_t id) {
  const auto found = executions_.find(id);
  if (found == executions_.end()) return;
  const Execution& ended = *found->second;
  if (!ended.has_ended || ended.open_jobs > 0 || ended.has_running_tasks()) return;
  waiting_.erase(std::remove(waiting_.begin(), waiting_.end(), id), waiting_.end());
  hand_on(id, true);
}

void Fold::hand_on(std::int64_t id, bool is_whole) {
  const auto found = executions_.find(id);
  std::unique_ptr<Execution> done = std::move(found->second);
  executions_.erase(found);
  handed_on_.insert(id);
  done->run.last_event_time = last_time_;
  std::vector<std::int32_t> ids;
  for (const std::shared_ptr<Stage>& stage : done->stages) ids.push_back(stage->stage);
  sink_(std::move(*done), is_whole);
  done.reset();
  for (const std::int32_t stage : ids) {
    // Another query may share it.
    const auto entry = stages_.find(stage);
    if (entry != stages_.end() && entry->second.use_count() == 1) stages_.erase(entry);
  }
}

void Fold::begin_application() {
  finish();
  handed_on_.clear();
  named_stages_.clear();
  scala_ = Scala::V2_12;
}

void Fold::finish() {
  std::vector<std::int64_t> ids;
  for (const auto& [id, execution] : executions_) ids.push_back(id);
  std::sort(ids.begin(), ids.end());
  for (const std::int64_t id : ids) hand_on(id, executions_.at(id)->has_ended);
  stages_.clear();
  jobs_.clear();
  waiting_.clear();
}

}  // namespace planvet::read::eventlog
