// What only all queries of an application tell: who reads a cached relation, and with which filter.

#include "rules/application.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/lint_text.hpp"

namespace planvet::test {
namespace {

constexpr std::string_view kCache = R"(InMemoryTableScan [id#1L, qty#2]
{0}   +- InMemoryRelation [id#1L, qty#2], StorageLevel(disk, memory, deserialized, 1 replicas)
{0}         +- *(1) ColumnarToRow
{0}            +- FileScan parquet shop.sales[id#{1}L,qty#2] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint,qty:int>
)";
constexpr std::string_view kHead = "-- test: query 0-9000\n== Physical Plan ==\n";

// A query that reads a cache with a filter; `number` tells caches apart.
std::string filtered(std::string_view condition, int number = 1) {
  return fmt::format("{}*(1) Filter {}\n+- {}", kHead, condition, fmt::format(fmt::runtime(kCache), "  ", number));
}
std::string whole() { return fmt::format("{}{}", kHead, fmt::format(fmt::runtime(kCache), "", 1)); }
std::string joined() {
  return fmt::format("{}CartesianProduct\n:- {}+- {}", kHead, fmt::format(fmt::runtime(kCache), ":  ", 1),
                     fmt::format(fmt::runtime(kCache), "   ", 1));
}
std::string counted() {
  std::string text = whole();
  text.replace(text.find("[id#1L, qty#2]"), 14, "");
  return text;
}

// "3: message", a finding a line; "skipped" where the rule could not judge.
std::string judged(const std::vector<std::string>& queries, const rules::ApplicationRun& run = {true, {}},
                   const RuleSettings& settings = {}) {
  std::vector<DocumentReport> reports;
  std::int64_t number = 3;
  for (const std::string& query : queries) {
    for (DocumentReport& report : lint(query)) {
      report.document.execution_id = number++;
      reports.push_back(std::move(report));
    }
  }
  rules::judge_application(reports, run, settings);
  std::string text;
  bool is_skipped = false;
  for (const DocumentReport& report : reports) {
    for (const Finding& finding : report.findings) {
      if (finding.rule->code == "PV210")
        text += fmt::format("{} {}: {}\n", name(finding.severity), *report.document.execution_id, finding.message);
    }
    for (const SkippedRule& skipped : report.skipped) is_skipped = is_skipped || skipped.rule->code == "PV210";
  }
  return text + (is_skipped ? "skipped\n" : "");
}

constexpr std::string_view kFive = "(isnotnull(qty#2) AND (qty#2 = 5))";
constexpr std::string_view kOnce =
    "info 3: no other query of the application reads the cached rows of shop.sales, and this one once: filling the "
    "cache "
    "gained nothing\n";
constexpr std::string_view kSame =
    "info 3: queries 3 and 4 read the cached rows of shop.sales, each with the filter (qty = 5): the cache is filled "
    "with "
    "rows that nobody reads\n";

TEST(Application, CachesThatAreReadOnce) {
  EXPECT_EQ(judged({whole()}), kOnce);
  EXPECT_EQ(judged({filtered(kFive)}), kOnce);
  EXPECT_EQ(judged({filtered(kFive), filtered("(qty#2 = 5)", 7)}),
            std::string(kOnce) +
                "info 4: no other query of the application reads the cached rows of shop.sales, and this one once: "
                "filling the "
                "cache gained nothing\n");
}

TEST(Application, CachesThatAreReadAlike) { EXPECT_EQ(judged({filtered(kFive), filtered("(qty#12 = 5)")}), kSame); }

TEST(Application, CachesThatAreOfUse) {
  EXPECT_EQ(judged({whole(), whole()}), "");
  EXPECT_EQ(judged({filtered(kFive), whole()}), "");
  EXPECT_EQ(judged({filtered(kFive), filtered("(qty#2 = 6)")}), "");
  EXPECT_EQ(judged({joined()}), "");            // twice, by one query
  EXPECT_EQ(judged({counted()}), "");           // filled; RDDs may read it
  EXPECT_EQ(judged({counted(), whole()}), "");  // two queries
  EXPECT_EQ(judged({filtered("isnotnull(qty#2)"), filtered("isnotnull(qty#2)")}), "");
  EXPECT_EQ(judged({filtered("(hash(qty#2, 42) = 5)"), filtered("(hash(qty#2, 42) = 5)")}), "");
}

TEST(Application, WhatMayHaveOtherReadersIsSkipped) {
  EXPECT_EQ(judged({whole()}, {false, {}}), "skipped\n");
  EXPECT_EQ(judged({whole()}, {true, 4}), "skipped\n");  // a job of no query, behind the one that fills the cache
  EXPECT_EQ(judged({filtered(kFive), filtered(kFive)}, {true, 4}), "skipped\n");
}

TEST(Application, SettingsHold) {
  RuleSettings settings;
  settings.ignore = {"PV210"};
  EXPECT_EQ(judged({whole()}, {true, {}}, settings), "");
  settings.ignore.clear();
  settings.severity["filter-above-cache"] = Severity::Error;
  EXPECT_TRUE(judged({whole()}, {true, {}}, settings).starts_with("error 3"));
}

}  // namespace
}  // namespace planvet::test
