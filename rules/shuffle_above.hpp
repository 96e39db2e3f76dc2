// The shuffle that takes an operator's rows next, and how many it wrote.
#pragma once

#include <optional>

#include "rules/plan_context.hpp"

namespace planvet::rules {

struct ShuffleAbove {
  NodeId exchange = kNoNode;
  bool is_aggregated = false;  // a (partial) aggregate lowers the rows before
};

// The next shuffle above, through projections, filters, sorts, aggregates and structure. Nothing: there is none.
[[nodiscard]] std::optional<ShuffleAbove> shuffle_above(const PlanTree& plan, NodeId node);

// What the stage of a shuffle says it wrote; nothing before it ran.
[[nodiscard]] std::optional<Quantity> rows_written(const PlanContext& context, NodeId exchange);

}  // namespace planvet::rules
