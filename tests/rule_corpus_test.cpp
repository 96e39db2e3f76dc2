// The labelled corpus: plans of real Spark in corpus/rules/<rule>/, each of one kind:
//
//   positive-NAME.txt   the rule must speak            negative-NAME.txt   a trap: it must not
//   healed-NAME.txt     AQE repaired it at run time    tiny-NAME.txt       the shape without the data
//
// corpus/rules/<rule>/expected.tsv says what is expected: case, severity (`-`: silence), kind of the operator, its id in
// formatted text, reasons (comma-separated; empty: not looked at); planvet.toml, where there is one, declares tables.
// corpus/rules/measured/ holds event logs of many cases each: a query's description is "<rule>/<kind>-<name>", and
// spark-VERSION.tsv says what is expected of it.
// Precision and recall are printed for each rule, and those of each measured log for its rules.

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "analyzer/config/planvet_toml.hpp"
#include "rules/application.hpp"
#include "rules/rule.hpp"
#include "rules/run_rules.hpp"
#include "tests/lint_text.hpp"
#include "tests/support/event_logs.hpp"
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

// Takes what is expected of a case out of `open`, and counts.
void score_report(const rules::Rule& rule, const std::string& place, const DocumentReport& report,
                  std::vector<Expectation>& open, Score& score) {
  for (const Finding& finding : report.findings) {
    if (finding.rule != &rule.info) continue;
    const auto match = std::find_if(open.begin(), open.end(),
                                    [&](const Expectation& expectation) { return is_expected(finding, expectation); });
    if (match != open.end()) {
      open.erase(match);
      ++score.right;
      continue;
    }
    ++score.wrong;
    fmt::print("  {}: not expected: {}\n", place, dump(report));
  }
}

void count_missed(const std::string& place, const std::vector<Expectation>& open, Score& score) {
  for (const Expectation& expectation : open) {
    ++score.missed;
    fmt::print("  {}: missed: {} {} {} {}\n", place, expectation.severity, expectation.kind, expectation.operator_id,
               expectation.reasons);
  }
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
    score_report(rule, path, report, open, score);
  }
  count_missed(path, open, score);
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

// A log of labelled queries, judged by all rules at once.
struct MeasuredLog {
  std::string path;
  std::string name;                                  // "spark-4.1.4"
  std::multimap<std::string, Expectation> expected;  // by "<rule>/<kind>-<name>"
  std::map<std::string, std::vector<DocumentReport>> reports;
};

// A stream's batches begin with its name: "unbounded-state/positive-groups<br/>id = 4f..".
std::string label_of(const PlanDocument& document) {
  const std::string& description = document.metrics->run.description;
  return description.substr(0, description.find_first_of("<\n"));
}

std::vector<MeasuredLog> measured_logs() {
  const std::string folder = "corpus/rules/measured";
  std::vector<MeasuredLog> logs;
  const KnownBeside known = declared_in(folder + "/planvet.toml");
  for (const std::string& path : source_files(folder + "/*.zst")) {
    MeasuredLog log;
    log.path = path;
    log.name = path.substr(folder.size() + 1, path.size() - folder.size() - 5);
    for (std::string line : split(read_file(source_path(path.substr(0, path.size() - 4) + ".tsv")), '\n')) {
      std::vector<std::string> columns = split(line, '\t');
      columns.resize(6);
      if (columns[0].empty() || columns[0] == "rule") continue;
      log.expected.emplace(columns[0] + "/" + columns[1], Expectation{columns[2], columns[3], "", columns[4]});
    }
    ReadLog read = read_log(decompressed_file(source_path(path).string()), path);
    std::vector<std::string> labels;
    std::vector<DocumentReport> reports;
    for (PlanDocument& document : read.documents) {
      labels.push_back(label_of(document));
      reports.push_back(rules::run_rules(std::move(document), known.facts, known.settings, kParser));
    }
    rules::judge_application(reports, {read.result.has_application_end, read.result.last_job_of_no_query},
                             known.settings);
    for (std::size_t i = 0; i < reports.size(); ++i) {
      // Others are views that the cases read.
      if (log.expected.contains(labels[i])) log.reports[labels[i]].push_back(std::move(reports[i]));
    }
    logs.push_back(std::move(log));
  }
  return logs;
}

void score_measured(const rules::Rule& rule, const MeasuredLog& log, Score& score) {
  const std::string beginning = std::string(rule.info.name) + "/";
  for (auto at = log.expected.lower_bound(beginning); at != log.expected.end() && at->first.starts_with(beginning);) {
    const std::string& label = at->first;
    const std::string place = log.path + " " + label;
    std::vector<Expectation> open;
    for (; at != log.expected.end() && at->first == label; ++at) {
      if (at->second.severity != "-") open.push_back(at->second);
    }
    const auto reports = log.reports.find(label);
    EXPECT_NE(reports, log.reports.end()) << "no query of the log is " << place;
    if (reports == log.reports.end()) continue;
    ++score.cases;
    ++score.kinds[label.substr(beginning.size(), label.find('-', beginning.size()) - beginning.size())];
    for (const DocumentReport& report : reports->second) score_report(rule, place, report, open, score);
    count_missed(place, open, score);
  }
}

void add(Score& sum, const Score& part) {
  sum.cases += part.cases;
  sum.right += part.right;
  sum.missed += part.missed;
  sum.wrong += part.wrong;
  for (const auto& [kind, count] : part.kinds) sum.kinds[kind] += count;
}

std::string heading(std::string_view what) {
  return fmt::format("{:<28}{:>6}  {:<44}{:>10}{:>8}\n", what, "cases", "kinds", "precision", "recall");
}

std::string row(std::string_view what, const Score& score) {
  std::string kinds;
  for (const auto& [kind, count] : score.kinds) kinds += fmt::format("{} {} ", count, kind);
  return fmt::format("{:<28}{:>6}  {:<44}{:>10.3f}{:>8.3f}\n", what, score.cases, kinds, score.precision(),
                     score.recall());
}

void expect_good(const Score& score, const std::string& what) {
  EXPECT_GE(score.precision(), kPrecision) << what;
  EXPECT_GE(score.recall(), kRecall) << what;
}

TEST(RuleCorpus, PrecisionAndRecall) {
  const std::vector<MeasuredLog> logs = measured_logs();
  if (!std::filesystem::exists(source_path("corpus/rules"))) GTEST_SKIP() << "no labelled corpus here";
  std::string table = heading("rule");
  std::vector<std::string> tables;  // of each log
  std::vector<Score> sums(logs.size());
  for (const MeasuredLog& log : logs) tables.push_back("\n" + heading(log.name));
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
    for (std::size_t i = 0; i < logs.size(); ++i) {
      Score of_log;
      score_measured(*rule, logs[i], of_log);
      if (of_log.cases == 0) continue;
      expect_good(of_log, fmt::format("{} in {}", rule->info.name, logs[i].name));
      tables[i] += row(rule->info.name, of_log);
      add(sums[i], of_log);
      add(score, of_log);
    }
    EXPECT_GT(score.cases, 0) << "no labelled case of " << rule->info.name;
    expect_good(score, std::string(rule->info.name));
    table += row(rule->info.name, score);
  }
  for (std::size_t i = 0; i < logs.size(); ++i) table += tables[i] + row("all", sums[i]);
  fmt::print("{}", table);
}

}  // namespace
}  // namespace planvet::test
