// Ways through a plan: past Spark's own structure, up to who uses an operator's rows, and the columns that flow.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/plan/plan_tree.hpp"

namespace planvet {

// Moves no rows and changes none: wrappers, query stages, AQE's reads, transitions between rows and columns.
[[nodiscard]] bool is_structural(OperatorKind kind);

// The first operator at or below `id` that is no structure; kNoNode where the plan ends before one. A ReusedExchange
// leads to the exchange that it reads, if the text tells which.
[[nodiscard]] NodeId below_structure(const PlanTree& plan, NodeId id);

// The nearest operator above that is no structure; kNoNode at the root, and above the root of a subquery.
[[nodiscard]] NodeId above_structure(const PlanTree& plan, NodeId id);

// Is there a link of this kind between the node and the root?
[[nodiscard]] bool is_inside(const PlanTree& plan, NodeId id, Link link);

// The expression ids of an operator's output, in order, from the text or from what flows in. Nothing where a list is
// missing or cut.
[[nodiscard]] std::optional<std::vector<std::uint64_t>> output_ids(const PlanTree& plan, NodeId id);

}  // namespace planvet
