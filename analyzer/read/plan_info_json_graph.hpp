// Which nodes of a SparkPlanInfo are the same operator, and what numbers the Spark UI gives them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzer/read/plan_info_json_syntax.hpp"

namespace planvet::read::plan_info {

// SparkPlanInfo repeats what a ReusedExchange or ReusedSubquery reads below it. Equal hashes: equal name, text and
// children.
[[nodiscard]] std::vector<std::uint64_t> subtree_hashes(std::string_view bytes, const Plan& plan);

// The node ids of the Spark UI's plan graph, one for each node of the plan; kNone for nodes that it does not draw.
// `hashes`: of its subtrees.
[[nodiscard]] std::vector<std::uint32_t> graph_ids(std::string_view bytes, const Plan& plan,
                                                   const std::vector<std::uint64_t>& hashes);

}  // namespace planvet::read::plan_info
