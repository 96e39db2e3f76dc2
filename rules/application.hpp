// What only all queries of an application tell together.
//
//   query 3: Filter (qty = 5)    query 5: Filter (qty = 5)    query 9: no reader of that cache
//              Scan In-memory t             Scan In-memory t
//   -> filter-above-cache on the read of query 3: two queries, one filter
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "analyzer/report/report.hpp"
#include "analyzer/report/rule_settings.hpp"

namespace planvet::rules {

struct ApplicationRun {
  bool is_whole = false;                             // the log begins and ends with it, and nothing in between is lost
  std::optional<std::int32_t> last_job_of_no_query;  // RDDs may read caches too, and no plan says so
};

// Adds findings to the reports of its queries, in their order; what was skipped for want of the other queries is not
// skipped any more. Fingerprints are to be assigned after that.
void judge_application(std::span<DocumentReport> queries, const ApplicationRun& run, const RuleSettings& settings);

}  // namespace planvet::rules
