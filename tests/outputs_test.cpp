// --format and --output as a process: what goes where, whole or not at all, and what GitHub Actions gets.

#include <filesystem>
#include <string>
#include <string_view>
#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "analyzer/render/renderer.hpp"
#include "tests/support/files.hpp"
#include "tests/support/process.hpp"
#include "tests/support/shell.hpp"

namespace planvet::test {
namespace {

constexpr std::string_view kPlan = "tests/samples/slow_orders.txt";

class FormatOutputs : public ::testing::Test {
 protected:
  // A command of the shell in the source tree; FOLDER stands for the temporary one.
  ShellResult shell(std::string command) const {
    for (std::size_t at = command.find("FOLDER"); at != std::string::npos; at = command.find("FOLDER"))
      command.replace(at, 6, folder_.path("").substr(0, folder_.path("").size() - 1));
    return run_shell("unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY GITHUB_WORKSPACE CI_PROJECT_DIR; " + command);
  }
  std::string read(std::string_view name) const { return read_file(folder_.path(name)); }
  std::size_t files() const {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_.path(""))) ++count;
    return count;
  }

  TemporaryFolder folder_;
};

TEST_F(FormatOutputs, SeveralInOneRun) {
  const ShellResult result = shell("planvet " + std::string(kPlan) +
                                   " --format concise --output sarif=FOLDER/a.sarif --output junit=FOLDER/a.xml");
  EXPECT_EQ(result.exit_status, 1);
  EXPECT_TRUE(result.output.starts_with("tests/samples/slow_orders.txt:12:24: warning: PV101 ")) << result.output;
  EXPECT_EQ(nlohmann::json::parse(read("a.sarif"))["runs"][0]["results"].size(), 3U);
  EXPECT_TRUE(read("a.xml").starts_with("<?xml"));
  EXPECT_EQ(files(), 2U);
}

TEST_F(FormatOutputs, TextStaysOnStandardOutput) {
  const std::string text = shell("planvet " + std::string(kPlan)).output;
  EXPECT_EQ(shell("planvet " + std::string(kPlan) + " --output json=FOLDER/a.json").output, text);
  EXPECT_EQ(
      shell("planvet " + std::string(kPlan) + " --output text=FOLDER/a.txt --color always --format json >/dev/null")
          .exit_status,
      1);
  EXPECT_EQ(read("a.txt"), text) << "no colours in files";
}

TEST_F(FormatOutputs, ADashIsStandardOutput) {
  EXPECT_EQ(shell("planvet " + std::string(kPlan) + " --output jsonl=-").output,
            shell("planvet " + std::string(kPlan) + " --format jsonl").output);
}

TEST_F(FormatOutputs, WrongOnesAreRefused) {
  struct Case {
    const char* arguments;
    const char* expected;
  };
  constexpr Case kCases[] = {
      {"--output srif=x", "planvet: --output: unknown format 'srif': did you mean 'sarif'?"},
      {"--output sarif", "planvet: --output: expected FORMAT=FILE, got 'sarif'"},
      {"--output sarif=", "planvet: --output: expected FORMAT=FILE, got 'sarif='"},
      {"--format text --output sarif=-", "planvet: --output: standard output cannot hold both text and sarif"},
      {"--output sarif=- --output json=-", "planvet: --output: standard output cannot hold both sarif and json"},
      {"--output sarif=FOLDER/x --output json=FOLDER/x", "planvet: --output: two outputs would go to '"},
      {"--format yaml", "planvet: --format: unknown format 'yaml'"},
  };
  for (const Case& item : kCases) {
    const ShellResult result = shell("planvet " + std::string(kPlan) + " " + item.arguments);
    EXPECT_EQ(result.exit_status, 2) << item.arguments;
    EXPECT_TRUE(result.output.starts_with(item.expected)) << result.output;
    EXPECT_EQ(files(), 0U);
  }
}

TEST_F(FormatOutputs, AnOldFileIsReplacedWithItsPermissionsAndLinks) {
  write_file(folder_.path("old"), "old");
  std::filesystem::permissions(folder_.path("old"), std::filesystem::perms::owner_all);
  std::filesystem::create_symlink("old", folder_.path("link"));
  EXPECT_EQ(shell("planvet " + std::string(kPlan) + " --output gitlab=FOLDER/link").exit_status, 1);
  EXPECT_TRUE(std::filesystem::is_symlink(folder_.path("link")));
  EXPECT_EQ(nlohmann::json::parse(read("old")).size(), 3U);
  EXPECT_EQ(std::filesystem::status(folder_.path("old")).permissions(), std::filesystem::perms::owner_all);
  EXPECT_EQ(files(), 2U);
}

TEST_F(FormatOutputs, WhatCannotBeWrittenLosesNothing) {
  std::filesystem::create_directory(folder_.path("sub"));
  write_file(folder_.path("sub/old"), "old");
  struct Case {
    std::string before;
    std::string file;
    std::string expected;
  };
  const std::vector<Case> cases = {
      {"", "/no/such/folder/x", "cannot write the json output: no such folder"},
      {"", "FOLDER/sub", "cannot write the json output: is a directory"},
      {"", "FOLDER/new/", "cannot write the json output: no such folder"},
      {"", "/dev/full", "cannot write the json output: No space left on device"},
      // Blocks of 512 bytes: the disk is full in the middle of the file.
      {"ulimit -f 1; trap '' XFSZ; ", "FOLDER/sub/old", "cannot write the json output: File too large"},
  };
  for (const Case& item : cases) {
    const ShellResult result = shell(item.before + "planvet " + std::string(kPlan) + " -q --output json=" + item.file);
    EXPECT_EQ(result.exit_status, 2) << item.file;
    EXPECT_NE(result.output.find(item.expected), std::string::npos) << result.output;
    EXPECT_EQ(read("sub/old"), "old");
    EXPECT_EQ(files(), 1U);
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path("sub")), {}), 1);
}

TEST_F(FormatOutputs, AReadOnlyFolderIsSaid) {
  std::filesystem::create_directory(folder_.path("closed"));
  write_file(folder_.path("closed/old"), "old");
  std::filesystem::permissions(folder_.path("closed"),
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec |
                                   std::filesystem::perms::others_read | std::filesystem::perms::others_exec);
  std::filesystem::permissions(folder_.path(""), std::filesystem::perms::others_read |
                                                     std::filesystem::perms::others_exec |
                                                     std::filesystem::perms::owner_all);
  ProcessLimits limits;
  limits.as_nobody = geteuid() == 0;
  const ProcessResult result =
      run_planvet({"check", std::string(kPlan), "-q", "--output", "json=" + folder_.path("closed/old")}, {}, limits);
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_NE(result.error.find("cannot write the json output: no permission to write it, or its folder"),
            std::string::npos)
      << result.error;
  EXPECT_EQ(read("closed/old"), "old");
  std::filesystem::permissions(folder_.path("closed"), std::filesystem::perms::owner_all);
}

TEST_F(FormatOutputs, MachineFormatsOwnStandardOutput) {
  for (const std::string format : {"json", "jsonl", "sarif", "github", "gitlab", "junit", "rdjson", "checkstyle"}) {
    const ShellResult result = shell("GITHUB_ACTIONS=true planvet missing.txt " + std::string(kPlan) + " --format " +
                                     format + " 2>FOLDER/errors");
    EXPECT_EQ(result.exit_status, 2) << format;
    EXPECT_EQ(result.output.find("\nplanvet:"), std::string::npos) << format;
    EXPECT_EQ(read("errors"), "planvet: missing.txt: no such file or directory\n") << format;
    const bool is_json = format == "json" || format == "sarif" || format == "gitlab" || format == "rdjson";
    EXPECT_EQ(nlohmann::json::accept(result.output), is_json) << format;
  }
}

// Reports that lie beside plans quote them, and are none.
TEST_F(FormatOutputs, ReportsAreNoPlans) {
  std::filesystem::copy_file(source_path(kPlan), folder_.path("plan.txt"));
  std::string check = "cd FOLDER && planvet check . --format json";
  const std::string before = shell(check).output;
  for (const render::Renderer* renderer : render::renderers())
    check += " --output " + std::string(renderer->name) + "=report." + std::string(renderer->name);
  EXPECT_EQ(shell(check).output, before);
  EXPECT_EQ(files(), 1 + render::renderers().size());
  const nlohmann::json again = nlohmann::json::parse(shell(check).output);
  EXPECT_EQ(again["findings"], nlohmann::json::parse(before)["findings"]);
  EXPECT_EQ(again["summary"]["documents"], 1);
  EXPECT_EQ(shell("cd FOLDER && planvet check report.sarif").output,
            "planvet: report.sarif: this is a SARIF log, not a plan\n");
}

TEST_F(FormatOutputs, FailuresOfJunitAreThoseOfTheRun) {
  const std::string check = "planvet " + std::string(kPlan) + " --format junit --fail-on ";
  EXPECT_NE(shell(check + "warning").output.find("tests=\"3\" failures=\"3\""), std::string::npos);
  EXPECT_NE(shell(check + "error").output.find("tests=\"3\" failures=\"0\""), std::string::npos);
}

// Under --strict so do parts that were not read, and what accepts nothing any more.
TEST_F(FormatOutputs, FailuresOfJunitUnderStrict) {
  write_file(folder_.path("plan.txt"),
             "-- planvet: allow no-such-rule because\n== Physical Plan ==\n"
             "*(1) Range (0, 10, step=1, splits=2)\n");
  write_file(folder_.path("cut.txt"), read_file(source_path("tests/cli/plans/cut.txt")));
  const std::string check = "cd FOLDER && planvet check . --isolated --ignore ALL --format junit";
  const ShellResult passed = shell(check);
  EXPECT_EQ(passed.exit_status, 0) << passed.output;
  EXPECT_NE(passed.output.find("failures=\"0\""), std::string::npos) << passed.output;
  const ShellResult strict = shell(check + " --strict");
  EXPECT_EQ(strict.exit_status, 1) << strict.output;
  EXPECT_NE(strict.output.find("<failure type=\"allow\" message=\""), std::string::npos) << strict.output;
  EXPECT_NE(strict.output.find("<failure type=\"note\" message=\""), std::string::npos) << strict.output;
  EXPECT_NE(strict.output.find("<testsuites name=\"planvet\" tests=\"3\" failures=\"2\""), std::string::npos)
      << strict.output;
}

TEST_F(FormatOutputs, GithubActionsGetsAnnotationsAndASummary) {
  const std::string command = "GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=FOLDER/summary planvet " + std::string(kPlan);
  const ShellResult result = shell(command);
  EXPECT_EQ(result.exit_status, 1);
  // The text is between marks that stop commands.
  const std::string stop = "::stop-commands::";
  ASSERT_TRUE(result.output.starts_with(stop)) << result.output;
  const std::string token = result.output.substr(stop.size(), result.output.find('\n') - stop.size());
  EXPECT_GT(token.size(), 30U);
  const std::size_t end = result.output.find("\n::" + token + "::\n");
  ASSERT_NE(end, std::string::npos) << result.output;
  const std::string text = shell("planvet " + std::string(kPlan)).output;
  EXPECT_NE(result.output.find(text), std::string::npos);
  const std::string annotations = shell("planvet " + std::string(kPlan) + " --format github").output;
  EXPECT_EQ(result.output.substr(end + token.size() + 6), annotations);
  const std::string markdown = shell("planvet " + std::string(kPlan) + " --format markdown").output;
  EXPECT_EQ(read("summary"), markdown);
  // Added to what the step wrote before, within the megabyte that GitHub takes.
  EXPECT_EQ(shell(command).exit_status, 1);
  EXPECT_EQ(read("summary"), markdown + markdown);
  write_file(folder_.path("summary"), std::string(1024 * 1024 - 2000, 'x'));
  EXPECT_EQ(shell(command).exit_status, 1);
  EXPECT_LE(read("summary").size(), 1024U * 1024U);
  EXPECT_NE(read("summary").find("more finding"), std::string::npos);
}

TEST_F(FormatOutputs, GithubActionsIsLeftAloneOnDemand) {
  const std::string text = shell("planvet " + std::string(kPlan)).output;
  const std::string before = "GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=FOLDER/summary planvet " + std::string(kPlan);
  EXPECT_EQ(shell(before + " --no-github").output, text);
  EXPECT_EQ(shell(before + " --format text").output, text);
  EXPECT_EQ(files(), 0U);
  // No summary is no failure.
  const ShellResult result = shell("GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=/dev/full planvet " + std::string(kPlan));
  EXPECT_EQ(result.exit_status, 1);
  EXPECT_NE(result.output.find("planvet: cannot write the job summary /dev/full: No space left"), std::string::npos);
}

TEST_F(FormatOutputs, PathsAreThoseOfTheCheckout) {
  const std::string check = "cd tests && planvet ./samples/slow_orders.txt --format github";
  EXPECT_NE(shell(check).output.find("file=tests/samples/slow_orders.txt,"), std::string::npos);
  EXPECT_NE(shell("export CI_PROJECT_DIR=$PWD/tests; " + check).output.find("file=samples/slow_orders.txt,"),
            std::string::npos);
  // Of another checkout: not this one's root.
  EXPECT_NE(shell("export GITHUB_WORKSPACE=/elsewhere; " + check).output.find("file=tests/samples/slow_orders.txt,"),
            std::string::npos);
}

}  // namespace
}  // namespace planvet::test
