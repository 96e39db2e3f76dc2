// One cause, one finding: merging by the lines of precedence, with rules made for the purpose.

#include "rules/precedence.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rules/rule.hpp"

namespace planvet::test {
namespace {

constexpr RuleInfo rule(std::string_view code) {
  return {.code = code, .name = code, .summary = {}, .why = {}, .fix = {}, .bad = {}, .good = {}};
}
constexpr RuleInfo kWindow = rule("window");
constexpr RuleInfo kExchange = rule("exchange");
constexpr RuleInfo kTask = rule("task");
constexpr rules::Precedence kRows[] = {{"window", "exchange"}, {"exchange", "task"}, {"window", "task"}};

Finding finding(const RuleInfo& rule, std::uint32_t node, std::vector<std::uint32_t> also_about = {}) {
  Finding finding;
  finding.rule = &rule;
  finding.node = NodeId{node};
  for (const std::uint32_t other : also_about) finding.also_about.push_back(NodeId{other});
  finding.message = std::string(rule.name) + std::to_string(node);
  return finding;
}

// "window1(exchange2 task3)", one word a finding that stays.
std::string merged(std::vector<Finding> findings) {
  rules::merge_by_precedence(findings, kRows);
  std::string text;
  for (const Finding& kept : findings) {
    text += (text.empty() ? "" : " ") + kept.message;
    for (std::size_t i = 0; i < kept.related.size(); ++i) {
      const std::string& line = kept.related[i].message;
      text += (i == 0 ? "(" : " ") + line.substr(line.rfind(' ') + 1);
    }
    if (!kept.related.empty()) text += ")";
  }
  return text;
}

TEST(Precedence, OnOneOperator) {
  EXPECT_EQ(merged({finding(kExchange, 1), finding(kWindow, 1)}), "window1(exchange1)");
  EXPECT_EQ(merged({finding(kExchange, 2), finding(kWindow, 1)}), "exchange2 window1");
}

TEST(Precedence, OnANeighbourThatEitherNames) {
  EXPECT_EQ(merged({finding(kExchange, 2, {1}), finding(kWindow, 1)}), "window1(exchange2)");
  EXPECT_EQ(merged({finding(kWindow, 1, {2}), finding(kExchange, 2)}), "window1(exchange2)");
  EXPECT_EQ(merged({finding(kWindow, 1, {9}), finding(kExchange, 2, {9})}), "window1(exchange2)");
}

TEST(Precedence, TheLastOfAChainSpeaksForAll) {
  EXPECT_EQ(merged({finding(kTask, 3, {2}), finding(kExchange, 2, {1}), finding(kWindow, 1)}),
            "window1(task3 exchange2)");
}

TEST(Precedence, RowsHaveADirectionAndPlansAreKeptApart) {
  EXPECT_EQ(merged({finding(kTask, 1), finding(kTask, 1)}), "task1 task1");
  std::vector<Finding> two_plans{finding(kExchange, 1), finding(kWindow, 1)};
  two_plans[0].fragment = 1;
  EXPECT_EQ(merged(two_plans), "exchange1 window1");
}

TEST(Precedence, TheHighestSeverityStays) {
  std::vector<Finding> findings{finding(kWindow, 1), finding(kExchange, 1)};
  findings[0].severity = Severity::Info;
  findings[1].severity = Severity::Error;
  rules::merge_by_precedence(findings, kRows);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Error);
}

TEST(Precedence, EveryLineNamesTwoRulesThatExist) {
  ASSERT_FALSE(rules::precedences().empty());
  for (const rules::Precedence& row : rules::precedences()) {
    EXPECT_NE(rules::find_rule(row.winner), nullptr) << row.winner;
    EXPECT_NE(rules::find_rule(row.loser), nullptr) << row.loser;
    EXPECT_NE(row.winner, row.loser);
  }
}

}  // namespace
}  // namespace planvet::test
