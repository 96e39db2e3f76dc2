// The tree that planvet reads from each text mode is the JVM's own SparkPlanInfo tree: operator by operator, edge by edge.

#include <cstdio>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/files.hpp"
#include "tests/support/plan_form.hpp"
#include "tests/support/plan_outline.hpp"

namespace planvet::test {
namespace {

enum Side : unsigned {
  kJson = 1U << 0U,
  kOneLine = 1U << 1U,  // simple, extended, cost, codegen
  kFormatted = 1U << 2U,
  kTexts = kOneLine | kFormatted,
  kAll = kJson | kTexts,
};

// Nodes that only one side shows. Nothing else may differ.
struct Exemption {
  OperatorKind kind;
  unsigned compared_with;  // dropped in comparisons with these texts, on both sides
  Treatment treatment;
  const char* why;
};
constexpr Exemption kExemptions[] = {
    {OperatorKind::WholeStageCodegen, kTexts, Treatment::Splice, "text marks the members instead: *(3)"},
    {OperatorKind::InputAdapter, kTexts, Treatment::Splice, "text ends the mark instead"},
    {OperatorKind::InMemoryRelation, kTexts, Treatment::Splice, "SparkPlanInfo goes from the scan to the cached plan"},
    {OperatorKind::Subquery, kFormatted, Treatment::Splice, "formatted mode prints the plan inside"},
    {OperatorKind::SubqueryBroadcast, kFormatted, Treatment::Splice, "formatted mode prints the plan inside"},
    {OperatorKind::SubqueryAdaptiveBroadcast, kFormatted, Treatment::Splice, "formatted mode prints the plan inside"},
    {OperatorKind::RDDScan, kTexts, Treatment::Leaf, "SparkPlanInfo of 4.x shows the plan that the RDD came from"},
    {OperatorKind::CommandResult, kTexts, Treatment::Leaf, "texts show the command that gave the rows"},
    {OperatorKind::EmptyRelation, kTexts, Treatment::Leaf, "SparkPlanInfo of 4.x shows what had run below it"},
    {OperatorKind::ReusedSubquery, kFormatted, Treatment::Cut, "formatted mode prints a head without a tree"},
};

Treatment treatment_of(const PlanNode& node, unsigned compared_with) {
  for (const Exemption& exemption : kExemptions) {
    if (exemption.kind == node.kind && (exemption.compared_with & compared_with) != 0) return exemption.treatment;
  }
  // A command prints the unplanned query below itself; the JVM's tree ends at the command.
  return node.is_logical ? Treatment::Cut : Treatment::Keep;
}

Form form_for(const PlanTree& tree, unsigned compared_with, NodeId root = NodeId{0}) {
  return make_form(
      tree, [=](const PlanNode& node) { return treatment_of(node, compared_with); }, root);
}

struct Counts {
  std::size_t trees = 0;
  std::size_t cut = 0;  // by Spark
  std::size_t equal = 0;
  std::size_t operators = 0;
  std::size_t edges = 0;
  std::size_t attributes = 0;
};

struct CorpusPlan {
  std::string folder;  // corpus/spark-3.5.9/join_star
  std::string phase;   // before, after
  ReadAll json;
  const PlanTree& tree() const { return json.documents.at(0).fragments.at(0).tree; }
  std::string text_path(std::string_view mode) const { return folder + "/" + phase + "." + std::string(mode) + ".txt"; }
};

std::vector<CorpusPlan> corpus_plans() {
  std::vector<CorpusPlan> plans;
  constexpr std::string_view kEnding = ".planinfo.json";
  for (const std::string& path : source_files("corpus/*/*/*.planinfo.json")) {
    CorpusPlan plan;
    const std::size_t slash = path.rfind('/');
    plan.folder = path.substr(0, slash);
    plan.phase = path.substr(slash + 1, path.size() - slash - 1 - kEnding.size());
    plan.json = read_all(read_file(source_path(path)), path);
    if (plan.json.documents.size() != 1) {
      ADD_FAILURE() << path << ": " << plan.json.documents.size() << " documents " << plan.json.error;
      continue;
    }
    plans.push_back(std::move(plan));
  }
  return plans;
}

// Spark itself cut the text (spark.sql.maxPlanStringLength): the tree cannot be whole, and must not be called so.
bool is_cut_by_spark(std::string_view text) { return text.find(" more characters") != std::string_view::npos; }

bool exists(const std::string& path) { return std::filesystem::exists(source_path(path)); }

class Exactness : public testing::TestWithParam<std::string_view> {};

// Attributes that Spark itself prints otherwise in a text than in the tree.
struct AttributeExemption {
  AttributeKind kind;
  unsigned side;
  const char* why;
};
constexpr AttributeExemption kAttributeExemptions[] = {
    {AttributeKind::Arguments, kFormatted, "blocks print as fields what one line prints as arguments"},
    {AttributeKind::Input, kFormatted, "one line has no Input"},
    {AttributeKind::Location, kFormatted, "InMemoryFileIndex [..] instead of InMemoryFileIndex(1 paths)[..]"},
    {AttributeKind::Format, kFormatted, "parquet of the name instead of Parquet of the metadata"},
    {AttributeKind::Range, kFormatted, "splits=None instead of splits=2"},
};

bool is_comparable(const PlanNode& node, const AttributeDifference& difference, unsigned side) {
  if (family(node.kind) == OperatorFamily::Write) return false;  // where the name ends cannot be told in one line
  for (const AttributeExemption& exemption : kAttributeExemptions) {
    if (exemption.kind == difference.kind && (exemption.side & side) != 0) return false;
  }
  // A condition that is one column alone has its type behind it in one line: `flag#1: boolean`.
  return difference.expected != difference.actual + ": boolean";
}

// explain() of a streaming query plans it anew: state, watermarks and ids are of another plan of the same shape.
bool is_planned_anew(const CorpusPlan& plan) { return plan.folder.find("/stream_") != std::string::npos; }

void check_mode(std::string_view mode, Counts& counts) {
  const unsigned side = mode == "formatted" ? kFormatted : kOneLine;
  std::map<std::string, std::size_t> missing;
  std::size_t shown = 0;
  for (const CorpusPlan& plan : corpus_plans()) {
    const std::string path = plan.text_path(mode);
    if (!exists(path)) continue;
    const std::string text = read_file(source_path(path));
    const ReadAll all = read_all(text, path);
    if (is_cut_by_spark(text)) {
      ++counts.cut;
      for (const PlanDocument& document : all.documents) EXPECT_FALSE(document.is_complete) << path;
      EXPECT_TRUE(!all.documents.empty() || !all.error.empty()) << path;
      continue;
    }
    ++counts.trees;
    if (all.documents.size() != 1) {
      ADD_FAILURE() << path << ": " << all.documents.size() << " documents " << all.error;
      continue;
    }
    const PlanDocument& document = all.documents[0];
    const Fragment* const judged = judged_fragment(document);
    if (judged == nullptr) {
      ADD_FAILURE() << path << ": no fragment\n" << outline(document);
      continue;
    }
    const Form expected = form_for(plan.tree(), side);
    const Form actual = form_for(judged->tree, side);
    const FormComparison result = compare(expected, actual);
    if (!result.is_equal) {
      if (++shown <= 12) ADD_FAILURE() << path << "\n" << result.difference;
      continue;
    }
    ++counts.equal;
    counts.operators += result.operators;
    counts.edges += result.edges;
    EXPECT_TRUE(document.is_complete) << path << "\n" << outline(document);
    EXPECT_EQ(judged->role, plan.json.documents[0].fragments[0].role) << path;
    const AttributeComparison attributes = compare_attributes(expected, actual);
    counts.attributes += attributes.compared;
    for (const AttributeDifference& difference : attributes.differences) {
      if (is_planned_anew(plan) || !is_comparable(judged->tree.node(difference.actual_node), difference, side) ||
          ++shown > 12)
        continue;
      const Position place = document.source->position(judged->tree.node(difference.actual_node).name_span.begin);
      ADD_FAILURE() << path << ":" << place.line << ": " << info(difference.kind).json_name << "\n  expected "
                    << difference.expected << "\n  actual   " << difference.actual;
    }
    for (const AttributeDifference& difference : attributes.missing) {
      const OperatorKind kind = plan.tree().node(difference.expected_node).kind;
      ++missing[std::string(info(kind).name) + "." + std::string(info(difference.kind).json_name)];
    }
  }
  std::printf("%-10s %4zu of %4zu trees equal, %6zu operators, %6zu edges, %6zu attributes; %zu cut by Spark\n",
              std::string(mode).c_str(), counts.equal, counts.trees, counts.operators, counts.edges, counts.attributes,
              counts.cut);
  for (const auto& [what, count] : missing) std::printf("    only in JSON: %s %zu\n", what.c_str(), count);
}

TEST_P(Exactness, TextTreeEqualsTheJvmsTree) {
  Counts counts;
  check_mode(GetParam(), counts);
  EXPECT_EQ(counts.equal, counts.trees);
  EXPECT_GT(counts.trees, 50u);
}

INSTANTIATE_TEST_SUITE_P(Modes, Exactness, testing::Values("simple", "formatted", "extended", "cost"),
                         [](const auto& parameter) { return std::string(parameter.param); });

// Without subqueries and cached plans: those have run since.
Form own_form(const PlanTree& tree, unsigned compared_with, NodeId root = NodeId{0}) {
  return make_form(
      tree,
      [&](const PlanNode& node) {
        const bool is_own = node.id == root || node.link == Link::Child;
        return is_own ? treatment_of(node, compared_with) : Treatment::Cut;
      },
      root);
}

// The initial plan that the text of a query that ran still shows is the plan from before.
TEST(ExactnessInitial, InitialPlansAreThePlansFromBefore) {
  Counts counts;
  for (const CorpusPlan& plan : corpus_plans()) {
    if (plan.phase != "before" || plan.tree().nodes()[0].kind != OperatorKind::AdaptiveSparkPlan) continue;
    for (const char* mode : {"simple", "formatted"}) {
      const std::string path = plan.folder + "/after." + mode + ".txt";
      if (!exists(path)) continue;
      const std::string text = read_file(source_path(path));
      if (is_cut_by_spark(text)) continue;
      const ReadAll all = read_all(text, path);
      for (const PlanDocument& document : all.documents) {
        for (const Fragment& fragment : document.fragments) {
          if (fragment.role != FragmentRole::Initial) continue;
          ++counts.trees;
          const unsigned side = std::string_view(mode) == "formatted" ? kFormatted : kOneLine;
          const FormComparison result = compare(own_form(plan.tree(), side, NodeId{1}), own_form(fragment.tree, side));
          if (result.is_equal) {
            ++counts.equal;
            counts.operators += result.operators;
          } else if (counts.trees - counts.equal < 8) {
            ADD_FAILURE() << path << "\n" << result.difference;
          }
          break;  // further ones are of cached plans and subqueries
        }
      }
    }
  }
  std::printf("initial    %4zu of %4zu trees equal, %6zu operators\n", counts.equal, counts.trees, counts.operators);
  EXPECT_EQ(counts.equal, counts.trees);
}

// Codegen mode prints each fused subtree: it equals the part of the plan below one WholeStageCodegen.
TEST(ExactnessCodegen, EachSubtreeEqualsItsPart) {
  std::size_t subtrees = 0;
  std::size_t operators = 0;
  for (const CorpusPlan& plan : corpus_plans()) {
    const std::string path = plan.text_path("codegen");
    if (!exists(path)) continue;
    const ReadAll all = read_all(read_file(source_path(path)), path);
    // Spark prints every fused subtree with all that is below it; planvet keeps those that no other contains.
    std::multiset<std::string> parts;
    for (NodeId at{0}; index(at) < plan.tree().size();) {
      const PlanNode& node = plan.tree().node(at);
      const bool is_fused = node.kind == OperatorKind::WholeStageCodegen;
      if (is_fused) parts.insert(test::text(form_for(plan.tree(), kOneLine, next(at))));
      at = is_fused ? node.subtree_end : next(at);
    }
    for (const PlanDocument& document : all.documents) {
      EXPECT_FALSE(document.is_complete) << path;
      for (const Fragment& fragment : document.fragments) {
        const std::string form = test::text(form_for(fragment.tree, kOneLine));
        const auto found = parts.find(form);
        if (found == parts.end()) {
          ADD_FAILURE() << path << ": no part of the plan is\n" << form;
        } else {
          parts.erase(found);
        }
        ++subtrees;
        operators += fragment.tree.size();
      }
    }
    EXPECT_TRUE(parts.empty()) << path << ": not printed:\n" << *parts.begin();
  }
  std::printf("codegen    %4zu subtrees, %6zu operators\n", subtrees, operators);
  EXPECT_GT(subtrees, 5u);
}

// -- exchange counts ------------------------------------------------------------------------------------------------

bool is_exchange_name(const std::string& name) { return name.ends_with("Exchange") && name != "ReusedExchange"; }

// What SparkPlanInfo shows below these, texts do not.
bool ends_texts(const std::string& name) { return name == "EmptyRelation" || name == "Scan ExistingRDD"; }

// Straight from the JSON, by the accumulators that are the JVM's own identity of an operator. Cached plans ran when the
// cache was filled.
std::size_t exchanges_of(const nlohmann::json& root, bool as_in_texts) {
  std::set<std::string> seen;
  std::vector<const nlohmann::json*> open{&root};
  while (!open.empty()) {
    const nlohmann::json& at = *open.back();
    open.pop_back();
    if (is_exchange_name(at["nodeName"])) {
      std::string identity;
      for (const nlohmann::json& metric : at["metrics"]) identity += metric["accumulatorId"].dump() + " ";
      seen.insert(identity.empty() ? at["simpleString"].dump() : identity);
    }
    if (at["nodeName"] == "InMemoryTableScan" || (as_in_texts && ends_texts(at["nodeName"]))) continue;
    for (const nlohmann::json& child : at["children"]) open.push_back(&child);
  }
  return seen.size();
}

std::size_t exchanges_of(const PlanDocument& document) {
  std::size_t count = 0;
  std::set<std::string_view> elsewhere;  // exchanges that one-line modes only mention: optimised out, still read
  const auto add = [&](const PlanTree& tree) {
    for (NodeId at{0}; index(at) < tree.size();) {
      const PlanNode& node = tree.node(at);
      if (family(node.kind) == OperatorFamily::Exchange && !node.is_logical) ++count;
      if (node.kind == OperatorKind::ReusedExchange && node.reuses == kNoNode) {
        const Attribute* const original = tree.find(at, AttributeKind::ReusedOperator);
        elsewhere.insert(original != nullptr ? original->text : "[Reuses operator id: unknown]");  // up to 3.3
      }
      at = family(node.kind) == OperatorFamily::Cache ? node.subtree_end : next(at);
    }
  };
  if (const Fragment* const judged = judged_fragment(document)) add(judged->tree);
  for (const PlanTree& tree : document.optimized_out) add(tree);
  return count + (document.optimized_out.empty() ? elsewhere.size() : 0);
}

TEST(ExchangeCounts, AreThoseOfTheJvm) {
  std::size_t plans = 0;
  std::size_t adaptive = 0;
  std::size_t exchanges = 0;
  for (const std::string& path : source_files("corpus/*/*/*.planinfo.json")) {
    const std::string json_text = read_file(source_path(path));
    const nlohmann::json root = nlohmann::json::parse(json_text);
    const std::size_t expected = exchanges_of(root, false);
    const std::size_t expected_in_texts = exchanges_of(root, true);
    const ReadAll from_json = read_all(json_text, path);
    ASSERT_EQ(from_json.documents.size(), 1u) << path;
    EXPECT_EQ(exchanges_of(from_json.documents[0]), expected) << path;
    ++plans;
    exchanges += expected;
    if (json_text.find("isFinalPlan=true") != std::string::npos) ++adaptive;
    for (const char* mode : {"simple", "formatted", "extended", "cost"}) {
      const std::string text_path = path.substr(0, path.size() - std::string("planinfo.json").size()) + mode + ".txt";
      if (!exists(text_path)) continue;
      const std::string text = read_file(source_path(text_path));
      if (is_cut_by_spark(text)) continue;
      const ReadAll all = read_all(text, text_path);
      if (all.documents.size() != 1) {
        ADD_FAILURE() << text_path << ": " << all.documents.size() << " documents";
        continue;
      }
      EXPECT_EQ(exchanges_of(all.documents[0]), expected_in_texts) << text_path;
    }
  }
  std::printf("exchanges  %zu in %zu plans, %zu of them final adaptive ones\n", exchanges, plans, adaptive);
  EXPECT_GT(adaptive, 20u);
}

}  // namespace
}  // namespace planvet::test
