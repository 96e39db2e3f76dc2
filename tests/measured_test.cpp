// What an event log measured, as rules ask for it (analyzer/facts/measured.hpp), and what a fix could save.
#include "analyzer/facts/measured.hpp"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "analyzer/read/explain_text.hpp"
#include "analyzer/render/findings.hpp"
#include "tests/lint_text.hpp"

namespace planvet::test {
namespace {

//   0 AdaptiveSparkPlan, 1 HashAggregate, 2 AQEShuffleRead, 3 ShuffleQueryStage, 4 Exchange, 5 HashAggregate,
//   6 Filter, 7 ColumnarToRow, 8 FileScan
constexpr std::string_view kPlan = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=true
+- == Final Plan ==
   *(2) HashAggregate(keys=[store#2], functions=[count(1)])
   +- AQEShuffleRead coalesced
      +- ShuffleQueryStage 0
         +- Exchange PARTITIONING, ENSURE_REQUIREMENTS, [plan_id=20]
            +- *(1) HashAggregate(keys=[store#2], functions=[partial_count(1)])
               +- *(1) Filter (qty#3 > 5)
                  +- *(1) ColumnarToRow
                     +- FileScan parquet shop.sales[store#2,qty#3] Batched: true, Format: Parquet
)";
constexpr std::string_view kHash = "hashpartitioning(store#2, 200)";
constexpr std::string_view kMetrics = R"(-- test: query 0-90000
-- test: stage 1: 8 tasks, 1000-31000
-- test: stage 2: 8 tasks, 20000-60000
-- test: metric 8 sum number of output rows = 900
-- test: metric 8 size size of files read = 4 GiB
-- test: metric 5 sum number of output rows = 70
-- test: metric 4 sum shuffle records written = 70
-- test: metric 4 sum records read = 210
-- test: metric 4 size data size = 2 KiB
-- test: metric 1 sum number of output rows = 50
-- test: stages 8 = 1
-- test: stages 5 = 1
-- test: stages 4 = 1, 2
-- test: stages 1 = 2
)";

PlanDocument read_plan(const std::string& metrics, std::string_view partitioning) {
  std::string text(kPlan);
  text.replace(text.find("PARTITIONING"), 12, partitioning);
  PlanDocument result;
  read::kExplainText.read(std::make_shared<const SourceBytes>("plan.txt", text),
                          [&](PlanDocument&& document) { result = std::move(document); });
  result.metrics = measured_text(metrics);
  return result;
}

class MeasuredPlan {
 public:
  explicit MeasuredPlan(const std::string& metrics, std::string_view partitioning = kHash)
      : document_(read_plan(metrics, partitioning)), measured_(*document_.metrics, document_.fragments.front().tree) {}
  const Measured* operator->() const { return &measured_; }

 private:
  PlanDocument document_;
  Measured measured_;
};

std::string with(std::string metrics, std::string_view from, std::string_view to) {
  const std::size_t at = metrics.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return metrics.replace(at, from.size(), to);
}

TEST(Measured, RowsAreThoseWrittenNotThoseReadAgain) {
  const MeasuredPlan plan{std::string(kMetrics)};
  EXPECT_EQ(plan->rows(NodeId{4})->value, 70);
  EXPECT_EQ(plan->rows_out(NodeId{2})->value, 70);  // through structure
  EXPECT_EQ(plan->rows(NodeId{1})->value, 50);
  EXPECT_TRUE(plan->rows(NodeId{1})->is_at_most && plan->rows(NodeId{1})->is_at_least);
  EXPECT_EQ(plan->bytes_out(NodeId{3})->value, 2048);
}

TEST(Measured, AFilterWithoutTheMetricKeptNothing) {
  const MeasuredPlan plan{std::string(kMetrics)};
  ASSERT_TRUE(plan->rows(NodeId{6}));
  EXPECT_EQ(plan->rows(NodeId{6})->value, 0);
  const MeasuredPlan failed(with(std::string(kMetrics), "0-90000", "0-90000 failed"));
  EXPECT_FALSE(failed->rows(NodeId{6}));
}

TEST(Measured, PartsAreLowerBounds) {
  const MeasuredPlan cut(std::string(kMetrics) + "-- test: doubt 8 incomplete-log\n");
  EXPECT_FALSE(cut->rows(NodeId{8})->is_at_most);
  EXPECT_TRUE(cut->rows(NodeId{8})->is_at_least);
  const MeasuredPlan running(with(std::string(kMetrics), "1000-31000", "1000-"));
  EXPECT_FALSE(running->rows(NodeId{8})->is_at_most);
  EXPECT_TRUE(running->rows(NodeId{1})->is_at_most);  // of another stage
}

// A sort by range computes its input once more, to choose the ranges.
TEST(Measured, RowsBelowARangeAreUpperBounds) {
  const MeasuredPlan plan{std::string(kMetrics), "rangepartitioning(store#2 ASC NULLS FIRST, 200)"};
  EXPECT_FALSE(plan->rows(NodeId{8})->is_at_least);
  EXPECT_TRUE(plan->rows(NodeId{4})->is_at_least);
}

// A Cartesian product computes each side once for every partition of the other.
TEST(Measured, RowsBelowACartesianProductAreUpperBounds) {
  const auto bytes = std::make_shared<const SourceBytes>("plan.txt", R"(== Physical Plan ==
CartesianProduct
:- *(1) Range (0, 9000, step=1, splits=2)
+- *(2) Range (0, 8000, step=1, splits=2)
)");
  PlanDocument document;
  read::kExplainText.read(bytes, [&](PlanDocument&& read) { document = std::move(read); });
  const auto metrics = measured_text(
      "-- test: query 0-9\n-- test: stage 1: 4 tasks, 1-5\n-- test: metric 1 sum number of output rows = 18000\n"
      "-- test: metric 0 sum number of output rows = 72000000\n-- test: stages 1 = 1\n-- test: stages 0 = 1\n");
  const Measured plan(*metrics, document.fragments.front().tree);
  EXPECT_FALSE(plan.rows(NodeId{1})->is_at_least);
  EXPECT_TRUE(plan.rows(NodeId{0})->is_at_least);
}

TEST(Measured, StagesOfAnExchangeWriteAndRead) {
  const MeasuredPlan plan{std::string(kMetrics)};
  EXPECT_EQ(plan->stages(NodeId{4}), (std::vector<std::int32_t>{1, 2}));
  EXPECT_EQ(plan->writing_stages(NodeId{4}), (std::vector<std::int32_t>{1}));
  EXPECT_EQ(plan->stages(NodeId{6}), (std::vector<std::int32_t>{1}));  // without metrics of its own
  EXPECT_EQ(plan->tasks(NodeId{4}), 8);
}

TEST(Measured, WallTimeCountsOnceWhereStagesOverlap) {
  const MeasuredPlan plan{std::string(kMetrics)};
  const std::vector<std::int32_t> both{1, 2};
  EXPECT_EQ(plan->wall_ms(both), 59000);
  EXPECT_EQ(plan->wall_ms(std::vector<std::int32_t>{1}), 30000);
  EXPECT_EQ(plan->wall_ms(std::vector<std::int32_t>{7}), std::nullopt);
  const MeasuredPlan running(with(std::string(kMetrics), "20000-60000", "20000-"));
  EXPECT_EQ(running->wall_ms(both), std::nullopt);
}

// ---- Ranks

Finding finding_of(Severity severity, std::optional<double> saving) {
  Finding finding;
  finding.severity = severity;
  finding.saving_upper_bound_ms = saving;
  return finding;
}

std::vector<DocumentReport> reports(InputKind input) {
  const auto bytes = std::make_shared<const SourceBytes>("app.log", "");
  std::vector<DocumentReport> all(2);
  for (DocumentReport& report : all) {
    report.document.source = std::make_shared<const Source>(bytes);
    report.document.input = input;
  }
  all[0].findings = {finding_of(Severity::Error, std::nullopt), finding_of(Severity::Info, 500)};
  all[1].findings = {finding_of(Severity::Warning, 9000), finding_of(Severity::Error, 500)};
  return all;
}

std::string order(const std::vector<render::ActiveFinding>& findings) {
  std::string text;
  for (const render::ActiveFinding& active : findings) {
    const auto& saving = active.finding->saving_upper_bound_ms;
    text += fmt::format("{} {};", name(active.finding->severity), saving ? fmt::format("{:.0f}", *saving) : "-");
  }
  return text;
}

TEST(Ranking, OfALogByWhatCouldBeSaved) {
  const auto log = reports(InputKind::EventLog);
  EXPECT_EQ(render::read_as_one(log, 0).size(), 2U);
  EXPECT_EQ(order(render::ranked_findings(log)), "warning 9000;error 500;info 500;error -;");
}

TEST(Ranking, PlansStayInTheirOrder) {
  const auto plans = reports(InputKind::ExplainFormatted);
  EXPECT_EQ(render::read_as_one(plans, 0).size(), 1U);
  EXPECT_EQ(order(render::ranked_findings(render::read_as_one(plans, 0))), "error -;info 500;");
}

}  // namespace
}  // namespace planvet::test
