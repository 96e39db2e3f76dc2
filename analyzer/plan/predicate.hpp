#pragma once

// Is this condition of a Filter among the predicates that the source was given?
//
//   (n#1 = 5)                     EqualTo(n,5)           n = 5
//   StartsWith(str#2, k1)         StringStartsWith(str,k1)   str LIKE 'k1%'
//   flag#3                        EqualTo(flag,true)     flag = true
//   NOT (st#4.a > 5)              LessThanOrEqual(st.a,5)
//   (dt#5 = 2024-01-05)           EqualTo(dt,2024-01-05) dt = 19727
//
// A condition is an expression of a plan (columns with ids), a pushed predicate is what parse_pushed_filters() reads.

#include <cstdint>

#include "analyzer/plan/expression.hpp"

namespace planvet {

enum class Answer : std::uint8_t { No, Yes, Unknown };

// Unknown: a part of either is opaque or cut, or the renderings cannot be compared (binary values, objects).
Answer same_predicate(const ExpressionTree& condition, ExpressionIndex condition_root, const ExpressionTree& pushed,
                      ExpressionIndex pushed_root);

// isnotnull(column) or isnull(column), in any of the printed forms: what Spark adds by itself.
bool is_null_test(const ExpressionTree& tree, ExpressionIndex root);

}  // namespace planvet
