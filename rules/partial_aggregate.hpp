// The half of an aggregation that runs before the shuffle.
#pragma once

#include "analyzer/plan/plan_tree.hpp"

namespace planvet::rules {

// Does this aggregate only make less of what `exchange`, above it, shuffles?
[[nodiscard]] bool is_partial_aggregate(const PlanTree& plan, NodeId aggregate, NodeId exchange);

}  // namespace planvet::rules
