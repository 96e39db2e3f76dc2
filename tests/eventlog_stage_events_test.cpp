// Starts of jobs and events of stages are read in two ways, one for what is usual and one for everything. Both must
// always say the same.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "analyzer/read/eventlog/run_event_parser.hpp"
#include "analyzer/read/eventlog/stage_event_line.hpp"
#include "tests/support/both_ways.hpp"

namespace planvet::test {
namespace {

using read::eventlog::JobStart;
using read::eventlog::RunEventParser;
using read::eventlog::StageEventLine;
using read::eventlog::StageInfo;

constexpr std::size_t kShown = 300;
constexpr std::string_view kJobStart = R"({"Event":"SparkListenerJobStart")";

std::string number_text(const std::optional<std::int64_t>& number) { return number ? std::to_string(*number) : "none"; }

std::string stage_text(const StageInfo& stage) {
  return fmt::format(" stage {}.{} tasks {} rdd {} '{}' '{}' {} {}", stage.stage, stage.attempt, stage.tasks, stage.rdd,
                     stage.name, stage.failure, number_text(stage.submission_time), number_text(stage.completion_time));
}

std::string job_text(const JobStart& job) {
  std::string text = fmt::format("job {} at {} of {}:", job.job, job.time, number_text(job.execution));
  for (const std::int32_t id : job.stage_ids) text += fmt::format(" {}", id);
  for (const StageInfo& stage : job.stages) text += stage_text(stage);
  return text;
}

class BothWays {
 public:
  // What the usual way says, if it says anything, is what the other one says.
  bool is_usual(std::string_view line) {
    const LineOfMany stored(line);
    const std::string_view text = stored.text();
    if (line.starts_with(kJobStart)) {
      JobStart usual;
      if (!usual_.read(text, usual)) return false;
      JobStart any;
      EXPECT_TRUE(parser_.parse_any(text, any)) << line.substr(0, kShown);
      EXPECT_EQ(job_text(usual), job_text(any)) << line.substr(0, kShown);
      return true;
    }
    StageInfo usual;
    if (!usual_.read(text, usual)) return false;
    StageInfo any;
    EXPECT_TRUE(parser_.parse_any(text, any)) << line.substr(0, kShown);
    EXPECT_EQ(stage_text(usual), stage_text(any)) << line.substr(0, kShown);
    return true;
  }

 private:
  StageEventLine usual_;
  RunEventParser parser_;
};

TEST(EventLogStageEvents, BothWaysSayTheSame) {
  std::size_t all = 0;
  std::size_t usual = 0;
  DamagedLines damaged;
  BothWays both;
  const auto is_usual = [&](std::string_view line) { return both.is_usual(line); };
  for_each_stored_line([&](std::string_view line) {
    if (!line.starts_with(kJobStart) && !line.starts_with(R"({"Event":"SparkListenerStageSubmitted")") &&
        !line.starts_with(R"({"Event":"SparkListenerStageCompleted")")) {
      return;
    }
    ++all;
    usual += is_usual(line) ? 1U : 0U;
    damaged.add(line, is_usual);
  });
  fmt::print("{} of {} events of jobs and stages are as usual; {} of {} damaged ones\n", usual, all, damaged.usual(),
             damaged.count());
  EXPECT_GT(all, 1500U);
  EXPECT_GT(usual * 100, all * 95);  // stages that failed say why in several lines
  EXPECT_GT(damaged.usual(), 100U);
  EXPECT_LT(damaged.usual(), damaged.count());
}

std::string stage_info(std::string_view head, std::string_view rdds, std::string_view rest) {
  return fmt::format(R"({{{},"RDD Info":[{}],"Parent IDs":[],"Details":"a\nb"{}}})", head, rdds, rest);
}

std::string rdd(std::string_view id, std::string_view rest) {
  return fmt::format(R"({{"RDD ID":{},"Name":"A","Scope":"{{\"id\":\"1\"}}","Parent IDs":[1,2]{}}})", id, rest);
}

std::string job_start(std::string_view stages, std::string_view properties) {
  return fmt::format(
      R"({{"Event":"SparkListenerJobStart","Job ID":2,"Submission Time":5,"Stage Infos":[{}],"Stage IDs":[7],)"
      R"("Properties":{}}})",
      stages, properties);
}

std::string submitted(std::string_view stage, std::string_view properties) {
  return fmt::format(R"({{"Event":"SparkListenerStageSubmitted","Stage Info":{},"Properties":{}}})", stage, properties);
}

// What a line repeats of those before it, and what only looks like that.
TEST(EventLogStageEvents, WhatWasSeenBeforeDoesNotMatter) {
  const std::string head = R"("Stage ID":7,"Stage Attempt ID":0,"Stage Name":"count","Number of Tasks":3)";
  const std::string again = R"("Stage ID":7,"Stage Attempt ID":1,"Stage Name":"count","Number of Tasks":2)";
  const std::string rest = R"(,"Storage Level":{"Use Disk":false},"Number of Partitions":3)";
  const std::string properties = R"({"a":"1","spark.sql.execution.id":"4","b":"2"})";
  BothWays both;
  for (int round = 0; round < 3; ++round) {
    EXPECT_TRUE(both.is_usual(job_start(stage_info(head, rdd("9", rest) + "," + rdd("8", rest), ""), properties)));
    EXPECT_TRUE(both.is_usual(submitted(stage_info(head, rdd("9", rest), R"(,"Submission Time":6)"), properties)));
    EXPECT_TRUE(
        both.is_usual(submitted(stage_info(head, rdd("9", rest), R"(,"Stage ID":8,"Submission Time":6)"), "{}")));
    EXPECT_TRUE(both.is_usual(submitted(stage_info(again, rdd("9", rest), R"(,"Submission Time":6)"), properties)));
    EXPECT_TRUE(both.is_usual(job_start(stage_info(again, rdd("10", rest), ""), R"({"spark.sql.execution.id":"5"})")));
    EXPECT_TRUE(both.is_usual(job_start(stage_info(again, rdd("11", ""), ""), R"({"a":"1","b":"2"})")));
    EXPECT_TRUE(both.is_usual(
        job_start(stage_info(head, "", ""),
                  R"({"a":"1","spark.sql.execution.id":"6","b":"2","c":[{"spark.sql.execution.id":"7"}]})")));
    EXPECT_TRUE(both.is_usual(job_start("", R"({"spark.sql.execution.id":"6","a":"1"})")));
    EXPECT_TRUE(both.is_usual(job_start("", R"({"a":"1","spark.sql.execution.id":"6"})")));
    EXPECT_TRUE(both.is_usual(submitted(stage_info(head, "", R"(,"Accumulables":[])"), properties)));
    EXPECT_TRUE(both.is_usual(submitted(
        stage_info(head, "",
                   R"(,"Accumulables":[{"ID":1,"Name":"x","Value":[3],"Internal":true,"Count Failed Values":true}])"),
        properties)));
    // Both would have to be looked at.
    EXPECT_FALSE(both.is_usual(job_start(stage_info(head, rdd("9", R"(,"RDD ID":12)"), ""), properties)));
    EXPECT_FALSE(both.is_usual(submitted(stage_info(head, "", R"(,"Accumulables":[{"ID":1}])"), properties)));
    EXPECT_FALSE(both.is_usual(submitted(stage_info(head, "", R"(,"Failure Reason":"a\nb")"), properties)));
    EXPECT_FALSE(both.is_usual(job_start("", R"({"spark.sql.execution.id":"x"})")));
    EXPECT_FALSE(both.is_usual(job_start("", "null")));
    // Cut, or not as it should be.
    EXPECT_FALSE(both.is_usual(job_start(stage_info(head, "", "") + ",", properties)));
    EXPECT_FALSE(both.is_usual(job_start("", R"({"a":"1",})")));
    EXPECT_FALSE(both.is_usual(job_start("", R"({,"a":"1"})")));
    EXPECT_FALSE(both.is_usual(submitted(stage_info(head, "", ","), properties)));
    EXPECT_FALSE(both.is_usual(submitted("{," + head + "}", properties)));
  }
}

}  // namespace
}  // namespace planvet::test
