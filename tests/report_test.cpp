// What a report keeps of a plan once it was judged.

#include "analyzer/report/report.hpp"

#include <string_view>

#include <gtest/gtest.h>

#include "tests/lint_text.hpp"

namespace planvet::test {
namespace {

TEST(Report, KeepsOfAPlanWhatItsFindingsSay) {
  std::vector<DocumentReport> reports = lint(
      "== Physical Plan ==\n"
      "CartesianProduct\n"
      ":- FileScan parquet shop.orders[a#1]\n"
      "+- FileScan parquet shop.rates[b#2]\n");
  ASSERT_EQ(reports.size(), 1U);
  ASSERT_FALSE(reports[0].findings.empty());
  const std::string before = dump(reports);
  release_plans(reports[0]);
  EXPECT_TRUE(reports[0].document.fragments.empty());
  EXPECT_EQ(dump(reports), before);
  EXPECT_EQ(reports[0].findings[0].subject.tables, (std::vector<std::string>{"shop.orders", "shop.rates"}));
}

TEST(Report, KeepsNoBytesOfACleanPlan) {
  std::vector<DocumentReport> reports =
      lint("== Physical Plan ==\nProject [a#1]\n+- FileScan parquet shop.orders[a#1]\n");
  ASSERT_EQ(reports.size(), 1U);
  ASSERT_TRUE(reports[0].findings.empty());
  ASSERT_TRUE(reports[0].notes.empty());
  release_plans(reports[0]);
  EXPECT_EQ(reports[0].document.source->bytes().bytes().size(), 0U);
  EXPECT_EQ(reports[0].document.source->path(), "plan.txt");
}

}  // namespace
}  // namespace planvet::test
