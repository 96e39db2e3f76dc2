// How many columns an operator's rows have: its own list, else what flows in. Cut lists say how many they left out.
#pragma once

#include <cstddef>
#include <optional>

#include "analyzer/plan/plan_tree.hpp"

namespace planvet::rules {

[[nodiscard]] std::optional<std::size_t> column_count(const PlanTree& plan, NodeId id);

}  // namespace planvet::rules
