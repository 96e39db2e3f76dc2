// planvet.toml: what it may hold, and what is said of the rest.

#include <string>
#include <string_view>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "analyzer/config/planvet_toml.hpp"
#include "tests/support/cases.hpp"

namespace planvet::test {
namespace {

std::string summary_of(const config::Settings& settings) {
  std::string out;
  const auto add = [&](const std::string& item) { out += (out.empty() ? "" : " ") + item; };
  for (const std::string& rule : settings.rules.select) add("select:" + rule);
  for (const std::string& rule : settings.rules.ignore) add("ignore:" + rule);
  if (settings.fail_on) add(fmt::format("fail-on:{}", static_cast<int>(*settings.fail_on)));
  for (const auto& [rule, severity] : settings.rules.severity) add(fmt::format("severity:{}={}", rule, name(severity)));
  for (const auto& [rule, options] : settings.rules.options)
    for (const auto& [option, value] : options) add(fmt::format("option:{}.{}={}", rule, option, value));
  for (const TableFact& table : settings.facts.tables) {
    add("table:" + table.name);
    if (table.size_bytes) add(fmt::format("size={:.0f}", *table.size_bytes));
    if (table.rows) add(fmt::format("rows={:.0f}", *table.rows));
    for (const std::string& column : table.partition_columns) add("partition=" + column);
    for (const std::string& column : table.bucket_columns) add("bucket=" + column);
  }
  if (const auto version = settings.facts.spark_version)
    add(fmt::format("spark:{}.{}.{}", version->major, version->minor, version->patch));
  for (const auto& [key, value] : settings.facts.conf) add(fmt::format("conf:{}={}", key, value));
  for (const PathList& list : settings.exclude)
    for (const std::string& pattern : list.patterns) add("exclude:" + pattern);
  if (!settings.baseline.empty()) add("baseline:" + settings.baseline);
  for (const Suppression& suppression : settings.suppressions) {
    add(fmt::format("suppress:{}@{}", suppression.rule, suppression.place.line));
    for (const std::string& pattern : suppression.paths.patterns) add("path=" + pattern);
    if (suppression.operator_kind) add(fmt::format("operator={}", info(*suppression.operator_kind).name));
    if (!suppression.table.empty()) add("table=" + suppression.table);
    add("reason=" + suppression.reason);
    if (suppression.expires) add("expires=" + to_text(*suppression.expires));
  }
  return out;
}

// Problems as planvet prints them; without any, what was understood.
std::string summary(std::string_view text) {
  const config::ConfigFile file = config::parse_planvet_toml(text);
  std::string out;
  for (const config::ConfigProblem& problem : file.problems)
    out += fmt::format("{}:{}: {}\n", problem.place.line, problem.place.column, problem.message);
  if (!file.problems.empty()) return out.substr(0, out.size() - 1);
  out = summary_of(file.settings);
  if (!file.extend.empty()) out += " extend:" + file.extend;
  for (const config::Override& override : file.overrides) {
    out += " override:";
    for (const std::string& path : override.paths) out += path + ' ';
    out += '(' + summary_of(override.settings) + ')';
  }
  return out.starts_with(' ') ? out.substr(1) : out;
}

TEST(Config, Cases) { check_cases("tests/cases/planvet_toml.cases", summary); }

TEST(Config, PlacesAreRemembered) {
  const config::ConfigFile file = config::parse_planvet_toml("select = []\n\n[rules.exchange-count]\nmax = 3\n");
  ASSERT_TRUE(file.problems.empty());
  ASSERT_TRUE(file.places.contains("select"));
  ASSERT_TRUE(file.places.contains("rules.exchange-count"));
  EXPECT_EQ(file.places.at("select").line, 1U);
  EXPECT_EQ(file.places.at("rules.exchange-count").line, 3U);
}

}  // namespace
}  // namespace planvet::test
