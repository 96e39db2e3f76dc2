// Which operators a snapshot shows, how they hang together, and their numbers.
//
// An adaptive plan that ran is two plans: the snapshot takes the one before the run, or the final one. Wrappers that
// only JSON shows go. Numbers are given as Spark gives them: inputs before the operator, subqueries behind the plan.
#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/plan/document.hpp"

namespace planvet::snapshot {

enum class AdaptivePart : std::uint8_t { None, Final, Current };

struct Operator {
  const PlanTree* tree = nullptr;
  NodeId id{};
  std::uint32_t number = 0;                // 0: has none
  AdaptivePart part = AdaptivePart::None;  // of an AdaptiveSparkPlan: the header above its plan
  bool is_replanned = false;               // an AdaptiveSparkPlan that ran, shown with its plan before the run
  std::vector<std::uint32_t> inputs;       // indices into Layout::operators
  std::vector<std::uint32_t> subqueries;

  [[nodiscard]] const PlanNode& node() const { return tree->node(id); }
};

struct Hosted {
  std::uint32_t host;
  std::uint32_t root;
  [[nodiscard]] friend bool operator==(const Hosted&, const Hosted&) = default;
};

struct Layout {
  std::vector<Operator> operators;
  std::vector<std::uint32_t> roots;          // usually one
  std::vector<Hosted> hosted;                // in the order in which they are printed
  std::vector<std::uint32_t> optimized_out;  // exchanges that the final plan lost
  std::vector<std::uint32_t> in_order;       // by number
  bool lacks_plan_before_run = false;        // the input has only what ran
};

[[nodiscard]] Layout lay_out(const PlanDocument& document, bool wants_final);

}  // namespace planvet::snapshot
