// The traps and shapes of every rule: tests/rules/NAME.txt, and beside it what is said of it, NAME.findings.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "analyzer/report/nearest_name.hpp"
#include "rules/rule.hpp"
#include "rules/run_rules.hpp"
#include "tests/lint_text.hpp"
#include "tests/support/files.hpp"
#include "tests/support/golden.hpp"

namespace planvet::test {
namespace {

std::string base_of(std::string_view path) { return std::string(path.substr(0, path.rfind('.'))); }

TEST(Rules, Fixtures) {
  for (const std::string& path : source_files("tests/rules/*.txt")) {
    auto reports = lint(read_file(source_path(path)));
    EXPECT_FALSE(reports.empty()) << path;
    // What other rules could not judge is for their fixtures: else each new rule rewrites all of these.
    for (DocumentReport& report : reports) {
      std::erase_if(report.skipped, [&](const SkippedRule& skipped) {
        return path.find(std::string(skipped.rule->code) + "_") == std::string::npos;
      });
    }
    EXPECT_TRUE(matches_golden(dump(reports), base_of(path) + ".findings")) << path;
  }
}

// `silent_PV101_*` must not be reported by PV101, `PV101_*` must be.
TEST(Rules, FixturesSayWhatTheirNamesSay) {
  for (const std::string& path : source_files("tests/rules/*.txt")) {
    std::string_view stem = path;
    stem.remove_prefix(stem.rfind('/') + 1);
    const bool is_silent = stem.starts_with("silent_");
    if (is_silent) stem.remove_prefix(7);
    if (!stem.starts_with("PV")) continue;
    const std::string_view code = stem.substr(0, 5);
    std::size_t count = 0;
    for (const DocumentReport& report : lint(read_file(source_path(path)))) {
      for (const Finding& finding : report.findings) count += finding.rule->code == code ? 1U : 0U;
      if (code.starts_with("PV9")) {
        for (const Note& note : report.notes) count += planvet::code(note.kind) == code ? 1U : 0U;
      }
    }
    EXPECT_EQ(count > 0, !is_silent) << path;
  }
}

TEST(Rules, EachHasPositiveAndSilentFixtures) {
  std::map<std::string, std::set<bool>> kinds;
  for (const std::string& path : source_files("tests/rules/*.txt")) {
    std::string_view stem = path;
    stem.remove_prefix(stem.rfind('/') + 1);
    const bool is_silent = stem.starts_with("silent_");
    if (is_silent) stem.remove_prefix(7);
    kinds[std::string(stem.substr(0, 5))].insert(is_silent);
  }
  for (const rules::Rule* rule : rules::catalogue()) {
    const bool is_of_an_application = rule->info.code == "PV210";  // one query alone proves nothing
    const std::size_t expected = is_of_an_application ? 1U : 2U;
    EXPECT_EQ(kinds[std::string(rule->info.code)].size(), expected) << rule->info.code;
  }
}

TEST(RuleSettings, SelectByNameCodeAndBeginning) {
  const RuleInfo& broadcast = rules::find_rule("PV103")->info;
  const RuleInfo& filter = rules::find_rule("unpushed-filter")->info;
  RuleSettings settings;
  EXPECT_TRUE(rules::is_enabled(broadcast, settings));
  settings.select = {"PV1"};
  EXPECT_TRUE(rules::is_enabled(broadcast, settings));
  EXPECT_FALSE(rules::is_enabled(filter, settings));
  settings.ignore = {"missed-broadcast"};
  EXPECT_FALSE(rules::is_enabled(broadcast, settings));
  settings.select = {"PV103"};
  settings.ignore = {"PV1"};
  EXPECT_TRUE(rules::is_enabled(broadcast, settings));
  settings.select = {"all"};
  EXPECT_FALSE(rules::is_enabled(broadcast, settings));
}

TEST(RuleSettings, UnknownNamesAreRefusedWithTheNearest) {
  RuleSettings settings;
  settings.select = {"missed-brodcast"};
  settings.options["exchange-count"]["maximum"] = "3";
  settings.options["exchange-count"]["max"] = "many";
  const auto problems = rules::check_settings(settings);
  ASSERT_EQ(problems.size(), 3U);
  EXPECT_EQ(problems[0].message, "unknown rule 'missed-brodcast': did you mean 'missed-broadcast'?");
  EXPECT_EQ(problems[1].message, "max = 'many': expected a number that is not negative");
  EXPECT_EQ(problems[2].message, "unknown option 'maximum': did you mean 'max'?");
}

TEST(NearestName, IsOneWithFewOtherLetters) {
  constexpr std::string_view kNames[] = {"Sort", "SortMergeJoin", "missed-broadcast", "text"};
  EXPECT_EQ(nearest_name("SortMergeJion", kNames), "SortMergeJoin");  // two letters swapped, not a Sort with a tail
  EXPECT_EQ(nearest_name("missed", kNames), "missed-broadcast");      // half a name is that name
  EXPECT_EQ(nearest_name("Sorts", kNames), "Sort");
  EXPECT_EQ(nearest_name("txet", kNames), "text");
  EXPECT_EQ(nearest_name("textual", kNames), "text");
  EXPECT_EQ(nearest_name("json", kNames), "");
}

TEST(RuleSettings, SeverityIsTheUsers) {
  KnownBeside known;
  known.settings.severity["PV101"] = Severity::Error;
  const auto reports = lint(rules::find_rule("PV101")->info.bad, known);
  ASSERT_EQ(reports.at(0).findings.size(), 1U);
  EXPECT_EQ(reports[0].findings[0].severity, Severity::Error);
}

TEST(RuleSettings, AnAllowLineSuppresses) {
  const std::string text =
      "-- planvet: allow nested-loop-join bands are a dozen rows\n" + std::string(rules::find_rule("PV101")->info.bad);
  const auto reports = lint(text);
  ASSERT_EQ(reports.at(0).findings.size(), 1U);
  EXPECT_EQ(reports[0].findings[0].suppressed_by.value_or(""), "allow line: bands are a dozen rows");
}

TEST(Fingerprints, StandWhenIdsLinesAndPlacesChange) {
  const std::string plan(rules::find_rule("PV101")->info.bad);
  std::string other = "some prose above\n\n" + plan;
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{{"#2", "#502"},
                                                                                 {"#11", "#611"},
                                                                                 {"#12", "#612"},
                                                                                 {"plan_id=20", "plan_id=77"},
                                                                                 {"file:/lake", "s3://prod"}}) {
    for (std::size_t at = other.find(from); at != std::string::npos; at = other.find(from, at + to.size())) {
      other.replace(at, from.size(), to);
    }
  }
  const auto first = lint(plan);
  const auto second = lint(other);
  ASSERT_EQ(first.at(0).findings.size(), 1U);
  ASSERT_EQ(second.at(0).findings.size(), 1U);
  EXPECT_EQ(first[0].findings[0].fingerprint, second[0].findings[0].fingerprint);

  std::string changed = plan;
  changed.replace(changed.find("amount#2 >= low"), 8, "total#2 ");
  const auto third = lint(changed);
  ASSERT_EQ(third.at(0).findings.size(), 1U);
  EXPECT_NE(first[0].findings[0].fingerprint, third[0].findings[0].fingerprint);
}

}  // namespace
}  // namespace planvet::test
