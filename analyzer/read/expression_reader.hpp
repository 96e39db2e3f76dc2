#pragma once

// Text -> ExpressionTree. Total: never throws on any text, gives one Opaque node for what it cannot read, and needs
// time linear in the text. The views in the tree are into the given text.

#include <string_view>
#include <vector>

#include "analyzer/plan/expression.hpp"

namespace planvet {

// One expression of a plan: a condition, one item of a list, a whole `Arguments:` item.
ExpressionTree parse_expression(std::string_view text);

// One predicate as a V1 source lists it, `EqualTo(a,5)` or `*IsNotNull(A)`, or as V2 sources print it, `a = 5`.
// Columns are attributes without an id.
ExpressionTree parse_pushed_filter(std::string_view text);

// The predicates of `PushedFilters: [..]` or of Iceberg's `filters=..`: with or without the brackets. A cut list ends
// with a tree whose root is More or Opaque.
std::vector<ExpressionTree> parse_pushed_filters(std::string_view list);

}  // namespace planvet
