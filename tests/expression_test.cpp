#include "analyzer/plan/expression.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "analyzer/plan/expression_list.hpp"
#include "analyzer/plan/predicate.hpp"
#include "analyzer/read/expression_reader.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/cpu_clock.hpp"

namespace planvet {
namespace {

// What the arena promises: children before parents, subtrees contiguous, every node but the root has one parent.
std::string broken_invariant(const ExpressionTree& tree) {
  std::vector<int> parents(tree.size(), 0);
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    const ExpressionNode& node = tree.nodes()[i];
    if (node.begin > node.end || node.end > tree.source().size()) return "text of node " + std::to_string(i);
    if (node.name_begin > node.name_end || node.name_end > tree.source().size()) return "name of " + std::to_string(i);
    std::uint32_t next = to_number(node.subtree_begin);
    for (const ExpressionIndex child : tree.children(ExpressionIndex{i})) {
      if (to_number(child) >= i) return "child after parent " + std::to_string(i);
      if (to_number(tree[child].subtree_begin) != next) return "gap before child " + std::to_string(to_number(child));
      next = to_number(child) + 1;
      ++parents[to_number(child)];
    }
    if (next != i) return "subtree of " + std::to_string(i);
  }
  for (std::uint32_t i = 0; i + 1 < tree.size(); ++i)
    if (parents[i] != 1) return "parents of " + std::to_string(i);
  if (tree.empty() || to_number(tree[tree.root()].subtree_begin) != 0) return "root";
  return {};
}

std::string dump_checked(const ExpressionTree& tree) {
  const std::string broken = broken_invariant(tree);
  return broken.empty() ? tree.dump() : "broken: " + broken;
}

std::string repeat(std::string_view text, std::size_t times) {
  std::string out;
  out.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

TEST(Expression, Cases) {
  test::check_cases("tests/cases/expressions.cases",
                    [](std::string_view text) { return dump_checked(parse_expression(text)); });
}

TEST(Expression, PushedFilterCases) {
  test::check_cases("tests/cases/pushed_filters.cases", [](std::string_view text) {
    std::string out;
    for (const ExpressionTree& tree : parse_pushed_filters(text)) {
      if (!out.empty()) out += " ; ";
      if (tree.has(tree.root(), ExpressionFlag::FullyPushed)) out += '*';
      out += dump_checked(tree);
    }
    return out;
  });
}

// `condition | pushed => yes`
TEST(Expression, PredicateCases) {
  test::check_cases("tests/cases/predicates.cases", [](std::string_view text) -> std::string {
    const std::size_t bar = text.find(" | ");
    if (bar == std::string_view::npos) return "no ` | `";
    const ExpressionTree condition = parse_expression(text.substr(0, bar));
    const ExpressionTree pushed = parse_pushed_filter(text.substr(bar + 3));
    switch (same_predicate(condition, condition.root(), pushed, pushed.root())) {
      case Answer::No: return "no";
      case Answer::Yes: return "yes";
      case Answer::Unknown: return "unknown";
    }
    return "none of the answers";
  });
}

// `[n] list => items in brackets, and what is wrong`
TEST(Expression, ListCases) {
  test::check_cases("tests/cases/lists.cases", [](std::string_view text) {
    std::size_t count = kAnyCount;
    if (text.size() > 3 && text[1] == ':') {
      count = static_cast<std::size_t>(text[0] - '0');
      text.remove_prefix(3);
    }
    const ItemList list = split_list(text, count);
    std::string out;
    for (const std::string_view item : list.items) out.append("<").append(item).append(">");
    if (list.is_truncated) out += " truncated";
    if (list.missing > 0) out += " " + std::to_string(list.missing) + " missing";
    if (!list.is_balanced) out += " unbalanced";
    if (!list.has_expected_count) out += " wrong count";
    return out;
  });
}

TEST(Expression, ViewsAndHelpers) {
  const ExpressionTree tree = parse_expression(
      "(((isnotnull(a#1L) AND (cast(st#2.b as string) = x)) AND NOT (ts#3-T60000ms > 5)) AND (p#4 OR q#5))");
  ASSERT_EQ(broken_invariant(tree), "");
  const std::vector<ExpressionIndex> conjuncts = tree.conjuncts(tree.root());
  ASSERT_EQ(conjuncts.size(), 4U);
  EXPECT_EQ(tree.text(conjuncts[0]), "isnotnull(a#1L)");
  EXPECT_EQ(tree.text(conjuncts[1]), "(cast(st#2.b as string) = x)");
  EXPECT_EQ(tree.disjuncts(conjuncts[3]).size(), 2U);

  const ExpressionIndex a = tree.child(conjuncts[0], 0);
  EXPECT_TRUE(tree.has(a, ExpressionFlag::Long));
  EXPECT_EQ(tree.expr_id(a), 1U);
  EXPECT_TRUE(tree.is_column(a));
  EXPECT_TRUE(is_null_test(tree, conjuncts[0]));
  EXPECT_FALSE(is_null_test(tree, conjuncts[1]));

  const ExpressionIndex cast = tree.child(conjuncts[1], 0);
  EXPECT_EQ(tree.name(cast), "string");
  EXPECT_EQ(tree.function_name(cast), "cast");
  EXPECT_FALSE(tree.is_column(cast));
  EXPECT_EQ(tree.text(tree.column_below_casts(cast)), "st#2");
  EXPECT_TRUE(tree.is_column(tree.child(cast, 0)));
  EXPECT_TRUE(tree.is_constant(tree.child(conjuncts[1], 1)));

  const ExpressionIndex watermarked = tree.child(tree.child(conjuncts[2], 0), 0);
  EXPECT_EQ(tree.watermark_delay_ms(watermarked), 60000);
  EXPECT_EQ(tree.watermark_delay_ms(a), -1);

  std::vector<std::string> names;
  tree.for_each_attribute(tree.root(), [&](ExpressionIndex index) { names.emplace_back(tree.name(index)); });
  EXPECT_EQ(names, (std::vector<std::string>{"a", "st", "ts", "p", "q"}));
  EXPECT_TRUE(tree.refers_to(tree.root(), 5));
  EXPECT_FALSE(tree.refers_to(conjuncts[0], 5));
  EXPECT_FALSE(tree.contains_opaque(tree.root()));
  EXPECT_TRUE(parse_expression("x#1 INSET 1, ... 3 more fields").is_truncated(ExpressionIndex{3}));
}

TEST(Expression, ColumnsAreReadFromTheRight) {
  const auto read = [](std::string_view text) {
    const AttributeText attribute = read_attribute_text(text);
    return std::string(attribute.name) + "|" +
           (attribute.expr_id == kNoExprId ? "none" : std::to_string(attribute.expr_id)) +
           (attribute.is_long ? "L" : "");
  };
  EXPECT_EQ(read("a#1"), "a|1");
  EXPECT_EQ(read("order id, x#301L"), "order id, x|301L");
  EXPECT_EQ(read("tag#1#305"), "tag#1|305");
  EXPECT_EQ(read("a AS b#7#310"), "a AS b#7|310");
  EXPECT_EQ(read("ts#3-T600000ms"), "ts|3");
  EXPECT_EQ(read("terms"), "|none");
  EXPECT_EQ(read("a#"), "|none");
  EXPECT_EQ(read("12"), "|none");
  EXPECT_EQ(read(""), "|none");
}

TEST(Expression, LongChainsAreNotNested) {
  constexpr std::size_t kCount = 20000;
  const std::string text = repeat("(", kCount) + "(a#1 = 0)" + repeat(" OR (a#1 = 1))", kCount);
  const ExpressionTree tree = parse_expression(text);
  EXPECT_EQ(broken_invariant(tree), "");
  EXPECT_EQ(tree.disjuncts(tree.root()).size(), kCount + 1);
  EXPECT_FALSE(tree.dump().empty());

  const std::string pushed = repeat("Or(", kCount) + "EqualTo(a,0)" + repeat(",EqualTo(a,1))", kCount);
  const ExpressionTree filter = parse_pushed_filter(pushed);
  EXPECT_EQ(broken_invariant(filter), "");
  EXPECT_EQ(same_predicate(tree, tree.root(), filter, filter.root()), Answer::Yes);
}

// Up to a million characters each; quadratic time would take minutes, and recursion would crash.
TEST(Expression, HostileTextTakesLinearTime) {
  constexpr std::size_t kMany = 60000;
  std::vector<std::string> texts;
  for (const std::string_view unit : {"(",
                                      "[",
                                      "f(",
                                      "NOT ",
                                      "-",
                                      "CASE WHEN ",
                                      "if (",
                                      "a#1.",
                                      "a#1[",
                                      "(a#1 AND ",
                                      "(((a#1 ",
                                      "x IN (",
                                      " AS ",
                                      ", ",
                                      "INTERVAL '",
                                      "Subquery ",
                                      "'",
                                      "\"",
                                      "`",
                                      "#",
                                      "#1",
                                      "((a#1 = 1) AND ",
                                      "f(a#1, ",
                                      " LIKE ",
                                      "Or(",
                                      "Not(",
                                      "EqualTo(",
                                      "And(a,",
                                      "(a = 1 OR ",
                                      "NOT (",
                                      "[B@",
                                      "input[",
                                      "lambda ",
                                      " FILTER (WHERE ",
                                      " x y#",
                                      "a AS b#1",
                                      "a INSET 1, ",
                                      "cast(",
                                      "cast(a as int), ",
                                      "(a#1 + ",
                                      " + a#1",
                                      "... ",
                                      "\n",
                                      "\x80",
                                      "{",
                                      "= "}) {
    texts.push_back(repeat(unit, kMany));
    texts.push_back(repeat(unit, kMany) + repeat(")", kMany));
    texts.push_back(repeat(unit, 150) + repeat(") x", 150) + repeat(" y", kMany));
    texts.push_back(repeat(repeat(unit, 100) + repeat(") x", 100), 100));
  }
  for (const std::string& text : texts) {
    const double start = test::cpu_seconds();
    const ExpressionTree tree = parse_expression(text);
    EXPECT_EQ(broken_invariant(tree), "") << text.substr(0, 20);
    EXPECT_FALSE(tree.dump().empty() && !text.empty());
    tree.conjuncts(tree.root());
    const std::vector<ExpressionTree> filters = parse_pushed_filters(text);
    for (std::size_t i = 0; i < filters.size() && i < 3; ++i)
      same_predicate(tree, tree.root(), filters[i], filters[i].root());
    split_list(text);
    split_list(text, 7);
    EXPECT_LT(test::cpu_seconds() - start, 20.0) << text.substr(0, 20);
  }
}

// Every prefix of every case is read as something.
TEST(Expression, CutTextIsReadToo) {
  for (const test::Case& one : test::read_cases("tests/cases/expressions.cases")) {
    for (std::size_t length = 0; length <= one.input.size(); ++length) {
      const std::string_view text = std::string_view(one.input).substr(0, length);
      const ExpressionTree tree = parse_expression(text);
      ASSERT_EQ(broken_invariant(tree), "") << text;
      const ExpressionTree filter = parse_pushed_filter(text);
      ASSERT_EQ(broken_invariant(filter), "") << text;
      same_predicate(tree, tree.root(), filter, filter.root());
    }
  }
}

}  // namespace
}  // namespace planvet
