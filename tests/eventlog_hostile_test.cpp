// Event logs that hold what no log should: numbers that fit nowhere, ids that meet each other, lines and archives that
// expand without end. The program itself reads them, and its memory is bounded.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "analyzer/metrics/overlay.hpp"
#include "analyzer/read/eventlog/codec.hpp"
#include "tests/support/event_lines.hpp"
#include "tests/support/event_logs.hpp"
#include "tests/support/files.hpp"
#include "tests/support/log_encodings.hpp"
#include "tests/support/process.hpp"
#include "tests/support/sanitizer.hpp"
#include "tests/support/shell.hpp"

namespace planvet::test {
namespace {

using read::eventlog::Codec;

std::string shown_rows(const PlanDocument& document) {
  for (const PlanNode& node : judged_fragment(document)->tree.nodes()) {
    for (const metrics::MeasuredMetric& metric : document.metrics->judged.of(node.id)) {
      if (metric.metric.key == metrics::MetricKey::OutputRows) {
        return metrics::spark_text(metric.metric.type, metric.summary);
      }
    }
  }
  return "absent";
}

// A query of two tasks: the first one sent 7 rows, the second `value` as its JSON says it.
ReadLog with_rows(std::string_view value) {
  EventLines log;
  log.execution_start(0).job_start(0, 0, {3}, 2).stage_submitted(3, 0, 2);
  log.task({.stage = 3, .task = 0, .index = 0, .rows = 7, .time = 4});
  log.task({.stage = 3, .task = 1, .index = 1, .rows = 424242, .time = 4});
  log.stage_completed(3, 0, 2).job_end(0).execution_end(0);
  std::string text = log.text();
  for (std::size_t at = 0; (at = text.find("\"424242\"", at)) != std::string::npos; at += value.size()) {
    text.replace(at, 8, value);
  }
  return read_log(text);
}

struct OddNumber {
  const char* json;
  const char* rows;
};

// As Java reads it: a long that wraps around where it is added up, and no update where it is no long.
TEST(HostileEventLog, NumbersThatNoTaskShouldSend) {
  for (const OddNumber& row : {
           OddNumber{"\"3\"", "10"},
           OddNumber{"\"-1\"", "6"},
           OddNumber{"\"9223372036854775807\"", "-9,223,372,036,854,775,802"},
           OddNumber{"\"9223372036854775808\"", "7"},
           OddNumber{"\"-9223372036854775808\"", "-9,223,372,036,854,775,801"},
           OddNumber{"9223372036854775808", "7"},
           OddNumber{"\"NaN\"", "7"},
           OddNumber{"\"1e3\"", "7"},
           OddNumber{"1.5", "7"},
           OddNumber{"null", "7"},
           OddNumber{"\"\"", "7"},
           OddNumber{"[1]", "7"},
       }) {
    const ReadLog log = with_rows(row.json);
    ASSERT_EQ(log.documents.size(), 1U) << row.json;
    EXPECT_EQ(shown_rows(log.documents.front()), row.rows) << row.json;
  }
}

// Two queries that both say accumulator 1, as happens where logs of two runs end up in one file: each has what the
// tasks of its own stages sent.
TEST(HostileEventLog, AccumulatorsOfTwoQueries) {
  EventLines log;
  log.execution_start(0).execution_start(1);
  log.job_start(0, 0, {3}, 1).job_start(1, 1, {4}, 1).stage_submitted(3, 0, 1).stage_submitted(4, 0, 1);
  log.task({.stage = 3, .task = 0, .index = 0, .rows = 10, .time = 4});
  log.task({.stage = 4, .task = 1, .index = 0, .rows = 500, .time = 4});
  log.stage_completed(3, 0, 1).stage_completed(4, 0, 1).job_end(0).job_end(1).execution_end(0).execution_end(1);
  const ReadLog read = read_log(log.text());
  ASSERT_EQ(read.documents.size(), 2U);
  EXPECT_EQ(shown_rows(read.documents[0]), "10");
  EXPECT_EQ(shown_rows(read.documents[1]), "500");
}

// Queries, jobs, stages and tasks whose number comes again after they ended: what is late is not counted.
TEST(HostileEventLog, NumbersThatComeAgain) {
  EventLines once;
  once.execution_start(0).job_start(0, 0, {3}, 1).stage_submitted(3, 0, 1);
  once.task({.stage = 3, .task = 0, .index = 0, .rows = 10, .time = 4});
  once.stage_completed(3, 0, 1).job_end(0).execution_end(0);
  const ReadLog read = read_log(once.text() + once.text());
  ASSERT_EQ(read.documents.size(), 1U);
  EXPECT_EQ(shown_rows(read.documents.front()), "10");
}

// What the driver sends is added up by Spark's listener however often it comes: of a log with each of these lines
// written twice, the History Server 3.5.9 shows "number of partitions 6" for 3 and "number of output rows 120,000" for
// 60,000. Nothing in a line tells a copy from a second update of the same value.
TEST(HostileEventLog, UpdatesOfTheDriverThatComeTwice) {
  EventLines log;
  log.execution_start(0).driver_update(0, 1, 3).driver_update(0, 1, 3).execution_end(0);
  const ReadLog read = read_log(log.text());
  ASSERT_EQ(read.documents.size(), 1U);
  EXPECT_EQ(shown_rows(read.documents.front()), "6");
}

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20U;

void expect_bounded(const ProcessResult& result, std::uint64_t megabytes) {
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(result.signal, 0);
  // Address sanitizer keeps what was freed.
  if (!kIsSanitized) {
    EXPECT_LT(result.peak_memory_bytes / kMegabyte, megabytes);
  }
}

// A log that is still written: no end of anything, the last line half there.
TEST(HostileEventLog, StillWritten) {
  EventLines log;
  log.execution_start(0).job_start(0, 0, {3}, 2).stage_submitted(3, 0, 2);
  log.task({.stage = 3, .task = 0, .index = 0, .rows = 10, .time = 4});
  const TemporaryFolder folder;
  const std::string path = folder.path("local-1.inprogress");
  write_file(path, log.text() + R"({"Event":"SparkListenerTaskEnd","Stage ID":3,"Stage Att)");
  const ProcessResult result = run_planvet({"annotate", path, "--width", "160"});
  EXPECT_EQ(result.exit_status, 0) << result.error;
  EXPECT_EQ(result.error, "");
  for (const std::string_view part :
       {"1 query, 1 without an end", "has no end in the log", "the log ends before this query does",
        "the log ends in the middle of a line: what stood there could not be read"}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << part << "\n" << result.out;
  }
}

// What is of no use is not read to its end, but a line that ends behind an inner object is cut all the same.
TEST(HostileEventLog, CutBehindAnInnerObject) {
  EventLines query;
  query.execution_start(0).driver_update(0, 1, 3).execution_end(0);
  for (const std::string line : {
           R"({"Event":"SparkListenerTaskStart","Stage ID":9,"Stage Attempt ID":0,"Task Info":{"Task ID":1,"Index":2})",
           R"({"Event":"SparkListenerExecutorAdded","Timestamp":1,"Executor ID":"}","Executor Info":{"Host":"a\"}"})",
           R"({"Event":"SparkListenerApplicationEnd","Timestamp":1,"x":{})",
       }) {
    const ReadLog cut = read_log(query.text() + line);
    ASSERT_EQ(cut.documents.size(), 1U);
    ASSERT_EQ(cut.documents[0].notes.size(), 1U) << line;
    EXPECT_EQ(cut.documents[0].notes[0].message,
              "the log ends in the middle of a line: what stood there could not be read");
    const ReadLog whole = read_log(query.text() + line + "}");
    EXPECT_TRUE(whole.documents.at(0).notes.empty()) << line;
    EXPECT_EQ(whole.result.broken_lines, 0U);
  }
}

// A name says nothing: plain text that is called zstd, zstd that is called gzip or text.
TEST(HostileEventLog, WrongExtensions) {
  EventLines log;
  log.execution_start(0).driver_update(0, 1, 3).execution_end(0);
  const TemporaryFolder folder;
  for (const auto& [name, codec] : {std::pair("a.zstd", Codec::None), std::pair("b.gz", Codec::Zstd),
                                    std::pair("c.txt", Codec::Lz4), std::pair("d.json", Codec::Gzip)}) {
    const std::string path = folder.path(name);
    write_file(path, encode(codec, log.text()));
    const ProcessResult result = run_planvet({"annotate", path, "--width", "160"});
    EXPECT_EQ(result.exit_status, 0) << name << result.error;
    EXPECT_NE(result.out.find("Sort"), std::string::npos) << name << result.out;
  }
}

// Parts that cannot be read are named, and queries around them are shown.
TEST(HostileEventLog, PartThatCannotBeRead) {
  EventLines first;
  first.execution_start(0).driver_update(0, 1, 3).execution_end(0);
  EventLines last;
  last.execution_start(2).driver_update(2, 1, 5).execution_end(2);
  const TemporaryFolder folder;
  const std::string rolled = folder.path("eventlog_v2_app");
  run_shell("mkdir -p " + rolled);
  write_file(rolled + "/events_1_app", first.text());
  write_file(rolled + "/events_2_app", first.text());
  run_shell("chmod 000 " + rolled + "/events_2_app");
  write_file(rolled + "/events_3_app", last.text());
  ProcessLimits limits;
  limits.as_nobody = true;
  const ProcessResult result = run_planvet({"annotate", rolled, "--sql", "all", "--format", "json"}, {}, limits);
  EXPECT_NE(result.out.find("\"execution_id\": 0,"), std::string::npos);
  EXPECT_NE(result.out.find("\"execution_id\": 2,"), std::string::npos);
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_NE(result.error.find("events_2_app"), std::string::npos) << result.error;
  EXPECT_NE(result.out.find("a part of the log could not be read: " + rolled + "/events_2_app"), std::string::npos);
}

// Lines of 30 MB that are of no use, then a query; and 700 MB without a line break. Frames that are all the same keep
// this test's own memory small.
TEST(HostileEventLog, LongLinesDoNotFillTheMemory) {
  const TemporaryFolder folder;
  EventLines query;
  query.execution_start(0).driver_update(0, 1, 3).execution_end(0);
  const std::string filler = encode(Codec::Zstd, std::string(kMegabyte, 'a'), kMegabyte);
  const std::string begin = encode(Codec::Zstd, R"({"Event":"SparkListenerTaskEnd","x":")");
  const auto line_of = [&](std::size_t megabytes) {
    std::string line = begin;
    for (std::size_t i = 0; i < megabytes; ++i) line += filler;
    return line;
  };
  std::string lines = encode(Codec::Zstd, EventLines().text());
  for (int i = 0; i < 4; ++i) lines += line_of(30) + encode(Codec::Zstd, "\"}\n");
  write_file(folder.path("long.zst"), lines + encode(Codec::Zstd, query.text()));
  const ProcessResult result = run_planvet({"annotate", folder.path("long.zst")});
  EXPECT_EQ(result.exit_status, 0) << result.error;
  expect_bounded(result, 250);

  write_file(folder.path("endless.zst"), encode(Codec::Zstd, EventLines().text()) + line_of(700));
  const ProcessResult bomb = run_planvet({"annotate", folder.path("endless.zst")});
  EXPECT_EQ(bomb.exit_status, 2);
  EXPECT_NE(bomb.error.find("this looks like an event log, but it holds no query with a plan"), std::string::npos)
      << bomb.error;
  expect_bounded(bomb, 450);
}

// Memory is for tasks that came, not for those that a damaged number names.
TEST(HostileEventLog, StagesWithMoreTasksThanThereAre) {
  EventLines log;
  log.execution_start(0);
  for (int stage = 0; stage < 20; ++stage) {
    log.job_start(stage, 0, {stage}, 2147483647).stage_submitted(stage, 0, 2147483647);
    for (int task = 0; task < 3; ++task) {
      log.task({.stage = stage, .task = task, .index = 9'999'999 * task, .rows = 10, .time = 4});
    }
    log.stage_completed(stage, 0, 2147483647).job_end(stage);
  }
  log.execution_end(0);
  const TemporaryFolder folder;
  write_file(folder.path("app.log"), log.text());
  const ProcessResult result = run_planvet({"annotate", folder.path("app.log"), "--format", "json"});
  EXPECT_EQ(result.exit_status, 0) << result.error;
  EXPECT_NE(result.out.find("lost-events"), std::string::npos);
  expect_bounded(result, 40);
  const ReadLog read = read_log(log.text());
  ASSERT_EQ(read.documents.size(), 1U);
  EXPECT_EQ(shown_rows(read.documents.front()), "600");
}

// In every codec: what is ten times larger than the memory it may take goes through in pieces.
TEST(HostileEventLog, WhatExpandsIsReadInPieces) {
  const TemporaryFolder folder;
  const std::string line = R"({"Event":"SparkListenerBlockManagerAdded","x":")" + std::string(1000, 'a') + "\"}\n";
  std::string lines;
  while (lines.size() < kMegabyte) lines += line;
  EventLines query;
  query.execution_start(0).driver_update(0, 1, 3).execution_end(0);
  for (const Codec codec : {Codec::Zstd, Codec::Gzip, Codec::Lz4, Codec::Snappy, Codec::Lzf}) {
    // Streams that stand behind each other are one; snappy's have a header, which may come once.
    const std::size_t copies = codec == Codec::Snappy ? 0 : 300;
    std::string log = encode(codec, codec == Codec::Snappy ? query.text() : EventLines().text());
    const std::string piece = encode(codec, lines);
    for (std::size_t i = 0; i < copies; ++i) log += piece;
    if (copies > 0) log += encode(codec, query.text());
    const std::string path = folder.path("log");
    write_file(path, log);
    const ProcessResult result = run_planvet({"annotate", path});
    EXPECT_EQ(result.exit_status, 0) << name(codec) << result.error;
    expect_bounded(result, 40);
  }
}

}  // namespace
}  // namespace planvet::test
