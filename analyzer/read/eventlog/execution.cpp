#include "analyzer/read/eventlog/execution.hpp"

#include <algorithm>
#include <unordered_map>

#include "analyzer/read/eventlog/line_reader.hpp"

namespace planvet::read::eventlog {

bool Stage::has_running_tasks() const {
  return std::any_of(attempts.begin(), attempts.end(),
                     [](const std::unique_ptr<StageAttempt>& attempt) { return attempt->has_running_tasks(); });
}

PlanText::PlanText(std::string_view json) : size_(json.size()) {
  text_.reserve(size_ + kPadding);
  text_.append(json);
  text_.append(kPadding, ' ');
}

void Execution::add_stage(const std::shared_ptr<Stage>& stage) {
  if (std::find(stages.begin(), stages.end(), stage) == stages.end()) stages.push_back(stage);
}

std::vector<const Stage*> Execution::stages_in_order() const {
  std::vector<const Stage*> ordered;
  ordered.reserve(stages.size());
  if (stages.size() <= kLargestListedSet) {
    for (const std::shared_ptr<Stage>& stage : stages) ordered.push_back(stage.get());
    return ordered;
  }
  std::vector<std::int32_t> ids;
  std::unordered_map<std::int32_t, const Stage*> by_id;
  for (const std::shared_ptr<Stage>& stage : stages) {
    ids.push_back(stage->stage);
    by_id.emplace(stage->stage, stage.get());
  }
  for (const std::int32_t id : in_set_order(std::move(ids), scala)) ordered.push_back(by_id.at(id));
  return ordered;
}

metrics::JobRun* Execution::find_job(std::int32_t job) {
  const auto found =
      std::find_if(run.jobs.begin(), run.jobs.end(), [&](const metrics::JobRun& one) { return one.job == job; });
  return found == run.jobs.end() ? nullptr : &*found;
}

bool Execution::has_running_tasks() const {
  return std::any_of(stages.begin(), stages.end(),
                     [](const std::shared_ptr<Stage>& stage) { return stage->has_running_tasks(); });
}

}  // namespace planvet::read::eventlog
