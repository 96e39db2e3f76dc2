#include "tests/support/measured_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "analyzer/facts/facts.hpp"

namespace planvet::test {
namespace {

using metrics::MeasuredMetric;

std::string_view take(std::string_view& rest, std::string_view separator) {
  const std::size_t end = rest.find(separator);
  const std::string_view word = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + separator.size());
  return word;
}

std::int64_t number(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  if (const auto size = parse_size(text)) return static_cast<std::int64_t>(*size);
  ADD_FAILURE() << "not a number: " << text;
  return 0;
}

struct Node {
  std::vector<MeasuredMetric> metrics;
  std::vector<std::int32_t> stages;
};

MeasuredMetric read_metric(std::string_view line) {
  const std::string_view type = take(line, " ");
  const std::string_view name = take(line, " = ");
  MeasuredMetric metric;
  metric.metric = metrics::make_metric(name, type);
  metrics::Summary& summary = metric.summary;
  summary.total = number(take(line, " ("));
  summary.min = summary.median = summary.max = summary.total;
  summary.values = 1;
  if (line.empty()) return metric;
  summary.min = number(take(line, ","));
  summary.median = number(take(line, ","));
  summary.max = number(take(line, " of "));
  summary.values = static_cast<std::size_t>(number(take(line, ")")));
  return metric;
}

// `spilled 600 MiB (1.2 GiB in memory; by task 0, 10 MiB, 300 MiB), peak 100 MiB, shuffle read 1 GiB`
void read_spill(std::string_view line, metrics::StageRun& stage) {
  const auto skip = [&](std::string_view word) {
    EXPECT_TRUE(line.starts_with(word)) << line;
    line.remove_prefix(std::min(word.size(), line.size()));
  };
  skip("spilled ");
  stage.totals.disk_spilled = number(take(line, " ("));
  stage.totals.memory_spilled = number(take(line, " in memory; by task "));
  metrics::Quantiles& disk = stage.quantiles.disk_spilled;
  disk.min = disk.quarter = number(take(line, ","));
  disk.median = disk.three_quarters = number(take(line, ","));
  disk.max = number(take(line, "), "));
  skip("peak ");
  stage.quantiles.peak_memory.median = number(take(line, ", "));
  skip("shuffle read ");
  stage.totals.local_bytes_read = number(line);
  // Rows take as much more room in memory everywhere.
  const double ratio = stage.totals.disk_spilled == 0 ? 0
                                                      : static_cast<double>(stage.totals.memory_spilled) /
                                                            static_cast<double>(stage.totals.disk_spilled);
  stage.quantiles.memory_spilled.median = static_cast<std::int64_t>(static_cast<double>(disk.median) * ratio);
}

metrics::StageRun read_stage(std::string_view line) {
  metrics::StageRun stage;
  stage.stage = static_cast<std::int32_t>(number(take(line, ":")));
  stage.tasks = static_cast<std::int32_t>(number(take(line, " tasks, ")));
  stage.started = stage.succeeded = stage.tasks;
  std::string_view times = take(line, "; ");
  stage.submission_time = stage.first_launch_time = number(take(times, "-"));
  if (times.empty()) {
    stage.succeeded = 0;
  } else {
    stage.completion_time = number(times);
  }
  if (!line.empty()) read_spill(line, stage);
  return stage;
}

void add_doubt(Node& node, std::string_view name) {
  bool is_known = false;
  for (unsigned i = 0; i < 6; ++i) {
    const auto doubt = static_cast<metrics::Doubt>(i);
    if (metrics::name(doubt) != name) continue;
    is_known = true;
    for (MeasuredMetric& metric : node.metrics) metric.trust.add(doubt);
  }
  EXPECT_TRUE(is_known) << name;
}

}  // namespace

std::shared_ptr<const metrics::DocumentMetrics> measured_text(std::string_view text) {
  constexpr std::string_view kMark = "-- test: ";
  auto measured = std::make_shared<metrics::DocumentMetrics>();
  std::map<std::uint32_t, Node> nodes;
  bool is_any = false;
  while (!text.empty()) {
    std::string_view line = take(text, "\n");
    if (!line.starts_with(kMark)) continue;
    line.remove_prefix(kMark.size());
    const std::string_view what = take(line, " ");
    if (what == "query") {
      metrics::JobRun job;
      measured->run.submission_time = number(take(line, "-"));
      measured->run.completion_time = number(take(line, " "));
      job.result = line == "failed" ? metrics::JobResult::Failed : metrics::JobResult::Succeeded;
      measured->run.jobs.push_back(job);
    } else if (what == "stage") {
      measured->run.stages.push_back(read_stage(line));
    } else if (what == "metric") {
      const auto node = static_cast<std::uint32_t>(number(take(line, " ")));
      nodes[node].metrics.push_back(read_metric(line));
    } else if (what == "stages") {
      Node& node = nodes[static_cast<std::uint32_t>(number(take(line, " = ")))];
      while (!line.empty()) node.stages.push_back(static_cast<std::int32_t>(number(take(line, ","))));
    } else if (what == "doubt") {
      const auto node = static_cast<std::uint32_t>(number(take(line, " ")));
      add_doubt(nodes[node], line);
    } else {
      continue;
    }
    is_any = true;
  }
  if (!is_any) return nullptr;
  for (auto& [id, node] : nodes) measured->judged.add(NodeId{id}, std::move(node.metrics), node.stages);
  return measured;
}

}  // namespace planvet::test
