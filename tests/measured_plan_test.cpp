// Metrics of a log put on plans that were given as text: those of the same run, on every operator, and what does not
// match is said.
#include "analyzer/compare/measured_plan.hpp"

#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "analyzer/read/explain_text.hpp"
#include "tests/support/event_logs.hpp"
#include "tests/support/files.hpp"

namespace planvet::test {
namespace {

using nlohmann::json;

PlanDocument read_text(std::string text) {
  PlanDocument found;
  read::kExplainText.read(std::make_shared<const SourceBytes>("plan.txt", std::move(text)),
                          [&](PlanDocument&& document) { found = std::move(document); });
  return found;
}

std::vector<std::shared_ptr<const PlanDocument>> shared(ReadLog&& log) {
  std::vector<std::shared_ptr<const PlanDocument>> documents;
  for (PlanDocument& document : log.documents)
    documents.push_back(std::make_shared<const PlanDocument>(std::move(document)));
  return documents;
}

std::size_t metric_count(const PlanTree& tree, const metrics::TreeMetrics& metrics) {
  std::size_t count = 0;
  for (const PlanNode& node : tree.nodes()) {
    if (node.kind == OperatorKind::WholeStageCodegen) continue;  // text has no such operator
    count += metrics.of(node.id).size();
  }
  return count;
}

class MeasuredPlanTest : public testing::TestWithParam<EventLogCase> {};

// The text of each query's plan, as a user would paste it, against all queries of the log.
TEST_P(MeasuredPlanTest, TextOfAQueryGetsItsOwnMetrics) {
  const std::string& directory = GetParam().directory;
  const auto measured = shared(read_log(decompressed_file(directory + "/eventlog.zst")));
  const json answers = json::parse(decompressed_file(directory + "/sql.json.zst"));
  std::size_t compared = 0;
  std::size_t ambiguous = 0;
  for (const json& answer : answers) {
    const PlanDocument plan = read_text(answer["planDescription"]);
    const auto id = answer["id"].get<std::int64_t>();
    SCOPED_TRACE("query " + std::to_string(id));
    if (judged_fragment(plan) == nullptr || judged_fragment(plan)->tree.size() < 4) continue;
    compare::MetricsSearch search(plan);
    for (const auto& document : measured) search.offer(document);
    ASSERT_TRUE(search.found()) << search.best_likeness();
    const compare::MeasuredPlan& match = *search.found();
    const PlanDocument& found = *match.query;
    // The same query may have run twice: the last is taken, and the others are said.
    bool is_named = found.execution_id == id;
    for (const auto& other : match.as_good) is_named = is_named || other == id;
    EXPECT_TRUE(is_named) << search.describe();
    ambiguous += match.as_good.empty() ? 0U : 1U;
    EXPECT_TRUE(match.pairs.missing.empty()) << search.describe();
    std::size_t expected = metric_count(judged_fragment(found)->tree, found.metrics->judged);
    // Nodes that the text does not print: subqueries' wrappers, and what stands below a relation that proved empty.
    for (const PlanNode& node : judged_fragment(found)->tree.nodes()) {
      const bool is_printed =
          std::find(match.pairs.partner.begin(), match.pairs.partner.end(), node.id) != match.pairs.partner.end();
      if (!is_printed && node.kind != OperatorKind::WholeStageCodegen)
        expected -= found.metrics->judged.of(node.id).size();
    }
    const std::size_t moved = metric_count(judged_fragment(plan)->tree, match.metrics->judged);
    EXPECT_EQ(moved, expected);
    compared += moved;
  }
  EXPECT_GT(compared, 0U);
  // Batches of a stream are one query many times.
  if (GetParam().name.find("streaming") == std::string::npos) {
    EXPECT_LE(ambiguous, 2U);
  }
  std::printf("%s: %zu metrics stand on the pasted plans\n", GetParam().name.c_str(), compared);
}

INSTANTIATE_TEST_SUITE_P(Corpus, MeasuredPlanTest, testing::ValuesIn(event_log_cases()), [](const auto& instance) {
  std::string name = instance.param.name;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
});

constexpr std::string_view kPlan = R"(== Physical Plan ==
*(5) SortMergeJoin [a#1], [b#2], Inner
:- *(2) Sort [a#1 ASC NULLS FIRST], false, 0
:  +- Exchange hashpartitioning(a#1, 200), ENSURE_REQUIREMENTS, [plan_id=1]
:     +- *(1) Filter (isnotnull(a#1) AND (c#3 > 5))
:        +- FileScan parquet db.t[a#1,c#3] Batched: true, DataFilters: [], Format: Parquet, PushedFilters: []
+- *(4) Sort [b#2 ASC NULLS FIRST], false, 0
   +- Exchange hashpartitioning(b#2, 200), ENSURE_REQUIREMENTS, [plan_id=2]
      +- FileScan parquet db.u[b#2] Batched: true, DataFilters: [], Format: Parquet, PushedFilters: []
)";

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

TEST(OperatorPairs, OtherIdsAreTheSamePlan) {
  const PlanDocument plan = read_text(std::string(kPlan));
  std::string other_ids(kPlan);
  for (char& c : other_ids) c = c == '#' ? '$' : c;
  for (std::size_t at = 0; (at = other_ids.find('$', at)) != std::string::npos; at += 2) other_ids.replace(at, 1, "#7");
  const PlanDocument other = read_text(other_ids);
  const compare::OperatorPairs pairs =
      compare::pair_operators(judged_fragment(plan)->tree, judged_fragment(other)->tree);
  EXPECT_EQ(pairs.operators, 8U);
  EXPECT_EQ(pairs.likeness, 1.0);
  EXPECT_TRUE(pairs.missing.empty());
  EXPECT_TRUE(pairs.additional.empty());
}

TEST(OperatorPairs, SaysWhatIsNotTheSame) {
  const PlanDocument plan = read_text(std::string(kPlan));
  PlanDocument other = read_text(replaced(std::string(kPlan), "(c#3 > 5)", "(c#3 > 7)"));
  compare::OperatorPairs pairs = compare::pair_operators(judged_fragment(plan)->tree, judged_fragment(other)->tree);
  EXPECT_TRUE(pairs.missing.empty());
  EXPECT_EQ(std::count(pairs.differs.begin(), pairs.differs.end(), true), 1);
  EXPECT_LT(pairs.likeness, 1.0);

  // A join of another kind is another operator.
  other = read_text(replaced(std::string(kPlan), "SortMergeJoin [a#1], [b#2], Inner",
                             "ShuffledHashJoin [a#1], [b#2], Inner, BuildRight"));
  pairs = compare::pair_operators(judged_fragment(plan)->tree, judged_fragment(other)->tree);
  ASSERT_EQ(pairs.missing.size(), 1U);
  ASSERT_EQ(pairs.additional.size(), 1U);
  EXPECT_EQ(judged_fragment(plan)->tree.node(pairs.missing.front()).kind, OperatorKind::SortMergeJoin);
}

TEST(MeasuredPlan, OtherQueriesAreNotFound) {
  const PlanDocument plan =
      read_text("== Physical Plan ==\n*(1) Project [x#1]\n+- *(1) Range (0, 10, step=1, splits=2)\n");
  compare::MetricsSearch search(plan);
  EXPECT_EQ(search.describe(), "no query with metrics was found there");
  for (const auto& document :
       shared(read_log(decompressed_file(event_log_cases().front().directory + "/eventlog.zst"))))
    search.offer(document);
  EXPECT_FALSE(search.found());
  EXPECT_GT(search.offered(), 0U);
  EXPECT_EQ(search.describe().substr(0, 33), "no query there has this plan: the");
}

}  // namespace
}  // namespace planvet::test
