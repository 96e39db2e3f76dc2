// Every expression of every formatted plan of the corpus: how many are opaque, and whether each predicate that Spark
// pushed is found again among the conditions of the same plan.

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "analyzer/plan/expression.hpp"
#include "analyzer/plan/expression_list.hpp"
#include "analyzer/plan/predicate.hpp"
#include "analyzer/read/expression_reader.hpp"
#include "tests/support/files.hpp"

namespace planvet {
namespace {

struct Counts {
  std::size_t expressions = 0;
  std::size_t opaque = 0;
  std::size_t lists = 0;
  std::size_t wrong_counts = 0;
};

void count(std::string_view text, Counts& counts) {
  const ExpressionTree tree = parse_expression(text);
  ++counts.expressions;
  if (tree.contains_opaque(tree.root())) ++counts.opaque;
}

bool is_list(std::string_view item) { return item.starts_with('[') && item.ends_with(']'); }

// `Key [2]: [a#1, b#2]`, `Arguments: [a#1 ASC NULLS FIRST], false, 0`, `Condition : (a#1 > 5)`; values that go on in the
// next line are read as far as this one goes.
void count_line(std::string_view line, Counts& counts) {
  const std::size_t colon = line.find(": ");
  if (colon == std::string_view::npos || line.front() < 'A' || line.front() > 'Z') return;
  const std::string_view key = line.substr(0, colon);
  const std::string_view value = line.substr(colon + 2);
  if (key == "Condition " || (key == "Join condition" && value != "None")) {
    count(value, counts);
  } else if (key == "Arguments" || key == "PartitionFilters") {
    for (const std::string_view item : split_list(value).items) {
      if (!is_list(item)) {
        count(item, counts);
        continue;
      }
      for (const std::string_view inner : split_list(item).items) count(inner, counts);
    }
  } else if (key.ends_with(']')) {
    const std::size_t bracket = key.find(" [");
    if (bracket == std::string_view::npos) return;
    const ItemList list = split_list(value, std::stoul(std::string(key.substr(bracket + 2))));
    ++counts.lists;
    if (!list.has_expected_count) ++counts.wrong_counts;
    for (const std::string_view item : list.items) count(item, counts);
  }
}

template <typename Visit>
void for_each_line(std::string_view text, Visit&& visit) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end > 0) visit(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

TEST(ExpressionCorpus, IsReadButForOddLiterals) {
  Counts counts;
  for (const std::string& path : test::source_files("corpus/**/*.formatted.txt"))
    for_each_line(test::read_file(test::source_path(path)), [&](std::string_view line) { count_line(line, counts); });
  const double share = 100.0 * static_cast<double>(counts.opaque) / static_cast<double>(counts.expressions);
  std::printf("%zu of %zu expressions are opaque (%.2f %%); %zu of %zu lists have another count\n", counts.opaque,
              counts.expressions, share, counts.wrong_counts, counts.lists);
  EXPECT_GT(counts.expressions, 10000U);
  // Literals with lone brackets and line breaks, objects, and cached plans inside arguments.
  EXPECT_LT(share, 0.6);
  EXPECT_LT(counts.wrong_counts * 1000, counts.lists);
}

Answer find_condition(const std::vector<ExpressionTree>& conditions, const ExpressionTree& pushed) {
  Answer best = Answer::No;
  for (const ExpressionTree& tree : conditions) {
    for (const ExpressionIndex conjunct : tree.conjuncts(tree.root())) {
      const Answer answer = same_predicate(tree, conjunct, pushed, pushed.root());
      if (answer == Answer::Yes) return answer;
      if (answer == Answer::Unknown) best = answer;
    }
  }
  return best;
}

// File sources never evaluate a predicate completely, so each one is still in a Filter. JDBC V2 sources do.
TEST(ExpressionCorpus, EveryPushedPredicateIsACondition) {
  std::size_t pushed = 0;
  std::size_t unknown = 0;
  for (const std::string& path : test::source_files("corpus/**/*.formatted.txt")) {
    if (path.find("jdbc_v2") != std::string::npos) continue;
    const std::string text = test::read_file(test::source_path(path));
    std::vector<ExpressionTree> conditions;
    std::vector<ExpressionTree> filters;
    for_each_line(text, [&](std::string_view line) {
      if (line.starts_with("Condition : ")) conditions.push_back(parse_expression(line.substr(12)));
      if (!line.starts_with("PushedFilters: ")) return;
      for (ExpressionTree& filter : parse_pushed_filters(line.substr(15))) filters.push_back(std::move(filter));
    });
    for (const ExpressionTree& filter : filters) {
      if (filter.has(filter.root(), ExpressionFlag::FullyPushed)) continue;
      ++pushed;
      const Answer answer = find_condition(conditions, filter);
      if (answer == Answer::Unknown) ++unknown;
      EXPECT_NE(answer, Answer::No) << path << ": " << filter.source();
    }
  }
  std::printf("%zu pushed predicates, %zu found, %zu unknown\n", pushed, pushed - unknown, unknown);
  EXPECT_GT(pushed, 1000U);
  EXPECT_LT(unknown * 20, pushed);  // values with line breaks, byte arrays
}

}  // namespace
}  // namespace planvet
