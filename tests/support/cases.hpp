// Tables of `input => expected`, one case a line, in tests/cases/NAME.cases:
//
//   # a comment; empty lines are fine
//   (a#1 > 5)                 => gt(a#1, 5)
//   two\nlines and a tab\t    => dump
//
// Spaces around both sides are padding. Escapes on both sides: \n \t \r \s (a space that counts) \\ \# and \xHH.
// The first " => " separates; write \s=> for one that does not. UPDATE_GOLDEN=1 rewrites the right sides.
//
//   TEST(Expression, Cases) {
//     check_cases("tests/cases/expressions.cases", [](std::string_view text) { return dump(parse(text)); });
//   }
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace planvet::test {

struct Case {
  std::string input;
  std::string expected;
  std::size_t line;  // in the table, from 1
};

// `path` is relative to the source tree. A line that is no case, and a table without cases, are test failures.
std::vector<Case> read_cases(std::string_view path);

// One non-fatal failure for each case whose answer differs, with the table's line.
void check_cases(std::string_view path, const std::function<std::string(std::string_view)>& answer);

std::string escape_case(std::string_view text);
std::string unescape_case(std::string_view text);

}  // namespace planvet::test
