// The example in a rule's page is its first test: `bad` is reported exactly once, `good` never.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "rules/rule.hpp"
#include "tests/lint_text.hpp"

namespace planvet::test {
namespace {

std::size_t count_of(const std::vector<DocumentReport>& reports, const RuleInfo& rule) {
  std::size_t count = 0;
  for (const DocumentReport& report : reports) {
    for (const Finding& finding : report.findings) count += finding.rule == &rule ? 1U : 0U;
  }
  return count;
}

class RuleExamples : public ::testing::TestWithParam<const rules::Rule*> {};

TEST_P(RuleExamples, BadIsReportedExactlyOnce) {
  const RuleInfo& rule = GetParam()->info;
  const auto reports = lint(rule.bad);
  ASSERT_EQ(reports.size(), 1U) << rule.bad;
  if (rule.needs_event_log) {  // a plan alone is skipped, and counted
    EXPECT_EQ(count_of(reports, rule), 0U) << dump(reports);
    const auto& skipped = reports[0].skipped;
    EXPECT_TRUE(std::any_of(skipped.begin(), skipped.end(), [&](const auto& one) { return one.rule == &rule; }));
    return;
  }
  EXPECT_EQ(count_of(reports, rule), 1U) << dump(reports);
}

TEST_P(RuleExamples, BadIsItsOnlyFinding) {
  const RuleInfo& rule = GetParam()->info;
  for (const DocumentReport& report : lint(rule.bad)) {
    for (const Finding& finding : report.findings) EXPECT_EQ(finding.rule->name, rule.name) << dump(report);
  }
}

TEST_P(RuleExamples, BadHasAllThatAFindingNeeds) {
  const RuleInfo& rule = GetParam()->info;
  for (const DocumentReport& report : lint(rule.bad)) {
    for (const Finding& finding : report.findings) {
      EXPECT_FALSE(finding.message.empty());
      EXPECT_FALSE(finding.fix.empty());
      EXPECT_FALSE(finding.span.empty());
      EXPECT_TRUE(finding.fingerprint.starts_with("xxh128:")) << finding.fingerprint;
      EXPECT_EQ(finding.message.back() == '.', false) << finding.message;
      EXPECT_EQ(finding.message.find('#'), std::string::npos) << "an expression id: " << finding.message;
    }
  }
}

TEST_P(RuleExamples, GoodIsNeverReported) {
  const RuleInfo& rule = GetParam()->info;
  const auto reports = lint(rule.good);
  ASSERT_EQ(reports.size(), 1U) << rule.good;
  EXPECT_EQ(count_of(reports, rule), 0U) << dump(reports);
  ASSERT_FALSE(reports[0].document.fragments.empty());
  EXPECT_TRUE(reports[0].document.is_complete);
}

TEST_P(RuleExamples, PageIsWhole) {
  const RuleInfo& rule = GetParam()->info;
  EXPECT_TRUE(rule.code.size() == 5 && rule.code.starts_with("PV")) << rule.code;
  for (const std::string_view text : {rule.name, rule.summary, rule.why, rule.fix, rule.bad, rule.good, rule.limits}) {
    EXPECT_FALSE(text.empty()) << rule.code;
  }
  for (const RuleOption& option : rule.options) {
    EXPECT_FALSE(option.default_value.empty() || option.description.empty()) << rule.code << " " << option.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, RuleExamples,
                         ::testing::ValuesIn(rules::catalogue().begin(), rules::catalogue().end()),
                         [](const auto& test) {
                           std::string name(test.param->info.name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Catalogue, NamesAndCodesAreUnique) {
  std::vector<std::string_view> words;
  for (const rules::Rule* rule : rules::catalogue()) {
    words.push_back(rule->info.name);
    words.push_back(rule->info.code);
  }
  for (const RuleInfo& note : rules::note_catalogue()) {
    words.push_back(note.name);
    words.push_back(note.code);
  }
  std::sort(words.begin(), words.end());
  EXPECT_EQ(std::adjacent_find(words.begin(), words.end()), words.end());
}

}  // namespace
}  // namespace planvet::test
