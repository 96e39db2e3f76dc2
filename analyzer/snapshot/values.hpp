// The value of one attribute, brought into the order and the wording that every session would print.
#pragma once

#include <string>
#include <string_view>

#include "analyzer/plan/expression_parser.hpp"
#include "analyzer/plan/plan_tree.hpp"
#include "analyzer/snapshot/identifiers.hpp"

namespace planvet::snapshot {

// Literals of expressions and source filters as `?`; the last argument of a partitioning is a number of partitions and
// stays. What cannot be read could hold one, so it goes too.
[[nodiscard]] std::string mask_literals(std::string_view text, AttributeKind kind, const ExpressionParser& parser);

// Operands of a condition's ANDs, the filters of a scan and the values of INSET by their text: Spark gives them no
// order, so no order means anything. Cut lists stay as they are.
[[nodiscard]] std::string sort_unordered(std::string_view text, const Attribute& attribute,
                                         const ExpressionParser& parser, Identifiers& identifiers);

}  // namespace planvet::snapshot
