// Damaged event logs, made of every log of the corpus: nothing crashes or hangs, what can be read is read, and what is
// missing is said. A sample; PLANVET_ALL_FAULTS=1 cuts and flips each log at 200 places.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "analyzer/metrics/overlay.hpp"
#include "tests/support/event_logs.hpp"
#include "tests/support/files.hpp"

namespace planvet::test {
namespace {

class FaultDice {
 public:
  explicit FaultDice(std::uint32_t seed) : state_(seed) {}
  std::size_t below(std::size_t bound) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state_ >> 33U) % bound;
  }

 private:
  std::uint64_t state_;
};

std::size_t fault_rounds(std::size_t sample) { return std::getenv("PLANVET_ALL_FAULTS") != nullptr ? 200 : sample; }

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

// What any log must hold to, however damaged.
void expect_sound(const ReadLog& log) {
  std::set<std::int64_t> ids;
  for (const PlanDocument& document : log.documents) {
    ASSERT_FALSE(document.fragments.empty());
    ASSERT_NE(document.metrics, nullptr);
    EXPECT_TRUE(ids.insert(document.execution_id.value_or(-1)).second)
        << "query " << *document.execution_id << " twice";
    for (const metrics::StageRun& stage : document.metrics->run.stages) {
      EXPECT_GE(stage.partitions_done, 0);
      EXPECT_LE(stage.quantiles.run_time_ms.min, stage.quantiles.run_time_ms.max);
    }
    for (const PlanNode& node : document.fragments.front().tree.nodes()) {
      for (const metrics::MeasuredMetric& metric : document.metrics->judged.of(node.id)) {
        EXPECT_LE(metric.summary.min, metric.summary.max);
      }
    }
  }
}

class EventLogFaults : public testing::TestWithParam<EventLogCase> {
 protected:
  [[nodiscard]] std::string log() const { return decompressed_file(GetParam().directory + "/eventlog.zst"); }
};

TEST_P(EventLogFaults, CutAnywhere) {
  const std::string log = this->log();
  const std::size_t whole = read_log(log).documents.size();
  FaultDice random(1);
  for (std::size_t round = 0; round < fault_rounds(4); ++round) {
    const std::size_t size = random.below(log.size());
    const ReadLog cut = read_log(std::string_view(log).substr(0, size));
    expect_sound(cut);
    EXPECT_LE(cut.documents.size(), whole) << size;
    const bool is_at_break = size > 0 && log[size - 1] == '\n';
    EXPECT_TRUE(is_at_break || cut.documents.empty() || has_any_note(cut)) << size;
  }
}

// The same bytes before they are decompressed.
TEST_P(EventLogFaults, CutOrFlippedWhileCompressed) {
  for (const bool is_cut : {true, false}) {
    const std::string bytes = read_file(GetParam().directory + "/eventlog.zst");
    FaultDice random(is_cut ? 2 : 3);
    for (std::size_t round = 0; round < fault_rounds(4); ++round) {
      std::string damaged = bytes;
      if (is_cut) {
        damaged.resize(random.below(damaged.size()));
      } else {
        damaged[random.below(damaged.size())] ^= static_cast<char>(1U << random.below(8));
      }
      const ReadLog read = read_log(damaged);
      expect_sound(read);
      EXPECT_TRUE(!is_cut || read.documents.empty() || has_any_note(read));
    }
  }
}

TEST_P(EventLogFaults, FlippedBytes) {
  const std::string log = this->log();
  FaultDice random(4);
  for (std::size_t round = 0; round < fault_rounds(4); ++round) {
    std::string flipped = log;
    for (std::size_t flips = 1 + random.below(20); flips > 0; --flips) {
      flipped[random.below(flipped.size())] = static_cast<char>(random.below(256));
    }
    const ReadLog damaged = read_log(flipped);
    expect_sound(damaged);
    EXPECT_TRUE(damaged.result.broken_lines == 0 || has_any_note(damaged));
  }
}

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
  expect_sound(read);
  EXPECT_EQ(told_metrics(read), told_metrics(read_log(log)));
}

TEST_P(EventLogFaults, LinesInAnotherOrder) {
  const std::string log = this->log();
  FaultDice random(5);
  for (std::size_t round = 0; round < fault_rounds(6); ++round) {
    std::vector<std::string_view> lines = log_lines(log);
    // Near each other, as events of several threads; then anywhere.
    const std::size_t reach = round % 2 == 0 ? 8 : lines.size();
    for (std::size_t swaps = lines.size() / 4; swaps > 0; --swaps) {
      const std::size_t a = random.below(lines.size());
      std::swap(lines[a], lines[std::min(lines.size() - 1, a + random.below(reach))]);
    }
    expect_sound(read_log(joined_lines(lines)));
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
    expect_sound(read);
    EXPECT_LE(read.documents.size(), whole);
    const std::string_view name = missing;
    const bool is_told = name == "SQLExecutionStart" || name == "SQLExecutionEnd";
    EXPECT_TRUE(!is_told || read.documents.empty() || has_any_note(read));
    EXPECT_TRUE(name == "SQLExecutionStart" || read.documents.size() == whole);
  }
  FaultDice random(6);
  for (std::size_t round = 0; round < fault_rounds(4); ++round) {
    std::vector<std::string_view> lines;
    for (const std::string_view line : log_lines(log)) {
      if (random.below(10) != 0) lines.push_back(line);
    }
    expect_sound(read_log(joined_lines(lines)));
  }
}

// Every n-th number becomes one that no log should hold; ids then meet each other too.
TEST_P(EventLogFaults, NumbersThatNoLogShouldHold) {
  const std::string log = this->log();
  FaultDice random(7);
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
  for (std::size_t round = 0; round < fault_rounds(6); ++round) {
    std::string changed;
    const std::size_t every = 40 + random.below(400);
    for (std::size_t at = 0; at < log.size();) {
      const bool is_number =
          log[at] == ':' && at + 1 < log.size() && std::isdigit(static_cast<unsigned char>(log[at + 1])) != 0;
      changed += log[at++];
      if (!is_number || random.below(every) != 0) continue;
      while (at < log.size() && std::isdigit(static_cast<unsigned char>(log[at])) != 0) ++at;
      changed += kOdd[random.below(std::size(kOdd))];
    }
    const ReadLog read = read_log(changed);
    for (const PlanDocument& document : read.documents) ASSERT_FALSE(document.fragments.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, EventLogFaults, testing::ValuesIn(event_log_cases()),
                         [](const auto& instance) { return test_name(instance.param); });

}  // namespace
}  // namespace planvet::test
