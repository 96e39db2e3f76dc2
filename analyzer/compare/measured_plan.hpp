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
#include <cstdint>
#include <memory>
#include <optional>
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
  std::shared_ptr<const PlanDocument> query;         // whose metrics they are
  std::vector<std::optional<std::int64_t>> as_good;  // others that match as well: the same query, run before
  OperatorPairs pairs;
  std::shared_ptr<const metrics::DocumentMetrics> metrics;  // of the plan's judged fragment, by its nodes
};

// Looks for the measured query whose plan is most like this one, while queries come one after the other: only the best
// of them is kept.
class MetricsSearch {
 public:
  // `plan` must outlive it.
  explicit MetricsSearch(const PlanDocument& plan);
  ~MetricsSearch();
  MetricsSearch(MetricsSearch&&) noexcept;
  MetricsSearch& operator=(MetricsSearch&&) = delete;

  void offer(const std::shared_ptr<const PlanDocument>& measured);
  [[nodiscard]] const std::optional<MeasuredPlan>& found() const;
  [[nodiscard]] double best_likeness() const;  // also of what is too unlike to be found
  [[nodiscard]] std::size_t offered() const;   // with metrics

  // "metrics of query 7: 9 of 10 operators are in both plans; without metrics: Sort (4)", or why there are none.
  [[nodiscard]] std::string describe() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace planvet::compare
