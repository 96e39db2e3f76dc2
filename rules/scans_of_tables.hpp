// One finding for one table of a plan, however often it is scanned.
//
//   add(scan 3 of sales, info)  add(scan 9 of sales, warning)  add(scan 12 of store, info)
//   -> the warning on scan 9, scan 3 is a related place; the info on scan 12
//
// A rule whose fix is one for the table, or the same wherever it is read, says it once: on the scan where it weighs most.
#pragma once

#include <string_view>
#include <vector>

#include "analyzer/plan/views.hpp"
#include "analyzer/report/finding.hpp"
#include "rules/reporter.hpp"

namespace planvet::rules {

class ScansOfTables {
 public:
  // The reporter must outlive this.
  explicit ScansOfTables(Reporter& reporter) : reporter_(reporter) {}

  // What would be said of this scan: severity, message, fix, reasons, evidence. Reasons that differ are no repetition.
  void add(const Scan& scan, Finding finding);
  // What is said of all of them.
  void report();

 private:
  struct Group {
    std::string_view table;  // by name, else by its location; empty: nobody knows what it is
    Finding finding;
    const PlanNode* node;                 // of the finding
    std::vector<const PlanNode*> others;  // in the order of the plan
  };
  Reporter& reporter_;
  std::vector<Group> groups_;
};

}  // namespace planvet::rules
