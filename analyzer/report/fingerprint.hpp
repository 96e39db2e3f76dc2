// The identity of a finding, for baselines and for code hosts that track findings from run to run.
//
// xxh128 of plan path, rule, the operator's context and the ordinal among equal ones. The context is what stays when the
// plan is made again: operator, join type, keys and conditions with expression ids and numbers of partitions taken out,
// and the tables below; no lines, locations, sizes.
#pragma once

#include <span>
#include <string>

#include "analyzer/plan/plan_tree.hpp"
#include "analyzer/report/report.hpp"

namespace planvet {

[[nodiscard]] std::string operator_context(const PlanTree& plan, NodeId node);

// Of all findings of the documents of one input, in their order.
void assign_fingerprints(std::span<DocumentReport> documents);

}  // namespace planvet
