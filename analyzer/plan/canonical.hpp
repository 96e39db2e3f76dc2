// Which operators make the same rows? Spark reuses an exchange whose plan is equal to another's once expression ids are
// renumbered, aliases left out and commutative operands sorted. A plan that has not run prints both in full, so whoever
// counts what will run has to find the equal ones by itself.
//
//   Exchange hashpartitioning(k#1, 8)              Exchange hashpartitioning(k#21, 8)
//   +- Filter ((a#2 > 5) AND isnotnull(k#1))       +- Filter (isnotnull(k#21) AND (a#22 > 5))      equal
//      +- FileScan parquet t[k#1,a#2]                 +- FileScan parquet t[k#21,a#22]
#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/plan/expression_parser.hpp"
#include "analyzer/plan/plan_tree.hpp"

namespace planvet {

// One number for each node: operators and tables below it, without reading a single expression. Equal plans have equal
// ones; most others do not.
[[nodiscard]] std::vector<std::uint64_t> outlines(const PlanTree& plan);

// One number for each node: equal for plans that make the same rows in the same way.
[[nodiscard]] std::vector<std::uint64_t> canonical_hashes(const PlanTree& plan, const ExpressionParser& parser);

}  // namespace planvet
