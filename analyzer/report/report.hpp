// What a run has to show: the findings of every document with all that a renderer needs beside them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/plan/document.hpp"
#include "analyzer/report/cache_read.hpp"
#include "analyzer/report/finding.hpp"
#include "analyzer/report/suppression.hpp"

namespace planvet {

// The exchanges that run for one query (PV301 and every summary). Exchanges inside a cached plan ran when the cache was
// filled: a number of their own.
struct ExchangeBill {
  std::uint32_t shuffle = 0;
  std::uint32_t broadcast = 0;
  std::uint32_t reused = 0;  // ReusedExchange nodes, or equal subtrees that an unexecuted adaptive plan will reuse
  std::uint32_t in_cached_plans = 0;
  std::uint32_t user_requested = 0;  // REPARTITION_*, REBALANCE_*: part of `shuffle`
};

// A rule that did not run on a document because its evidence is not there. Skipped is never passed.
struct SkippedRule {
  const RuleInfo* rule = nullptr;
  std::string reason;  // "needs runtime metrics"
};

// An `-- planvet: allow` line that does nothing: unknown rule, no reason, nothing to accept.
struct AllowProblem {
  Span span;
  std::string message;
};

struct DocumentReport {
  PlanDocument document;          // without its plans once release_plans() was called
  std::vector<Finding> findings;  // by position, then rule
  std::vector<Note> notes;        // of the reader and of the rules (PV901 only when a rule wanted what was cut)
  std::vector<SkippedRule> skipped;
  std::vector<AllowProblem> allow_problems;
  std::vector<CacheRead> cache_reads;  // of a query of an event log
  ExchangeBill bill;
};

// Frees what no renderer of a report asks for: trees, logical plans, and the source's bytes where nothing that is said
// has a place in them. What a finding says of its operator is in the finding.
void release_plans(DocumentReport& report);

// An input that could not be read at all, or that holds no plan.
struct InputError {
  std::string path;
  std::string message;  // what was wrong, what was expected, what to do
};

// A [[suppress]] that does nothing, or does no more.
struct SuppressionProblem {
  ConfigPlace place;
  std::string message;
};

// An entry of a baseline whose finding is gone.
struct StaleEntry {
  std::string baseline;  // the file
  std::string path;      // the plan, as the baseline calls it
  std::string rule;
  std::string operator_kind;
  std::string fingerprint;
  bool is_file_gone = false;
};

struct Report {
  std::vector<DocumentReport> documents;  // by path, then order in the input
  std::vector<InputError> errors;
  std::vector<SuppressionProblem> suppression_problems;
  std::vector<StaleEntry> stale_entries;
  std::string new_since;               // the revision that findings with `is_baseline` were compared with; empty: none
  std::uint32_t inputs = 0;            // files and streams looked at
  std::uint32_t skipped_inputs = 0;    // files of a directory that hold no plan
  std::uint32_t left_out_paths = 0;    // files and folders of a directory that .gitignore or `exclude` names
  std::uint32_t unchanged_inputs = 0;  // files that did not change since a revision
};

}  // namespace planvet
