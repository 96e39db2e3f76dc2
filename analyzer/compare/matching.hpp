// Which operators of two plans are the same: by what they are, the tables below them, what they do, and their order.
//
// Rounds, each over what the rounds before left open, from the strictest to the loosest. A round puts the open operators
// of the second plan into a table and takes from it for each of the first: linear in the two plans.
#pragma once

#include <vector>

#include "analyzer/compare/names.hpp"
#include "analyzer/plan/plan_tree.hpp"

namespace planvet::compare {

// Operators that do the same work in different ways are of one role: all joins, all aggregates of one phase.
enum class Role : std::uint8_t {
  None,  // structure, projections: told by what stands around them
  Source,
  Filter,
  Join,
  PartialAggregate,
  Aggregate,
  Window,
  Sort,
  Shuffle,
  Broadcast,
  Reuse,
  Limit,
  Python,
  Other,
};
[[nodiscard]] Role role_of(const PlanTree& plan, NodeId id);

struct Matching {
  std::vector<NodeId> after;   // of each node of the first plan; kNoNode where it is gone
  std::vector<NodeId> before;  // of each node of the second plan; kNoNode where it is new
};

[[nodiscard]] Matching match(const PlanTree& before, const Names& before_names, const PlanTree& after,
                             const Names& after_names);

// What an operator does, without ids, sizes, and what its neighbours say again: one number.
[[nodiscard]] std::uint64_t work_hash(const PlanTree& plan, NodeId id);

}  // namespace planvet::compare
