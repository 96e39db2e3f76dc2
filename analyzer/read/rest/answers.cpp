#include "analyzer/read/rest/answers.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "analyzer/facts/facts.hpp"

namespace planvet::read::rest {
namespace {

using Index = JsonTree::Index;
using metrics::JobResult;
using metrics::JobRun;
using metrics::StageRun;

// The objects of an answer: a list of them, or one alone.
std::vector<Index> objects(const JsonTree& json) {
  std::vector<Index> found;
  if (json.empty()) return found;
  if (json.is_object(0)) return {0};
  for (const Index child : json.children(0)) {
    if (json.is_object(child)) found.push_back(child);
  }
  return found;
}

std::optional<std::uint32_t> small_number(const JsonTree& json, Index object, std::string_view key) {
  const std::optional<std::int64_t> value = json.integer(object, key);
  if (!value || *value < 0 || *value >= UINT32_MAX) return std::nullopt;
  return static_cast<std::uint32_t>(*value);
}

std::int32_t count(const JsonTree& json, Index object, std::string_view key) {
  const std::int64_t value = json.integer(object, key).value_or(0);
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(value, INT32_MIN, INT32_MAX));
}

std::vector<ShownText> read_metrics(const JsonTree& json, Index list) {
  std::vector<ShownText> metrics;
  for (const Index metric : json.children(list)) {
    const ShownText shown{json.string_range(metric, "name"), json.string_range(metric, "value")};
    if (shown.name.exists() && shown.value.exists()) metrics.push_back(shown);
  }
  return metrics;
}

void read_graph(const JsonTree& json, Index object, Execution& execution) {
  for (const Index at : json.children(json.find(object, "nodes"))) {
    const std::optional<std::uint32_t> id = small_number(json, at, "nodeId");
    if (!id) continue;
    ShownNode node;
    node.id = *id;
    node.name = json.string_range(at, "nodeName");
    node.codegen_stage = json.integer(at, "wholeStageCodegenId");
    node.metrics = read_metrics(json, json.find(at, "metrics"));
    execution.nodes.push_back(std::move(node));
  }
  for (const Index at : json.children(json.find(object, "edges"))) {
    const std::optional<std::uint32_t> from = small_number(json, at, "fromId");
    const std::optional<std::uint32_t> to = small_number(json, at, "toId");
    if (from && to) execution.edges.push_back({*from, *to});
  }
  execution.loose_metrics = json.children(json.find(object, "metrics")).size();
}

void read_jobs_of(const JsonTree& json, Index object, Execution& execution) {
  const auto add = [&](std::string_view key, JobResult result) {
    for (const Index at : json.children(json.find(object, key))) {
      if (json[at].type != JsonTree::Type::Integer) continue;
      JobRun job;
      job.job = static_cast<std::int32_t>(std::clamp<std::int64_t>(json[at].integer, 0, INT32_MAX));
      job.result = result;
      execution.jobs.push_back(std::move(job));
    }
  };
  add("runningJobIds", JobResult::Running);
  add("successJobIds", JobResult::Succeeded);
  add("failedJobIds", JobResult::Failed);
  std::sort(execution.jobs.begin(), execution.jobs.end(),
            [](const JobRun& a, const JobRun& b) { return a.job < b.job; });
}

std::optional<int> digits(std::string_view text, std::size_t at, std::size_t size) {
  if (text.size() < at + size) return std::nullopt;
  int value = 0;
  const char* const end = text.data() + at + size;
  const auto [stop, error] = std::from_chars(text.data() + at, end, value);
  if (error != std::errc() || stop != end || value < 0) return std::nullopt;
  return value;
}

// Days since 1970 of a date in the Gregorian calendar, counted from 1 March of the year 0.
std::int64_t days_since_epoch(int year, int month, int day) {
  constexpr std::int64_t kDaysTo1970 = 719468;
  const int years = month <= 2 ? year - 1 : year;
  const int month_from_march = month > 2 ? month - 3 : month + 9;
  const std::int64_t day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
  return std::int64_t{365} * years + years / 4 - years / 100 + years / 400 + day_of_year - kDaysTo1970;
}

}  // namespace

Answer answer_of(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || (bytes[first] != '{' && bytes[first] != '[')) return Answer::None;
  const auto has = [&](std::string_view key) { return bytes.find(key) != std::string_view::npos; };
  if (has("\"successJobIds\"") && has("\"runningJobIds\"")) return Answer::Sql;
  if (has("\"stageId\"") && has("\"numCompleteTasks\"")) return Answer::Stages;
  if (has("\"jobId\"") && has("\"stageIds\"")) return Answer::Jobs;
  if (has("\"sparkProperties\"") && has("\"javaVersion\"")) return Answer::Environment;
  if (has("\"appSparkVersion\"") && has("\"attempts\"")) return Answer::Application;
  constexpr std::size_t kVersionAnswer = 64;  // {"spark":"3.5.9"}
  if (bytes.size() < kVersionAnswer && bytes[first] == '{' && has("\"spark\"")) return Answer::Application;
  return Answer::None;
}

std::string_view name(Answer answer) {
  switch (answer) {
    case Answer::None: return "";
    case Answer::Sql: return "/sql";
    case Answer::Stages: return "/stages";
    case Answer::Jobs: return "/jobs";
    case Answer::Environment: return "/environment";
    case Answer::Application: return "/applications";
  }
  return "";
}

std::vector<Execution> read_executions(const JsonTree& json) {
  std::vector<Execution> executions;
  for (const Index object : objects(json)) {
    // Members tell: other objects may stand beside, and a cut one may have lost its end.
    if (json.find(object, "planDescription") == JsonTree::kNone && json.find(object, "nodes") == JsonTree::kNone &&
        json.find(object, "successJobIds") == JsonTree::kNone) {
      continue;
    }
    Execution execution;
    execution.begin = json[object].text.begin;
    execution.id = json.integer(object, "id");
    execution.status = json.string(object, "status");
    execution.description = json.string(object, "description");
    execution.plan = json.string_range(object, "planDescription");
    execution.submission_time = read_date(json.string(object, "submissionTime"));
    execution.duration = json.integer(object, "duration");
    execution.root_execution = json.integer(object, "rootExecutionId");
    execution.error = json.string(object, "errorMessage");
    read_jobs_of(json, object, execution);
    read_graph(json, object, execution);
    executions.push_back(std::move(execution));
  }
  return executions;
}

std::vector<StageRun> read_stages(const JsonTree& json) {
  std::vector<StageRun> stages;
  for (const Index object : objects(json)) {
    const std::string status = json.string(object, "status");
    if (!json.integer(object, "stageId") || status == "SKIPPED" || status == "PENDING") continue;  // they did not run
    StageRun stage;
    stage.stage = count(json, object, "stageId");
    stage.attempt = count(json, object, "attemptId");
    stage.name = json.string(object, "name");
    stage.tasks = count(json, object, "numTasks");
    stage.succeeded = count(json, object, "numCompleteTasks");
    stage.failed = count(json, object, "numFailedTasks");
    stage.killed = count(json, object, "numKilledTasks");
    const std::int64_t started = std::int64_t{stage.succeeded} + stage.failed + stage.killed +
                                 std::max(count(json, object, "numActiveTasks"), std::int32_t{0});
    stage.started = static_cast<std::int32_t>(std::clamp<std::int64_t>(started, 0, INT32_MAX));
    stage.submission_time = read_date(json.string(object, "submissionTime"));
    stage.first_launch_time = read_date(json.string(object, "firstTaskLaunchedTime"));
    stage.completion_time = read_date(json.string(object, "completionTime"));
    stage.failure = json.string(object, "failureReason");
#define PLANVET_TASK_TOTAL(field, rest_name, group, name) \
  stage.totals.field = json.integer(object, rest_name).value_or(0);
#include "analyzer/metrics/task_totals.def"
    stages.push_back(std::move(stage));
  }
  std::stable_sort(stages.begin(), stages.end(), [](const StageRun& a, const StageRun& b) {
    return a.stage != b.stage ? a.stage < b.stage : a.attempt < b.attempt;
  });
  return stages;
}

std::vector<JobRun> read_jobs(const JsonTree& json) {
  std::vector<JobRun> jobs;
  for (const Index object : objects(json)) {
    if (!json.integer(object, "jobId")) continue;
    JobRun job;
    job.job = count(json, object, "jobId");
    job.submission_time = read_date(json.string(object, "submissionTime"));
    job.completion_time = read_date(json.string(object, "completionTime"));
    const std::string status = json.string(object, "status");
    if (status == "SUCCEEDED") job.result = JobResult::Succeeded;
    if (status == "FAILED") job.result = JobResult::Failed;
    for (const Index stage : json.children(json.find(object, "stageIds")))
      job.stages.push_back(static_cast<std::int32_t>(std::clamp<std::int64_t>(json[stage].integer, 0, INT32_MAX)));
    std::sort(job.stages.begin(), job.stages.end());
    jobs.push_back(std::move(job));
  }
  return jobs;
}

// Pairs are arrays of two.
std::vector<std::pair<std::string, std::string>> read_spark_properties(const JsonTree& json) {
  std::vector<std::pair<std::string, std::string>> properties;
  if (json.empty()) return properties;
  for (const Index pair : json.children(json.find(0, "sparkProperties"))) {
    const std::vector<Index> sides = json.children(pair);
    if (sides.size() != 2) continue;
    properties.emplace_back(plan_info::decoded(json.text(), json[sides[0]].text),
                            plan_info::decoded(json.text(), json[sides[1]].text));
  }
  return properties;
}

std::optional<SparkVersion> read_version(const JsonTree& json) {
  for (const Index object : objects(json)) {
    if (std::string version = json.string(object, "spark"); !version.empty()) return parse_spark_version(version);
    for (const Index attempt : json.children(json.find(object, "attempts"))) {
      if (std::string version = json.string(attempt, "appSparkVersion"); !version.empty())
        return parse_spark_version(version);
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> read_date(std::string_view text) {
  const std::optional<int> year = digits(text, 0, 4);
  const std::optional<int> month = digits(text, 5, 2);
  const std::optional<int> day = digits(text, 8, 2);
  const std::optional<int> hour = digits(text, 11, 2);
  const std::optional<int> minute = digits(text, 14, 2);
  const std::optional<int> second = digits(text, 17, 2);
  const std::optional<int> millisecond = digits(text, 20, 3);
  if (!year || !month || !day || !hour || !minute || !second || !millisecond || *month < 1 || *month > 12) {
    return std::nullopt;
  }
  const std::int64_t days = days_since_epoch(*year, *month, *day);
  return (((days * 24 + *hour) * 60 + *minute) * 60 + *second) * 1000 + *millisecond;
}

}  // namespace planvet::read::rest
