// The grammars of expressions as such: no left recursion, no loop without progress.

#include <gtest/gtest.h>

#include "grammar/analysis.hpp"
#include "grammar/expression.hpp"
#include "grammar/pushed_filter.hpp"

namespace planvet::grammar {
namespace {

TEST(ExpressionGrammar, TerminatesOnEveryInput) {
  EXPECT_EQ(count_problems<whole_expression>(), 0U);
  EXPECT_EQ(count_problems<v1_pushed>(), 0U);
  EXPECT_EQ(count_problems<v1_odd_pushed>(), 0U);
  EXPECT_EQ(count_problems<v2_pushed>(), 0U);
}

}  // namespace
}  // namespace planvet::grammar
