// Fingerprints: no two findings of the corpus share one, and a plan that another session made again has the same ones.
//
// The second needs such a session: corpus/generate/regenerate_for_identity.py makes one, PLANVET_REGENERATED names the
// folder that it wrote.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "analyzer/read/reader.hpp"
#include "analyzer/report/fingerprint.hpp"
#include "tests/lint_text.hpp"
#include "tests/support/files.hpp"
#include "tests/support/sanitizer.hpp"

namespace planvet::test {
namespace {

// Rule and fingerprint of each finding, sorted; `said` gets what each says.
std::vector<std::string> identities(const std::filesystem::path& file, const std::string& path,
                                    std::map<std::string, std::string>& said) {
  std::vector<DocumentReport> reports;
  const auto bytes = std::make_shared<const SourceBytes>(path, read_file(file));
  // Of plans that Spark cut to nothing there is nothing to identify.
  static_cast<void>(read::read_input(bytes, [&](PlanDocument&& document) {
    reports.push_back(rules::run_rules(std::move(document), {}, {}, kParser));
  }));
  assign_fingerprints(reports, path);
  std::vector<std::string> identities;
  for (const DocumentReport& report : reports) {
    for (const Finding& finding : report.findings) {
      identities.push_back(fmt::format("{} {}", finding.rule->name, finding.fingerprint));
      said[identities.back()] = fmt::format("{}: {}", place(report, finding.span), finding.message);
    }
  }
  std::ranges::sort(identities);
  return identities;
}

bool is_plan(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  return name.starts_with("before.") || name.starts_with("after.") || path.starts_with("corpus/rules/");
}

TEST(Identity, NoTwoFindingsOfTheCorpusShareOne) {
  std::map<std::string, std::string> owner;
  std::size_t findings = 0;
  for (const std::string& path : sampled(source_files("corpus/**/*.{txt,json}"))) {
    if (!is_plan(path)) continue;
    std::map<std::string, std::string> said;
    for (const std::string& identity : identities(source_path(path), path, said)) {
      ++findings;
      const std::string fingerprint = identity.substr(identity.find(' ') + 1);
      const auto [at, is_new] = owner.emplace(fingerprint, path + ": " + said[identity]);
      EXPECT_TRUE(is_new) << path << ": " << said[identity] << "\nhas the fingerprint of " << at->second;
    }
  }
  fmt::print("{} findings, {} fingerprints\n", findings, owner.size());
  EXPECT_GT(findings, kIsSanitized ? 300U : 1000U);
}

TEST(Identity, StandsWhenAnotherSessionMakesThePlans) {
  const char* const folder = std::getenv("PLANVET_REGENERATED");
  if (folder == nullptr)
    GTEST_SKIP() << "PLANVET_REGENERATED names no corpus of another session: see regenerate_for_identity.py";
  std::size_t plans = 0;
  std::size_t findings = 0;
  std::size_t kept = 0;
  std::map<std::string, std::pair<std::size_t, std::size_t>> by_rule;  // kept of all
  for (const std::string& path : source_files("corpus/spark-*/*/{before,after}.*.{txt,json}")) {
    const std::string relative = path.substr(std::string("corpus/").size());
    const std::filesystem::path other = std::filesystem::path(folder) / relative;
    if (!std::filesystem::exists(other)) continue;
    ++plans;
    std::map<std::string, std::string> said;
    std::map<std::string, std::string> said_other;
    const std::vector<std::string> first = identities(source_path(path), relative, said);
    const std::vector<std::string> second = identities(other, relative, said_other);
    std::vector<std::string> lost;
    std::ranges::set_difference(first, second, std::back_inserter(lost));
    findings += first.size();
    kept += first.size() - lost.size();
    for (const std::string& identity : first) ++by_rule[identity.substr(0, identity.find(' '))].second;
    for (const std::string& identity : lost) ++by_rule[identity.substr(0, identity.find(' '))].first;
    EXPECT_EQ(first.size(), second.size()) << relative;
    for (const std::string& identity : lost)
      ADD_FAILURE() << relative << ": gone: " << identity << "\n  " << said[identity];
    std::vector<std::string> fresh;
    std::ranges::set_difference(second, first, std::back_inserter(fresh));
    for (const std::string& identity : fresh)
      ADD_FAILURE() << relative << ": new: " << identity << "\n  " << said_other[identity];
  }
  for (const auto& [rule, counts] : by_rule)
    fmt::print("  {:<28} {} of {}\n", rule, counts.second - counts.first, counts.second);
  fmt::print("{} of {} findings in {} plans keep their fingerprints\n", kept, findings, plans);
  EXPECT_GT(findings, 0U);
}

}  // namespace
}  // namespace planvet::test
