// What the fold of events does where logs are not smooth. What the History Server would show is its rule, not a run.
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "analyzer/metrics/overlay.hpp"
#include "analyzer/read/eventlog/id_ranges.hpp"
#include "tests/support/dice.hpp"
#include "tests/support/event_lines.hpp"
#include "tests/support/event_logs.hpp"

namespace planvet::test {
namespace {

using metrics::MetricKey;

// One line a metric: "sort time = <text> | <what the Spark UI shows, where that differs> [reasons of doubt]".
std::string told(const PlanDocument& document) {
  std::string text;
  const auto add = [&](const metrics::MeasuredMetric& metric) {
    text += metric.metric.name + " = " + metrics::spark_text(metric.metric.type, metric.summary);
    if (metric.history_server) text += " | " + metrics::spark_text(metric.metric.type, *metric.history_server);
    for (const metrics::Doubt doubt : metric.trust.doubts()) text += " [" + std::string(name(doubt)) + "]";
    text += "\n";
  };
  for (const PlanNode& node : judged_fragment(document)->tree.nodes()) {
    for (const metrics::MeasuredMetric& metric : document.metrics->judged.of(node.id)) add(metric);
  }
  if (!document.metrics->superseded.empty()) text += "superseded:\n";
  for (const metrics::MeasuredMetric& metric : document.metrics->superseded) add(metric);
  return text;
}

std::string told(const EventLines& lines) {
  const ReadLog log = read_log(lines.text());
  EXPECT_EQ(log.documents.size(), 1U);
  EXPECT_EQ(log.result.broken_lines, 0U);
  return log.documents.empty() ? std::string() : told(log.documents.front());
}

constexpr const char* kSpread = "total (min, med, max (stageId: taskId))\n";

TEST(EventLogFold, CountsOneResultATask) {
  EventLines log;
  log.execution_start(0).job_start(0, 0, {3}, 2).stage_submitted(3, 0, 2);
  log.task({.stage = 3, .task = 1, .index = 1, .rows = 20, .time = 5, .reason = "ExceptionFailure"});
  log.task({.stage = 3, .task = 0, .index = 0, .rows = 10, .time = 4});
  log.task({.stage = 3, .task = 2, .index = 1, .rows = 20, .time = 6});
  log.stage_completed(3, 0, 2).job_end(0).execution_end(0);
  EXPECT_EQ(told(log), std::string("number of output rows = 30\nsort time = ") + kSpread +
                           "10 ms (4 ms, 6 ms, 6 ms (stage 3.0: task 2))\n");
}

TEST(EventLogFold, SaysNothingOfWhatNothingUpdated) {
  EventLines log;
  log.execution_start(0).execution_end(0);
  EXPECT_EQ(told(log), "");
}

TEST(EventLogFold, AddsWhatTheDriverSent) {
  EventLines log;
  log.execution_start(0).driver_update(0, 1, 4).driver_update(0, 1, 5).driver_update(0, 99, 1).execution_end(0);
  EXPECT_EQ(told(log), "number of output rows = 9\n");
}

// A copy that comes late does not count; the first one does.
TEST(EventLogFold, TakesTheFirstOfTwoCopies) {
  EventLines log;
  log.execution_start(0).job_start(0, 0, {3}, 1).stage_submitted(3, 0, 1);
  log.task({.stage = 3, .task = 0, .index = 0, .rows = 10, .time = 4});
  log.task({.stage = 3, .task = 1, .index = 0, .rows = 10, .time = 90});
  log.stage_completed(3, 0, 1).job_end(0).execution_end(0);
  EXPECT_EQ(told(log), "number of output rows = 10 [speculative-tasks]\nsort time = 4 ms [speculative-tasks]\n");
}

// The second attempt computes only what was lost, by an index of its own. The History Server forgets the first.
TEST(EventLogFold, PutsAttemptsOfAStageTogether) {
  EventLines log;
  log.execution_start(0).job_start(0, 0, {3}, 3).stage_submitted(3, 0, 3);
  log.task({.stage = 3, .task = 0, .index = 0, .rows = 10, .time = 4});
  log.task({.stage = 3, .task = 1, .index = 1, .rows = 20, .time = 5});
  log.task({.stage = 3, .task = 2, .index = 2, .rows = 30, .time = 6, .reason = "FetchFailed"});
  log.stage_completed(3, 0, 3, "FetchFailed").stage_submitted(3, 1, 1);
  log.task({.stage = 3, .attempt = 1, .task = 3, .index = 0, .partition = 2, .rows = 30, .time = 7});
  log.stage_completed(3, 1, 1).job_end(0).execution_end(0);
  EXPECT_EQ(told(log), std::string("number of output rows = 60 | 30 [retried-tasks]\nsort time = ") + kSpread +
                           "16 ms (4 ms, 5 ms, 7 ms (stage 3.1: task 3)) | " + kSpread +
                           "7 ms (0 ms, 0 ms, 7 ms (stage 3.1: task 3)) [retried-tasks]\n");
}

// The map side ran again under another stage id: the same RDD, the same accumulators.
TEST(EventLogFold, PutsStagesOfOneRddTogether) {
  EventLines log;
  log.execution_start(0).job_start(0, 0, {2}, 2, 50).stage_submitted(2, 0, 2);
  log.task({.stage = 2, .task = 0, .index = 0, .rows = 10, .time = 4});
  log.task({.stage = 2, .task = 1, .index = 1, .rows = 20, .time = 5});
  log.stage_completed(2, 0, 2).job_end(0).job_start(1, 0, {3}, 2, 50).stage_submitted(3, 1, 1);
  log.task({.stage = 3, .attempt = 1, .task = 2, .index = 0, .partition = 1, .rows = 20, .time = 3});
  log.stage_completed(3, 1, 1).job_end(1).execution_end(0);
  EXPECT_EQ(told(log), std::string("number of output rows = 30 | 50 [retried-tasks]\nsort time = ") + kSpread +
                           "7 ms (3 ms, 4 ms, 4 ms (stage 2.0: task 0)) | " + kSpread +
                           "12 ms (0 ms, 4 ms, 5 ms (stage 2.0: task 1)) [retried-tasks]\n");
}

TEST(EventLogFold, DoubtsWhatLacksTaskEnds) {
  EventLines log;
  log.execution_start(0).job_start(0, 0, {3}, 2).stage_submitted(3, 0, 2);
  log.task({.stage = 3, .task = 0, .index = 0, .rows = 10, .time = 4});
  log.stage_completed(3, 0, 2).job_end(0).execution_end(0);
  EXPECT_EQ(told(log), std::string("number of output rows = 10 [lost-events]\nsort time = ") + kSpread +
                           "4 ms (0 ms, 4 ms, 4 ms (stage 3.0: task 0)) [lost-events]\n");
}

std::string notes_of(const EventLines& lines) {
  const ReadLog log = read_log(lines.text());
  std::string text;
  for (const PlanDocument& document : log.documents)
    for (const Note& note : document.notes) text += note.message + "\n";
  return text;
}

TEST(EventLogFold, TellsOfTasksWithoutAnEnd) {
  EventLines log;
  log.execution_start(0).job_start(0, 0, {3, 4}, 2).stage_submitted(3, 0, 2).stage_submitted(4, 0, 2);
  log.task({.stage = 3, .task = 0, .index = 0, .rows = 10, .time = 4});
  log.stage_completed(3, 0, 2).stage_completed(4, 0, 2).job_end(0).execution_end(0);
  EXPECT_EQ(
      notes_of(log),
      "3 tasks of 2 stages that were done have no end in the log: events are missing, and what these tasks did is "
      "not counted\n");
}

TEST(EventLogFold, TellsOfStagesOfNoJob) {
  EventLines log;
  log.execution_start(0).stage_submitted(3, 0, 1);
  log.task({.stage = 3, .task = 0, .index = 0, .rows = 10, .time = 4});
  log.task({.stage = 9, .task = 1, .index = 0, .rows = 10, .time = 4});
  log.stage_completed(3, 0, 1).execution_end(0);
  EXPECT_EQ(
      notes_of(log),
      "2 stages of the log, with 2 tasks that ended, belong to no job in it: the event of a job's start is missing, "
      "and what they did is not counted\n");
  EXPECT_TRUE(read_log(log.text()).result.has_gaps);

  // Late tasks of a query that has ended, and jobs of no query, are known.
  EventLines known;
  known.execution_start(0).job_start(0, 0, {3}, 1).stage_submitted(3, 0, 1);
  known.task({.stage = 3, .task = 0, .index = 0, .rows = 10, .time = 4});
  known.stage_completed(3, 0, 1).job_end(0).execution_end(0);
  known.task({.stage = 3, .task = 5, .index = 0, .rows = 10, .time = 4});
  known.line(R"({"Event":"SparkListenerJobStart","Job ID":7,"Submission Time":5,"Stage Infos":[],"Stage IDs":[8,7]})");
  known.stage_submitted(7, 0, 1).task({.stage = 8, .task = 6, .index = 0, .rows = 10, .time = 4});
  EXPECT_EQ(notes_of(known), "");
}

TEST(IdRanges, HoldWhatWasAdded) {
  read::eventlog::IdRanges ranges;
  std::set<std::int64_t> ids;
  Dice dice(1);
  for (int i = 0; i < 300; ++i) {
    const auto id = static_cast<std::int64_t>(dice.below(200)) - 20;
    ranges.add(id);
    ids.insert(id);
    for (std::int64_t asked = -25; asked < 185; ++asked)
      ASSERT_EQ(ranges.contains(asked), ids.contains(asked)) << asked;
  }
}

TEST(EventLogFold, SaysThatTheLogEndedFirst) {
  EventLines log;
  log.execution_start(0).job_start(0, 0, {3}, 1).stage_submitted(3, 0, 1);
  log.task({.stage = 3, .task = 0, .index = 0, .rows = 10, .time = 4});
  const ReadLog read = read_log(log.text());
  ASSERT_EQ(read.documents.size(), 1U);
  const PlanDocument& document = read.documents.front();
  EXPECT_EQ(told(document), "number of output rows = 10 [incomplete-log]\nsort time = 4 ms [incomplete-log]\n");
  EXPECT_FALSE(document.is_complete);
  ASSERT_EQ(document.notes.size(), 1U);
  EXPECT_EQ(document.notes.front().kind, NoteKind::IncompleteLog);
  EXPECT_EQ(document.metrics->run.duration(), 400);  // up to the last event
}

// Task ends that follow the end of their query count; the History Server has made up its mind by then.
TEST(EventLogFold, WaitsForTasksOfEndedQueries) {
  EventLines log;
  log.execution_start(0).job_start(0, 0, {3}, 2).stage_submitted(3, 0, 2);
  log.task({.stage = 3, .task = 0, .index = 0, .rows = 10, .time = 4});
  log.execution_end(0);
  log.task({.stage = 3, .task = 1, .index = 1, .rows = 20, .time = 4}).stage_completed(3, 0, 2).job_end(0);
  EXPECT_EQ(told(log), std::string("number of output rows = 30 | 10\nsort time = ") + kSpread +
                           "8 ms (4 ms, 4 ms, 4 ms (stage 3.0: task 0)) | " + kSpread +
                           "4 ms (0 ms, 4 ms, 4 ms (stage 3.0: task 0))\n");
}

// Adaptive execution replaced the plan; what the first one did is kept apart.
TEST(EventLogFold, KeepsMetricsOfReplacedPlansApart) {
  EventLines log;
  log.execution_start(0).job_start(0, 0, {3}, 1).stage_submitted(3, 0, 1);
  log.task({.stage = 3, .task = 0, .index = 0, .rows = 10, .time = 4}).stage_completed(3, 0, 1).job_end(0);
  log.adaptive_update(0, sort_plan(11, 12)).driver_update(0, 11, 3).execution_end(0);
  EXPECT_EQ(told(log),
            "number of output rows = 3\nsuperseded:\nnumber of output rows = 10 [superseded-plan]\n"
            "sort time = 4 ms [superseded-plan]\n");
}

TEST(EventLogFold, ReportsBrokenLines) {
  EventLines log;
  log.execution_start(0).line("{\"Event\":\"SparkListenerJobStart\",\"Job ID\":").line("what is this").execution_end(0);
  const ReadLog read = read_log(log.text() + "{\"Event\":\"SparkListenerTaskEnd\",\"Sta");
  EXPECT_EQ(read.result.broken_lines, 3U);
  ASSERT_EQ(read.documents.size(), 1U);
  ASSERT_EQ(read.documents.front().notes.size(), 2U);
  EXPECT_EQ(read.documents.front().notes[0].message,
            "the log ends in the middle of a line: what stood there could not be read");
  EXPECT_EQ(read.documents.front().notes[1].message,
            "2 lines of the log could not be read: they are no events, or not well-formed");
}

// Cut behind a brace inside of a plan: the line looks as if it were whole.
TEST(EventLogFold, TellsOfAPlanThatIsCut) {
  EventLines log;
  log.execution_start(0).execution_end(0).execution_start(1);
  const std::string cut = log.text().substr(0, log.text().rfind(R"({"name":"sort time")") - 1);
  ASSERT_TRUE(cut.ends_with('}'));
  const ReadLog read = read_log(cut);
  EXPECT_EQ(read.result.broken_lines, 1U);
  ASSERT_EQ(read.documents.size(), 1U);
  ASSERT_EQ(read.documents.front().notes.size(), 1U);
  EXPECT_EQ(read.documents.front().notes[0].message,
            "the log ends in the middle of a line: what stood there could not be read");
}

TEST(EventLogFold, SumsUpStages) {
  EventLines log;
  log.execution_start(0).job_start(0, 0, {3}, 2).stage_submitted(3, 0, 2);
  log.task({.stage = 3, .task = 0, .index = 0});
  log.task({.stage = 3, .task = 1, .index = 1, .reason = "TaskKilled"});
  log.task({.stage = 3, .task = 2, .index = 1});
  log.stage_completed(3, 0, 2).job_end(0).execution_end(0);
  const ReadLog read = read_log(log.text());
  const metrics::ExecutionRun& run = read.documents.at(0).metrics->run;
  ASSERT_EQ(run.stages.size(), 1U);
  EXPECT_EQ(run.stages[0].succeeded, 2);
  EXPECT_EQ(run.stages[0].killed, 1);
  EXPECT_EQ(run.stages[0].totals.run_time_ms, 150);
  EXPECT_EQ(run.stages[0].totals.local_bytes_read, 21);
  ASSERT_EQ(run.jobs.size(), 1U);
  EXPECT_EQ(run.jobs[0].result, metrics::JobResult::Succeeded);
  EXPECT_EQ(run.duration(), 8000);
}

// Many queries, one after the other: each is handed on at its end, and plans keep the order of their ids.
TEST(EventLogFold, HandsQueriesOnAsTheyEnd) {
  EventLines log;
  for (int execution = 0; execution < 100; ++execution) {
    log.execution_start(execution).job_start(execution, execution, {execution}, 1).stage_submitted(execution, 0, 1);
    log.task({.stage = execution, .task = execution, .index = 0, .rows = execution});
    log.task_start(execution, 0);  // a speculative copy that never ends
    log.stage_completed(execution, 0, 1).job_end(execution).execution_end(execution);
  }
  const ReadLog read = read_log(log.text());
  ASSERT_EQ(read.documents.size(), 100U);
  EXPECT_EQ(read.documents[42].execution_id, 42);
  EXPECT_EQ(read.documents[42].metrics->judged.find(NodeId{0}, MetricKey::OutputRows)->summary.total, 42);
}

}  // namespace
}  // namespace planvet::test
