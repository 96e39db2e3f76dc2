// Snippets: carets stand under what they mean, whatever the line is made of.

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "analyzer/render/glyphs.hpp"
#include "analyzer/render/readable.hpp"
#include "analyzer/render/snippet.hpp"

namespace planvet::test {
namespace {

using render::draw_line;
using render::DrawnLine;

constexpr std::size_t kWide = 120;

std::string drawn(std::string_view text, std::string_view marked, std::size_t columns = kWide) {
  const std::size_t begin = text.find(marked);
  const DrawnLine line = draw_line({text, begin, begin + marked.size()}, columns, "...");
  return line.text + '\n' + line.carets;
}

TEST(Snippet, ShortLinesAreWhole) {
  EXPECT_EQ(drawn("   +- * SortMergeJoin Inner (14)", "SortMergeJoin"),
            "   +- * SortMergeJoin Inner (14)\n"
            "        ^^^^^^^^^^^^^");
}

TEST(Snippet, TabsAndWideLettersTakeTheirColumns) {
  EXPECT_EQ(drawn("\t+- Sort", "Sort"), "    +- Sort\n       ^^^^");
  EXPECT_EQ(drawn("\xE5\x90\x8D\xE5\x89\x8D Sort", "Sort"), "\xE5\x90\x8D\xE5\x89\x8D Sort\n     ^^^^");
  EXPECT_EQ(drawn("x \xE5\x90\x8D y", "\xE5\x90\x8D"), "x \xE5\x90\x8D y\n  ^^");
  EXPECT_EQ(drawn("e\xCC\x81 Sort", "Sort"), "e\xCC\x81 Sort\n  ^^^^");
  EXPECT_EQ(drawn("\xF0\x9F\x98\x80 Sort", "Sort"), "\xF0\x9F\x98\x80 Sort\n   ^^^^");
}

TEST(Snippet, WhatSteersTerminalsIsNotPrinted) {
  EXPECT_EQ(drawn("\x1B[31m+- \x1B[0mSort", "Sort"), "+- Sort\n   ^^^^");
  EXPECT_EQ(drawn("\x1B]0;title\x07Sort", "Sort"), "Sort\n^^^^");
  EXPECT_EQ(drawn("a\x01 Sort", "Sort"), "a\xEF\xBF\xBD Sort\n   ^^^^");
  EXPECT_EQ(drawn("\xFF Sort", "Sort"), "\xEF\xBF\xBD Sort\n  ^^^^");
}

TEST(Snippet, LongLinesAreAWindowAroundTheCarets) {
  const std::string line = std::string(500, 'a') + " Sort " + std::string(500, 'b');
  EXPECT_EQ(drawn(line, "Sort", 40),
            "...aaaaaaaaa Sort bbbbbbbbbbbbbbbbbbb...\n"
            "             ^^^^");
  EXPECT_EQ(drawn("Sort " + line, "Sort", 40),
            "Sort aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...\n"
            "^^^^");
  EXPECT_EQ(drawn(std::string(500, 'a') + " Last", "Last", 40),
            "...aaaaaaaaa Last\n"
            "             ^^^^");
  // What is marked may itself be longer than the window.
  EXPECT_EQ(drawn("x " + std::string(500, 'm'), std::string(500, 'm'), 20),
            "x mmmmmmmmmmmmmmm...\n"
            "  ^^^^^^^^^^^^^^^^^^");
}

TEST(Snippet, AOneLinePasteOfMegabytesIsNotScanned) {
  const std::string line = std::string(50'000'000, 'a') + " Sort " + std::string(1000, 'b');
  EXPECT_EQ(drawn(line, "Sort", 40),
            "...aaaaaaaaa Sort bbbbbbbbbbbbbbbbbbb...\n"
            "             ^^^^");
}

TEST(Snippet, EmptyMarksAndEndsGetOneCaret) {
  EXPECT_EQ(draw_line({"Sort", 4, 4}, kWide, "...").carets, "    ^");
  EXPECT_EQ(draw_line({"", 0, 0}, kWide, "...").carets, "^");
  EXPECT_EQ(draw_line({"Sort", 99, 120}, kWide, "...").carets, "    ^");
}

TEST(Readable, LosesIdsAndOuterBracketsOnly) {
  using render::readable;
  EXPECT_EQ(readable("((qty#12 > 3) AND isnotnull(id#3L))"), "(qty > 3) AND isnotnull(id)");
  EXPECT_EQ(readable("((a#1))"), "a");
  EXPECT_EQ(readable("(a#1) + (b#2)"), "(a) + (b)");
  EXPECT_EQ(readable("(a#1 + (b#2)"), "(a + (b)");
  EXPECT_EQ(readable("tag#1#305"), "tag#1");
  EXPECT_EQ(readable("ts#3-T600000ms"), "ts");
  EXPECT_EQ(readable("#fff AND x#y"), "#fff AND x#y");
  EXPECT_EQ(readable("(p#1 > Subquery subquery#7, [id=#20])"), "p > Subquery subquery#7");
  const std::string deep = std::string(200'000, '(') + "a#1" + std::string(200'000, ')');
  EXPECT_EQ(readable(deep), "a");
}

TEST(Glyphs, CutTextFitsAndSaysSo) {
  using render::cut_to_width;
  EXPECT_EQ(cut_to_width("abcdef", 6, "..."), "abcdef");
  EXPECT_EQ(cut_to_width("abcdefg", 6, "..."), "abc...");
  EXPECT_EQ(cut_to_width("abcdefg", 2, "..."), "");
  EXPECT_EQ(cut_to_width("\xE5\x90\x8D\xE5\x90\x8D\xE5\x90\x8D", 5, "."), "\xE5\x90\x8D\xE5\x90\x8D.");
  EXPECT_EQ(render::display_width("\xE5\x90\x8D\t\x1B[1mx"), 7U);
  EXPECT_EQ(render::one_line("a\nb\tc"), "a b c");
}

}  // namespace
}  // namespace planvet::test
