// Metrics of event logs against the real History Server's answers for the same logs: every metric of every node that it
// shows, as text by Spark's own rules, and nothing that it does not show.
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "analyzer/metrics/overlay.hpp"
#include "tests/support/event_logs.hpp"

namespace planvet::test {
namespace {

using nlohmann::json;

struct Row {
  std::string name;
  std::string text;
};
struct Shown {
  std::string name;  // of the node
  std::vector<Row> metrics;
};
using Nodes = std::map<std::uint32_t, Shown>;  // by the Spark UI's node id

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(' ') - begin + 1));
}

void add_tree(const PlanTree& tree, const metrics::TreeMetrics& overlay, Nodes& nodes) {
  for (const PlanNode& node : tree.nodes()) {
    if (!node.operator_id) continue;
    Shown& shown = nodes[*node.operator_id];
    shown.name = std::string(node.printed_name);
    shown.metrics.clear();
    for (const metrics::MeasuredMetric& metric : overlay.of(node.id)) {
      if (!metric.is_in_history_server) continue;
      const metrics::Summary& summary = metric.history_server ? *metric.history_server : metric.summary;
      shown.metrics.push_back({trimmed(metric.metric.name), metrics::spark_text(metric.metric.type, summary)});
    }
  }
}

Nodes nodes_of(const PlanDocument& document) {
  Nodes nodes;
  const Fragment* const judged = judged_fragment(document);
  if (judged == nullptr || document.metrics == nullptr) return nodes;
  add_tree(judged->tree, document.metrics->judged, nodes);
  for (std::size_t i = 0; i < document.optimized_out.size(); ++i) {
    add_tree(document.optimized_out[i], document.metrics->optimized_out[i], nodes);
  }
  return nodes;
}

class EventLogExactness : public testing::TestWithParam<EventLogCase> {};

struct Counts {
  std::size_t executions = 0;
  std::size_t nodes = 0;
  std::size_t metrics = 0;
  std::size_t spreads = 0;
};
Counts& all_counts() {
  static Counts counts;
  return counts;
}

void compare(const json& answer, const PlanDocument& document, Counts& counts) {
  SCOPED_TRACE("execution " + answer["id"].dump());
  const Nodes nodes = nodes_of(document);
  for (const json& node : answer["nodes"]) {
    const auto id = node["nodeId"].get<std::uint32_t>();
    const auto found = nodes.find(id);
    ASSERT_NE(found, nodes.end()) << "node " << id << ": " << node.dump();
    EXPECT_EQ(found->second.name, trimmed(node["nodeName"].get<std::string>())) << "node " << id;
    std::vector<Row> expected;
    for (const json& metric : node["metrics"]) {
      expected.push_back({metric["name"].get<std::string>(), metric["value"].get<std::string>()});
      counts.spreads += expected.back().text.find("task ") != std::string::npos ? 1U : 0U;
    }
    const auto as_text = [](const std::vector<Row>& rows) {
      std::string text;
      for (const Row& row : rows) text += row.name + " = " + row.text + "\n";
      return text;
    };
    EXPECT_EQ(as_text(expected), as_text(found->second.metrics)) << "node " << id << ": " << found->second.name;
    counts.metrics += expected.size();
    ++counts.nodes;
  }
  EXPECT_EQ(answer["nodes"].size(), nodes.size());
  ++counts.executions;
}

TEST_P(EventLogExactness, MetricsEqualTheHistoryServers) {
  const std::string& directory = GetParam().directory;
  const ReadLog log = read_case(GetParam());
  const json answers = json::parse(decompressed_file(directory + "/sql.json.zst"));
  std::map<std::int64_t, const PlanDocument*> documents;
  for (const PlanDocument& document : log.documents) documents[document.execution_id.value_or(-1)] = &document;
  EXPECT_EQ(documents.size(), answers.size());
  Counts counts;
  for (const json& answer : answers) {
    const auto found = documents.find(answer["id"].get<std::int64_t>());
    ASSERT_NE(found, documents.end()) << answer["id"];
    compare(answer, *found->second, counts);
  }
  EXPECT_GT(counts.metrics, 0U);
  Counts& all = all_counts();
  all.executions += counts.executions;
  all.nodes += counts.nodes;
  all.metrics += counts.metrics;
  all.spreads += counts.spreads;
}

INSTANTIATE_TEST_SUITE_P(Corpus, EventLogExactness, testing::ValuesIn(all_log_cases()),
                         [](const auto& instance) { return test_name(instance.param); });

// Applications whose queries pass 60,000 rows, however often tasks and stages were tried. The description says so.
class EventLogTruth : public testing::TestWithParam<EventLogCase> {};

TEST_P(EventLogTruth, CountsEveryRowOnce) {
  std::size_t counts = 0;
  std::size_t others = 0;  // for which the Spark UI has another number
  const ReadLog log = read_case(GetParam());
  for (const PlanDocument& document : log.documents) {
    if (document.title.find("60000 rows") == std::string::npos) continue;
    for (const PlanNode& node : judged_fragment(document)->tree.nodes()) {
      const bool is_wanted = node.kind == OperatorKind::FileSourceScan || node.kind == OperatorKind::ColumnarToRow ||
                             node.kind == OperatorKind::MapInPandas || node.kind == OperatorKind::ShuffleExchange;
      if (!is_wanted) continue;
      for (const metrics::MeasuredMetric& metric : document.metrics->judged.of(node.id)) {
        const bool is_rows = metric.metric.key == metrics::MetricKey::OutputRows ||
                             metric.metric.key == metrics::MetricKey::ShuffleRecordsWritten ||
                             metric.metric.key == metrics::MetricKey::RecordsRead;
        // Behind a partial aggregate there are fewer.
        if (!is_rows || (metric.summary.total < 1000 && !metric.history_server)) continue;
        EXPECT_EQ(metric.summary.total, 60000)
            << document.title << ": " << node.printed_name << ", " << metric.metric.name;
        EXPECT_TRUE(!metric.history_server || metric.trust.has(metrics::Doubt::RetriedTasks)) << document.title;
        ++counts;
        others += metric.history_server ? 1U : 0U;
      }
    }
  }
  EXPECT_GT(counts, 0U);
  const bool has_lost_stages = GetParam().name.ends_with("fetch_failure");
  EXPECT_EQ(others > 0, has_lost_stages);
  std::printf("%s: %zu row counts are true, of which the Spark UI shows %zu otherwise\n", GetParam().name.c_str(),
              counts, others);
}

std::vector<EventLogCase> cases_with_known_rows() {
  std::vector<EventLogCase> cases = event_log_cases();
  std::erase_if(cases, [](const EventLogCase& log) {
    return !log.name.ends_with("/fetch_failure") && !log.name.ends_with("/speculation");
  });
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Corpus, EventLogTruth, testing::ValuesIn(cases_with_known_rows()),
                         [](const auto& instance) { return test_name(instance.param); });

// Printed at the end, so that a run shows how much was compared.
class PrintCounts : public testing::Environment {
 public:
  void TearDown() override {
    const Counts& all = all_counts();
    if (all.executions == 0) return;
    std::printf(
        "event logs: %zu metrics (%zu with the task of the largest) of %zu nodes in %zu executions compared "
        "with the History Server's\n",
        all.metrics, all.spreads, all.nodes, all.executions);
  }
};
const testing::Environment* const kPrintCounts = testing::AddGlobalTestEnvironment(new PrintCounts);

}  // namespace
}  // namespace planvet::test
