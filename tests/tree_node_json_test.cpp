// executedPlan.toJSON of real Spark against SparkPlanInfo of the same plan: the same operators in the same places, and
// what both say of them is the same.
#include "analyzer/read/tree_node/tree_node_json.hpp"

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "analyzer/read/explain_text.hpp"
#include "analyzer/read/plan_info_json.hpp"
#include "analyzer/read/reader.hpp"
#include "tests/support/event_logs.hpp"
#include "tests/support/files.hpp"

namespace planvet::test {
namespace {

using json = nlohmann::ordered_json;  // as Spark wrote it

PlanDocument read_one(const read::Reader& reader, std::string text) {
  const auto bytes = std::make_shared<const SourceBytes>("plan.json", std::move(text));
  EXPECT_TRUE(reader.looks_like(bytes->bytes()));
  PlanDocument found;
  reader.read(bytes, [&](PlanDocument&& document) { found = std::move(document); });
  return found;
}

struct Sample {
  std::string version;
  json content;
};

std::vector<Sample> samples() {
  std::vector<Sample> found;
  for (const std::string& path : source_files("corpus/tree_node_json/*.zst")) {
    const std::string lines = decompressed_file(source_path(path).string());
    for (std::size_t at = 0; at < lines.size(); at = lines.find('\n', at) + 1)
      found.push_back({path, json::parse(lines.substr(at, lines.find('\n', at) - at))});
  }
  return found;
}

// What is put into the input of an adaptive plan before it runs, or taken out of it.
bool is_put_in(OperatorKind kind) {
  return kind == OperatorKind::WholeStageCodegen || kind == OperatorKind::InputAdapter ||
         kind == OperatorKind::ColumnarToRow || kind == OperatorKind::ShuffleExchange ||
         kind == OperatorKind::BroadcastExchange || kind == OperatorKind::Sort || kind == OperatorKind::Project ||
         kind == OperatorKind::AdaptiveSparkPlan;
}

std::string outline(const PlanTree& tree, bool with_structure) {
  std::string text;
  std::vector<std::size_t> depth(tree.size(), 0);
  for (const PlanNode& node : tree.nodes()) {
    const std::size_t i = index(node.id);
    const bool is_shown = with_structure || !is_put_in(node.kind);
    depth[i] = (node.parent == kNoNode ? 0 : depth[index(node.parent)]) + (is_shown ? 1U : 0U);
    if (!is_shown) continue;
    text += std::string(depth[i] * 2, ' ') + std::string(info(node.kind).name);
    if (with_structure) text += " " + std::string(name(node.link)) + " " + std::to_string(node.codegen_stage);
    text += "\n";
  }
  return text;
}

// What the JSON does not have, or has in another form.
bool is_lost(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::Other:
    case AttributeKind::Format:
    case AttributeKind::Table:          // behind the format
    case AttributeKind::PushedFilters:  // not known, and not whole
    case AttributeKind::IsFinalPlan:
    case AttributeKind::PlanId: return true;
    default: return false;
  }
}

TEST(TreeNodeJson, EqualsSparkPlanInfoOfTheSamePlan) {
  std::size_t nodes = 0;
  std::size_t equal = 0;
  std::size_t adaptive = 0;
  std::map<std::string, std::string> different;  // by attribute, one example each
  std::size_t unequal = 0;
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.version + " " + sample.content["name"].get<std::string>());
    const PlanDocument document = read_one(read::kTreeNodeJson, sample.content["toJSON"].dump());
    ASSERT_EQ(document.fragments.size(), 1U);
    EXPECT_EQ(document.input, InputKind::TreeNodeJson);
    const PlanTree& tree = document.fragments.front().tree;
    const std::string name = sample.content["name"];
    if (name.find("_adaptive") != std::string::npos) {
      // It holds the input alone, and says so.
      EXPECT_FALSE(document.is_complete);
      ASSERT_EQ(document.notes.size(), 1U);
      EXPECT_EQ(document.notes.front().kind, NoteKind::NotFinalPlan);
      PlanDocument text;
      read::kExplainText.read(std::make_shared<const SourceBytes>(
                                  "plan.txt", "== Physical Plan ==\n" + sample.content["text"].get<std::string>()),
                              [&](PlanDocument&& read) { text = std::move(read); });
      const bool has_run = name.ends_with("_ran");
      // Subqueries of plans that ran print their own.
      for (const Fragment& fragment : text.fragments) {
        if (has_run != (fragment.role == FragmentRole::Initial)) continue;
        if (name.find("subquery") != std::string::npos && has_run) continue;
        EXPECT_EQ(outline(fragment.tree, false), outline(tree, false));
        ++adaptive;
      }
      continue;
    }
    EXPECT_TRUE(document.is_complete);
    const PlanDocument expected = read_one(read::kPlanInfoJson, sample.content["planInfo"].dump());
    const PlanTree& from_info = expected.fragments.front().tree;
    ASSERT_EQ(outline(from_info, true), outline(tree, true));
    for (const PlanNode& node : tree.nodes()) {
      ++nodes;
      if (node.kind == OperatorKind::FileSourceScan) {
        const Attribute* const pushed = tree.find(node.id, AttributeKind::PushedFilters);
        ASSERT_NE(pushed, nullptr);
        EXPECT_FALSE(pushed->is_whole());
      }
      for (const Attribute& attribute : from_info.attributes(node.id)) {
        const Attribute* const mine = tree.find(node.id, attribute.kind);
        if (mine == nullptr || is_lost(attribute.kind)) continue;
        if (attribute.text.find("Subquery ") != std::string_view::npos) continue;  // its number is lost
        if (mine->text == attribute.text) {
          ++equal;
        } else {
          ++unequal;
          different[std::string(info(node.kind).name) + "." + std::string(info(attribute.kind).json_name)] =
              std::string(attribute.text) + "  <>  " + std::string(mine->text);
        }
      }
    }
  }
  for (const auto& [name, example] : different) std::printf("  %s: %s\n", name.c_str(), example.c_str());
  EXPECT_EQ(adaptive, 20U);
  EXPECT_GT(nodes, 200U);
  EXPECT_GT(equal, 350U);
  EXPECT_EQ(unequal, 0U);
  std::printf("toJSON: %zu operators and %zu attributes are as SparkPlanInfo has them\n", nodes, equal);
}

TEST(TreeNodeJson, DamageDoesNoHarm) {
  const std::vector<Sample> all = samples();
  const std::string whole = all.front().content["toJSON"].dump();
  std::uint32_t random = 7;
  const auto next = [&] { return random = random * 1664525U + 1013904223U; };
  for (int i = 0; i < 100; ++i) {
    std::string damaged = whole;
    if (i % 2 == 0) {
      damaged.resize(400 + next() % (whole.size() - 400));
    } else {
      for (int flips = 0; flips < 6; ++flips)
        damaged[400 + next() % (damaged.size() - 400)] = static_cast<char>(next() >> 24U);
    }
    const PlanDocument document = read_one(read::kTreeNodeJson, damaged);
    if (i % 2 == 0) {
      EXPECT_FALSE(document.is_complete);
    }
  }
}

TEST(TreeNodeJson, SaysWhatIsNoPhysicalPlan) {
  const PlanDocument logical =
      read_one(read::kTreeNodeJson,
               R"([{"class":"org.apache.spark.sql.catalyst.plans.logical.Range","num-children":0,"start":0,"end":5}])");
  EXPECT_TRUE(logical.fragments.empty());
  ASSERT_EQ(logical.notes.size(), 1U);
  EXPECT_NE(logical.notes.front().message.find("logical plan"), std::string::npos);
}

}  // namespace
}  // namespace planvet::test
