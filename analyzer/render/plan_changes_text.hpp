// What changed between two plans, one sentence a change.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analyzer/compare/plan_changes.hpp"
#include "analyzer/plan/expression_parser.hpp"

namespace planvet::render {

// "join of orders and customers: broadcast hash join became sort merge join". Equal sentences are one, "(2 times)".
[[nodiscard]] std::vector<std::string> plan_changes_in_words(std::span<const compare::Change> changes,
                                                             const ExpressionParser& parser);

}  // namespace planvet::render
