#include "tests/support/event_lines.hpp"

#include <fmt/core.h>

namespace planvet::test {

std::string sort_plan(int rows_accumulator, int time_accumulator) {
  return fmt::format(
      R"({{"nodeName":"Sort","simpleString":"Sort [a#1 ASC NULLS FIRST], true, 0","children":[],"metadata":{{}},)"
      R"("metrics":[{{"name":"number of output rows","accumulatorId":{},"metricType":"sum"}},)"
      R"({{"name":"sort time","accumulatorId":{},"metricType":"timing"}}]}})",
      rows_accumulator, time_accumulator);
}

EventLines::EventLines() { line(R"({"Event":"SparkListenerLogStart","Spark Version":"3.5.9"})"); }

EventLines& EventLines::line(std::string_view text) {
  text_ += text;
  text_ += '\n';
  return *this;
}

EventLines& EventLines::execution_start(int execution, std::string_view plan) {
  return line(fmt::format(
      R"({{"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart","executionId":{0},)"
      R"("rootExecutionId":{0},"description":"test","details":"","physicalPlanDescription":"","sparkPlanInfo":{1},)"
      R"("time":1000,"modifiedConfigs":{{"spark.sql.x":"y"}}}})",
      execution, plan.empty() ? sort_plan(1, 2) : std::string(plan)));
}

EventLines& EventLines::adaptive_update(int execution, std::string_view plan) {
  return line(fmt::format(
      R"({{"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLAdaptiveExecutionUpdate","executionId":{},)"
      R"("physicalPlanDescription":"","sparkPlanInfo":{}}})",
      execution, plan));
}

EventLines& EventLines::execution_end(int execution) {
  return line(fmt::format(
      R"({{"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd","executionId":{},"time":9000,)"
      R"("errorMessage":""}})",
      execution));
}

EventLines& EventLines::job_start(int job, int execution, const std::vector<int>& stages, int tasks, int rdd) {
  std::string infos;
  std::string ids;
  for (const int stage : stages) {
    infos += fmt::format(
        R"({}{{"Stage ID":{},"Stage Attempt ID":0,"Stage Name":"test","Number of Tasks":{},"RDD Info":[{{"RDD ID":{}}}]}})",
        infos.empty() ? "" : ",", stage, tasks, rdd >= 0 ? rdd : 100 + stage);
    ids += fmt::format("{}{}", ids.empty() ? "" : ",", stage);
  }
  return line(fmt::format(
      R"({{"Event":"SparkListenerJobStart","Job ID":{},"Submission Time":1100,"Stage Infos":[{}],"Stage IDs":[{}],)"
      R"("Properties":{{"spark.sql.execution.id":"{}"}}}})",
      job, infos, ids, execution));
}

EventLines& EventLines::job_end(int job) {
  return line(fmt::format(
      R"({{"Event":"SparkListenerJobEnd","Job ID":{},"Completion Time":8000,"Job Result":{{"Result":"JobSucceeded"}}}})",
      job));
}

EventLines& EventLines::stage_submitted(int stage, int attempt, int tasks) {
  return line(
      fmt::format(R"({{"Event":"SparkListenerStageSubmitted","Stage Info":{{"Stage ID":{},"Stage Attempt ID":{},)"
                  R"("Number of Tasks":{},"Submission Time":1200}}}})",
                  stage, attempt, tasks));
}

EventLines& EventLines::stage_completed(int stage, int attempt, int tasks, std::string_view failure) {
  const std::string reason = failure.empty() ? std::string() : fmt::format(R"(,"Failure Reason":"{}")", failure);
  return line(
      fmt::format(R"({{"Event":"SparkListenerStageCompleted","Stage Info":{{"Stage ID":{},"Stage Attempt ID":{},)"
                  R"("Number of Tasks":{},"Submission Time":1200,"Completion Time":7000{}}}}})",
                  stage, attempt, tasks, reason));
}

EventLines& EventLines::task_start(int stage, int attempt) {
  return line(fmt::format(
      R"({{"Event":"SparkListenerTaskStart","Stage ID":{},"Stage Attempt ID":{},"Task Info":{{}}}})", stage, attempt));
}

EventLines& EventLines::task(const Task& task) {
  task_start(task.stage, task.attempt);
  const bool has_succeeded = task.reason == "Success";
  const std::string accumulables =
      has_succeeded
          ? fmt::format(R"({{"ID":1,"Name":"number of output rows","Update":"{0}","Value":"{0}","Internal":true,)"
                        R"("Count Failed Values":true,"Metadata":"sql"}},{{"ID":2,"Name":"sort time","Update":"{1}",)"
                        R"("Value":"{1}","Internal":true,"Count Failed Values":true,"Metadata":"sql"}})",
                        task.rows, task.time)
          : std::string();
  return line(fmt::format(
      R"({{"Event":"SparkListenerTaskEnd","Stage ID":{},"Stage Attempt ID":{},"Task Type":"ResultTask",)"
      R"("Task End Reason":{{"Reason":"{}"}},"Task Info":{{"Task ID":{},"Index":{},"Attempt":0,"Partition ID":{},)"
      R"("Launch Time":1300,"Finish Time":1400,"Failed":{},"Killed":{},"Accumulables":[{}]}},)"
      R"("Task Metrics":{{"Executor Run Time":50,"Shuffle Read Metrics":{{"Local Bytes Read":7}}}}}})",
      task.stage, task.attempt, task.reason, task.task, task.index, task.partition < 0 ? task.index : task.partition,
      !has_succeeded && task.reason != "TaskKilled", task.reason == "TaskKilled", accumulables));
}

EventLines& EventLines::driver_update(int execution, int accumulator, long value) {
  return line(
      fmt::format(R"({{"Event":"org.apache.spark.sql.execution.ui.SparkListenerDriverAccumUpdates","executionId":{},)"
                  R"("accumUpdates":[[{},{}]]}})",
                  execution, accumulator, value));
}

}  // namespace planvet::test
