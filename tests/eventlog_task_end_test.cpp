// Ends of tasks are read in two ways, one for what is usual and one for everything. Both must always say the same.
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "analyzer/read/eventlog/compact_json.hpp"
#include "analyzer/read/eventlog/task_end_line.hpp"
#include "analyzer/read/eventlog/task_event_parser.hpp"
#include "tests/support/both_ways.hpp"
#include "tests/support/files.hpp"

namespace planvet::test {
namespace {

using read::eventlog::CompactJson;
using read::eventlog::kPadding;
using read::eventlog::TaskEnd;
using read::eventlog::TaskEndLine;
using read::eventlog::TaskEventParser;

std::string task_end_text(const TaskEnd& end) {
  std::string text =
      fmt::format("stage {}.{} task {} index {} partition {} outcome {}{}{} {} {} {}:", end.stage, end.attempt,
                  end.task, end.index, end.partition, static_cast<int>(end.outcome), end.is_resubmitted ? " again" : "",
                  end.is_speculative ? " speculative" : "", end.launch_time, end.getting_result_time, end.finish_time);
#define PLANVET_TASK_TOTAL(field, rest_name, group, name) text += fmt::format(" " #field " {}", end.totals.field);
#include "analyzer/metrics/task_totals.def"
  for (const auto& update : end.updates) text += fmt::format(" {}={}", update.accumulator, update.value);
  return text;
}

constexpr std::size_t kShown = 300;

class BothWays {
 public:
  // What the usual way says, if it says anything, is what the other one says.
  bool is_usual(std::string_view line) {
    const LineOfMany stored(line);
    const std::string_view text = stored.text();
    TaskEnd usual;
    if (!usual_.read(text, usual)) return false;
    TaskEnd any;
    EXPECT_TRUE(parser_.parse_any(text, any)) << line.substr(0, kShown);
    EXPECT_EQ(task_end_text(usual), task_end_text(any)) << line.substr(0, kShown);
    return true;
  }

 private:
  TaskEndLine usual_;
  TaskEventParser parser_;
};

constexpr std::string_view kTaskEnd = R"({"Event":"SparkListenerTaskEnd")";

TEST(EventLogTaskEnd, BothWaysSayTheSame) {
  std::size_t usual = 0;
  std::size_t successes = 0;
  DamagedLines damaged;
  BothWays both;
  const auto is_usual = [&](std::string_view line) { return both.is_usual(line); };
  for_each_stored_line([&](std::string_view line) {
    if (!line.starts_with(kTaskEnd)) return;
    const bool is_success = line.find(R"("Task End Reason":{"Reason":"Success"})") != std::string_view::npos;
    successes += is_success ? 1U : 0U;
    usual += is_usual(line) ? 1U : 0U;
    if (successes % 4 == 0) damaged.add(line, is_usual);
  });
  fmt::print("{} of {} ends of successful tasks are as usual; {} of {} damaged ones\n", usual, successes,
             damaged.usual(), damaged.count());
  EXPECT_GT(successes, 1500U);
  EXPECT_GE(usual + 10, successes);  // some logs are cut
  EXPECT_GT(damaged.usual(), 100U);
  EXPECT_LT(damaged.usual(), damaged.count());
}

// A line that was not as usual, or had unusual names, must not change how the next ones are read.
TEST(EventLogTaskEnd, WhatWasSeenBeforeDoesNotMatter) {
  const auto line = [](std::string_view accumulables, std::string_view metrics) {
    return fmt::format(
        R"({{"Event":"SparkListenerTaskEnd","Stage ID":4,"Stage Attempt ID":0,"Task Type":"ResultTask",)"
        R"("Task End Reason":{{"Reason":"Success"}},"Task Info":{{"Task ID":7,"Index":0,"Attempt":0,"Launch Time":10,)"
        R"("Executor ID":"1","Host":"a","Locality":"ANY","Speculative":false,"Getting Result Time":0,"Finish Time":12,)"
        R"("Failed":false,"Killed":false,"Accumulables":[{}]}},"Task Metrics":{{{}}}}})",
        accumulables, metrics);
  };
  const auto update = [](std::string_view id, std::string_view name, std::string_view number, bool is_sql) {
    return fmt::format(R"({{"ID":{},"Name":"{}","Update":{},"Value":1,"Internal":true,"Count Failed Values":true{}}})",
                       id, name, number, is_sql ? R"(,"Metadata":"sql")" : "");
  };
  BothWays both;
  const std::string input = R"("Input Metrics":{"Bytes Read":5})";
  for (int round = 0; round < 2; ++round) {
    EXPECT_TRUE(both.is_usual(line(update("23", "duration", R"("5")", true), input)));
    EXPECT_TRUE(both.is_usual(line(update("23", "duration", "5", true), input)));
    EXPECT_TRUE(both.is_usual(line(update("23", "time", R"("6")", true), input)));
    EXPECT_TRUE(both.is_usual(line(update("23", "duration", R"("7")", false), input)));
    EXPECT_TRUE(both.is_usual(line(update("2", "duration", R"("7")", true), input)));
    EXPECT_TRUE(both.is_usual(line("", input)));
    EXPECT_FALSE(both.is_usual(line(update("23", std::string(2000, 'x'), R"("7")", true), input)));
    EXPECT_FALSE(both.is_usual(line(update("23", "duration", "[7]", true), input)));
    // The same names elsewhere are other things.
    EXPECT_TRUE(both.is_usual(line("", R"("Bytes Read":6,"Input Metrics":{"Records Read":1,"Bytes Read":7})")));
    EXPECT_TRUE(both.is_usual(line("", R"("Output Metrics":{"Bytes Read":6,"Input Metrics":{"Bytes Read":7}})")));
    EXPECT_TRUE(both.is_usual(line("", R"("Shuffle Read Metrics":{"Push Based Shuffle":{"Local Bytes Read":9}})")));
    EXPECT_TRUE(
        both.is_usual(line("", R"("Push Based Shuffle":{"Local Bytes Read":9},"Updated Blocks":[{"a":[1,2]}])")));
  }
}

struct NumberCase {
  const char* text;
  bool is_number;
  std::int64_t value;
};

TEST(EventLogTaskEnd, NumbersAreThoseThatAlwaysFit) {
  for (const NumberCase& one : {NumberCase{"0,", true, 0},
                                {"7}", true, 7},
                                {"-12]", true, -12},
                                {"12345678,", true, 12345678},
                                {"123456789,", true, 123456789},
                                {"1234567890123456,", true, 1234567890123456},
                                {"999999999999999999,", true, 999999999999999999},
                                {"-999999999999999999,", true, -999999999999999999},
                                {"9999999999999999999,", false, 0},
                                {"99999999999999999999999999999999,", false, 0},
                                {"01,", false, 0},
                                {"-,", false, 0},
                                {",", false, 0},
                                {"5", false, 0}}) {  // at the end of a line no number ends
    const std::string padded = one.text + std::string(kPadding, ' ');
    CompactJson json(std::string_view(padded).substr(0, std::string_view(one.text).size()));
    std::int64_t value = 0;
    EXPECT_EQ(json.integer(value), one.is_number) << one.text;
    if (one.is_number) {
      EXPECT_EQ(value, one.value) << one.text;
    }
  }
}

TEST(EventLogTaskEnd, StringsAreThoseOfPlainAscii) {
  const auto skips = [](std::string_view text) {
    const std::string padded = std::string(text) + std::string(kPadding, '"');
    CompactJson json(std::string_view(padded).substr(0, text.size()));
    return json.skip_string() && json.is_at_end();
  };
  EXPECT_TRUE(skips("\""));
  EXPECT_TRUE(skips("number of output rows\""));
  EXPECT_TRUE(skips("1234567\""));
  EXPECT_TRUE(skips("12345678\""));
  EXPECT_FALSE(skips("number of output rows"));
  EXPECT_FALSE(skips("1234567"));
  EXPECT_TRUE(skips("number of \\\" rows\""));
  EXPECT_TRUE(skips("a line\\nand another\""));
  EXPECT_FALSE(skips("number of \\u0022 rows\""));
  EXPECT_FALSE(skips("number of rows\\\""));
  EXPECT_FALSE(skips("number of rows\\"));
  EXPECT_FALSE(skips("number of r\xC3\xB6ws\""));
  EXPECT_FALSE(skips("number of\trows\""));
  EXPECT_FALSE(skips("a line\nand another\""));
}

}  // namespace
}  // namespace planvet::test
