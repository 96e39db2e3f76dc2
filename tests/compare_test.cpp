// What the comparison says of pairs of real plans. tests/compare/*.changes names two plans and holds every sentence;
// each was read and checked against both texts.
//
//   before: corpus/spark-3.5.9/join_star/before.formatted.txt
//   after:  corpus/spark-4.3.0/join_star/before.formatted.txt
//
//   1 shuffle into 16 partitions, it was into 200

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "analyzer/cli/snapshot_text.hpp"
#include "analyzer/compare/plan_changes.hpp"
#include "analyzer/read/expression_reader.hpp"
#include "analyzer/render/plan_changes_text.hpp"
#include "tests/support/cpu_clock.hpp"
#include "tests/support/files.hpp"
#include "tests/support/golden.hpp"

namespace planvet::test {
namespace {

constexpr ExpressionParser kParser{parse_expression, parse_pushed_filters};

std::vector<std::string> sentences(const std::string& before_text, const std::string& after_text) {
  const std::vector<PlanDocument> before = cli::read_documents("before", before_text);
  const std::vector<PlanDocument> after = cli::read_documents("after", after_text);
  if (before.empty() || after.empty()) return {"no plan"};
  const Fragment* was = judged_fragment(before.front());
  const Fragment* is = judged_fragment(after.front());
  if (was == nullptr || is == nullptr) return {"no plan"};
  return render::plan_changes_in_words(compare::plan_changes(was->tree, is->tree, kParser), kParser);
}

std::string value_of(std::string_view text, std::string_view key) {
  const std::size_t begin = text.find(key);
  if (begin == std::string_view::npos) return {};
  std::string_view rest = text.substr(begin + key.size());
  rest = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  return std::string(rest);
}

class Pairs : public testing::TestWithParam<std::string> {};

TEST_P(Pairs, SaysWhatChanged) {
  const std::string golden = read_file(source_path(GetParam()));
  const std::string before = value_of(golden, "before:");
  const std::string after = value_of(golden, "after:");
  ASSERT_FALSE(before.empty() || after.empty()) << GetParam() << " names no pair";
  std::string text = "before: " + before + "\nafter:  " + after + "\n\n";
  for (const std::string& sentence : sentences(read_file(source_path(before)), read_file(source_path(after)))) {
    text += sentence + "\n";
  }
  EXPECT_TRUE(matches_golden(text, GetParam()));
}

std::string pair_name(const testing::TestParamInfo<std::string>& pair) {
  std::string name = std::filesystem::path(pair.param).stem().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Compare, Pairs, testing::ValuesIn(source_files("tests/compare/*.changes")), pair_name);

TEST(Compare, APlanAndItselfHaveNoChanges) {
  std::size_t plans = 0;
  for (const std::string& file : source_files("corpus/{spark-3.5.9,comet-*}/*/*.{simple,formatted}.txt")) {
    const std::string text = read_file(source_path(file));
    const std::vector<std::string> said = sentences(text, text);
    if (said == std::vector<std::string>{"no plan"}) continue;
    ++plans;
    EXPECT_TRUE(said.empty()) << file << ": " << said.front();
  }
  EXPECT_GT(plans, 1000U);
}

// A chain of operators, and a change in the middle: as many plans as operators would need years.
TEST(Compare, IsLinearInThePlans) {
  const auto chain = [](int size, int changed) {
    std::ostringstream text;
    text << "== Physical Plan ==\nFilter (a#1 > 0)\n";
    for (int at = 1; at < size; ++at) {
      text << std::string(static_cast<std::size_t>(at % 50) * 3, ' ') << "+- Filter (a#1 > "
           << (at == changed ? -1 : at) << ")\n";
      if (at % 50 == 49) text << "== Physical Plan ==\nFilter (a#1 > 0)\n";
    }
    return text.str();
  };
  EXPECT_TRUE(sentences(chain(40, 0), chain(40, 0)).empty());
  // One wide plan: a union of many filtered ranges.
  const auto wide = [](int size, int changed) {
    std::ostringstream text;
    text << "== Physical Plan ==\nUnion\n";
    for (int at = 0; at < size; ++at) {
      const char connector = at + 1 == size ? '+' : ':';
      text << connector << "- *(" << at + 1 << ") Filter (id#" << at << "L > " << (at == changed ? -1 : at) << ")\n"
           << (connector == '+' ? ' ' : ':') << "  +- *(" << at + 1 << ") Range (0, 10, step=1, splits=2)\n";
    }
    return text.str();
  };
  const double begin = cpu_seconds();
  const std::vector<std::string> said = sentences(wide(5000, -1), wide(5000, 2500));
  const double seconds = cpu_seconds() - begin;
  std::printf("10,000 operators compared in %.3f CPU s\n", seconds);
  EXPECT_LT(seconds, 5);
  EXPECT_LE(said.size(), 4U);
  EXPECT_FALSE(said.empty());
}

}  // namespace
}  // namespace planvet::test
