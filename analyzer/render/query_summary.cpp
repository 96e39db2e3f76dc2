#include "analyzer/render/query_summary.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "analyzer/metrics/overlay.hpp"
#include "analyzer/render/glyphs.hpp"
#include "analyzer/render/quantity.hpp"
#include "analyzer/render/style.hpp"

namespace planvet::render {

using metrics::saturating_add;
using metrics::saturating_subtract;

namespace {

// Thousands of these are kept, and no terminal shows more.
constexpr std::size_t kMostDescription = 160;
constexpr std::size_t kMostError = 500;

bool says_cancelled(std::string_view error) {
  // "[SPARK_JOB_CANCELLED] Job 3 cancelled ..", before 3.4 "Job 3 cancelled part of cancelled job group 7".
  if (error.find("SPARK_JOB_CANCELLED") != std::string_view::npos) return true;
  const std::size_t job = error.find("Job ");
  if (job == std::string_view::npos) return false;
  const std::size_t digits = error.find_first_not_of("0123456789", job + 4);
  return digits != std::string_view::npos && digits > job + 4 && error.substr(digits).starts_with(" cancelled");
}

QueryStatus status_of(const metrics::ExecutionRun& run, const std::optional<SparkVersion>& version) {
  if (!run.submission_time) return QueryStatus::Unknown;
  if (!run.error.empty()) return says_cancelled(run.error) ? QueryStatus::Cancelled : QueryStatus::Failed;
  if (!run.completion_time) return QueryStatus::Running;
  // 3.4 and later say how a query ended; before, a failed job is all there is.
  const bool says_how = version && *version >= SparkVersion{3, 4, 0};
  const bool has_failed_job = std::ranges::any_of(
      run.jobs, [](const metrics::JobRun& job) { return job.result == metrics::JobResult::Failed; });
  return !says_how && has_failed_job ? QueryStatus::Failed : QueryStatus::Succeeded;
}

std::int64_t idle_time(const metrics::ExecutionRun& run) {
  const std::int64_t begin = *run.submission_time;
  const std::int64_t end = saturating_add(begin, *run.duration());
  std::vector<std::pair<std::int64_t, std::int64_t>> intervals;
  for (const metrics::StageRun& stage : run.stages) {
    if (!stage.submission_time) continue;
    intervals.emplace_back(std::clamp(*stage.submission_time, begin, end),
                           std::clamp(stage.completion_time.value_or(end), begin, end));
  }
  return std::max<std::int64_t>(0, *run.duration() - covered_ms(std::move(intervals)));
}

std::string first_line(std::string_view text, std::size_t most) {
  const std::size_t end = text.find_first_of("\r\n");
  return cut_to_width(one_line(text.substr(0, end)), most, "...");
}

// The first line says most, but for Python: its exception stands behind the trace.
std::string error_line(std::string_view error) {
  std::string text = first_line(error, kMostError);
  constexpr std::string_view kTrace = "Traceback (most recent call last):";
  if (!text.ends_with(kTrace)) return text;
  for (std::size_t begin = error.find('\n'); begin != std::string_view::npos; begin = error.find('\n', begin)) {
    ++begin;
    const std::string_view line = error.substr(begin, error.find('\n', begin) - begin);
    if (line.empty() || line.front() == ' ') continue;
    text.resize(text.size() - kTrace.size());
    return cut_to_width(text + one_line(line), kMostError, "...");
  }
  return text;
}

// "query 7: save at App.scala:88" is "save at App.scala:88".
std::string description_of(const PlanDocument& document) {
  std::string_view title = document.title;
  if (document.execution_id) {
    const std::string number = fmt::format("query {}", *document.execution_id);
    if (title.starts_with(number)) title.remove_prefix(number.size());
    if (title.starts_with(": ")) title.remove_prefix(2);
  }
  return cut_to_width(one_line(title), kMostDescription, "...");
}

std::string with_failures(std::string text, std::size_t failed, std::size_t killed) {
  if (failed == 0 && killed == 0) return text;
  std::string why;
  if (failed > 0) why = fmt::format("{} failed", failed);
  if (killed > 0) why += fmt::format("{}{} killed", why.empty() ? "" : ", ", killed);
  return text + " (" + why + ")";
}

}  // namespace

std::string_view name(QueryStatus status) {
  switch (status) {
    case QueryStatus::Succeeded: return "succeeded";
    case QueryStatus::Failed: return "failed";
    case QueryStatus::Cancelled: return "cancelled";
    case QueryStatus::Running: return "running";
    case QueryStatus::Unknown: return "unknown";
  }
  return "unknown";
}

std::int64_t covered_ms(std::vector<std::pair<std::int64_t, std::int64_t>> intervals) {
  std::ranges::sort(intervals);
  std::int64_t covered = 0;
  std::optional<std::int64_t> reached;
  for (const auto& [begin, end] : intervals) {
    const std::int64_t from = reached ? std::max(*reached, begin) : begin;
    if (end > from) covered = saturating_add(covered, saturating_subtract(end, from));
    reached = reached ? std::max(*reached, end) : end;
  }
  return covered;
}

QuerySummary summary_of(const DocumentReport& report) {
  const PlanDocument& document = report.document;
  QuerySummary summary;
  summary.source = document.source == nullptr ? std::string() : document.source->path();
  summary.execution = document.execution_id;
  summary.description = description_of(document);
  for (const Finding& finding : report.findings) add(summary.findings, finding);
  if (document.metrics == nullptr) return summary;
  const metrics::ExecutionRun& run = document.metrics->run;
  summary.status = status_of(run, document.spark_version);
  if (run.root_execution && run.root_execution != run.execution) summary.part_of = run.root_execution;
  summary.error = error_line(run.error);
  summary.duration_ms = run.duration();
  if (summary.duration_ms && *summary.duration_ms >= 0 && !run.stages.empty()) summary.idle_ms = idle_time(run);
  summary.jobs = run.jobs.size();
  for (const metrics::StageRun& stage : run.stages) {
    ++summary.stages;
    if (!stage.failure.empty()) ++summary.failed_stages;
    summary.tasks += static_cast<std::size_t>(std::max(0, stage.succeeded + stage.failed + stage.killed));
    summary.failed_tasks += static_cast<std::size_t>(std::max(0, stage.failed));
    summary.killed_tasks += static_cast<std::size_t>(std::max(0, stage.killed));
    summary.totals.add(stage.totals);
  }
  return summary;
}

std::string status_text(const QuerySummary& summary) {
  const std::string lasted =
      summary.duration_ms ? format_quantity(static_cast<double>(*summary.duration_ms), "ms") : "";
  switch (summary.status) {
    case QueryStatus::Succeeded: return lasted.empty() ? "succeeded" : lasted;
    case QueryStatus::Failed: return lasted.empty() ? "failed" : "failed after " + lasted;
    case QueryStatus::Cancelled: return lasted.empty() ? "cancelled" : "cancelled after " + lasted;
    case QueryStatus::Running: return fmt::format("has no end in the log, which ends {} after its start", lasted);
    case QueryStatus::Unknown: return lasted;
  }
  return lasted;
}

std::vector<std::string> summary_facts(const QuerySummary& summary) {
  std::vector<std::string> facts;
  const auto add_bytes = [&](std::int64_t bytes, std::string_view what) {
    if (bytes > 0) facts.push_back(fmt::format("{} {}", what, format_quantity(static_cast<double>(bytes), "bytes")));
  };
  if (summary.jobs > 0) facts.push_back(count_of(summary.jobs, "job"));
  if (summary.stages > 0) facts.push_back(with_failures(count_of(summary.stages, "stage"), summary.failed_stages, 0));
  if (summary.tasks > 0)
    facts.push_back(with_failures(count_of(summary.tasks, "task"), summary.failed_tasks, summary.killed_tasks));
  const metrics::TaskTotals& totals = summary.totals;
  if (totals.run_time_ms > 0) {
    std::string text = format_quantity(static_cast<double>(totals.run_time_ms), "ms") + " of task time";
    if (totals.gc_time_ms >= totals.run_time_ms / 10)
      text += fmt::format(" ({:.0f} % of it GC)",
                          100 * static_cast<double>(totals.gc_time_ms) / static_cast<double>(totals.run_time_ms));
    facts.push_back(std::move(text));
  }
  add_bytes(totals.input_bytes, "read");
  add_bytes(totals.shuffle_bytes_written, "shuffled");
  add_bytes(totals.output_bytes, "wrote");
  add_bytes(totals.disk_spilled, "spilled");
  return facts;
}

}  // namespace planvet::render
