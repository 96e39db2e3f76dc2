// Golden files: text that a person has read once and that a test pins. UPDATE_GOLDEN=1 in the environment rewrites
// them; read the diff like code.
//
//   EXPECT_TRUE(matches_golden(dump(tree), "corpus/spark-3.5/q01.tree"));
#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace planvet::test {

bool updating_goldens();

// `path` is relative to the source tree. A failure shows the lines that differ.
::testing::AssertionResult matches_golden(std::string_view actual, std::string_view path);

// The differing lines of two texts with two lines around each, "-" before what was expected, "+" before what came.
// Empty when they are equal.
std::string line_diff(std::string_view expected, std::string_view actual);

}  // namespace planvet::test
