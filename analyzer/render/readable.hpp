// Spark's expressions without what only Spark needs: `((qty#12 > 3) AND isnotnull(id#3L))` -> `qty > 3 AND isnotnull(id)`.
#pragma once

#include <string>
#include <string_view>

#include "analyzer/plan/expression_parser.hpp"

namespace planvet::render {

// On one line, without expression ids (#12, #12L, #3-T600000ms) and without brackets around the whole.
[[nodiscard]] std::string readable(std::string_view text);

// A predicate as its source lists it, `GreaterThan(qty,3)`, the way people write it: `qty > 3`.
[[nodiscard]] std::string readable_predicate(const ExpressionTree& tree, ExpressionIndex index);

}  // namespace planvet::render
