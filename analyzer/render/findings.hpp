// What of a report counts, and how much of it there is: one answer for every format.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "analyzer/report/report.hpp"

namespace planvet::render {

// Neither suppressed nor accepted by a baseline.
[[nodiscard]] bool is_active(const Finding& finding);

// A part of the plan was not read or was cut; not that the plan has not run, which most plans in git have not.
[[nodiscard]] bool is_loss(const Note& note);

struct Totals {
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t infos = 0;
  std::size_t suppressed = 0;
  std::size_t baseline = 0;
  std::size_t incomplete = 0;  // plans of which something could not be read
  std::size_t not_final = 0;
  [[nodiscard]] std::size_t active() const { return errors + warnings + infos; }
};

void add(Totals& totals, const Finding& finding);
[[nodiscard]] Totals totals_of(const Report& report);

// "1 error, 2 warnings and 3 infos"; empty without any.
[[nodiscard]] std::string count_by_severity(const Totals& totals);

struct ActiveFinding {
  const DocumentReport* document = nullptr;
  const Finding* finding = nullptr;
};

// In the report's order.
[[nodiscard]] std::vector<ActiveFinding> active_findings(const Report& report);
// The loudest first, else in the report's order: for places that show only so many.
[[nodiscard]] std::vector<ActiveFinding> findings_by_severity(const Report& report);

// The documents from `begin` on that a person reads as one: all queries of an event log, else one plan.
[[nodiscard]] std::span<const DocumentReport> read_as_one(std::span<const DocumentReport> documents, std::size_t begin);
// Of those: what could save most time first (without a bound last), then the loudest, then in the report's order. A plan
// that was not measured stays in the report's order.
[[nodiscard]] std::vector<ActiveFinding> ranked_findings(std::span<const DocumentReport> documents);

// "message\nfix: what to do": all that a finding says, for formats with room for one text. Of an event log, its query
// too.
[[nodiscard]] std::string message_with_fix(const PlanDocument& document, const Finding& finding);

// "right side 3.1 MiB (runtime), threshold 10 MiB"; empty without evidence.
[[nodiscard]] std::string evidence_text(const Finding& finding);

// Where the page of a rule is published; empty where the build has no documentation address.
[[nodiscard]] std::string rule_url(std::string_view rule);

}  // namespace planvet::render
