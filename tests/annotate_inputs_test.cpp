// `planvet annotate` of several inputs: read at the same time, shown in order, and what it finds is what check finds.
#include <atomic>
#include <chrono>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "analyzer/cli/annotate_selection.hpp"
#include "analyzer/cli/progress.hpp"
#include "analyzer/io/paths.hpp"
#include "analyzer/io/turns.hpp"
#include "analyzer/io/workers.hpp"
#include "rules/rule.hpp"
#include "rules/run_rules.hpp"
#include "tests/in_process.hpp"
#include "tests/support/event_logs.hpp"
#include "tests/support/files.hpp"
#include "tests/support/process.hpp"

namespace planvet::test {
namespace {

using nlohmann::json;

TEST(AnnotateInputs, SayTheSameHoweverManyAreReadAtATime) {
  const TemporaryFolder folder;
  write_file(folder.path("a_plan.txt"), "== Physical Plan ==\n*(1) Range (0, 10, step=1, splits=2)\n");
  write_file(folder.path("no_log.json"), "{\"Event\":\"SparkListenerLogStart\",\"Spark Version\":\"3.5.9\"}\n");
  for (const std::vector<std::string>& choice : std::vector<std::vector<std::string>>{
           {}, {"--sql", "all"}, {"--sql", "100000"}, {"--format", "json", "--failed"}}) {
    std::vector<std::string> arguments = {"annotate", source_path("corpus/eventlogs/spark-3.5.9"), folder.path(""),
                                          folder.path("no_log.json")};
    arguments.insert(arguments.end(), choice.begin(), choice.end());
    const auto with_jobs = [&](const std::string& jobs) {
      std::vector<std::string> all = arguments;
      all.insert(all.end(), {"--jobs", jobs});
      return run_in_process(all);
    };
    const CommandRun alone = with_jobs("1");
    EXPECT_NE(alone.err.find("no_log.json"), std::string::npos) << alone.err;
    EXPECT_EQ(alone.status, 2);
    const CommandRun together = with_jobs("5");
    EXPECT_TRUE(together.out == alone.out);
    EXPECT_EQ(together.err, alone.err);
    EXPECT_EQ(together.status, alone.status);
  }
}

// The log is read once for all of them: it may come through a pipe.
TEST(AnnotateInputs, SeveralPlansHaveTheMetricsOfOneLog) {
  const TemporaryFolder folder;
  const std::string log = read_file(source_path("corpus/eventlogs/spark-3.5.9/adaptive/eventlog.zst"));
  std::vector<std::string> arguments = {"annotate", "--metrics", "-", "--format", "json"};
  for (const json& query :
       json::parse(decompressed_file(source_path("corpus/eventlogs/spark-3.5.9/adaptive/sql.json.zst")))) {
    if (query["id"] < 36) continue;
    arguments.push_back(folder.path(std::to_string(query["id"].get<int>()) + ".txt"));
    write_file(arguments.back(), query["planDescription"].get<std::string>());
  }
  ASSERT_EQ(arguments.size(), 10U);
  const CommandRun run = run_in_process(arguments, log);
  EXPECT_EQ(run.status, 0) << run.err;
  const json answer = json::parse(run.out);
  ASSERT_EQ(answer["queries"].size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    const std::string number = std::to_string(36 + i);
    EXPECT_EQ(answer["queries"][i]["execution_id"], 36 + i);
    EXPECT_NE(run.err.find(number + ".txt: metrics of query " + number + ":"), std::string::npos) << run.err;
  }
}

class AnnotateFindings : public testing::TestWithParam<std::string> {};

// The same evidence, the same fingerprints: also of rules that look at all queries of an application. Queries that are
// not shown count.
TEST_P(AnnotateFindings, AreThoseOfCheck) {
  const std::string log = source_path("corpus/" + GetParam());
  const auto findings_of = [](const json& list, std::map<std::string, json>& by_fingerprint) {
    for (json finding : list) {
      finding.erase("document");  // its place among those that are shown
      by_fingerprint[finding["fingerprint"].get<std::string>()] = finding;
    }
  };
  std::map<std::string, json> expected;
  findings_of(json::parse(run_in_process({"check", log, "--format", "json", "--exit-zero"}).out)["findings"], expected);
  const json answer = json::parse(run_in_process({"annotate", log, "--format", "json"}).out);
  std::map<std::string, json> found;
  std::map<std::int64_t, std::size_t> counts;
  for (const json& document : answer["documents"]) {
    findings_of(document["findings"], found);
    counts[document["execution_id"].get<std::int64_t>()] = document["findings"].size();
  }
  EXPECT_EQ(found, expected);
  for (const json& query : answer["queries"]) {
    const std::size_t count =
        query["errors"].get<std::size_t>() + query["warnings"].get<std::size_t>() + query["infos"].get<std::size_t>();
    EXPECT_EQ(count, counts[query["execution_id"].get<std::int64_t>()]) << query["execution_id"];
  }
  const json slowest = json::parse(run_in_process({"annotate", log, "--format", "json", "--slowest", "3"}).out);
  EXPECT_EQ(slowest["documents"].size(), std::min<std::size_t>(3, answer["documents"].size()));
  std::map<std::string, json> some;
  for (const json& document : slowest["documents"]) findings_of(document["findings"], some);
  for (const auto& [fingerprint, finding] : some) EXPECT_EQ(finding, expected[fingerprint]);
}
INSTANTIATE_TEST_SUITE_P(Corpus, AnnotateFindings,
                         testing::Values("rules/measured/spark-3.5.9-more.zst", "rules/measured/spark-4.1.4.zst",
                                         "eventlogs/spark-3.5.9/reuse/eventlog.zst",
                                         "eventlogs/spark-4.3.0/streaming/eventlog.zst"),
                         [](const auto& log) { return "Log" + std::to_string(log.index); });

// A query that reads a cache of its own once, which is worth saying at the end of the application.
DocumentReport reader_of_a_cache(std::int64_t number) {
  DocumentReport report;
  report.document.execution_id = number;
  CacheRead& read = report.cache_reads.emplace_back();
  read.cache = "cache " + std::to_string(number);
  read.what = "the cached rows";
  read.first_job = 0;
  read.finding.rule = &rules::find_rule("PV210")->info;
  report.skipped.push_back({read.finding.rule, "needs all queries of the application"});
  return report;
}

// More of them than anybody keeps: the first are shown without that finding, and their rows say so too.
TEST(AnnotateInputs, WhatWasShownIsNotFoundLater) {
  cli::AnnotateOptions options;
  options.all = true;
  std::map<std::int64_t, std::size_t> shown;
  std::size_t skipped = 0;
  cli::AnnotateSelection selection(options, false, "log", [&](const DocumentReport& report) {
    shown[*report.document.execution_id] = report.findings.size();
    skipped += report.skipped.size();
  });
  for (std::int64_t number = 0; number < 300; ++number) selection.add(reader_of_a_cache(number));
  const std::size_t shown_before = shown.size();
  selection.judge_together({true, {}}, {}, [](DocumentReport&) {});
  const std::vector<render::QuerySummary> summaries = selection.summaries();
  selection.finish();
  ASSERT_EQ(shown.size(), 300U);
  EXPECT_GT(shown_before, 0U);
  EXPECT_LE(300 - shown_before, 256U);
  EXPECT_EQ(skipped, shown_before);
  for (const render::QuerySummary& query : summaries) {
    const std::size_t expected = static_cast<std::size_t>(*query.execution) < shown_before ? 0 : 1;
    EXPECT_EQ(shown[*query.execution], expected) << *query.execution;
    EXPECT_EQ(query.findings.active(), expected) << *query.execution;
  }
}

TEST(Turns, KeepTheOrder) {
  std::vector<std::size_t> order;
  io::Turns turns(40);
  io::for_each_parallel(40, 4, [&](std::size_t number) {
    io::Turn turn(turns, number);
    std::this_thread::sleep_for(std::chrono::microseconds(number % 7 * 300));
    if (number % 5 == 0) return;  // has nothing to say, and need not wait
    turn.wait();
    order.push_back(number);
  });
  ASSERT_EQ(order.size(), 32U);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(Turns, EndWithAnException) {
  std::atomic<int> done{0};
  io::Turns turns(8);
  EXPECT_THROW(io::for_each_parallel(8, 2,
                                     [&](std::size_t number) {
                                       io::Turn turn(turns, number);
                                       if (number == 2) throw std::runtime_error("a fault");
                                       turn.wait();
                                       ++done;
                                     }),
               std::runtime_error);
  EXPECT_GE(done, 2);
}

TEST(ProgressLine, MakesRoomForOutput) {
  std::ostringstream err;
  io::Terminal terminal;
  terminal.error_is_terminal = true;
  const auto wait = [](int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); };
  cli::Progress progress(
      {}, {}, err, terminal, [] { return std::uint64_t{1} << 20U; }, std::uint64_t{1} << 22U);
  wait(1500);
  progress.hide();
  const std::string before = err.str();
  EXPECT_NE(before.find("planvet: 25 % of 4 MiB"), std::string::npos) << before;
  EXPECT_TRUE(before.ends_with('\r')) << before;
  wait(400);
  EXPECT_EQ(err.str(), before);
  progress.show_again();
  wait(400);
  EXPECT_EQ(err.str(), before);  // not at once: perhaps the next input has something to show
  wait(1200);
  progress.finish();
  EXPECT_GT(err.str().size(), before.size());
  EXPECT_TRUE(err.str().ends_with('\r'));
}

// Many small logs with their output in a file: each ends, and none of them hid the line.
TEST(ProgressLine, GoesOnWhereNothingIsShown) {
  std::ostringstream err;
  io::Terminal terminal;
  terminal.error_is_terminal = true;
  std::atomic<std::uint64_t> bytes{0};
  cli::Progress progress(
      {}, {}, err, terminal, [&] { return bytes.load(); }, std::uint64_t{1} << 30U);
  for (int log = 0; log < 16; ++log) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    bytes += std::uint64_t{1} << 20U;
    progress.show_again();
  }
  progress.finish();
  EXPECT_NE(err.str().find("planvet: "), std::string::npos);
}

// Whoever has enough ends it: nothing of what comes behind is waited for.
TEST(AnnotateInputs, AreWrittenAsSoonAsEachIsWhole) {
  class CountingBuffer : public std::stringbuf {
   public:
    int flushes = 0;

   protected:
    int sync() override {
      ++flushes;
      return std::stringbuf::sync();
    }
  };
  CountingBuffer buffer;
  std::istringstream in;
  std::ostream out(&buffer);
  std::ostringstream err;
  const std::vector<std::string> arguments = {"annotate",
                                              source_path("corpus/eventlogs/spark-3.5.9/adaptive/eventlog.zst"),
                                              source_path("corpus/eventlogs/spark-3.5.9/reuse/eventlog.zst"), "--list"};
  EXPECT_EQ(cli::run(arguments, {in, out, err}, io::Terminal()), cli::ExitStatus::Clean);
  EXPECT_GE(buffer.flushes, 2);
}

// bash gives the first `<(command)` the largest number.
TEST(AnnotateInputs, PipesStayAsTheyWereNamed) {
  const io::InputFiles inputs = io::find_inputs({"/dev/fd/63", "b", "/dev/fd/62", "a", "/dev/fd/63"});
  std::vector<std::string> paths;
  for (const io::InputFile& file : inputs.files) paths.push_back(file.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"/dev/fd/63", "/dev/fd/62", "a", "b"}));
}

}  // namespace
}  // namespace planvet::test
