// How much wall time a fix could save at most: `saving_upper_bound_ms`, for plans with measurements.
//
//   saving <= time in which any stage ran that computed an operator of the finding      (a union: no time counts twice)
//           + what the driver did for these operators beside the stages: listing files, building and sending broadcasts,
//             committing a write
//           <= duration of the query
//
// Stages are never split: an operator that shares a stage with others has all of it as its bound, and the bounds of
// several findings do not add up. The operators are Finding::saves: those whose work the fix may spare, so a shuffle
// with the stages that write and read it, and all that stands above a join that puts out too many rows. There is no
// bound, null, where the log tells no stages of them, or one of these stages or the query has no end in it.
#pragma once

#include <span>
#include <vector>

#include "analyzer/plan/document.hpp"
#include "analyzer/plan/plan_tree.hpp"
#include "analyzer/report/finding.hpp"

namespace planvet::rules {

// Once findings of one cause are one: its bound is that of all of them.
void set_savings(const PlanDocument& document, std::span<Finding> findings);

// Finding::saves, or what stands for it.
[[nodiscard]] std::vector<NodeId> saved_nodes(const Finding& finding);
// The operator and all above it, up to the root: where the fix makes fewer rows for all of them.
[[nodiscard]] std::vector<NodeId> up_to_root(const PlanTree& plan, NodeId node);

// Says in the messages of findings that rest on measurements why their numbers are not all that happened.
void say_doubts(const PlanDocument& document, std::span<Finding> findings);

}  // namespace planvet::rules
