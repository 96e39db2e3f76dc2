// `planvet annotate`: its numbers against the History Server's answers, what it says of retried work, and logs of many
// queries. What it prints stands in tests/cli/annotate.session.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <sstream>
#include <streambuf>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "analyzer/cli/annotate_selection.hpp"
#include "analyzer/cli/command.hpp"
#include "analyzer/cli/pipeline.hpp"
#include "analyzer/metrics/overlay.hpp"
#include "analyzer/render/annotated_plan.hpp"
#include "analyzer/render/annotated_text.hpp"
#include "analyzer/render/glyphs.hpp"
#include "tests/in_process.hpp"
#include "tests/support/event_lines.hpp"
#include "tests/support/event_logs.hpp"
#include "tests/support/files.hpp"
#include "tests/support/process.hpp"

namespace planvet::test {
namespace {

using nlohmann::json;

CommandRun annotate(std::vector<std::string> arguments, std::istream& in) {
  arguments.insert(arguments.begin(), "annotate");
  return run_in_process(arguments, in);
}

CommandRun annotate(std::vector<std::string> arguments, const std::string& log) {
  std::istringstream in(log);
  return annotate(std::move(arguments), in);
}

DocumentReport report_of(PlanDocument document) {
  DocumentReport report;
  report.document = std::move(document);
  return report;
}

// "2026-11-30T02:03:04.567GMT"
std::int64_t milliseconds_of_day(const std::string& time) {
  const auto number = [&](std::size_t at, std::size_t size) { return std::stoll(time.substr(at, size)); };
  return ((number(11, 2) * 60 + number(14, 2)) * 60 + number(17, 2)) * 1000 + number(20, 3);
}

class AnnotateCorpus : public testing::TestWithParam<EventLogCase> {};

// The number under "rows" is the one that the Spark UI shows for the same node, in the same letters.
TEST_P(AnnotateCorpus, RowsAreTheHistoryServers) {
  ReadLog log = read_log(decompressed_file(GetParam().directory + "/eventlog.zst"));
  const json answers = json::parse(decompressed_file(GetParam().directory + "/sql.json.zst"));
  std::map<std::pair<std::int64_t, std::uint32_t>, std::string> rows;
  for (const json& answer : answers)
    for (const json& node : answer["nodes"])
      for (const json& metric : node["metrics"])
        if (metric["name"] == "number of output rows")
          rows[{answer["id"].get<std::int64_t>(), node["nodeId"].get<std::uint32_t>()}] =
              metric["value"].get<std::string>();
  std::size_t compared = 0;
  for (PlanDocument& document : log.documents) {
    const DocumentReport report = report_of(std::move(document));
    const render::AnnotatedPlan plan = render::annotated_plan(report, false, cli::expression_parser());
    for (const render::AnnotatedTree& tree : plan.trees) {
      for (std::size_t number = 0; number < tree.drawing.nodes.size(); ++number) {
        const PlanNode& node = (*tree.tree)[tree.drawing.nodes[number].node];
        const render::Cell& cell = tree.columns.rows[number][render::Column::Rows];
        const auto shown = rows.find({report.document.execution_id.value_or(-1), node.operator_id.value_or(0)});
        // Where both differ, a footnote has the other number.
        if (shown == rows.end() || cell.footnote > 0) continue;
        EXPECT_EQ(cell.text, shown->second) << "query " << shown->first.first << " node " << shown->first.second;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 0U);
}

// How long it took, how it ended, and how many jobs it had.
TEST_P(AnnotateCorpus, QueriesAreTheHistoryServers) {
  ReadLog log = read_log(decompressed_file(GetParam().directory + "/eventlog.zst"));
  const json answers = json::parse(decompressed_file(GetParam().directory + "/sql.json.zst"));
  std::map<std::int64_t, json> expected;
  for (const json& answer : answers) expected[answer["id"].get<std::int64_t>()] = answer;
  std::size_t compared = 0;
  for (PlanDocument& document : log.documents) {
    const render::QuerySummary query = render::summary_of(report_of(std::move(document)));
    SCOPED_TRACE("query " + std::to_string(query.execution.value_or(-1)));
    ASSERT_TRUE(expected.contains(query.execution.value_or(-1)));
    const json& answer = expected[*query.execution];
    if (answer["status"] == "RUNNING") {  // the server counts on, up to the request
      EXPECT_EQ(query.status, render::QueryStatus::Running);
      continue;
    }
    EXPECT_EQ(query.is_failed(), answer["status"] == "FAILED");
    EXPECT_EQ(query.duration_ms, answer["duration"].get<std::int64_t>());
    EXPECT_EQ(query.jobs, answer["successJobIds"].size() + answer["failedJobIds"].size());
    ++compared;
  }
  EXPECT_GT(compared, 0U);
}

// Times, tasks and failures beside a stage are those of /stages.
TEST_P(AnnotateCorpus, StagesAreTheHistoryServers) {
  ReadLog log = read_log(decompressed_file(GetParam().directory + "/eventlog.zst"));
  std::map<std::int32_t, json> stages;
  for (const json& stage : json::parse(decompressed_file(GetParam().directory + "/stages.json.zst")))
    if (stage["attemptId"] == 0) stages[stage["stageId"].get<std::int32_t>()] = stage;
  std::size_t compared = 0;
  for (PlanDocument& document : log.documents) {
    const DocumentReport report = report_of(std::move(document));
    const render::AnnotatedPlan plan = render::annotated_plan(report, false, cli::expression_parser());
    for (const render::AnnotatedTree& tree : plan.trees) {
      for (const render::StageRegion& region : tree.regions.regions) {
        if (region.stages.size() != 1 || region.attempts != 1 || !region.wall_ms) continue;
        const auto found = stages.find(region.stages.front());
        if (found == stages.end() || !found->second.contains("completionTime")) continue;
        const json& stage = found->second;
        SCOPED_TRACE("stage " + std::to_string(region.stages.front()));
        EXPECT_EQ(region.failed_tasks, stage["numFailedTasks"].get<std::size_t>());
        EXPECT_EQ(region.tasks, stage["numCompleteTasks"].get<std::size_t>() +
                                    stage["numFailedTasks"].get<std::size_t>() +
                                    stage["numKilledTasks"].get<std::size_t>());
        EXPECT_EQ(region.totals.run_time_ms, stage["executorRunTime"].get<std::int64_t>());
        EXPECT_EQ(*region.wall_ms, milliseconds_of_day(stage["completionTime"].get<std::string>()) -
                                       milliseconds_of_day(stage["submissionTime"].get<std::string>()));
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 0U);
}

// Where all work was tried again nothing is left to compare: see EventLogTruth.
std::vector<EventLogCase> cases_with_smooth_stages() {
  std::vector<EventLogCase> cases = event_log_cases();
  std::erase_if(cases, [](const EventLogCase& log) { return log.name.ends_with("/fetch_failure"); });
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Corpus, AnnotateCorpus, testing::ValuesIn(cases_with_smooth_stages()),
                         [](const auto& instance) {
                           std::string name = instance.param.name;
                           std::ranges::replace_if(
                               name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
                           return name;
                         });

TEST(Annotate, RetriedWorkHasTheOtherNumberBesideIt) {
  EventLines log;
  log.execution_start(0).job_start(0, 0, {1}, 2).stage_submitted(1, 0, 2);
  log.task({.stage = 1, .attempt = 0, .task = 0, .index = 0, .partition = 0, .rows = 21600, .time = 4});
  log.task({.stage = 1, .attempt = 0, .task = 1, .index = 1, .partition = 1, .reason = "FetchFailed"});
  log.stage_completed(1, 0, 2, "fetch failed").stage_submitted(1, 1, 1);
  log.task({.stage = 1, .attempt = 1, .task = 2, .index = 0, .partition = 1, .rows = 38400, .time = 5});
  log.stage_completed(1, 1, 1).job_end(0).execution_end(0);
  const CommandRun text = annotate({"-"}, log.text());
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_NE(text.out.find("60,000¹"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("¹ 60,000 rows; the Spark UI shows 38,400: tasks of it ran again, and one result for each "
                          "partition counts"),
            std::string::npos)
      << text.out;
  EXPECT_NE(annotate({"-", "--ascii"}, log.text()).out.find("60,000[1]"), std::string::npos);

  const json answer = json::parse(annotate({"-", "--format", "json"}, log.text()).out);
  const json& rows = answer["documents"][0]["fragments"][0]["nodes"][0]["metrics"][0];
  EXPECT_EQ(rows["value"], 60000);
  EXPECT_EQ(rows["history_server_value"], 38400);
  EXPECT_EQ(rows["trust"], json::array({"retried-tasks"}));
}

TEST(Annotate, SaysWhyANumberMayBeAnother) {
  EventLines copies;
  copies.execution_start(0).job_start(0, 0, {1}, 1).stage_submitted(1, 0, 1);
  copies.task({.stage = 1, .task = 0, .index = 0, .rows = 7, .time = 1});
  copies.task({.stage = 1, .task = 1, .index = 0, .rows = 7, .time = 1});
  copies.stage_completed(1, 0, 1).job_end(0).execution_end(0);
  const std::string twice = annotate({"-"}, copies.text()).out;
  EXPECT_NE(twice.find("¹ two copies of a task succeeded, and the first one counts"), std::string::npos) << twice;

  EventLines lost;
  lost.execution_start(0).job_start(0, 0, {1}, 3).stage_submitted(1, 0, 3);
  lost.task({.stage = 1, .task = 0, .index = 0, .rows = 7, .time = 1});
  lost.stage_completed(1, 0, 3).job_end(0).execution_end(0);
  const std::string too_few = annotate({"-"}, lost.text()).out;
  EXPECT_NE(too_few.find("¹ the log lacks ends of tasks, so it is too low"), std::string::npos) << too_few;

  EventLines running;
  running.execution_start(0).job_start(0, 0, {1}, 3).stage_submitted(1, 0, 3);
  running.task({.stage = 1, .task = 0, .index = 0, .rows = 7, .time = 1});
  const std::string unfinished = annotate({"-"}, running.text()).out;
  EXPECT_NE(unfinished.find("has no end in the log, which ends 400 ms after its start"), std::string::npos)
      << unfinished;
  EXPECT_NE(unfinished.find("numbers are those of the tasks that had ended by then"), std::string::npos) << unfinished;

  const TemporaryFolder folder;
  write_file(folder.path("eventlog_v2_local-1/events_1_local-1.compact"), copies.text());
  const std::string compacted = annotate({folder.path("eventlog_v2_local-1")}, "").out;
  EXPECT_NE(compacted.find("compacted log: what had ended when Spark compacted it is not in it any more"),
            std::string::npos)
      << compacted;
}

// Two jobs fill one cache at the same time: who comes second finds the rows there and counts none.
TEST(Annotate, APartitionOfACacheIsCountedWhereItWasComputed) {
  EventLines log;
  log.execution_start(0).job_start(0, 0, {1}, 2, 50).job_start(1, 0, {2}, 2, 50);
  log.stage_submitted(1, 0, 2).stage_submitted(2, 0, 2);
  log.task({.stage = 1, .task = 0, .index = 0, .rows = 5, .time = 1});
  log.task({.stage = 2, .task = 1, .index = 0, .rows = 0, .time = 0});
  log.task({.stage = 1, .task = 2, .index = 1, .rows = 0, .time = 0});
  log.task({.stage = 2, .task = 3, .index = 1, .rows = 6, .time = 1});
  log.stage_completed(1, 0, 2).stage_completed(2, 0, 2).job_end(0).job_end(1).execution_end(0);
  const json answer = json::parse(annotate({"-", "--format", "json"}, log.text()).out);
  const json& rows = answer["documents"][0]["fragments"][0]["nodes"][0]["metrics"][0];
  EXPECT_EQ(rows["value"], 11);
  EXPECT_EQ(rows["history_server_value"], nullptr);
}

std::string many_queries(int count) {
  EventLines log;
  for (int query = 0; query < count; ++query) {
    log.execution_start(query).job_start(query, query, {query}, 1).stage_submitted(query, 0, 1);
    log.task({.stage = query, .task = query, .index = 0, .rows = query, .time = 1});
    log.stage_completed(query, 0, 1).job_end(query).execution_end(query);
  }
  return log.text();
}

std::size_t count_in(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Annotate, ManyQueriesAreAShortListAndOnePlan) {
  const std::string log = many_queries(300);
  const CommandRun run = annotate({"-"}, log);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.out.find("and 280 shorter queries; --list shows all of them"), std::string::npos) << run.out;
  EXPECT_EQ(count_in(run.out, "\nquery 0: test\n"), 1U);  // of equally slow ones, the first
  EXPECT_EQ(count_in(run.out, " Sort "), 1U);
  EXPECT_LT(count_in(run.out, "\n"), 35U);
  EXPECT_EQ(count_in(annotate({"-", "--list"}, log).out, "\n"), 302U);
  EXPECT_EQ(count_in(annotate({"-", "--slowest", "7"}, log).out, " Sort "), 7U);
}

TEST(Annotate, AllQueriesComeInOrderAndAreNotKept) {
  cli::AnnotateOptions options;
  options.all = true;
  std::vector<std::int64_t> shown;
  cli::AnnotateSelection selection(options, false, "log", [&](const DocumentReport& report) {
    shown.push_back(report.document.execution_id.value_or(-1));
  });
  ReadLog log = read_log(many_queries(200));
  ASSERT_EQ(log.documents.size(), 200U);
  for (std::size_t pair = 0; pair < 100; ++pair) {  // each second one ends before the one before it
    selection.add(report_of(std::move(log.documents[2 * pair + 1])));
    selection.add(report_of(std::move(log.documents[2 * pair])));
    EXPECT_LE(2 * (pair + 1) - shown.size(), 64U);
  }
  selection.finish();
  EXPECT_EQ(shown.size(), 200U);
  EXPECT_TRUE(std::ranges::is_sorted(shown));
}

// A stream at some place of which somebody presses Ctrl-C.
class InterruptedBuffer : public std::streambuf {
 public:
  InterruptedBuffer(const std::string& text, std::size_t at) : text_(text), at_(at) {}

 protected:
  std::streamsize xsgetn(char* into, std::streamsize size) override {
    const std::size_t end = std::min(text_.size(), read_ + static_cast<std::size_t>(size));
    if (read_ < at_ && end >= at_) std::raise(SIGINT);
    const std::size_t got = end - read_;
    std::copy_n(text_.begin() + static_cast<std::ptrdiff_t>(read_), got, into);
    read_ = end;
    return static_cast<std::streamsize>(got);
  }
  int_type underflow() override { return traits_type::eof(); }

 private:
  const std::string& text_;
  std::size_t at_;
  std::size_t read_ = 0;
};

TEST(Annotate, CtrlCSaysWhatWasNotRead) {
  const auto before = std::signal(SIGINT, SIG_DFL);
  const TemporaryFolder folder;
  const std::string log = many_queries(3000);
  write_file(folder.path("a"), log);
  // Standard input comes first, and in one thread nobody begins the others before its end.
  InterruptedBuffer buffer(log, log.size() / 2);
  std::istream in(&buffer);
  const CommandRun run = annotate({"-", folder.path("a"), folder.path("b"), "--jobs", "1", "--list"}, in);
  EXPECT_EQ(run.status, 130);
  EXPECT_NE(run.err.find("<stdin>: stopped by Ctrl-C"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("stopped by Ctrl-C: 2 of 3 inputs were not read"), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("no such file"), std::string::npos) << run.err;
  std::signal(SIGINT, before);
}

TEST(Annotate, CtrlCShowsWhatWasRead) {
  // Shells let what runs in their background ignore it, as .ci/test does with each half of the tests.
  const auto before = std::signal(SIGINT, SIG_DFL);
  const std::string log = many_queries(3000);
  for (const std::string format : {"text", "json"}) {
    InterruptedBuffer buffer(log, log.size() / 2);
    std::istream in(&buffer);
    const CommandRun run = annotate({"-", "--format", format, "--sql", "all"}, in);
    EXPECT_EQ(run.status, 130);
    EXPECT_NE(run.err.find("planvet: <stdin>: stopped by Ctrl-C after "), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("what was read so far is shown"), std::string::npos) << run.err;
    if (format == "text") {
      const std::size_t shown = count_in(run.out, " Sort ");
      EXPECT_GT(shown, 500U);
      EXPECT_LT(shown, 3000U);
      EXPECT_TRUE(run.out.ends_with('\n'));
      EXPECT_EQ(run.out.find("middle of a line"), std::string::npos);  // nothing was cut
      continue;
    }
    const json answer = json::parse(run.out);
    EXPECT_GT(answer["documents"].size(), 500U);
    EXPECT_EQ(answer["documents"].size(), answer["queries"].size());
    EXPECT_EQ(answer["applications"][0]["is_interrupted"], true);
  }
  std::signal(SIGINT, before);
}

// A pipe that nobody writes to: there is nothing to show, and one Ctrl-C is enough.
TEST(Annotate, CtrlCEndsWhatHasReadNothing) {
  const TemporaryFolder folder;
  const std::string pipe = folder.path("pipe");
  for (const std::string& input : {"'" + pipe + "'", "- <> '" + pipe + "'"}) {
    const int status = std::system(
        fmt::format(
            "mkfifo '{0}'; timeout --preserve-status -k 20 -s INT 1 env --default-signal=INT '{1}' annotate {2}; "
            "status=$?; rm '{0}'; exit $status",
            pipe, program_path().string(), input)
            .c_str());
    EXPECT_EQ(WEXITSTATUS(status), 128 + SIGINT) << input;
  }
}

// A pipe that has to be waited for.
class SlowBuffer : public std::streambuf {
 public:
  explicit SlowBuffer(const std::string& text) : text_(text) {}

 protected:
  std::streamsize xsgetn(char* into, std::streamsize size) override {
    if (read_ > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1300 / reads_++));
    const std::size_t got = std::min(text_.size() - read_, static_cast<std::size_t>(size));
    std::copy_n(text_.begin() + static_cast<std::ptrdiff_t>(read_), got, into);
    read_ += got;
    return static_cast<std::streamsize>(got);
  }
  int_type underflow() override { return traits_type::eof(); }

 private:
  const std::string& text_;
  std::size_t read_ = 0;
  int reads_ = 1;
};

TEST(ProgressLine, SaysHowMuchOfALogIsRead) {
  const std::string log = many_queries(100);
  const auto err_of = [&](bool is_terminal, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"annotate", "-", "--list"});
    SlowBuffer buffer(log);
    std::istream in(&buffer);
    std::ostringstream out;
    std::ostringstream err;
    io::Terminal terminal;
    terminal.error_is_terminal = is_terminal;
    EXPECT_EQ(cli::run(arguments, {in, out, err}, terminal), cli::ExitStatus::Clean);
    EXPECT_EQ(out.str().find("planvet: "), std::string::npos);
    return err.str();
  };
  const std::string err = err_of(true, {});
  EXPECT_NE(err.find(" KiB read, "), std::string::npos) << err;
  EXPECT_NE(err.find("/s"), std::string::npos) << err;
  EXPECT_TRUE(err.ends_with('\r')) << err;  // it is gone at the end
  EXPECT_EQ(err_of(true, {"--no-progress"}), "");
  EXPECT_EQ(err_of(false, {}), "");
}

std::string nested_plan(int depth) {
  std::string plan;
  for (int i = 0; i < depth; ++i)
    plan += R"({"nodeName":"SortMergeJoin","simpleString":"SortMergeJoin [a#1], [b#2], Inner","metadata":{},)"
            R"("metrics":[],"children":[)";
  plan += sort_plan(1, 2);
  for (int i = 0; i < depth; ++i) plan += "," + sort_plan(1000 + 2 * i, 1001 + 2 * i) + "]}";
  return plan;
}

// Deep and wide: no line is longer than the terminal, and the numbers stand where they always do.
TEST(Annotate, DeepAndWidePlansKeepTheirColumns) {
  std::string wide = R"({"nodeName":"Union","simpleString":"Union","metadata":{},"metrics":[],"children":[)";
  for (int i = 0; i < 500; ++i) wide += (i > 0 ? "," : "") + sort_plan(i == 0 ? 1 : 1000 + 2 * i, 1001 + 2 * i);
  wide += "]}";
  for (const std::string& plan : {nested_plan(300), wide}) {
    EventLines log;
    log.execution_start(0, plan).job_start(0, 0, {1}, 1).stage_submitted(1, 0, 1);
    log.task({.stage = 1, .task = 0, .index = 0, .rows = 123456, .time = 4});
    log.stage_completed(1, 0, 1).job_end(0).execution_end(0);
    for (const std::size_t width : {40U, 80U, 200U}) {
      const CommandRun run = annotate({"-", "--width", std::to_string(width)}, log.text());
      EXPECT_EQ(run.status, 0) << run.err;
      EXPECT_NE(run.out.find("123,456"), std::string::npos);
      std::istringstream lines(run.out);
      for (std::string line; std::getline(lines, line);) EXPECT_LE(render::display_width(line), width) << line;
    }
  }
}

TEST(Annotate, WritesFilesBesides) {
  const TemporaryFolder folder;
  const std::string page = folder.path("page.md");
  const std::string picture = folder.path("picture.dot");
  const CommandRun run = annotate({"-", "--output", "markdown=" + page, "--output", "dot=" + picture}, many_queries(2));
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(read_file(page).starts_with("## &lt;stdin&gt;\n")) << read_file(page);
  EXPECT_TRUE(read_file(picture).starts_with("digraph planvet {\n"));
  EXPECT_NE(run.out.find("query 0: test\n"), std::string::npos);
}

TEST(Annotate, JsonSaysHowTheQueryRan) {
  const json answer = json::parse(annotate({"-", "--format", "json"}, many_queries(1)).out);
  EXPECT_EQ(answer["schema_version"], 1);
  const json& document = answer["documents"][0];
  EXPECT_EQ(document["input"], "event-log");
  const json& run = document["run"];
  EXPECT_EQ(run["status"], "succeeded");
  EXPECT_EQ(run["duration_ms"], 8000);
  EXPECT_EQ(run["jobs"][0]["stages"], json::array({0}));
  EXPECT_EQ(run["stages"][0]["run_time_ms"], 50);
  EXPECT_EQ(run["without_stage_ms"], 8000 - 5800);
  EXPECT_EQ(document["superseded_metrics"], json::array());
  EXPECT_EQ(document["findings"], json::array());
  EXPECT_EQ(document["fragments"][0]["nodes"][0]["stages"], json::array({0}));
  EXPECT_EQ(answer["queries"][0]["execution_id"], 0);
  EXPECT_EQ(answer["applications"][0]["source"], "-");
}

}  // namespace
}  // namespace planvet::test
