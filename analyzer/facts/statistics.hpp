// How large the rows are that flow out of an operator, as far as anything says so, and where that is known from.
//
// In this order: what an event log measured, AQE's statistics of a materialised stage (runtime), the optimizer's
// (estimated), declared tables. Where only a part was measured (measured.hpp) nothing is known: a rule that can use a
// lower bound asks measured() for it.
// A size stays an upper bound through Filter, Project, Limit and Aggregate; it is never carried through what multiplies
// rows (joins, Generate, Expand). Sizes that native engines print are compressed and not used; sizes of broadcast stages
// are whole pages and not used either, their row counts are.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/facts/document_facts.hpp"
#include "analyzer/facts/logical_statistics.hpp"
#include "analyzer/facts/measured.hpp"
#include "analyzer/facts/quantity.hpp"
#include "analyzer/plan/document.hpp"
#include "analyzer/plan/evidence_source.hpp"
#include "analyzer/plan/plan_tree.hpp"

namespace planvet {

// Spark's defaultSizeInBytes is 8.0 EiB; a Project above such a relation prints some hundred PiB. No table is that large.
inline constexpr double kUnknownSize = 10.0 * 1024 * 1024 * 1024 * 1024 * 1024;

// What somebody counted when the query ran, here or in Spark itself: no estimate.
[[nodiscard]] constexpr bool is_counted(EvidenceSource source) {
  return source == EvidenceSource::Measured || source == EvidenceSource::Runtime;
}

struct TableBytes {
  Quantity bytes;
  double column_share = 1;  // of the table's columns, how many are read
};

class Statistics {
 public:
  // All must outlive this. Nothing is computed before it is asked for.
  Statistics(const PlanDocument& document, const PlanTree& plan, const DocumentFacts& facts)
      : document_(document), plan_(plan), facts_(facts) {}

  // Of an event log; null where the input has no measurements of this plan.
  [[nodiscard]] const Measured* measured() const;

  [[nodiscard]] std::optional<Quantity> bytes(NodeId id) const;
  [[nodiscard]] std::optional<Quantity> rows(NodeId id) const;

  // The rows that an operator can put out at most, by what it is: a global aggregate makes one row, LIMIT 10 ten,
  // `Range` as many as it says, a LocalTableScan holds what somebody wrote into the query.
  [[nodiscard]] std::optional<Quantity> max_rows(NodeId id) const;

  // What a scan read, else the size of the table behind it, partitions that were pruned while planning left out: the
  // optimizer's, else as declared.
  [[nodiscard]] std::optional<TableBytes> table_bytes(NodeId scan) const;

  // Spark had no statistics for it: a logical plan was printed and says 8.0 EiB.
  [[nodiscard]] bool is_unknown_to_spark(NodeId id) const;
  [[nodiscard]] std::optional<double> estimated_bytes(NodeId id) const;

 private:
  enum class What { Bytes, Rows };
  [[nodiscard]] std::optional<Quantity> known(NodeId id, What what) const;
  [[nodiscard]] const std::vector<LogicalEstimate>& estimates() const;
  [[nodiscard]] std::optional<Quantity> rows_said_of(NodeId id) const;
  void find_bounds() const;

  const PlanDocument& document_;
  const PlanTree& plan_;
  const DocumentFacts& facts_;
  mutable std::optional<Measured> measured_;
  mutable bool is_measured_looked_for_ = false;
  mutable std::optional<std::vector<LogicalEstimate>> estimates_;
  mutable std::vector<std::optional<Quantity>> bounds_;  // one for each node; empty before the first question
};

}  // namespace planvet
