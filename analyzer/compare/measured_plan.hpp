// Metrics of a run put on a plan that was given without any: `planvet annotate PLAN --metrics LOG`.
//
//   plan                            query 7 of the log
//   SortMergeJoin [a], [b]          SortMergeJoin [a], [b]           1,204 rows    -> the same operator: its metrics
//   :- Sort [a ASC]                 :- Sort [a ASC]
//   |  +- Exchange hash(a, 200)     |  +- ShuffleQueryStage 0                      frames and stages may be missing
//   |                               |     +- Exchange hash(a, 200)   60,000 rows
//   +- Filter (c > 5)               +- Filter (c > 7)                              arguments differ: said
//
// Operators are paired in the order of the plans, both sides' parents being paired with each other, and never with one
// of another kind: a sort merge join is not measured by a broadcast join.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyzer/metrics/overlay.hpp"
#include "analyzer/plan/document.hpp"

namespace planvet::compare {

struct OperatorPairs {
  std::vector<NodeId> partner;     // in the measured plan, of each node; kNoNode: none
  std::vector<bool> differs;       // of each node: paired with one whose arguments are others
  std::vector<NodeId> missing;     // operators of the plan that the measured one does not have
  std::vector<NodeId> additional;  // operators of the measured plan that the plan does not have
  std::size_t operators = 0;       // of the plan, without frames and stages
  double likeness = 0;             // 0 to 1: how much of both is paired, arguments included
  std::size_t equal_texts = 0;     // arguments that are equal with their expression ids: the very same run
};
[[nodiscard]] OperatorPairs pair_operators(const PlanTree& plan, const PlanTree& measured);

struct MeasuredPlan {
  std::size_t query = 0;             // which of the measured documents
  std::vector<std::size_t> as_good;  // others that match as well: the same query, run more than once
  OperatorPairs pairs;
  std::shared_ptr<const metrics::DocumentMetrics> metrics;  // of the plan's judged fragment, by its nodes
};

// The document whose plan is most like this one. Nothing where none is: see best_likeness.
struct MetricsSearch {
  std::optional<MeasuredPlan> found;
  double best_likeness = 0;
  std::size_t searched = 0;  // documents with metrics
};
[[nodiscard]] MetricsSearch find_metrics(const PlanDocument& plan, std::span<const PlanDocument* const> measured);

// "metrics of query 7 (9 of 10 operators): not found are Sort, line 4; .." for people.
[[nodiscard]] std::string describe(const MeasuredPlan& found, const PlanDocument& plan,
                                   std::span<const PlanDocument* const> measured);

}  // namespace planvet::compare
