#include "tests/support/event_logs.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <utility>

#include <gtest/gtest.h>

#include "analyzer/io/log_parts.hpp"
#include "analyzer/metrics/overlay.hpp"
#include "analyzer/plan/byte_source.hpp"
#include "analyzer/read/eventlog/codec.hpp"
#include "tests/support/files.hpp"

namespace planvet::test {

namespace {

namespace fs = std::filesystem;

fs::path rolling_folder(const fs::path& directory) {
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (entry.path().filename().string().starts_with("eventlog_v2_")) return entry.path();
  }
  return {};
}

std::vector<EventLogCase> cases_that(bool (*is_wanted)(const fs::path&)) {
  std::vector<EventLogCase> cases;
  for (const auto& version : fs::directory_iterator(source_path("corpus/eventlogs"))) {
    if (!version.is_directory()) continue;
    for (const auto& entry : fs::directory_iterator(version.path())) {
      if (!entry.is_directory() || !is_wanted(entry.path())) continue;
      cases.push_back(
          {version.path().filename().string() + "/" + entry.path().filename().string(), entry.path().string()});
    }
  }
  std::sort(cases.begin(), cases.end(), [](const EventLogCase& a, const EventLogCase& b) { return a.name < b.name; });
  return cases;
}

ReadLog read_parts(const std::vector<io::LogPart>& parts, const std::string& path) {
  ReadLog log;
  read::EventLogReader reader(path, [&](PlanDocument&& document) { log.documents.push_back(std::move(document)); });
  for (const io::LogPart& part : parts) {
    const std::string bytes = read_file(part.path);
    MemorySource source(bytes);
    read::eventlog::DecodedSource decoded(source);
    reader.read(decoded, part.is_compacted);
  }
  log.result = reader.finish();
  std::stable_sort(log.documents.begin(), log.documents.end(),
                   [](const PlanDocument& a, const PlanDocument& b) { return a.execution_id < b.execution_id; });
  return log;
}

}  // namespace

std::vector<EventLogCase> event_log_cases() {
  return cases_that([](const fs::path& directory) { return fs::exists(directory / "eventlog.zst"); });
}

std::vector<EventLogCase> rolling_log_cases() {
  return cases_that([](const fs::path& directory) { return !rolling_folder(directory).empty(); });
}

std::vector<EventLogCase> all_log_cases() {
  std::vector<EventLogCase> cases = event_log_cases();
  for (EventLogCase& rolling : rolling_log_cases()) cases.push_back(std::move(rolling));
  return cases;
}

bool is_rolling(const EventLogCase& log) { return !fs::exists(fs::path(log.directory) / "eventlog.zst"); }

std::string test_name(const EventLogCase& log) {
  std::string name = log.name;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

std::vector<io::LogPart> log_parts(const EventLogCase& log) {
  if (!is_rolling(log)) return {{log.directory + "/eventlog.zst", false}};
  std::vector<io::InputFile> files;
  for (const auto& part : fs::directory_iterator(rolling_folder(log.directory))) {
    files.push_back({part.path().string(), false});
  }
  return io::with_log_parts(std::move(files)).at(0).parts;
}

ReadLog read_case(const EventLogCase& log) { return read_parts(log_parts(log), "app.log"); }

std::string decompressed_file(const std::string& path) {
  const std::string bytes = read_file(path);
  MemorySource source(bytes);
  read::eventlog::DecodedSource decoded(source);
  std::string text;
  std::array<char, 65536> buffer{};
  while (const std::size_t got = decoded.read(buffer)) text.append(buffer.data(), got);
  return text;
}

ReadLog read_log(std::string_view bytes, const std::string& path) {
  ReadLog log;
  read::EventLogReader reader(path, [&](PlanDocument&& document) { log.documents.push_back(std::move(document)); });
  MemorySource source(bytes);
  read::eventlog::DecodedSource decoded(source);
  reader.read(decoded);
  log.result = reader.finish();
  std::stable_sort(log.documents.begin(), log.documents.end(),
                   [](const PlanDocument& a, const PlanDocument& b) { return a.execution_id < b.execution_id; });
  return log;
}

void expect_sound(const PlanDocument& document) {
  ASSERT_FALSE(document.fragments.empty());
  ASSERT_NE(document.metrics, nullptr);
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

}  // namespace planvet::test
