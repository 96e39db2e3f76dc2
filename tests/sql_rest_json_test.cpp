// Answers of the real History Server, read as plans: the same operators, ids, edges and metrics as the event log of the
// same application gives.
#include "analyzer/read/rest/sql_rest_json.hpp"

#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "analyzer/metrics/overlay.hpp"
#include "analyzer/metrics/shown_metric.hpp"
#include "analyzer/metrics/summary.hpp"
#include "tests/support/event_logs.hpp"

namespace planvet::test {
namespace {

std::vector<PlanDocument> read_rest(std::string text, const read::RestContext& context = {}) {
  std::vector<PlanDocument> documents;
  const auto bytes = std::make_shared<const SourceBytes>("sql.json", std::move(text));
  read::read_sql_rest(bytes, context, [&](PlanDocument&& document) { documents.push_back(std::move(document)); });
  return documents;
}

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(' ') - begin + 1));
}

struct Counts {
  std::size_t nodes = 0;
  std::size_t edges = 0;
  std::size_t metrics = 0;
  // Of tasks that were tried again: the Spark UI shows nothing of a metric that the last attempt did not update.
  std::set<std::string> may_be_hidden;
};

// The nearest node above that the Spark UI has.
std::string taker(const PlanTree& tree, NodeId id) {
  for (NodeId at = tree.node(id).parent; at != kNoNode; at = tree.node(at).parent) {
    if (tree.node(at).operator_id) return std::to_string(*tree.node(at).operator_id);
  }
  return "-";
}

// How the node hangs on that one. Text and log differ in which node of a cached plan has the link, and the text in where
// the plan of a subquery begins.
std::string_view link(const PlanTree& tree, NodeId id) {
  for (NodeId at = id; at != kNoNode && (at == id || !tree.node(at).operator_id); at = tree.node(at).parent) {
    if (tree.node(at).link != Link::Child) return name(tree.node(at).link);
  }
  return name(Link::Child);
}

// One line for each node, edge and metric that the Spark UI has.
std::set<std::string> lines_of(const PlanTree& tree, const metrics::TreeMetrics& overlay, Counts& counts) {
  std::set<std::string> lines;
  for (const PlanNode& node : tree.nodes()) {
    if (!node.operator_id) {
      if (node.reuses == kNoNode || !tree.node(node.reuses).operator_id) continue;
      if (taker(tree, node.reuses) == taker(tree, node.id)) continue;  // the graph has one edge for both mentions
      ++counts.edges;
      lines.insert(std::to_string(*tree.node(node.reuses).operator_id) + " is read again by " + taker(tree, node.id));
      continue;
    }
    const std::string id = std::to_string(*node.operator_id);
    ++counts.nodes;
    ++counts.edges;
    std::string line = id + " " + std::string(info(node.kind).name) + " '" + trimmed(node.printed_name) + "' ";
    line += std::string(name(node.engine)) + " under " + taker(tree, node.id) + " " + std::string(link(tree, node.id)) +
            " stage " + std::to_string(node.codegen_stage);
    lines.insert(line);
    for (const metrics::MeasuredMetric& metric : overlay.of(node.id)) {
      if (metric.metric.type == metrics::MetricType::Custom) continue;  // the History Server says N/A
      const metrics::Summary& summary = metric.history_server ? *metric.history_server : metric.summary;
      const std::string text = metrics::spark_text(metric.metric.type, summary);
      const std::string shown =
          id + " has " + metric.metric.name + " [" + std::string(name(metric.metric.unit)) + "] = " + text;
      lines.insert(shown);
      if (!metric.history_server && metric.trust.has(metrics::Doubt::RetriedTasks)) counts.may_be_hidden.insert(shown);
      ++counts.metrics;
    }
  }
  return lines;
}

std::set<std::string> lines_of(const PlanDocument& document, Counts& counts) {
  std::set<std::string> lines;
  const Fragment* const judged = judged_fragment(document);
  if (judged == nullptr || document.metrics == nullptr) return lines;
  lines = lines_of(judged->tree, document.metrics->judged, counts);
  for (std::size_t i = 0; i < document.optimized_out.size(); ++i)
    lines.merge(lines_of(document.optimized_out[i], document.metrics->optimized_out[i], counts));
  return lines;
}

std::string missing(const std::set<std::string>& from, const std::set<std::string>& in) {
  std::string text;
  for (const std::string& line : from) {
    if (!in.contains(line)) text += line + "\n";
  }
  return text;
}

class SqlRestJson : public testing::TestWithParam<EventLogCase> {};

TEST_P(SqlRestJson, AgreesWithTheEventLog) {
  const std::string& directory = GetParam().directory;
  const ReadLog log = read_log(decompressed_file(directory + "/eventlog.zst"));
  std::map<std::int64_t, const PlanDocument*> from_log;
  for (const PlanDocument& document : log.documents) from_log[document.execution_id.value_or(-1)] = &document;
  const std::vector<PlanDocument> answers = read_rest(decompressed_file(directory + "/sql.json.zst"));
  ASSERT_EQ(answers.size(), from_log.size());
  Counts counts;
  Counts log_counts;
  for (const PlanDocument& answer : answers) {
    SCOPED_TRACE("execution " + std::to_string(answer.execution_id.value_or(-1)));
    const auto found = from_log.find(answer.execution_id.value_or(-1));
    ASSERT_NE(found, from_log.end());
    const std::set<std::string> rest = lines_of(answer, counts);
    std::set<std::string> expected = lines_of(*found->second, log_counts);
    for (const std::string& hidden : std::exchange(log_counts.may_be_hidden, {})) {
      if (!rest.contains(hidden) && expected.erase(hidden) > 0) --log_counts.metrics;
    }
    EXPECT_EQ(missing(expected, rest), "") << "only the log has this";
    EXPECT_EQ(missing(rest, expected), "") << "only the answer has this";
    EXPECT_EQ(judged_fragment(answer)->role, judged_fragment(*found->second)->role);
    for (const Note& note : answer.notes) {
      if (note.kind != NoteKind::NotFinalPlan) ADD_FAILURE() << note.message;
    }
    EXPECT_EQ(answer.title, found->second->title);
    EXPECT_EQ(answer.metrics->run.submission_time, found->second->metrics->run.submission_time);
    if (found->second->metrics->run.completion_time) {
      EXPECT_EQ(answer.metrics->run.duration(), found->second->metrics->run.duration());
    }
  }
  EXPECT_GT(counts.metrics, 0U);
  EXPECT_EQ(counts.metrics, log_counts.metrics);
  std::printf("%s: %zu nodes, %zu edges and %zu metrics are the same\n", GetParam().name.c_str(), counts.nodes,
              counts.edges, counts.metrics);
}

// The stages that the metrics name, with their totals.
TEST_P(SqlRestJson, TakesStagesFromTheAnswerBeside) {
  const std::string& directory = GetParam().directory;
  read::RestContext context;
  ASSERT_TRUE(read::add_rest_answer(decompressed_file(directory + "/stages.json.zst"), context));
  const ReadLog log = read_log(decompressed_file(directory + "/eventlog.zst"));
  std::map<std::pair<int, int>, const metrics::StageRun*> from_log;
  for (const PlanDocument& document : log.documents) {
    for (const metrics::StageRun& stage : document.metrics->run.stages) from_log[{stage.stage, stage.attempt}] = &stage;
  }
  std::size_t compared = 0;
  for (const PlanDocument& answer : read_rest(decompressed_file(directory + "/sql.json.zst"), context)) {
    for (const metrics::StageRun& stage : answer.metrics->run.stages) {
      const auto found = from_log.find({stage.stage, stage.attempt});
      ASSERT_NE(found, from_log.end()) << stage.stage;
      const metrics::StageRun& expected = *found->second;
      EXPECT_EQ(stage.tasks, expected.tasks);
      EXPECT_EQ(stage.succeeded, expected.succeeded);
      EXPECT_EQ(stage.submission_time, expected.submission_time);
      EXPECT_EQ(stage.totals.run_time_ms, expected.totals.run_time_ms);
      EXPECT_EQ(stage.totals.shuffle_bytes_written, expected.totals.shuffle_bytes_written);
      EXPECT_EQ(stage.totals.input_bytes, expected.totals.input_bytes);
      ++compared;
    }
  }
  EXPECT_GT(compared, 0U);
}

INSTANTIATE_TEST_SUITE_P(Corpus, SqlRestJson, testing::ValuesIn(event_log_cases()), [](const auto& instance) {
  std::string name = instance.param.name;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
});

TEST(ShownMetric, ReadsSparksOwnTexts) {
  struct Row {
    std::string_view name;
    std::string_view text;
    std::string_view type;
    std::int64_t total;
    std::int64_t max;
    bool is_rounded;
  };
  const std::vector<Row> rows{
      {"number of output rows", "60,000", "sum", 60000, 60000, false},
      {"number of output rows", "0", "sum", 0, 0, false},
      {"data size", "1325.0 B", "size", 1325, 1325, false},
      {"data size", "1406.3 KiB", "size", 1440051, 1440051, true},
      {"scan time", "13 ms", "timing", 13, 13, false},
      {"scan time", "1.2 s", "timing", 1200, 1200, true},
      {"scan time", "1.25 h", "timing", 4500000, 4500000, true},
      {"avg hash probes per key", "1.1", "average", 11, 11, false},
      {"avg hash probes per key", "2", "average", 20, 20, false},
      {"scan time", "total (min, med, max (stageId: taskId))\n922 ms (439 ms, 483 ms, 483 ms (stage 2.0: task 3))",
       "timing", 922, 483, false},
      {"avg hash probes per key", "(min, med, max (stageId: taskId)):\n(1, 1, 1.5 (stage 7.0: task 14))", "average", 10,
       15, false},
      // As Spark 2 and 3.0 wrote them.
      {"data size total (min, med, max)", "\n1.5 MB (0.0 B, 0.0 B, 1.5 MB)", "size", 1572864, 1572864, true},
      {"time to collect", "total (min, med, max (stageId: taskId))\n10 ms (1 ms, 4 ms, 5 ms (driver))", "timing", 10, 5,
       false},
  };
  for (const Row& row : rows) {
    const auto metric = metrics::read_shown_metric(row.name, row.text);
    ASSERT_TRUE(metric) << row.text;
    EXPECT_EQ(metric->metric.type_name, row.type) << row.text;
    EXPECT_EQ(metric->summary.total, row.total) << row.text;
    EXPECT_EQ(metric->summary.max, row.max) << row.text;
    EXPECT_EQ(metric->trust.has(metrics::Doubt::Rounded), row.is_rounded) << row.text;
  }
  for (const std::string_view text : {"N/A", "", "\n", "1.2 parsecs", "total (min, med, max)", "1 (2, 3)", "(1, 2, 3",
                                      "99999999999999999999", "1e5", "9.9 EiB", "--1", "1 B (1 B, 2 B, 3 B (x)"}) {
    EXPECT_FALSE(metrics::read_shown_metric("m", text)) << text;
  }
}

// An answer that was cut anywhere, or whose bytes changed: what is read is read, and nothing is worse than that.
TEST(SqlRestJsonDamage, CutAndChangedAnswersDoNoHarm) {
  const std::vector<EventLogCase> cases = event_log_cases();
  ASSERT_FALSE(cases.empty());
  const std::string whole = decompressed_file(cases.front().directory + "/sql.json.zst");
  const std::size_t queries = read_rest(whole).size();
  std::uint32_t random = 1;
  const auto next = [&] { return random = random * 1664525U + 1013904223U; };
  std::size_t incomplete = 0;
  for (int i = 0; i < 60; ++i) {
    std::string damaged = whole;
    const std::size_t at = next() % whole.size();
    if (i % 2 == 0) {
      damaged.resize(at);
    } else {
      for (int flips = 0; flips < 8; ++flips) damaged[next() % damaged.size()] = static_cast<char>(next() >> 24U);
    }
    const std::vector<PlanDocument> documents = read_rest(damaged);
    ASSERT_FALSE(documents.empty());
    EXPECT_LE(documents.size(), queries + 8);
    if (i % 2 == 0) incomplete += documents.back().is_complete ? 0U : 1U;
  }
  EXPECT_EQ(incomplete, 30U);
}

TEST(SqlRestJson, GraphsThatCannotBeDoNoHarm) {
  for (
      const std::string_view graph : {
          R"JSON("nodes":[{"nodeId":0,"nodeName":"A"},{"nodeId":1,"nodeName":"B"}],"edges":[{"fromId":0,"toId":1},{"fromId":1,"toId":0}])JSON",
          R"JSON("nodes":[{"nodeId":0,"nodeName":"A"},{"nodeId":0,"nodeName":"B"}],"edges":[{"fromId":0,"toId":0}])JSON",
          R"JSON("nodes":[{"nodeId":0,"nodeName":"WholeStageCodegen (1)"}],"edges":[])JSON",
          R"JSON("nodes":[{"nodeId":-1},{"nodeName":"X"},7,null],"edges":[{"fromId":9}])JSON",
          R"JSON("nodes":[{"nodeId":2,"nodeName":"A"},{"nodeId":3,"nodeName":"B"},{"nodeId":4,"nodeName":"C"}],"edges":[{"fromId":3,"toId":2},{"fromId":3,"toId":4},{"fromId":4,"toId":3}])JSON",
      }) {
    const std::string answer =
        R"({"id":1,"status":"COMPLETED","runningJobIds":[],"successJobIds":[],)" + std::string(graph) + "}";
    EXPECT_EQ(read_rest(answer).size(), 1U) << answer;
  }
}

}  // namespace
}  // namespace planvet::test
