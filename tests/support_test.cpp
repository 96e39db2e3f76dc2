// The test helpers themselves: a helper that cannot fail would make every test that uses it worthless.

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "tests/support/cases.hpp"
#include "tests/support/files.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/shell.hpp"

namespace planvet::test {
namespace {

TEST(Glob, StarStaysInOneFolder) {
  EXPECT_TRUE(glob_matches("corpus/*.txt", "corpus/a.txt"));
  EXPECT_FALSE(glob_matches("corpus/*.txt", "corpus/b/a.txt"));
  EXPECT_FALSE(glob_matches("corpus/*.txt", "corpus/a.json"));
}

TEST(Glob, TwoStarsSpanFoldersAndBracesChoose) {
  for (const char* path : {"corpus/a.txt", "corpus/b/a.txt", "corpus/b/c/a.json"})
    EXPECT_TRUE(glob_matches("corpus/**/*.{txt,json}", path)) << path;
  EXPECT_FALSE(glob_matches("corpus/**/*.{txt,json}", "corpus/b/a.tree"));
  EXPECT_TRUE(glob_matches("corpus/**", "corpus/b/c/a.json"));
  EXPECT_FALSE(glob_matches("corpus/**", "rules/a.cpp"));
}

TEST(SourceFiles, FindsThisFileAndFailsOnNothing) {
  EXPECT_EQ(source_files("tests/support_test.cpp"), std::vector<std::string>{"tests/support_test.cpp"});
  EXPECT_NONFATAL_FAILURE(source_files("tests/**/*.nothing"), "no file matches");
}

TEST(LineDiff, ShowsWhatDiffersWithTwoLinesAround) {
  EXPECT_EQ(line_diff("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(line_diff("1\n2\n3\n4\nold\n5\n6\n7\n", "1\n2\n3\n4\nnew\n5\n6\n7\n"),
            "  ...\n  3\n  4\n- old\n+ new\n  5\n  6\n");
  EXPECT_EQ(line_diff("a\n", "a"), "  a\n- \n");
}

TEST(Golden, FailsOnOtherTextAndOnNoFile) {
  if (updating_goldens()) GTEST_SKIP() << "would write what must not exist";
  const testing::AssertionResult other = matches_golden("other\n", "tests/cases/support.cases");
  EXPECT_FALSE(other);
  EXPECT_NE(std::string_view(other.message()).find("+ other"), std::string_view::npos) << other.message();
  EXPECT_FALSE(matches_golden("", "tests/cases/nothing.golden"));
  EXPECT_TRUE(matches_golden(read_file(source_path("tests/cases/support.cases")), "tests/cases/support.cases"));
}

TEST(Cases, ReadsEscapesCommentsAndPadding) {
  const std::vector<Case> cases = read_cases("tests/cases/support.cases");
  ASSERT_EQ(cases.size(), 5u);
  EXPECT_EQ(cases[0].input, "plain");
  EXPECT_EQ(cases[0].expected, "plain");
  EXPECT_EQ(cases[0].line, 2u);
  EXPECT_EQ(cases[1].input, "two\nlines\tand a tab");
  EXPECT_EQ(cases[2].input, " a => b ");
  EXPECT_EQ(cases[3].input, "# \x1b[0m \\d");
  EXPECT_EQ(cases[4].expected, "");
}

TEST(Cases, EscapeIsUndoneByUnescape) {
  for (const char* text : {"", " ", "  a  ", "a => b", "# a", "\\n", "\x01\x1b\x7f", "a\r\nb\t", "\\\\x41"})
    EXPECT_EQ(unescape_case(escape_case(text)), text);
}

TEST(Cases, NameTheLineThatDiffers) {
  if (updating_goldens()) GTEST_SKIP() << "would write a wrong answer";
  const auto wrong_for_plain = [](std::string_view input) {
    for (const Case& one : read_cases("tests/cases/support.cases"))
      if (one.input == input && input != "plain") return one.expected;
    return std::string("wrong");
  };
  EXPECT_NONFATAL_FAILURE(check_cases("tests/cases/support.cases", wrong_for_plain), "support.cases:2: plain");
}

TEST(Shell, GivesBothStreamsAndTheStatus) {
  const ShellResult result = run_shell("echo out; echo err >&2; cat; planvet --version >/dev/null && exit 3");
  EXPECT_EQ(result.output, "out\nerr\n");
  EXPECT_EQ(result.exit_status, 3);
}

}  // namespace
}  // namespace planvet::test
