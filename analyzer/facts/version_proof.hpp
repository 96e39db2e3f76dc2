// The oldest Spark that can have printed a plan: versions differ in what they print, and a paste carries no version.
#pragma once

#include <optional>

#include "analyzer/plan/document.hpp"
#include "analyzer/plan/plan_tree.hpp"

namespace planvet {

[[nodiscard]] std::optional<SparkVersion> least_version(const PlanTree& plan, const Source& source);

}  // namespace planvet
