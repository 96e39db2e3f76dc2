// One query of an application in a row: how long, how it ended, how much, what was found. Small: a list of thousands is
// kept while their plans are not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/metrics/execution_run.hpp"
#include "analyzer/render/findings.hpp"
#include "analyzer/report/report.hpp"

namespace planvet::render {

enum class QueryStatus : std::uint8_t {
  Succeeded,
  Failed,
  Cancelled,
  Running,  // the log ends first
  Unknown,  // the input does not say: a plan that was not run
};
[[nodiscard]] std::string_view name(QueryStatus status);  // "succeeded" ...

// A length of time on the clock: intervals that overlap count once.
[[nodiscard]] std::int64_t covered_ms(std::vector<std::pair<std::int64_t, std::int64_t>> intervals);

struct QuerySummary {
  std::string source;  // the input's path
  std::optional<std::int64_t> execution;
  std::optional<std::int64_t> part_of;  // another query: this one is a step of it
  std::string description;              // one line, not longer than a list can show
  QueryStatus status = QueryStatus::Unknown;
  std::string error;                        // its first line
  std::optional<std::int64_t> duration_ms;  // of a running query: up to the last event of the log
  std::optional<std::int64_t> idle_ms;      // of it, while none of its stages ran
  std::size_t jobs = 0;
  std::size_t stages = 0;  // attempts that ran
  std::size_t failed_stages = 0;
  std::size_t tasks = 0;  // attempts
  std::size_t failed_tasks = 0;
  std::size_t killed_tasks = 0;
  metrics::TaskTotals totals;
  Totals findings;
  [[nodiscard]] bool is_failed() const { return status == QueryStatus::Failed || status == QueryStatus::Cancelled; }
};

[[nodiscard]] QuerySummary summary_of(const DocumentReport& report);

// "2.4 s", "failed after 3.4 s", "running when the log ends, 12.0 s after its start".
[[nodiscard]] std::string status_text(const QuerySummary& summary);

// "3 jobs", "5 stages (1 failed)", "23 tasks (2 failed)", "1.2 MiB read", ...
[[nodiscard]] std::vector<std::string> summary_facts(const QuerySummary& summary);

}  // namespace planvet::render
