// Event logs whose lines are damaged, doubled, missing or in another order, made of every log of the corpus: what can be
// read is read, and what is missing is said. Cuts and changed bytes are in eventlog_cuts_test.cpp.
#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "analyzer/metrics/overlay.hpp"
#include "tests/support/dice.hpp"
#include "tests/support/event_logs.hpp"
#include "tests/support/sanitizer.hpp"

namespace planvet::test {
namespace {

constexpr std::size_t kRounds = kIsSanitized ? 3 : 6;

std::vector<std::string_view> log_lines(std::string_view log) {
  std::vector<std::string_view> lines;
  while (!log.empty()) {
    const std::size_t end = std::min(log.find('\n'), log.size() - 1) + 1;
    lines.push_back(log.substr(0, end));
    log.remove_prefix(end);
  }
  return lines;
}

std::string joined_lines(const std::vector<std::string_view>& lines) {
  std::string log;
  for (const std::string_view line : lines) log += line;
  return log;
}

bool is_event_named(std::string_view line, std::string_view name) {
  return line.substr(0, 120).find(name) != std::string_view::npos;
}

bool has_any_note(const ReadLog& log) {
  return std::any_of(log.documents.begin(), log.documents.end(),
                     [](const PlanDocument& document) { return !document.notes.empty(); });
}

void expect_all_sound(const ReadLog& log) {
  std::set<std::int64_t> ids;
  for (const PlanDocument& document : log.documents) {
    EXPECT_TRUE(ids.insert(document.execution_id.value_or(-1)).second)
        << "query " << *document.execution_id << " twice";
    expect_sound(document);
  }
}

class EventLogFaults : public testing::TestWithParam<EventLogCase> {
 protected:
  [[nodiscard]] std::string log() const { return decompressed_file(GetParam().directory + "/eventlog.zst"); }
};

TEST_P(EventLogFaults, MalformedLineInTheMiddle) {
  const std::string log = this->log();
  std::vector<std::string_view> lines = log_lines(log);
  const ReadLog whole = read_log(log);
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(lines.size() / 2),
               "{\"Event\":\"SparkListenerTaskEnd\",\"Stage\n");
  const ReadLog read = read_log(joined_lines(lines));
  EXPECT_EQ(read.result.broken_lines, whole.result.broken_lines + 1);
  EXPECT_EQ(read.documents.size(), whole.documents.size());
  EXPECT_TRUE(has_any_note(read));
}

std::string told_metrics(const ReadLog& log) {
  std::string text;
  for (const PlanDocument& document : log.documents) {
    text += std::to_string(document.execution_id.value_or(-1)) + ":\n";
    for (const PlanNode& node : judged_fragment(document)->tree.nodes()) {
      for (const metrics::MeasuredMetric& metric : document.metrics->judged.of(node.id)) {
        text += metric.metric.name + " = " + metrics::spark_text(metric.metric.type, metric.summary) + "\n";
      }
    }
    for (const metrics::StageRun& run : document.metrics->run.stages) {
      text += "stage " + std::to_string(run.stage) + ": " + std::to_string(run.succeeded) + " of " +
              std::to_string(run.tasks) + ", " + std::to_string(run.totals.run_time_ms) + " ms\n";
    }
  }
  return text;
}

// A writer that tries again writes a line twice. Sums that tasks send only once do not grow from that; what the driver
// sends, it may well send twice.
TEST_P(EventLogFaults, LinesThatComeTwice) {
  const std::string log = this->log();
  std::vector<std::string_view> doubled;
  for (const std::string_view line : log_lines(log)) {
    doubled.push_back(line);
    if (!is_event_named(line, "DriverAccumUpdates")) doubled.push_back(line);
  }
  const ReadLog read = read_log(joined_lines(doubled));
  expect_all_sound(read);
  EXPECT_EQ(told_metrics(read), told_metrics(read_log(log)));
}

TEST_P(EventLogFaults, LinesInAnotherOrder) {
  const std::string log = this->log();
  Dice random(5);
  for (std::size_t round = 0; round < kRounds; ++round) {
    std::vector<std::string_view> lines = log_lines(log);
    // Near each other, as events of several threads; then anywhere.
    const std::size_t reach = round % 2 == 0 ? 8 : lines.size();
    for (std::size_t swaps = lines.size() / 4; swaps > 0; --swaps) {
      const std::size_t a = random.below(lines.size());
      std::swap(lines[a], lines[std::min(lines.size() - 1, a + random.below(reach))]);
    }
    expect_all_sound(read_log(joined_lines(lines)));
  }
}

TEST_P(EventLogFaults, EventsThatAreMissing) {
  const std::string log = this->log();
  const std::size_t whole = read_log(log).documents.size();
  for (const char* const missing : {"SQLExecutionStart", "SQLExecutionEnd", "AdaptiveExecutionUpdate",
                                    "DriverAccumUpdates", "JobStart", "JobEnd", "StageSubmitted", "StageCompleted",
                                    "TaskStart", "TaskEnd", "LogStart", "EnvironmentUpdate", "ApplicationStart"}) {
    std::vector<std::string_view> lines;
    for (const std::string_view line : log_lines(log)) {
      if (!is_event_named(line, missing)) lines.push_back(line);
    }
    const ReadLog read = read_log(joined_lines(lines));
    SCOPED_TRACE(missing);
    expect_all_sound(read);
    EXPECT_LE(read.documents.size(), whole);
    const std::string_view name = missing;
    const bool is_told =
        name == "SQLExecutionStart" || name == "SQLExecutionEnd" || name == "JobStart" || name == "TaskEnd";
    EXPECT_TRUE(!is_told || read.documents.empty() || has_any_note(read));
    EXPECT_TRUE(name == "SQLExecutionStart" || read.documents.size() == whole);
  }
  Dice random(6);
  for (std::size_t round = 0; round < kRounds; ++round) {
    std::vector<std::string_view> lines;
    for (const std::string_view line : log_lines(log)) {
      if (random.below(10) != 0) lines.push_back(line);
    }
    expect_all_sound(read_log(joined_lines(lines)));
  }
}

// Every n-th number becomes one that no log should hold; ids then meet each other too.
TEST_P(EventLogFaults, NumbersThatNoLogShouldHold) {
  const std::string log = this->log();
  Dice random(7);
  constexpr std::string_view kOdd[] = {"9223372036854775807",
                                       "9223372036854775808",
                                       "-9223372036854775808",
                                       "-1",
                                       "NaN",
                                       "1e400",
                                       "4294967296",
                                       "0",
                                       "null",
                                       "\"x\"",
                                       "2147483647",
                                       "0.5"};
  for (std::size_t round = 0; round < kRounds; ++round) {
    std::string changed;
    const std::size_t every = 40 + random.below(400);
    std::size_t copied = 0;
    for (std::size_t at = log.find(':'); at != std::string::npos; at = log.find(':', at)) {
      ++at;
      const std::size_t end = std::min(log.find_first_not_of("0123456789", at), log.size());
      if (end == at || random.below(every) != 0) continue;
      changed.append(log, copied, at - copied).append(kOdd[random.below(std::size(kOdd))]);
      copied = at = end;
    }
    changed.append(log, copied);
    const ReadLog read = read_log(changed);
    for (const PlanDocument& document : read.documents) ASSERT_FALSE(document.fragments.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, EventLogFaults, testing::ValuesIn(event_log_cases()),
                         [](const auto& instance) { return test_name(instance.param); });

}  // namespace
}  // namespace planvet::test
