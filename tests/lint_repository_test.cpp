// planvet in front of merges: settings of folders, suppressions, baselines, git; and what happens when a disk is full, a
// folder closed, a file broken.

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "analyzer/cli/command.hpp"
#include "analyzer/config/keys.hpp"
#include "analyzer/io/process.hpp"
#include "tests/support/files.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/process.hpp"
#include "tests/support/shell.hpp"

namespace planvet::test {
namespace {

struct Outcome {
  std::string out;
  std::string err;
  int status = 0;
};

Outcome run(const std::vector<std::string>& arguments, const io::Terminal& terminal, std::istream& in) {
  std::ostringstream out;
  std::ostringstream err;
  const cli::ExitStatus status = cli::run(arguments, {in, out, err}, terminal);
  return {out.str(), err.str(), static_cast<int>(status)};
}

Outcome run(const std::vector<std::string>& arguments) {
  std::istringstream in;
  return run(arguments, {}, in);
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// One finding of cartesian-product, whose ids, exchange ids and places another session numbers otherwise.
std::string product_of(std::string_view left, std::string_view right, int first_id = 1) {
  const auto id = [&](int i) { return std::to_string(first_id + i); };
  return "== Physical Plan ==\nCartesianProduct\n:- FileScan parquet " + std::string(left) + "[a#" + id(0) +
         "L] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake" + id(7) +
         "/x], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<a:bigint>\n+- FileScan parquet " +
         std::string(right) + "[b#" + id(1) +
         "L] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake" + id(7) +
         "/y], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<b:bigint>\n";
}

// Whatever other rules will say of these plans one day.
constexpr std::string_view kOneRule = "select = [\"cartesian-product\"]\n";

constexpr std::string_view kClean = "== Physical Plan ==\nProject [a#1]\n+- FileScan parquet shop.orders[a#1]\n";

class Repository : public ::testing::Test {
 protected:
  std::string file(const std::string& name, std::string_view text) const {
    const std::filesystem::path path = folder_.path("project/" + name);
    std::filesystem::create_directories(path.parent_path());
    write_file(path, text);
    return path.string();
  }
  std::string path(const std::string& name) const { return folder_.path("project/" + name); }
  std::string root() const { return folder_.path("project"); }

  Outcome check(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"check", root()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
  nlohmann::json check_json(std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--format", "json"});
    const Outcome outcome = check(std::move(more));
    EXPECT_NE(outcome.status, 2) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  }
  Outcome baseline(const std::string& action, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"baseline", action, root()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
  void git(std::vector<std::string> arguments) const {
    std::vector<std::string> command = {"git", "-C", root(), "-c", "user.name=x", "-c", "user.email=x@example.org"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const io::ProcessResult result = io::run_process(command);
    ASSERT_EQ(result.status, 0) << result.complaints;
  }
  void commit_all() const {
    if (!std::filesystem::exists(path(".git"))) git({"init", "-q", "-b", "main"});
    git({"add", "-A"});
    git({"commit", "-q", "-m", "plans"});
  }

  TemporaryFolder folder_;
};

using Settings = Repository;
using Suppress = Repository;
using Baseline = Repository;
using Revisions = Repository;

TEST_F(Settings, OverridesHoldForTheirPaths) {
  file("planvet.toml", std::string(kOneRule) +
                           "[[overrides]]\npaths = [\"nightly/\"]\nignore = [\"cartesian-product\"]\n"
                           "[[overrides]]\npaths = \"*.draft.txt\"\nfail-on = \"never\"\n");
  file("nightly/deep/a.txt", product_of("shop.a", "shop.b"));
  EXPECT_EQ(check().status, 0);
  file("daily/b.draft.txt", product_of("shop.a", "shop.b"));
  EXPECT_EQ(check().status, 0);
  file("daily/c.txt", product_of("shop.a", "shop.b"));
  EXPECT_EQ(check().status, 1);
  EXPECT_EQ(check_json()["findings"].size(), 2U);
}

TEST_F(Settings, TheNearestFileWinsOverWhatItExtends) {
  file("planvet.toml",
       "select = [\"PV1\"]\nfail-on = \"never\"\n[rules.PV301]\nmax = 3\n[tables.\"shop.a\"]\nsize = 10\nrows = 5\n");
  file("team/planvet.toml",
       "extend = \"../planvet.toml\"\nfail-on = \"error\"\nignore = [\"PV107\"]\n[rules.exchange-count]\nmax = 7\n"
       "[tables.\"shop.a\"]\nrows = 6\n");
  const Outcome shown = run({"check", "--show-settings", path("team/x.txt"), "--format", "json", "--select", "PV2"});
  ASSERT_EQ(shown.status, 0) << shown.err;
  std::map<std::string, std::pair<nlohmann::json, std::string>> settings;
  const auto json = nlohmann::json::parse(shown.out);
  for (const auto& entry : json["paths"][0]["settings"]) settings[entry["name"]] = {entry["value"], entry["origin"]};
  const std::string near = path("team/planvet.toml");
  const std::string far = path("team/../planvet.toml");
  const auto is = [&](const std::string& name, const nlohmann::json& value, const std::string& origin) {
    EXPECT_EQ(settings[name].first, value) << name;
    EXPECT_TRUE(std::string_view(settings[name].second).ends_with(origin)) << name << ": " << settings[name].second;
  };
  is("select", {"PV2"}, "command line");
  is("ignore", {"PV107"}, near + ":3");
  is("fail-on", "error", near + ":2");
  is("rules.exchange-count.max", "7", near + ":5");
  is("tables.shop.a.size", "10 B", "/project/planvet.toml:6");
  is("tables.shop.a.rows", "6", near + ":7");
  is("spark.version", nullptr, "default");
  is("exclude", nlohmann::json::array(), "default");
}

TEST_F(Settings, SecretsAreNotShown) {
  file("planvet.toml",
       "[spark.conf]\nspark.ssl.keyPassword = \"hunter2\"\nspark.hadoop.fs.s3a.access.key = \"AKIA\"\n");
  const Outcome shown = run({"check", "--show-settings", path("x.txt")});
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_FALSE(has(shown.out, "hunter2")) << shown.out;
  EXPECT_FALSE(has(shown.out, "AKIA")) << shown.out;
  EXPECT_TRUE(has(shown.out, "spark.ssl.keyPassword")) << shown.out;
}

TEST_F(Settings, ACircleOfExtendIsRefusedWithItsFiles) {
  file("a.txt", kClean);
  file("planvet.toml", "extend = \"b/base.toml\"\n");
  file("b/base.toml", "extend = \"../c.toml\"\n");
  file("c.toml", "\nextend = \"b/../planvet.toml\"\n");
  const Outcome outcome = check();
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "planvet: " + path("c.toml") +
                             ":2:1: extend leads round in a circle: " + path("planvet.toml") + " -> " +
                             path("b/base.toml") + " -> " + path("c.toml") + " -> " + path("planvet.toml") + "\n");
  file("planvet.toml", "extend = \"nowhere.toml\"\n");
  EXPECT_EQ(check().err,
            "planvet: " + path("planvet.toml") + ":1:1: extend: " + path("nowhere.toml") + ": no such file\n");
}

TEST_F(Settings, AFileThatIsNotUtf8IsRefused) {
  file("a.txt", kClean);
  file("planvet.toml", "select = [\"PV1\"]\nignore = [\"\xFF\xFE\"]\n");
  const Outcome outcome = check();
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(outcome.err.starts_with("planvet: " + path("planvet.toml") + ":2:")) << outcome.err;
}

TEST_F(Settings, FoldersAreSearchedWithoutWhatIsNotMeant) {
  file("planvet.toml", "exclude = [\"old/\", \"/drafts/*.txt\"]\n");
  file(".gitignore", "*.tmp\nbuild/\n!keep.tmp\n");
  file("a.txt", kClean);
  file("b.tmp", kClean);
  file("keep.tmp", kClean);
  file("build/c.txt", kClean);
  file("team/old/d.txt", kClean);
  file("drafts/e.txt", kClean);
  file("drafts/deep/f.txt", kClean);
  file(".hidden/g.txt", kClean);
  file("readme.md", "no plan");
  std::filesystem::create_directory_symlink(root(), path("round"));
  const nlohmann::json json = check_json();
  std::vector<std::string> read;
  for (const auto& bill : json["summary"]["exchanges"]) read.push_back(bill["path"]);
  EXPECT_EQ(read, (std::vector<std::string>{path("a.txt"), path("drafts/deep/f.txt"), path("keep.tmp")}));
  EXPECT_EQ(json["summary"]["left_out_paths"], 4);
  EXPECT_EQ(json["summary"]["skipped_inputs"], 2);  // readme.md and planvet.toml
  EXPECT_TRUE(has(check().out, "2 files without a plan skipped")) << check().out;
  EXPECT_TRUE(has(check().out, "4 files and folders left out by .gitignore or exclude")) << check().out;
  // What is named is read.
  EXPECT_EQ(run({"check", path("b.tmp")}).status, 0);
  // Nothing but what is left out is no success.
  const Outcome nothing = run({"check", path("team")});
  EXPECT_EQ(nothing.status, 2);
  EXPECT_TRUE(has(nothing.err, "1 file or folder is left out")) << nothing.err;
}

TEST(SettingsSchema, IsTheListThatTheParserUses) {
  const Outcome printed = run({"config", "schema"});
  ASSERT_EQ(printed.status, 0);
  EXPECT_TRUE(matches_golden(printed.out, "share/planvet/planvet.schema.json"));
  const auto schema = nlohmann::json::parse(printed.out);
  const auto& top = schema["properties"];
  const std::map<config::Section, nlohmann::json> sections = {
      {config::kTop, top},
      {config::kOverride, top["overrides"]["items"]["properties"]},
      {config::kSuppression, top["suppress"]["items"]["properties"]},
      {config::kTable, top["tables"]["additionalProperties"]["anyOf"][0]["properties"]},
      {config::kSpark, top["spark"]["properties"]}};
  for (const auto& [section, properties] : sections) {
    std::set<std::string> written;
    for (const auto& [key, value] : properties.items()) written.insert(key);
    std::set<std::string> known;
    for (const std::string_view name : config::key_names(section)) known.emplace(name);
    EXPECT_EQ(written, known) << static_cast<unsigned>(section);
  }
  EXPECT_TRUE(top["rules"]["properties"]["exchange-count"]["properties"].contains("max"));
}

TEST_F(Suppress, WhatIsSuppressedHasAReasonAndAPlace) {
  file("planvet.toml",
       std::string(kOneRule) +
           "[[suppress]]\npath = \"plans/\"\nrule = \"PV102\"\noperator = \"CartesianProduct\"\ntable = \"b\"\n"
           "reason = \"b has one row\"\nexpires = 2999-12-31\n");
  file("plans/a.txt", product_of("shop.a", "shop.b"));
  nlohmann::json json = check_json({"--strict"});
  ASSERT_EQ(json["findings"].size(), 1U);
  EXPECT_EQ(json["findings"][0]["suppressed_by"], path("planvet.toml") + ":2: b has one row");
  EXPECT_EQ(json["suppression_problems"].size(), 0U);
  EXPECT_EQ(check({"--strict"}).status, 0);
  // Another table, another operator: not this one.
  file("plans/a.txt", product_of("shop.a", "shop.c"));
  EXPECT_EQ(check().status, 1);
}

TEST_F(Suppress, WhatSuppressesNothingIsReported) {
  file("planvet.toml",
       "[[suppress]]\npath = \"plans/\"\nrule = \"cartesian-product\"\nreason = \"gone\"\n"
       "[[suppress]]\npath = \"nowhere/\"\nrule = \"cartesian-product\"\nreason = \"moved\"\n");
  file("plans/a.txt", kClean);
  const Outcome outcome = check();
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(has(outcome.out, path("planvet.toml") + ":1:1: note: this suppresses nothing: cartesian-product finds "
                                                      "nothing in these plans [suppress]\n"))
      << outcome.out;
  EXPECT_TRUE(has(outcome.out, ":5:1: note: this suppresses nothing: its path names no plan [suppress]\n"))
      << outcome.out;
  EXPECT_EQ(check({"--strict"}).status, 1);
  EXPECT_EQ(check_json()["suppression_problems"].size(), 2U);
  // Not looked for, not missed.
  EXPECT_EQ(check({"--strict", "--select", "PV2"}).status, 1);
  EXPECT_EQ(run({"check", path("plans/a.txt"), "--strict", "--select", "PV2"}).status, 0);
}

TEST_F(Suppress, AnExpiredOneDoesNotSuppress) {
  file("planvet.toml",
       "[[suppress]]\npath = \"a.txt\"\nrule = \"cartesian-product\"\nreason = \"until the rewrite\"\n"
       "expires = 2001-02-03\n");
  file("a.txt", product_of("shop.a", "shop.b"));
  const Outcome outcome = check();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(has(outcome.out, "this suppression expired on 2001-02-03: until the rewrite")) << outcome.out;
}

TEST_F(Baseline, KnowsFindingsOfPlansThatAreMadeAgain) {
  file("planvet.toml", kOneRule);
  file("plans/a.txt", product_of("shop.a", "shop.b"));
  file("plans/b.txt", kClean);
  EXPECT_EQ(check().status, 1);
  const Outcome written = baseline("write");
  ASSERT_EQ(written.status, 0) << written.err;
  EXPECT_TRUE(has(written.out, "planvet-baseline.json: 1 finding accepted: 1 new, 0 gone\n")) << written.out;
  EXPECT_EQ(check({"--strict"}).status, 0);
  EXPECT_TRUE(has(check().out, "(1 accepted by the baseline)")) << check().out;
  EXPECT_EQ(check({"--no-baseline"}).status, 1);
  // Another session, and a line above.
  file("plans/a.txt", "# a comment\n" + product_of("shop.a", "shop.b", 170));
  EXPECT_EQ(check({"--strict"}).status, 0) << check().out;
  // Written again: not a byte differs.
  const std::string before = read_file(path("planvet-baseline.json"));
  EXPECT_EQ(baseline("write").status, 0);
  EXPECT_EQ(read_file(path("planvet-baseline.json")), before);
  // Another table is another finding, and the old one is gone.
  file("plans/a.txt", product_of("shop.a", "shop.c"));
  const Outcome changed = check();
  EXPECT_EQ(changed.status, 1);
  EXPECT_TRUE(has(changed.out, "an accepted cartesian-product on CartesianProduct in plans/a.txt is gone [baseline]"))
      << changed.out;
  const Outcome shown = baseline("show");
  EXPECT_TRUE(has(shown.out, "0 known, 1 new, 1 gone, 0 not judged")) << shown.out;
}

TEST_F(Baseline, PruneForgetsOnlyWhatIsGone) {
  file("planvet.toml", kOneRule);
  file("one/a.txt", product_of("shop.a", "shop.b"));
  file("two/b.txt", product_of("shop.a", "shop.b"));
  file("two/c.txt", product_of("shop.c", "shop.d"));
  ASSERT_EQ(baseline("write").status, 0);
  file("one/a.txt", kClean);
  std::filesystem::remove(path("two/c.txt"));
  EXPECT_EQ(check().status, 0);
  EXPECT_EQ(check({"--strict"}).status, 1);
  EXPECT_EQ(check_json()["stale_baseline_entries"].size(), 2U);
  // Of another folder nothing is known.
  EXPECT_TRUE(has(run({"baseline", "prune", path("one")}).out, "1 entry removed, 2 left"));
  // A rule that did not run has lost nothing.
  EXPECT_TRUE(has(baseline("prune", {"--select", "PV2"}).out, "1 entry removed, 1 left"));
  EXPECT_EQ(check({"--strict"}).status, 0);
  const auto json = nlohmann::json::parse(read_file(path("planvet-baseline.json")));
  ASSERT_EQ(json["findings"].size(), 1U);
  EXPECT_EQ(json["findings"][0]["path"], "two/b.txt");
}

TEST_F(Baseline, WriteOfAFolderForgetsNothingOfAnother) {
  file("planvet.toml", kOneRule);
  file("one/a.txt", product_of("shop.a", "shop.b"));
  file("two/b.txt", product_of("shop.a", "shop.b"));
  ASSERT_EQ(baseline("write").status, 0);
  ASSERT_EQ(run({"baseline", "write", path("one"), "--quiet"}).out, "");
  EXPECT_EQ(nlohmann::json::parse(read_file(path("planvet-baseline.json")))["findings"].size(), 2U);
}

TEST_F(Baseline, TheSameWhereverPlanvetIsStarted) {
  file("planvet.toml", std::string(kOneRule) + "baseline = \"accepted.json\"\n");
  file("plans/a.txt", product_of("shop.a", "shop.b"));
  ASSERT_EQ(baseline("write").status, 0);
  EXPECT_TRUE(std::filesystem::exists(path("accepted.json")));
  EXPECT_EQ(run_shell("cd " + path("plans") + " && planvet check a.txt --strict").exit_status, 0);
  EXPECT_EQ(run_shell("cd " + root() + " && planvet check . --strict").exit_status, 0);
  EXPECT_EQ(
      run_shell("cd " + root() + " && planvet check --strict --stdin-filename plans/a.txt < plans/a.txt").exit_status,
      0);
}

TEST_F(Baseline, ABrokenOneIsRefused) {
  file("planvet.toml", kOneRule);
  file("a.txt", product_of("shop.a", "shop.b"));
  const std::string name =
      file("planvet-baseline.json", "{\n  \"schema_version\": 1,\n  \"findings\": [\n    {\"path\"");
  const Outcome cut = check();
  EXPECT_EQ(cut.status, 2);
  EXPECT_EQ(cut.out, "");
  EXPECT_TRUE(cut.err.starts_with("planvet: " + name + ":4:")) << cut.err;
  EXPECT_EQ(baseline("write").status, 2);
  file("planvet-baseline.json", "[]");
  EXPECT_TRUE(has(check().err, "this is no baseline")) << check().err;
  file("planvet-baseline.json", "{\"schema_version\": 2, \"findings\": []}");
  EXPECT_TRUE(has(check().err, "schema_version is 2: this planvet reads 1")) << check().err;
  file("planvet-baseline.json", "{\"schema_version\": 1, \"findings\": [{\"path\": \"a.txt\"}]}");
  EXPECT_TRUE(has(check().err, "finding 1 has no \"rule\"")) << check().err;
  file("planvet-baseline.json", "{\"schema_version\": 1, \"findings\": [\"\xFF\"]}");
  EXPECT_EQ(check().status, 2);
  EXPECT_TRUE(has(check({"--baseline", path("missing.json")}).err, "missing.json: no such file")) << check().err;
}

TEST_F(Baseline, IsNotWrittenWhenSomethingCouldNotBeRead) {
  file("planvet.toml", kOneRule);
  file("a.txt", product_of("shop.a", "shop.b"));
  const Outcome outcome = run({"baseline", "write", path("a.txt"), path("missing.txt")});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(has(outcome.err, "the baseline was not written")) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(path("planvet-baseline.json")));
}

TEST_F(Baseline, AFullDiskLeavesTheOldOne) {
  file("planvet.toml", kOneRule);
  file("a.txt", product_of("shop.a", "shop.b"));
  const Outcome full = baseline("write", {"--baseline", "/dev/full"});
  EXPECT_EQ(full.status, 2);
  EXPECT_EQ(full.err, "planvet: /dev/full: No space left on device\n");
  // A disk of one page, which is taken.
  const std::string disk = path("disk");
  std::filesystem::create_directories(disk);
  if (geteuid() != 0 || std::system(("mount -t tmpfs -o size=4k none '" + disk + "' 2>/dev/null").c_str()) != 0)
    GTEST_SKIP() << "may not mount here";
  const std::string old = "{\"schema_version\": 1, \"findings\": []}";
  write_file(disk + "/accepted.json", old);
  const Outcome outcome = baseline("write", {"--baseline", disk + "/accepted.json"});
  EXPECT_EQ(outcome.status, 2) << outcome.out;
  EXPECT_TRUE(has(outcome.err, "No space left on device")) << outcome.err;
  EXPECT_EQ(read_file(disk + "/accepted.json"), old);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(disk)) ++files;
  EXPECT_EQ(files, 1U) << "something was left behind";
  EXPECT_EQ(std::system(("umount '" + disk + "'").c_str()), 0);
}

TEST_F(Baseline, AClosedFolderLeavesTheOldOne) {
  file("planvet.toml", kOneRule);
  file("a.txt", product_of("shop.a", "shop.b"));
  const std::string old = "{\"schema_version\": 1, \"findings\": []}";
  file("planvet-baseline.json", old);
  // Others may read all of it and write nothing.
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path("")))
    std::filesystem::permissions(entry, std::filesystem::perms(entry.is_directory() ? 0555 : 0444));
  std::filesystem::permissions(folder_.path(""), std::filesystem::perms(0555));
  ProcessLimits limits;
  limits.as_nobody = true;
  const ProcessResult result = run_planvet({"baseline", "write", root()}, {}, limits);
  EXPECT_EQ(result.exit_status, 2) << result.out;
  EXPECT_TRUE(has(result.error, "planvet-baseline.json: no permission to write it, or its folder")) << result.error;
  EXPECT_EQ(read_file(path("planvet-baseline.json")), old);
  std::filesystem::permissions(folder_.path(""), std::filesystem::perms(0755));
  std::filesystem::permissions(root(), std::filesystem::perms(0755));
}

TEST_F(Revisions, NewSinceKnowsWhatTheRevisionHad) {
  if (io::run_process({"git", "--version"}).status != 0) GTEST_SKIP() << "no git here";
  file("planvet.toml", kOneRule);
  file("plans/a.txt", product_of("shop.a", "shop.b"));
  file("plans/same.txt", product_of("shop.a", "shop.b"));
  file("plans/moved.txt",
       product_of("shop.m", "shop.n") + "\nsome prose that makes the file long enough to be known\n");
  commit_all();
  file("plans/a.txt", "\n" + product_of("shop.a", "shop.b", 50));
  std::filesystem::rename(path("plans/moved.txt"), path("plans/renamed.txt"));
  git({"add", "-A"});
  EXPECT_EQ(check().status, 1);
  const Outcome known = check({"--new-since", "HEAD"});
  EXPECT_EQ(known.status, 0) << known.out << known.err;
  EXPECT_TRUE(has(known.out, "(3 known since HEAD)")) << known.out;
  file("plans/new.txt", product_of("shop.a", "shop.b"));
  file("plans/a.txt", product_of("shop.a", "shop.b", 50) + "\n" + product_of("shop.x", "shop.y"));
  const auto json = check_json({"--new-since", "main"});
  std::vector<std::string> fresh;
  for (const auto& finding : json["findings"])
    if (!finding["is_baseline"].get<bool>()) fresh.push_back(finding["path"]);
  EXPECT_EQ(fresh, (std::vector<std::string>{path("plans/a.txt"), path("plans/new.txt")}));
}

TEST_F(Revisions, ChangedSinceReadsOnlyWhatChanged) {
  if (io::run_process({"git", "--version"}).status != 0) GTEST_SKIP() << "no git here";
  file("planvet.toml", kOneRule);
  file("plans/a.txt", product_of("shop.a", "shop.b"));
  file("plans/b c.txt", product_of("shop.a", "shop.b"));
  commit_all();
  const Outcome nothing = check({"--changed-since", "HEAD"});
  EXPECT_EQ(nothing.status, 0) << nothing.err;
  EXPECT_EQ(nothing.out, "Nothing to judge: 3 files not changed.\n");
  file("plans/b c.txt", kClean);
  file("plans/new.txt", kClean);
  const auto json = check_json({"--changed-since", "HEAD"});
  EXPECT_EQ(json["summary"]["documents"], 2);
  EXPECT_EQ(json["summary"]["unchanged_inputs"], 2);
}

TEST_F(Revisions, WhatGitDoesNotKnowIsAnError) {
  if (io::run_process({"git", "--version"}).status != 0) GTEST_SKIP() << "no git here";
  file("plans/a.txt", kClean);
  for (const char* option : {"--new-since", "--changed-since"}) {
    const Outcome outside = check({option, "HEAD"});
    EXPECT_EQ(outside.status, 2);
    EXPECT_EQ(outside.err,
              std::string("planvet: ") + option + ": " + path("plans/a.txt") + " is in no git repository\n");
  }
  commit_all();
  for (const char* revision : {"nowhere", "--output=x", "HEAD:plans"}) {
    const Outcome unknown = run({"check", root(), std::string("--new-since=") + revision});
    EXPECT_EQ(unknown.status, 2);
    EXPECT_TRUE(has(unknown.err, std::string("unknown revision '") + revision + "'")) << unknown.err;
  }
}

// Standard input that takes its time.
class SlowInput : public std::streambuf {
 protected:
  std::streamsize xsgetn(char*, std::streamsize) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(1300));
    return 0;
  }
};

TEST(ProgressLine, IsForPeopleWhoWait) {
  const std::string other = source_path("tests/cli/plans/join.txt").string();
  io::Terminal terminal;
  const auto err_of = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"check", "-"});
    SlowInput buffer;
    std::istream in(&buffer);
    return run(arguments, terminal, in).err;
  };
  EXPECT_FALSE(has(err_of({other}), "of 2 files"));
  terminal.error_is_terminal = true;
  EXPECT_TRUE(has(err_of({other}), " of 2 files"));
  EXPECT_FALSE(has(err_of({}), "of 1 files"));
  EXPECT_FALSE(has(err_of({other, "-q"}), "of 2 files"));
  EXPECT_FALSE(has(err_of({other, "--no-progress"}), "of 2 files"));
}

}  // namespace
}  // namespace planvet::test
