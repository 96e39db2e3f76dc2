// Stages of event logs against the real History Server's answers: counts, sums and times of every attempt that belongs to
// a query, and the quantiles over its tasks.
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "analyzer/metrics/overlay.hpp"
#include "tests/support/event_logs.hpp"

namespace planvet::test {
namespace {

using metrics::StageRun;
using nlohmann::json;

// "2026-11-29T23:52:57.983GMT" in milliseconds.
std::optional<std::int64_t> stage_time(const json& stage, const char* key) {
  const auto found = stage.find(key);
  if (found == stage.end()) return std::nullopt;
  const std::string text = found->get<std::string>();
  std::tm parts{};
  int milliseconds = 0;
  if (std::sscanf(text.c_str(), "%d-%d-%dT%d:%d:%d.%dGMT", &parts.tm_year, &parts.tm_mon, &parts.tm_mday,
                  &parts.tm_hour, &parts.tm_min, &parts.tm_sec, &milliseconds) != 7) {
    ADD_FAILURE() << text;
    return std::nullopt;
  }
  parts.tm_year -= 1900;
  parts.tm_mon -= 1;
  return std::int64_t{timegm(&parts)} * 1000 + milliseconds;
}

struct StageCounts {
  std::size_t stages = 0;
  std::size_t other_stages = 0;  // of no query
  std::size_t numbers = 0;
  std::size_t quantiles = 0;
  std::size_t wrong_quantiles = 0;  // the History Server's own
};
StageCounts& all_stage_counts() {
  static StageCounts counts;
  return counts;
}

const json* distribution_group(const json& distributions, const std::string& group) {
  if (group.empty()) return &distributions;
  const auto found = distributions.find(group);
  return found == distributions.end() ? nullptr : &*found;
}

// The History Server takes these of tasks that failed as well, at positions that it counts without them.
bool is_of_failed_tasks_too(std::string_view name) {
  return name == "duration" || name == "schedulerDelay" || name == "gettingResultTime";
}

void compare_quantiles(const json& distributions, const metrics::TaskQuantiles& quantiles, bool has_failed_tasks,
                       StageCounts& counts) {
#define PLANVET_TASK_QUANTILE(field, group, name, value)                                                          \
  if (has_failed_tasks && is_of_failed_tasks_too(name)) {                                                         \
    counts.wrong_quantiles += 5;                                                                                  \
  } else if (const json* const owner = distribution_group(distributions, group);                                  \
             owner != nullptr && owner->contains(name)) {                                                         \
    const metrics::Quantiles& of = quantiles.field;                                                               \
    const json expected = json::array({of.min, of.quarter, of.median, of.three_quarters, of.max});                \
    EXPECT_EQ(owner->at(name).get<std::vector<double>>(), expected.get<std::vector<double>>()) << group " " name; \
    counts.quantiles += 5;                                                                                        \
  }
#include "analyzer/metrics/task_quantiles.def"
}

std::string_view stage_status(const StageRun& run) {
  switch (run.result()) {
    case metrics::StageResult::Running: return "ACTIVE";
    case metrics::StageResult::Succeeded: return "COMPLETE";
    case metrics::StageResult::Failed: return "FAILED";
  }
  return "";
}

void compare_stage(const json& stage, const StageRun& run, StageCounts& counts) {
  SCOPED_TRACE("stage " + std::to_string(run.stage) + "." + std::to_string(run.attempt));
  const auto number = [&](const char* name, std::int64_t value) {
    if (!stage.contains(name)) return;
    EXPECT_EQ(stage.at(name).get<std::int64_t>(), value) << name;
    ++counts.numbers;
  };
  number("numTasks", run.tasks);
  number("numCompleteTasks", run.succeeded);
  number("numFailedTasks", run.failed);
  number("numKilledTasks", run.killed);
  number("numCompletedIndices", run.partitions_done);
#define PLANVET_TASK_TOTAL(field, rest_name, group, name) number(rest_name, run.totals.field);
#include "analyzer/metrics/task_totals.def"
  EXPECT_EQ(stage.at("name").get<std::string>(), run.name);
  EXPECT_EQ(stage.at("status").get<std::string>(), stage_status(run));
  EXPECT_EQ(stage.value("failureReason", ""), run.failure);
  EXPECT_EQ(stage_time(stage, "submissionTime"), run.submission_time);
  EXPECT_EQ(stage_time(stage, "firstTaskLaunchedTime"), run.first_launch_time);
  EXPECT_EQ(stage_time(stage, "completionTime"), run.completion_time);
  counts.numbers += 6;
  if (const auto found = stage.find("taskMetricsDistributions"); found != stage.end()) {
    compare_quantiles(*found, run.quantiles, run.succeeded < run.started, counts);
  } else {
    EXPECT_EQ(run.succeeded, 0);
  }
  ++counts.stages;
}

class EventLogStages : public testing::TestWithParam<EventLogCase> {};

TEST_P(EventLogStages, EqualTheHistoryServers) {
  const ReadLog log = read_case(GetParam());
  const json answers = json::parse(decompressed_file(GetParam().directory + "/stages.json.zst"));
  std::map<std::pair<std::int32_t, std::int32_t>, const StageRun*> runs;
  std::set<std::int32_t> of_queries;
  for (const PlanDocument& document : log.documents) {
    for (const metrics::JobRun& job : document.metrics->run.jobs) {
      of_queries.insert(job.stages.begin(), job.stages.end());
    }
    for (const StageRun& run : document.metrics->run.stages) runs[{run.stage, run.attempt}] = &run;
  }
  StageCounts counts;
  for (const json& stage : answers) {
    const auto id = stage.at("stageId").get<std::int32_t>();
    const std::string status = stage.at("status").get<std::string>();
    if (status == "SKIPPED" || status == "PENDING") continue;
    const auto found = runs.find({id, stage.at("attemptId").get<std::int32_t>()});
    if (found == runs.end()) {
      EXPECT_FALSE(of_queries.contains(id)) << stage.dump();
      ++counts.other_stages;
      continue;
    }
    compare_stage(stage, *found->second, counts);
    runs.erase(found);
  }
  EXPECT_TRUE(runs.empty()) << "stage " << runs.begin()->first.first << " is not the History Server's";
  EXPECT_GT(counts.numbers, 0U);
  EXPECT_GT(counts.quantiles, 0U);
  StageCounts& all = all_stage_counts();
  all.stages += counts.stages;
  all.other_stages += counts.other_stages;
  all.numbers += counts.numbers;
  all.quantiles += counts.quantiles;
  all.wrong_quantiles += counts.wrong_quantiles;
}

INSTANTIATE_TEST_SUITE_P(Corpus, EventLogStages, testing::ValuesIn(all_log_cases()),
                         [](const auto& instance) { return test_name(instance.param); });

class PrintStageCounts : public testing::Environment {
 public:
  void TearDown() override {
    const StageCounts& all = all_stage_counts();
    if (all.stages == 0) return;
    std::printf(
        "event logs: %zu numbers and %zu quantiles of %zu stage attempts compared with the History Server's "
        "(left out: %zu attempts of no query, %zu quantiles that it mixes with failed tasks)\n",
        all.numbers, all.quantiles, all.stages, all.other_stages, all.wrong_quantiles);
  }
};
const testing::Environment* const kPrintStageCounts = testing::AddGlobalTestEnvironment(new PrintStageCounts);

}  // namespace
}  // namespace planvet::test
