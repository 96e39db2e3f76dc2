// Events that carry a plan are read in two ways, one for what is usual and one for everything. Both must always say the
// same.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "analyzer/read/eventlog/plan_event_line.hpp"
#include "analyzer/read/eventlog/plan_event_parser.hpp"
#include "tests/support/both_ways.hpp"

namespace planvet::test {
namespace {

using namespace read::eventlog;
using read::plan_info::JsonString;
using read::plan_info::Plan;

constexpr std::size_t kShown = 300;
constexpr std::string_view kStart = R"({"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart")";
constexpr std::string_view kUpdate =
    R"({"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLAdaptiveExecutionUpdate")";

std::string metrics_text(const std::vector<MetricDeclaration>& metrics) {
  std::string text;
  for (const MetricDeclaration& metric : metrics) {
    text += fmt::format(" {} '{}' '{}'", metric.accumulator, metric.name, metric.type);
  }
  return text;
}

std::string event_text(const ExecutionStart& event) {
  std::string text = fmt::format("{} of {} at {} '{}' {}", event.execution, event.root_execution.value_or(-1),
                                 event.time, event.description, event.plan);
  for (const auto& [key, value] : event.conf) text += fmt::format(" {}={}", key, value);
  return text;
}

std::string event_text(const AdaptiveUpdate& event) { return fmt::format("{} {}", event.execution, event.plan); }

std::string range_text(JsonString range) { return fmt::format("{}-{}", range.begin, range.end); }

std::string plan_text(const Plan& plan) {
  std::string text;
  for (const read::plan_info::Node& node : plan.nodes) {
    text += fmt::format(" [{} {} in {} to {}; {}-{} {}-{}]", range_text(node.node_name), range_text(node.simple_string),
                        node.parent, node.subtree_end, node.metrics_begin, node.metrics_end, node.metadata_begin,
                        node.metadata_end);
  }
  for (const std::int64_t accumulator : plan.accumulators) text += fmt::format(" {}", accumulator);
  for (const auto& [key, value] : plan.metadata) text += " " + range_text(key) + "=" + range_text(value);
  return text;
}

// What the usual way says, if it says anything, is what the other one says.
class BothWays {
 public:
  bool is_usual(std::string_view line) {
    return line.starts_with(kStart) ? is_usual_event<ExecutionStart>(line) : is_usual_event<AdaptiveUpdate>(line);
  }

 private:
  template <typename Event>
  bool is_usual_event(std::string_view line) {
    const LineOfMany stored(line);
    const std::string& padded = stored.bytes();
    const std::string_view text = stored.text();
    Event usual;
    std::vector<MetricDeclaration> usual_metrics;
    if (!read_usual(text, usual, usual_metrics)) return false;
    const std::string usual_text = event_text(usual) + metrics_text(usual_metrics);
    Event any;
    std::vector<MetricDeclaration> metrics;
    EXPECT_TRUE(parser_.parse_any(text, any, metrics)) << line.substr(0, kShown);
    EXPECT_EQ(usual_text, event_text(any) + metrics_text(metrics)) << line.substr(0, kShown);
    Plan usual_plan;
    if (usual.plan.empty() || !read_usual_plan(padded, usual.plan, usual_plan)) return usual.plan.empty();
    Plan plan;
    EXPECT_TRUE(parser_.parse_any_plan(padded, usual.plan, plan)) << line.substr(0, kShown);
    EXPECT_EQ(plan_text(usual_plan), plan_text(plan)) << line.substr(0, kShown);
    return true;
  }

  PlanEventParser parser_;
};

TEST(EventLogPlanEvents, BothWaysSayTheSame) {
  std::size_t all = 0;
  std::size_t usual = 0;
  DamagedLines damaged;
  BothWays both;
  const auto is_usual = [&](std::string_view line) { return both.is_usual(line); };
  for_each_stored_line([&](std::string_view line) {
    if (!line.starts_with(kStart) && !line.starts_with(kUpdate)) return;
    ++all;
    usual += is_usual(line) ? 1U : 0U;
    const std::size_t plan = line.find(R"("sparkPlanInfo")");
    damaged.add(line, is_usual, plan == std::string_view::npos ? 0 : plan);
  });
  fmt::print("{} of {} events with plans are as usual; {} of {} damaged ones\n", usual, all, damaged.usual(),
             damaged.count());
  EXPECT_GT(all, 700U);
  EXPECT_GT(usual * 100, all * 95);
  EXPECT_GT(damaged.usual(), 100U);
  EXPECT_LT(damaged.usual(), damaged.count());
}

TEST(EventLogPlanEvents, PlansAreThoseOfSpark) {
  const std::string metric = R"({"name":"rows","accumulatorId":5,"metricType":"sum"})";
  const auto start = [](std::string_view plan, std::string_view rest = "") {
    return fmt::format(
        R"({},"executionId":3,"rootExecutionId":3,"description":"a \"b\"\nc","sparkPlanInfo":{},"time":9{}}})", kStart,
        plan, rest);
  };
  BothWays both;
  EXPECT_TRUE(both.is_usual(start("{}")));
  EXPECT_TRUE(
      both.is_usual(start(R"({"nodeName":"A","simpleString":"A \"b\"","children":[],"metadata":{},"metrics":[)" +
                          metric + "," + metric + "]}")));
  EXPECT_TRUE(both.is_usual(
      start(R"({"metrics":[],"children":[{"metadata":{"a":"b","c":"\\"}}],"metrics":[)" + metric + "]}")));
  EXPECT_TRUE(both.is_usual(
      start(R"({"nodeName":"A"})", R"(,"modifiedConfigs":{"a":"b\tc"},"jobTags":["x"],"jobGroupId":null)")));
  std::string deep = R"({"nodeName":"A"})";
  for (int depth = 0; depth < 300; ++depth) deep = R"({"nodeName":"B","children":[)" + deep + "]}";
  EXPECT_TRUE(both.is_usual(start(deep)));
  for (int depth = 0; depth < 300; ++depth) deep = R"({"nodeName":"B","children":[)" + deep + "]}";
  EXPECT_FALSE(both.is_usual(start(deep)));

  for (const char* plan :
       {R"(null)", R"({"nodeName":null})", R"({"nodeName":"Ä"})", R"({"nodeName":"\u0041"})", R"({"metadata":{"a":1}})",
        R"({"metrics":[{"name":"x","accumulatorId":"5","metricType":"sum"}]})",
        R"({"metrics":[{"accumulatorId":5,"name":"x","metricType":"sum"}]})",
        R"({"metrics":[{"name":"a\nb","accumulatorId":5,"metricType":"sum"}]})", R"({"children":[1]})",
        R"({"children":{}})", R"({"nodeName":"A",})", R"({"nodeName":"A")", R"([])"}) {
    EXPECT_FALSE(both.is_usual(start(plan))) << plan;
  }
  EXPECT_FALSE(both.is_usual(start("{}", R"(,"sparkPlanInfo":{"nodeName":"A"})")));
  EXPECT_FALSE(both.is_usual(start("{}", R"(,"modifiedConfigs":{"a":null})")));
  EXPECT_FALSE(both.is_usual(start("{}", "}")));
}

}  // namespace
}  // namespace planvet::test
