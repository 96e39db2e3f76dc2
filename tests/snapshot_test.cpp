// Snapshots of every corpus plan: the same bytes when made of themselves, the same operators, the same findings, nothing
// of the session; and the same bytes from another session (PLANVET_REGENERATED).

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "analyzer/cli/pipeline.hpp"
#include "analyzer/cli/snapshot_text.hpp"
#include "analyzer/read/expression_reader.hpp"
#include "analyzer/snapshot/identifiers.hpp"
#include "analyzer/snapshot/paths.hpp"
#include "rules/run_rules.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/files.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/plan_form.hpp"
#include "tests/support/sanitizer.hpp"

namespace planvet::test {
namespace {

snapshot::Options options(bool wants_final = false, bool masks_literals = false) {
  return {{parse_expression, parse_pushed_filters}, wants_final, masks_literals};
}

std::vector<const PlanDocument*> plans_of(const std::vector<PlanDocument>& documents) {
  std::vector<const PlanDocument*> plans;
  for (const PlanDocument& document : documents) {
    if (judged_fragment(document) != nullptr) plans.push_back(&document);
  }
  return plans;
}

std::string snapshot_of(std::string text, const snapshot::Options& how) {
  const std::vector<PlanDocument> documents = cli::read_documents("plan.txt", std::move(text));
  return cli::snapshot_text(plans_of(documents), how).text;
}

std::vector<std::string> corpus_files(std::string_view sets = "*") {
  std::vector<std::string> files;
  for (const std::string& file : source_files("corpus/" + std::string(sets) + "/*/*.{txt,json,jsonl}")) {
    if (!file.ends_with("query.json") && !file.starts_with("corpus/generate/")) files.push_back(file);
  }
  return sampled(std::move(files));
}

void expect_idempotent(const std::vector<std::string>& files, const snapshot::Options& how, const char* name) {
  std::size_t plans = 0;
  std::size_t equal = 0;
  for (const std::string& file : files) {
    const std::string once = snapshot_of(read_file(source_path(file)), how);
    if (once.empty()) continue;  // no plan in it
    ++plans;
    const std::string twice = snapshot_of(once, how);
    if (once == twice) {
      ++equal;
    } else if (plans - equal < 10) {
      ADD_FAILURE() << file << '\n' << line_diff(once, twice);
    }
  }
  std::printf("snapshots of snapshots (%s): %zu of %zu are the same bytes\n", name, equal, plans);
  EXPECT_GT(plans, files.size() * 9 / 10);
  EXPECT_EQ(equal, plans);
}

TEST(Snapshot, OfSnapshotsAreTheSameBytes) { expect_idempotent(corpus_files(), options(), "before the run"); }
TEST(Snapshot, OfFinalSnapshotsAreTheSameBytes) {
  expect_idempotent(corpus_files("{spark-3.5.9,comet-*}"), options(true), "final");
}
TEST(Snapshot, OfMaskedSnapshotsAreTheSameBytes) {
  expect_idempotent(corpus_files("{spark-3.5.9,iceberg-*,delta-*,hive-*}"), options(false, true), "masked");
}

// What a snapshot leaves out of the tree: wrappers that text never shows. 4.x prints a subquery again below every
// operator that mentions it; the snapshot mentions it.
Treatment treatment(const PlanNode& node) {
  switch (node.kind) {
    case OperatorKind::WholeStageCodegen:
    case OperatorKind::InputAdapter: return Treatment::Splice;
    case OperatorKind::ReusedSubquery: return Treatment::Cut;
    default: return node.link == Link::ReusedSubquery ? Treatment::Cut : Treatment::Keep;
  }
}

// Kind, engine, link and parent of each operator: one line each.
std::string outline_of(const PlanTree& tree) {
  const Form form = make_form(tree, treatment);
  std::string out;
  for (const FormNode& form_node : form.nodes) {
    const PlanNode& node = tree.node(form_node.id);
    out += std::to_string(form_node.parent) + " " + std::string(name(form_node.link)) + " " +
           std::string(info(node.kind).name) + " " + std::string(name(node.engine));
    out += '\n';
  }
  return out;
}

TEST(Snapshot, HasTheOperatorsOfItsInput) {
  std::size_t plans = 0;
  std::size_t equal = 0;
  std::size_t operators = 0;
  for (const std::string& file : corpus_files()) {
    const std::vector<PlanDocument> given = cli::read_documents(file, read_file(source_path(file)));
    const std::vector<const PlanDocument*> expected = plans_of(given);
    if (expected.empty()) continue;
    const std::string text = cli::snapshot_text(expected, options(true)).text;
    const std::vector<PlanDocument> made = cli::read_documents(file, text);
    const std::vector<const PlanDocument*> actual = plans_of(made);
    ASSERT_EQ(expected.size(), actual.size()) << file;
    for (std::size_t at = 0; at < expected.size(); ++at) {
      ++plans;
      const auto old_parts = judged_fragments(*expected[at]);
      const auto new_parts = judged_fragments(*actual[at]);
      std::string was;
      std::string is;
      for (const Fragment* part : old_parts) was += outline_of(part->tree);
      for (const Fragment* part : new_parts) is += outline_of(part->tree);
      operators += static_cast<std::size_t>(std::count(is.begin(), is.end(), '\n'));
      EXPECT_EQ(expected[at]->is_complete, actual[at]->is_complete) << file;
      if (was == is) {
        ++equal;
      } else if (plans - equal < 10) {
        ADD_FAILURE() << file << '\n' << line_diff(was, is);
      }
    }
  }
  std::printf("trees of final snapshots: %zu of %zu plans equal, %zu operators\n", equal, plans, operators);
  EXPECT_GT(plans, kIsSanitized ? 1500U : 5000U);
  EXPECT_EQ(equal, plans);
}

std::map<std::string, int> findings_of(const std::string& text) {
  std::map<std::string, int> found;
  const Facts facts;
  const RuleSettings settings;
  for (PlanDocument& document : cli::read_documents("plan.txt", text)) {
    if (judged_fragment(document) == nullptr) continue;
    const DocumentReport report = rules::run_rules(std::move(document), facts, settings, options().parser);
    for (const Finding& finding : report.findings) {
      ++found[std::string(finding.rule->name)];
    }
  }
  return found;
}

// Whether two scans read the same files cannot be told of paths whose volatile part was taken out.
bool has_the_findings(std::map<std::string, int> was, const std::map<std::string, int>& is) {
  if (was == is) return true;
  if (!is.contains("repeated-scan")) was.erase("repeated-scan");
  return was == is;
}

// Cost mode's statistics and what a run measured are not in snapshots: modes without them.
TEST(Snapshot, HasTheFindingsOfItsInput) {
  std::size_t plans = 0;
  std::size_t equal = 0;
  const std::vector<std::string> files =
      sampled(source_files("corpus/*/*/before.{simple,formatted,planinfo}.{txt,json}"));
  for (const std::string& file : files) {
    // A literal that holds a plan: its `z#1` is numbered anew in the condition and left alone in the pushed filter.
    if (file.find("/nasty_literal_") != std::string::npos) continue;
    const std::string text = read_file(source_path(file));
    const std::string made = snapshot_of(text, options());
    if (made.empty()) continue;
    ++plans;
    const auto was = findings_of(text);
    const auto is = findings_of(made);
    if (has_the_findings(was, is)) {
      ++equal;
    } else if (plans - equal < 10) {
      std::string message;
      for (const auto& [finding, count] : was) message += "  was " + finding + " " + std::to_string(count) + "\n";
      for (const auto& [finding, count] : is) message += "  is  " + finding + " " + std::to_string(count) + "\n";
      ADD_FAILURE() << file << '\n' << message;
    }
  }
  std::printf("findings of snapshots: %zu of %zu plans equal\n", equal, plans);
  EXPECT_GT(plans, kIsSanitized ? 600U : 2000U);
  EXPECT_EQ(equal, plans);
}

// A plan that ran may say more of the version.
std::string without_headers(const std::string& text) {
  const std::size_t plan = text.find("== Physical Plan ==");
  return plan == std::string::npos ? text : text.substr(plan);
}

// The plan before the run, and the one that the text after the run calls initial, are one plan.
TEST(Snapshot, OfAPlanThatRanIsThatOfThePlanBefore) {
  std::size_t plans = 0;
  std::size_t equal = 0;
  for (const std::string& file : source_files("corpus/spark-*/*/after.formatted.txt")) {
    const std::string before_file =
        file.substr(0, file.size() - std::string_view("after.formatted.txt").size()) + "before.formatted.txt";
    if (!std::filesystem::exists(source_path(before_file))) continue;
    const std::string after = read_file(source_path(file));
    if (after.find("isFinalPlan=true") == std::string::npos) continue;
    ++plans;
    const std::string was = snapshot_of(read_file(source_path(before_file)), options());
    if (without_headers(snapshot_of(after, options())) == without_headers(was)) ++equal;
  }
  std::printf("snapshots after a run that equal those before it: %zu of %zu\n", equal, plans);
  EXPECT_GT(plans, 200U);
  EXPECT_GE(equal * 100, plans * 80);
}

std::string read_if_any(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// What another session cannot print alike: the date of today, folded into the plan; a plan that Spark cut by its length, ids and folders counted; the plan that
// ran alone, which depends on when its stages ended.
bool depends_on_the_session(const std::string& file, std::string_view text) {
  return text.find(" more characters") != std::string_view::npos ||
         file.find("/nasty_expressions/") != std::string::npos || file.ends_with("after.planinfo.json");
}

// corpus/generate/regenerate_for_identity.py runs the queries in another session: other ids, another lake.
TEST(Snapshot, OfAnotherSessionIsTheSameBytes) {
  const char* const folder = std::getenv("PLANVET_REGENERATED");
  if (folder == nullptr) GTEST_SKIP() << "PLANVET_REGENERATED names no corpus of another session";
  std::size_t plans = 0;
  std::size_t equal = 0;
  std::size_t other_queries = 0;
  for (const std::string& file : corpus_files()) {
    const std::filesystem::path other = std::filesystem::path(folder) / file.substr(std::string_view("corpus/").size());
    if (!std::filesystem::exists(other)) continue;
    const std::filesystem::path own_query = source_path(file).parent_path() / "query.json";
    if (read_if_any(own_query) != read_if_any(other.parent_path() / "query.json")) {
      ++other_queries;  // the corpus has another query of that name by now
      continue;
    }
    const std::string given = read_file(source_path(file));
    if (depends_on_the_session(file, given)) continue;
    const std::string was = snapshot_of(given, options());
    const std::string is = snapshot_of(read_if_any(other), options());
    if (was.empty() && is.empty()) continue;
    ++plans;
    if (was == is) {
      ++equal;
    } else if (plans - equal < 20) {
      ADD_FAILURE() << file << '\n' << line_diff(was, is);
    }
  }
  std::printf("snapshots of another session: %zu of %zu are the same bytes (%zu files of other queries)\n", equal,
              plans, other_queries);
  EXPECT_GT(plans, 0U);
  EXPECT_EQ(equal, plans);
}

TEST(Snapshot, NumbersAndNeutralises) {
  check_cases("tests/cases/snapshot_words.cases", [](std::string_view text) {
    snapshot::Identifiers identifiers;
    return identifiers.words(text);
  });
  check_cases("tests/cases/snapshot_locations.cases", [](std::string_view text) {
    snapshot::Paths paths;
    return paths.location(text);
  });
}

TEST(Snapshot, MasksEveryLiteral) {
  constexpr std::string_view kPlan = R"(== Physical Plan ==
*(1) Project [upper(status#1) AS up#5, CASE WHEN (status#1 = vip) THEN gold ELSE none END AS CASE WHEN (status = vip) THEN gold ELSE none END#6]
+- *(1) Filter ((((status#1 = secretvalue) AND status#1 IN (alpha,beta)) AND (amount#2 > 4711)) AND status#1 LIKE zap%)
   +- *(1) ColumnarToRow
      +- FileScan parquet db.t[status#1,amount#2] Batched: true, DataFilters: [(status#1 = secretvalue)], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/data/t], PartitionFilters: [], PushedFilters: [EqualTo(status,secretvalue), In(status, [alpha,beta]), GreaterThan(amount,4711)], ReadSchema: struct<status:string,amount:int>
)";
  const std::string masked = snapshot_of(std::string(kPlan), options(false, true));
  for (const std::string_view secret : {"secretvalue", "alpha", "beta", "4711", "zap", "vip", "gold"}) {
    EXPECT_EQ(masked.find(secret), std::string::npos) << secret << " in\n" << masked;
  }
  EXPECT_NE(masked.find("EqualTo(status,?)"), std::string::npos) << masked;
  EXPECT_TRUE(matches_golden(masked, "tests/snapshot/masked.txt"));
}

TEST(Snapshot, KeepsWhatStandsAboveAPlan) {
  const std::string text =
      "-- planvet: spark 3.5.9\n-- planvet: name daily\n-- planvet: conf spark.my.password=abc\n"
      "-- planvet: allow adaptive-off agreed\n== Physical Plan ==\n*(1) Range (0, 10, step=1, splits=2)\n";
  const std::string made = snapshot_of(text, options());
  EXPECT_TRUE(
      made.starts_with("-- planvet: name daily\n-- planvet: spark 3.5.9\n"
                       "-- planvet: conf spark.my.password=*********(redacted)\n"
                       "-- planvet: allow adaptive-off agreed\n== Physical Plan ==\n"))
      << made;
}

// What the input lost is said above its snapshot, or its own text still shows it: such a plan is never called whole.
TEST(Snapshot, OfALostPlanIsNeverWhole) {
  const std::string text =
      "== Physical Plan ==\n*(1) Project [id#1L]\nsome stray words here\n+- *(1) Range (0, 10, step=1, splits=2)\n";
  const std::vector<PlanDocument> documents = cli::read_documents("plan.txt", text);
  ASSERT_EQ(documents.size(), 1U);
  ASSERT_FALSE(documents[0].is_complete);
  const std::string made = snapshot_of(text, options());
  EXPECT_TRUE(made.starts_with("-- planvet: note PV904 ")) << made;
  const std::vector<PlanDocument> again = cli::read_documents("plan.txt", made);
  ASSERT_EQ(again.size(), 1U);
  EXPECT_FALSE(again[0].is_complete);
}

}  // namespace
}  // namespace planvet::test
