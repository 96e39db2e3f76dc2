// The labelled corpus: plans of real Spark in corpus/rules/<rule>/, each of one kind:
//
//   positive-NAME.txt   the rule must speak            negative-NAME.txt   a trap: it must not
//   healed-NAME.txt     AQE repaired it at run time    tiny-NAME.txt       the shape without the data
//
// corpus/rules/<rule>/expected.tsv says what is expected: case, severity (`-`: silence), kind of the operator, its id in
// formatted text, reasons (comma-separated; empty: not looked at); planvet.toml, where there is one, declares tables.
// Precision and recall are printed for each rule.

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "analyzer/config/planvet_toml.hpp"
#include "rules/rule.hpp"
#include "tests/lint_text.hpp"
#include "tests/support/files.hpp"

namespace planvet::test {
namespace {

constexpr double kPrecision = 0.95;
constexpr double kRecall = 0.9;

struct Expectation {
  std::string severity;
  std::string kind;
  std::string operator_id;
  std::string reasons;
};

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// Case name (without folder and suffix) to what is expected of it; a case may expect several findings.
std::multimap<std::string, Expectation> read_expected(const std::string& path) {
  std::multimap<std::string, Expectation> expected;
  for (std::string line : split(read_file(source_path(path)), '\n')) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line.front() == '#' || line.starts_with("case\t")) continue;
    std::vector<std::string> columns = split(line, '\t');
    columns.resize(5);
    std::string name = columns[0];
    if (name.ends_with(".txt")) name.resize(name.size() - 4);
    expected.emplace(name, Expectation{columns[1], columns[2], columns[3], columns[4]});
  }
  return expected;
}

struct Score {
  int cases = 0;
  int right = 0;   // expected and found
  int missed = 0;  // expected, not found
  int wrong = 0;   // found, not expected
  std::map<std::string, int> kinds;
  [[nodiscard]] double precision() const { return right + wrong == 0 ? 1.0 : double(right) / (right + wrong); }
  [[nodiscard]] double recall() const { return right + missed == 0 ? 1.0 : double(right) / (right + missed); }
};

bool is_expected(const Finding& finding, const Expectation& expectation) {
  if (expectation.severity == "-" || name(finding.severity) != expectation.severity) return false;
  if (!expectation.kind.empty() && expectation.kind != "-" && info(finding.subject.kind).name != expectation.kind)
    return false;
  const bool has_id = !expectation.operator_id.empty() && expectation.operator_id != "-";
  const auto& id = finding.subject.operator_id;
  if (has_id && (!id || std::to_string(*id) != expectation.operator_id)) return false;
  for (const std::string& reason : split(expectation.reasons, ',')) {
    if (reason.empty() || reason == "-") continue;
    if (std::find(finding.reasons.begin(), finding.reasons.end(), reason) == finding.reasons.end()) return false;
  }
  return true;
}

void score_case(const rules::Rule& rule, const std::string& path, const std::string& name,
                const std::multimap<std::string, Expectation>& expected, const KnownBeside& known, Score& score) {
  std::vector<Expectation> open;
  const auto [begin, end] = expected.equal_range(name);
  for (auto row = begin; row != end; ++row) {
    if (row->second.severity != "-") open.push_back(row->second);
  }
  ++score.cases;
  ++score.kinds[name.substr(0, name.find('-'))];
  for (const DocumentReport& report : lint(read_file(source_path(path)), known)) {
    for (const Finding& finding : report.findings) {
      if (finding.rule != &rule.info) continue;
      const auto match = std::find_if(
          open.begin(), open.end(), [&](const Expectation& expectation) { return is_expected(finding, expectation); });
      if (match != open.end()) {
        open.erase(match);
        ++score.right;
        continue;
      }
      ++score.wrong;
      fmt::print("  {}: not expected: {}\n", path, dump(report));
    }
  }
  for (const Expectation& expectation : open) {
    ++score.missed;
    fmt::print("  {}: missed: {} {} {} {}\n", path, expectation.severity, expectation.kind, expectation.operator_id,
               expectation.reasons);
  }
}

KnownBeside declared_in(const std::string& path) {
  KnownBeside known;
  if (!std::filesystem::exists(source_path(path))) return known;
  const config::ConfigFile file = config::parse_planvet_toml(read_file(source_path(path)));
  EXPECT_TRUE(file.problems.empty()) << path << ": " << (file.problems.empty() ? "" : file.problems.front().message);
  known.facts = file.settings.facts;
  known.settings = file.settings.rules;
  return known;
}

TEST(RuleCorpus, PrecisionAndRecall) {
  if (!std::filesystem::exists(source_path("corpus/rules"))) GTEST_SKIP() << "no labelled corpus here";
  std::string table = fmt::format("{:<28}{:>6}  {:<44}{:>10}{:>8}\n", "rule", "cases", "kinds", "precision", "recall");
  for (const rules::Rule* rule : rules::catalogue()) {
    const std::string folder = fmt::format("corpus/rules/{}", rule->info.name);
    Score score;
    if (std::filesystem::exists(source_path(folder))) {
      const auto expected = read_expected(folder + "/expected.tsv");
      const KnownBeside known = declared_in(folder + "/planvet.toml");
      std::map<std::string, bool> used;
      for (const auto& row : expected) used[row.first] = false;
      for (const std::string& path : source_files(folder + "/*.txt")) {
        std::string name = path.substr(folder.size() + 1);
        name.resize(name.size() - 4);
        EXPECT_NE(expected.count(name), 0U) << path << " is not in expected.tsv";
        used[name] = true;
        score_case(*rule, path, name, expected, known, score);
      }
      for (const auto& [name, is_used] : used) EXPECT_TRUE(is_used) << folder << ": no file for " << name;
    }
    EXPECT_GT(score.cases, 0) << "no labelled case of " << rule->info.name;
    EXPECT_GE(score.precision(), kPrecision) << rule->info.name;
    EXPECT_GE(score.recall(), kRecall) << rule->info.name;
    std::string kinds;
    for (const auto& [kind, count] : score.kinds) kinds += fmt::format("{} {} ", count, kind);
    table += fmt::format("{:<28}{:>6}  {:<44}{:>10.3f}{:>8.3f}\n", rule->info.name, score.cases, kinds,
                         score.precision(), score.recall());
  }
  fmt::print("{}", table);
}

}  // namespace
}  // namespace planvet::test
