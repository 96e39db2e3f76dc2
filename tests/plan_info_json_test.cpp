// SparkPlanInfo JSON and the SQL events that carry it.

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/files.hpp"
#include "tests/support/plan_outline.hpp"

namespace planvet::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// A node as Spark writes it. The name is what stands before the first of " [", unless given.
std::string node(std::string_view name, std::string_view text, const std::vector<std::string>& children = {},
                 const std::vector<int>& accumulators = {}, std::string_view metadata = "{}") {
  std::string result = R"({"nodeName":)" + nlohmann::json(name).dump() + R"(,"simpleString":)" +
                       nlohmann::json(text).dump() + R"(,"children":[)";
  for (std::size_t i = 0; i < children.size(); ++i) result += (i == 0 ? "" : ",") + children[i];
  result += R"(],"metadata":)" + std::string(metadata) + R"(,"metrics":[)";
  for (std::size_t i = 0; i < accumulators.size(); ++i) {
    result += (i == 0 ? "" : ",") + (R"({"name":"data size","accumulatorId":)" + std::to_string(accumulators[i])) +
              R"(,"metricType":"size"})";
  }
  return result + "]}";
}

std::string event(std::string_view kind, int id, const std::string& plan) {
  return R"({"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQL)" + std::string(kind) + R"(","executionId":)" +
         std::to_string(id) +
         R"(,"description":"save at App.scala:88","physicalPlanDescription":"== Physical Plan ==\n..","sparkPlanInfo":)" +
         plan + R"(,"time":1,"modifiedConfigs":{"spark.sql.adaptive.enabled":"true","k\"":"v"}})";
}
std::string start(int id, const std::string& plan) { return event("ExecutionStart", id, plan); }
std::string update(int id, const std::string& plan) { return event("AdaptiveExecutionUpdate", id, plan); }

std::string scan() { return node("Scan ExistingRDD", "Scan ExistingRDD[a#1]"); }
std::string adaptive(bool is_final, const std::string& child) {
  return node("AdaptiveSparkPlan", std::string("AdaptiveSparkPlan isFinalPlan=") + (is_final ? "true" : "false"),
              {child});
}

// All documents that the text gives, and the error.
std::string read(std::string_view text, const OutlineOptions& options = {}) {
  const ReadAll all = read_all(text);
  std::string result;
  for (const PlanDocument& document : all.documents) result += outline(document, options);
  if (!all.error.empty()) result += "error: " + all.error + "\n";
  return result;
}

TEST(PlanInfoJson, BareObject) {
  EXPECT_EQ(read(node("Project", "Project [a#1]", {node("Filter", "Filter (a#1 > 5)", {scan()})})),
            "plan-info-json\n"
            "-- only\n"
            "Project\n"
            "  Filter\n"
            "    RDDScan \"Scan ExistingRDD\"\n");
}

TEST(PlanInfoJson, ArrayGivesOneDocumentEach) {
  EXPECT_EQ(read("[" + scan() + ",\n" + node("Project", "Project [a#1]", {scan()}) + "]"),
            "plan-info-json\n-- only\nRDDScan \"Scan ExistingRDD\"\n"
            "plan-info-json\n-- only\nProject\n  RDDScan \"Scan ExistingRDD\"\n");
}

TEST(PlanInfoJson, CodegenStagesReachDownToTheInputAdapter) {
  const std::string plan =
      node("WholeStageCodegen (2)", "WholeStageCodegen (2)",
           {node("Project", "Project [a#1]",
                 {node("InputAdapter", "InputAdapter",
                       {node("Exchange", "Exchange hashpartitioning(a#1, 200), ENSURE_REQUIREMENTS, [plan_id=7]",
                             {node("WholeStageCodegen (1)", "WholeStageCodegen (1)",
                                   {node("Filter", "Filter (a#1 > 5)", {scan()}),
                                    node("Subquery", "Subquery subquery#3, [id=#4]", {scan()})})})})})});
  EXPECT_EQ(read(plan),
            "plan-info-json\n"
            "-- only\n"
            "WholeStageCodegen \"WholeStageCodegen (2)\"\n"
            "  Project *2\n"
            "    InputAdapter\n"
            "      ShuffleExchange \"Exchange\"\n"
            "        WholeStageCodegen \"WholeStageCodegen (1)\"\n"
            "          ~subquery Subquery\n"
            "            RDDScan \"Scan ExistingRDD\"\n"
            "          Filter *1\n"
            "            RDDScan *1 \"Scan ExistingRDD\"\n");
}

TEST(PlanInfoJson, ReusedExchangeIsALeafThatKnowsItsOriginal) {
  const std::string exchange = node("Exchange", "Exchange SinglePartition", {scan()}, {11, 12});
  const std::string plan = node("SortMergeJoin", "SortMergeJoin [a#1], [b#2], Inner",
                                {exchange, node("ReusedExchange", "ReusedExchange [b#2], Exchange SinglePartition",
                                                {node("Exchange", "Exchange SinglePartition", {scan()}, {12, 11})})});
  EXPECT_EQ(read(plan),
            "plan-info-json\n"
            "-- only\n"
            "SortMergeJoin\n"
            "  ShuffleExchange \"Exchange\"\n"
            "    RDDScan \"Scan ExistingRDD\"\n"
            "  ReusedExchange =1\n");
}

TEST(PlanInfoJson, AnOriginalThatIsNowhereElseIsOptimizedOut) {
  const std::string reused = node("ReusedExchange", "ReusedExchange [a#1], Exchange SinglePartition",
                                  {node("Exchange", "Exchange SinglePartition", {scan()}, {11})});
  EXPECT_EQ(read(node("Union", "Union", {reused, reused})),
            "plan-info-json\n"
            "-- only\n"
            "Union\n"
            "  ReusedExchange\n"
            "  ReusedExchange\n"
            "-- optimized out\n"
            "ShuffleExchange \"Exchange\"\n"
            "  RDDScan \"Scan ExistingRDD\"\n");
}

TEST(PlanInfoJson, SubqueriesStandFirstWithTheirLinks) {
  const std::string subquery = node("Subquery", "Subquery subquery#3, [id=#4]", {scan()});
  const std::string plan =
      node("Filter", "Filter (a#1 > Subquery subquery#3, [id=#4])",
           {scan(), subquery, node("ReusedSubquery", "ReusedSubquery Subquery subquery#3, [id=#4]", {subquery})});
  EXPECT_EQ(read(plan),
            "plan-info-json\n"
            "-- only\n"
            "Filter\n"
            "  ~subquery Subquery\n"
            "    RDDScan \"Scan ExistingRDD\"\n"
            "  ~reused-subquery ReusedSubquery =1\n"
            "  RDDScan \"Scan ExistingRDD\"\n");
}

TEST(PlanInfoJson, ACachedPlanHangsBelowItsScan) {
  EXPECT_EQ(read(node("InMemoryTableScan", "InMemoryTableScan [a#1]", {adaptive(true, scan())})),
            "plan-info-json\n"
            "-- only\n"
            "InMemoryTableScan\n"
            "  ~cached-plan AdaptiveSparkPlan\n"
            "    RDDScan \"Scan ExistingRDD\"\n");
}

TEST(PlanInfoJson, LogicalNodesBelowAnEmptyRelationAreMarked) {
  const std::string stage = node("ShuffleQueryStage", "ShuffleQueryStage 0", {scan()});
  EXPECT_EQ(read(node("EmptyRelation", "EmptyRelation [plan_id=7]",
                      {node("Join", "Join Inner", {node("LogicalQueryStage", "LogicalQueryStage", {stage})})})),
            "plan-info-json\n"
            "-- only\n"
            "EmptyRelation\n"
            "  logical Join\n"
            "    logical LogicalQueryStage\n"
            "      ShuffleQueryStage\n"
            "        RDDScan \"Scan ExistingRDD\"\n");
}

TEST(PlanInfoJson, RolesFollowTheOutermostFlag) {
  EXPECT_THAT(read(adaptive(true, scan())), HasSubstr("-- final\n"));
  EXPECT_THAT(read(node("Execute InsertIntoHadoopFsRelationCommand", "Execute InsertIntoHadoopFsRelationCommand x",
                        {adaptive(true, scan())})),
              HasSubstr("-- final\n"));
  EXPECT_THAT(read(adaptive(false, node("ShuffleQueryStage", "ShuffleQueryStage 0", {scan()}))),
              HasSubstr("-- current\n"));
  const std::string planned =
      read(adaptive(false, node("Filter", "Filter (a#1 > 5)",
                                {scan(), node("Subquery", "Subquery subquery#3, [id=#4]", {adaptive(true, scan())})})));
  EXPECT_THAT(planned, HasSubstr("-- only\n"));
  EXPECT_THAT(planned, HasSubstr("PV905 @1:49/1 "));
}

TEST(PlanInfoJson, ALoneEventIsPlanJson) {
  EXPECT_EQ(read(start(7, node("Project", "Project [a#1]", {scan()}))),
            "plan-info-json 'query 7: save at App.scala:88' execution 7\n"
            "conf spark.sql.adaptive.enabled=true\n"
            "conf k\"=v\n"
            "-- only\n"
            "Project #0\n"
            "  RDDScan #1 \"Scan ExistingRDD\"\n");
}

TEST(PlanInfoJson, TheLastUpdateIsJudgedAndTheStartIsInitial) {
  const std::string log = R"({"Event":"SparkListenerLogStart","Spark Version":"3.5.9"})"
                          "\n" +
                          start(7, adaptive(false, scan())) + "\n" + start(8, scan()) + "\n" +
                          R"({"Event":"SparkListenerTaskEnd","Stage ID":0,"broken)"
                          "\n" +
                          update(7, adaptive(false, scan())) + "\r\n" +
                          update(7, adaptive(true, node("Project", "Project [a#1]", {scan()}))) + "\n";
  EXPECT_EQ(read(log),
            "event-log 'query 7: save at App.scala:88' execution 7 spark 3.5.9\n"
            "conf spark.sql.adaptive.enabled=true\n"
            "conf k\"=v\n"
            "-- final\n"
            "AdaptiveSparkPlan #0\n"
            "  Project #1\n"
            "    RDDScan #2 \"Scan ExistingRDD\"\n"
            "-- initial\n"
            "AdaptiveSparkPlan\n"
            "  RDDScan \"Scan ExistingRDD\"\n"
            "event-log 'query 8: save at App.scala:88' execution 8 spark 3.5.9\n"
            "conf spark.sql.adaptive.enabled=true\n"
            "conf k\"=v\n"
            "-- only\n"
            "RDDScan #0 \"Scan ExistingRDD\"\n");
}

TEST(PlanInfoJson, IdsAreThoseOfTheSparkUi) {
  const auto exchange = [] { return node("Exchange", "Exchange SinglePartition", {scan()}, {11}); };
  const auto stage = [](int number, const std::string& child) {
    return node("ShuffleQueryStage", "ShuffleQueryStage " + std::to_string(number), {child});
  };
  const std::string plan =
      adaptive(true, node("WholeStageCodegen (1)", "WholeStageCodegen (1)",
                          {node("SortMergeJoin", "SortMergeJoin [a#1], [b#2], Inner",
                                {node("InputAdapter", "InputAdapter", {stage(0, exchange())}),
                                 node("InputAdapter", "InputAdapter",
                                      {stage(2, node("ReusedExchange", "ReusedExchange [b#2], Exchange SinglePartition",
                                                     {exchange()}))})})}));
  EXPECT_EQ(read(start(7, plan)),
            "plan-info-json 'query 7: save at App.scala:88' execution 7\n"
            "conf spark.sql.adaptive.enabled=true\n"
            "conf k\"=v\n"
            "-- final\n"
            "AdaptiveSparkPlan #0\n"
            "  WholeStageCodegen #1 \"WholeStageCodegen (1)\"\n"
            "    SortMergeJoin *1 #2\n"
            "      InputAdapter\n"
            "        ShuffleQueryStage\n"
            "          ShuffleExchange #3 \"Exchange\"\n"
            "            RDDScan #4 \"Scan ExistingRDD\"\n"
            "      InputAdapter\n"
            "        ShuffleQueryStage\n"
            "          ReusedExchange =5\n");
}

TEST(PlanInfoJson, PlacesAreThoseOfTheBytes) {
  // Escapes and characters of several bytes before the name of interest.
  const std::string json =
      "{\n  \"nodeName\": \"Filter\",\n  \"simpleString\": \"Filter (a#1 = \\\"\\u00e4\\n\xC3\xA4\\\")\",\n"
      "  \"children\": [\n    " +
      scan() + "\n  ]\n}\n";
  OutlineOptions options;
  options.positions = true;
  options.attributes = true;
  EXPECT_EQ(read(json, options),
            "plan-info-json\n"
            "-- only\n"
            "Filter @3:20/1\n"
            "    condition: (a#1 = \"\xC3\xA4\n\xC3\xA4\")\n"
            "  RDDScan \"Scan ExistingRDD\" @5:52/3\n"
            "      output: [a#1]\n");
  const ReadAll all = read_all(json);
  ASSERT_EQ(all.documents.size(), 1u);
  const Source& source = *all.documents[0].source;
  const std::size_t inside = source.text().find("\xC3\xA4\")");
  EXPECT_EQ(json.substr(source.map().original(static_cast<std::uint32_t>(inside)), 2), "\xC3\xA4");
}

TEST(PlanInfoJson, AScanIsNamedByItsNodeNameAndMarkedOnItsLine) {
  const std::string text =
      "FileScan parquet db.t[a#1] Batched: true, DataFilters: [isnotnull(a#1)], Format: Parquet, Location: "
      "InMemoryFileIndex(1 paths)[file:/t], PartitionFilters: [], PushedFilters: [IsNotNull(a)], ReadSchema: "
      "struct<a:int>";
  const ReadAll all = read_all(node("Scan parquet db.t", text));
  ASSERT_EQ(all.documents.size(), 1u);
  const PlanDocument& document = all.documents[0];
  const PlanNode& scan = document.fragments.at(0).tree.nodes()[0];
  EXPECT_EQ(scan.kind, OperatorKind::FileSourceScan);
  EXPECT_EQ(scan.printed_name, "Scan parquet db.t");
  EXPECT_EQ(document.source->text(scan.name_span), "FileScan parquet db.t");
  EXPECT_EQ(document.fragments[0].tree.find(scan.id, AttributeKind::PushedFilters)->text, "[IsNotNull(a)]");
}

TEST(PlanInfoJson, MetadataHasWhatTheLineCut) {
  const std::string text =
      "FileScan parquet db.t[a#1] Batched: true, DataFilters: [isnotnull(a#1), ..., Format: Parquet, "
      "PushedFilters: [IsNotNull(a), ..., ReadSchema: struct<a:int>";
  const std::string metadata =
      R"({"PushedFilters":"[IsNotNull(a), EqualTo(a,5)]","DataFilters":"[isnotnull(a#1), (a#1 = 5)]","Batched":"true"})";
  const ReadAll all = read_all(node("Scan parquet db.t", text, {}, {}, metadata));
  ASSERT_EQ(all.documents.size(), 1u);
  const PlanTree& tree = all.documents[0].fragments.at(0).tree;
  const Attribute* pushed = tree.find(NodeId{0}, AttributeKind::PushedFilters);
  ASSERT_NE(pushed, nullptr);
  EXPECT_TRUE(pushed->is_whole());
  EXPECT_EQ(pushed->text, "[IsNotNull(a), EqualTo(a,5)]");
  EXPECT_EQ(tree.find(NodeId{0}, AttributeKind::DataFilters)->text, "[isnotnull(a#1), (a#1 = 5)]");
}

TEST(PlanInfoJson, FencesAndProseAround) {
  const std::string plan = node("Project", "Project [a#1]", {scan()});
  const std::string expected = "plan-info-json\n-- only\nProject\n  RDDScan \"Scan ExistingRDD\"\n";
  EXPECT_EQ(read("The plan [see below] is {odd}:\n\n```json\n" + plan + "\n```\nWhy?\n"), expected);
  EXPECT_EQ(read("\xEF\xBB\xBF\r\n" + plan + "\r\n"), expected);
}

// -- what cannot be read --------------------------------------------------------------------------------------------

TEST(PlanInfoJsonDamage, ACutPlanKeepsWhatWasRead) {
  const std::string plan = node("Project", "Project [a#1]", {node("Filter", "Filter (a#1 > 5)", {scan()})});
  const std::string cut = plan.substr(0, plan.find("Scan ExistingRDD[") + 8);
  EXPECT_EQ(read(cut),
            "plan-info-json incomplete\n"
            "-- only\n"
            "Project\n"
            "  Filter\n"
            "    RDDScan \"Scan ExistingRDD\"\n"
            "PV901 @1:" +
                std::to_string(cut.size() + 1) +
                "/4 the JSON ends too early: while reading value - invalid string: missing closing quote; the plan is "
                "read up to here\n");
}

TEST(PlanInfoJsonDamage, EveryCutSaysSo) {
  const std::string plan =
      adaptive(true, node("Project", "Project [a#1]", {node("Filter", "Filter (a#1 > 5)", {scan()})}));
  for (std::size_t length = 1; length < plan.size(); ++length) {
    const ReadAll all = read_all(plan.substr(0, length));
    if (all.documents.empty()) {
      EXPECT_NE(all.error, "") << length;
      continue;
    }
    ASSERT_EQ(all.documents.size(), 1u) << length;
    EXPECT_FALSE(all.documents[0].is_complete) << length;
    EXPECT_FALSE(all.documents[0].notes.empty()) << length;
  }
}

TEST(PlanInfoJsonDamage, MalformedJsonNamesThePlaceAndWhatWasExpected) {
  EXPECT_EQ(read("{\"nodeName\":\"Project\",\n \"simpleString\":\"Project [a#1]\",\n \"children\" [ ]}"),
            "plan-info-json incomplete\n"
            "-- only\n"
            "Project\n"
            "PV904 @3:13/2 the JSON is not well-formed: while reading object separator - unexpected '['; expected ':'; "
            "the plan is read up to here\n");
  EXPECT_EQ(read("{\"nodeName\" \"simpleString\""),
            "error: this looks like plan JSON, but no operator could be read: line 1, column 26: the JSON is not "
            "well-formed: while reading object separator - unexpected string literal; expected ':'; what stands here "
            "could not be read\n");
}

TEST(PlanInfoJsonDamage, ABrokenLineCostsOnlyItself) {
  const std::string plan = node("Project", "Project [a#1]", {scan()});
  std::string broken = start(2, plan);
  broken.replace(broken.find("\"children\":"), 11, "\"children\"=");
  const std::string all = read(start(1, plan) + "\n" + broken + "\n" + start(3, plan) + "\n");
  EXPECT_THAT(all, HasSubstr("execution 1\n"));
  EXPECT_THAT(all, HasSubstr("execution 3\n"));
  EXPECT_THAT(all, HasSubstr("\nPV904 @2:"));
}

TEST(PlanInfoJsonDamage, ALogThatIsCutInALineIsIncomplete) {
  const std::string plan = node("Project", "Project [a#1]", {scan()});
  EXPECT_THAT(read(start(1, plan) + "\n" + start(2, plan).substr(0, 100)), HasSubstr("\nPV902 @2:101/"));
  EXPECT_THAT(read(start(1, plan) + "\n{\"Event\":\"SparkListenerTaskEnd\",\"Stage"), HasSubstr("\nPV902 @2:39/"));
}

TEST(PlanInfoJsonDamage, BytesThatAreNoUtf8AreShownAsQuestionMarks) {
  std::string plan = node("Filter", "Filter (a#1 = xyz)", {scan()});
  plan.replace(plan.find("xyz"), 1, "\xFF");
  OutlineOptions options;
  options.attributes = true;
  const std::string all = read(plan, options);
  EXPECT_THAT(all, HasSubstr("condition: (a#1 = ?yz)\n"));
  EXPECT_THAT(all, HasSubstr("PV904 @1:52/"));
}

TEST(PlanInfoJsonDamage, DeepNestingIsReadWithoutRecursion) {
  constexpr int kDepth = 200'000;
  EXPECT_THAT(read(std::string(kDepth, '[')), StartsWith("error: "));
  std::string deep;
  for (int i = 0; i < kDepth; ++i) deep += R"({"nodeName":"Project","simpleString":"Project [a#1]","children":[)";
  const ReadAll all = read_all(deep);
  ASSERT_EQ(all.documents.size(), 1u);
  EXPECT_EQ(all.documents[0].fragments.at(0).tree.size(), static_cast<std::size_t>(kDepth));
  EXPECT_FALSE(all.documents[0].is_complete);
  std::string nameless;
  for (int i = 0; i < kDepth; ++i) nameless += R"({"children":[)";
  EXPECT_TRUE(read_all(R"({"simpleString":"Project","nodeName":"Project","children":[)" + nameless).documents.size() ==
              1);
}

TEST(PlanInfoJsonDamage, OtherJsonIsNoPlan) {
  for (const char* text : {"{}", "[]", "[1,2]", R"({"a":{"children":[]}})", "{\"Event\":\"SparkListenerTaskEnd\"}\n"}) {
    EXPECT_THAT(read(text), StartsWith("error: ")) << text;
  }
}

// -- real events ----------------------------------------------------------------------------------------------------

TEST(PlanInfoJsonCorpus, EventsOfRealQueries) {
  std::size_t executions = 0;
  for (const std::string& path : source_files("corpus/*/*/eventlog.jsonl")) {
    const ReadAll all = read_all(read_file(source_path(path)), path);
    ASSERT_EQ(all.documents.size(), 1u) << path << all.error;
    const PlanDocument& document = all.documents[0];
    EXPECT_EQ(document.input, InputKind::EventLog) << path;
    EXPECT_TRUE(document.is_complete) << path;
    EXPECT_TRUE(document.execution_id.has_value()) << path;
    ASSERT_FALSE(document.fragments.empty()) << path;
    EXPECT_EQ(document.fragments.size(), document.fragments[0].role == FragmentRole::Final ? 2u : 1u) << path;
    ++executions;
  }
  for (const std::string& path : source_files("corpus/*/*/event.json")) {
    const ReadAll all = read_all(read_file(source_path(path)), path);
    ASSERT_EQ(all.documents.size(), 1u) << path << all.error;
    EXPECT_EQ(all.documents[0].input, InputKind::PlanInfoJson) << path;
    EXPECT_EQ(all.documents[0].fragments.size(), 1u) << path;
  }
  EXPECT_GT(executions, 3u);
}

// How many nodes a reader has to show: what is reused stands elsewhere, and so does a subquery that was seen before.
std::size_t count_once(const nlohmann::json& root) {
  std::size_t count = 0;
  std::set<std::string> subqueries;
  std::vector<const nlohmann::json*> open{&root};
  while (!open.empty()) {
    const nlohmann::json& at = *open.back();
    open.pop_back();
    ++count;
    const std::string name = at["nodeName"];
    if (name == "ReusedExchange" || name == "ReusedSubquery") continue;
    if (name == "Subquery") {
      const std::string mention = at["simpleString"];
      if (!subqueries.insert(mention.substr(0, mention.find(','))).second) continue;
    }
    for (const nlohmann::json& child : at["children"]) open.push_back(&child);
  }
  return count;
}

// Every simpleString of a real plan is found again, at its own place.
TEST(PlanInfoJsonCorpus, NoNodeIsLost) {
  std::size_t nodes = 0;
  for (const std::string& path : source_files("corpus/*/*/*.planinfo.json")) {
    const std::string text = read_file(source_path(path));
    const ReadAll all = read_all(text, path);
    ASSERT_EQ(all.documents.size(), 1u) << path << all.error;
    const PlanDocument& document = all.documents[0];
    const nlohmann::json root = nlohmann::json::parse(text);
    const std::size_t expected = count_once(root);
    EXPECT_EQ(document.fragments.at(0).tree.size(), expected) << path;
    for (const PlanNode& at : document.fragments[0].tree.nodes()) {
      const Position position = document.source->position(at.name_span.begin);
      const std::string_view line = document.source->bytes().line(position.line);
      const std::string_view name = document.source->text(at.name_span);
      EXPECT_EQ(line.substr(position.column - 1, name.size()), name) << path;
      if (at.kind == OperatorKind::ReusedExchange) {
        EXPECT_TRUE(at.reuses != kNoNode || !document.optimized_out.empty()) << path;
      }
      ++nodes;
    }
  }
  EXPECT_GT(nodes, 1000u);
}

}  // namespace
}  // namespace planvet::test
