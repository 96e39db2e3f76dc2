// What action.yml and the GitLab example do, done: their own scripts, in a repository whose branch adds a plan.

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "analyzer/io/process.hpp"
#include "tests/support/files.hpp"
#include "tests/support/process.hpp"

namespace planvet::test {
namespace {

// The lines of a YAML block after `key`, without their indentation.
std::string yaml_block(const std::string& text, std::string_view key) {
  std::string block;
  std::size_t begin = text.find('\n' + std::string(key) + '\n');
  if (begin == std::string::npos) return {};
  begin = text.find('\n', begin + 1) + 1;
  const std::size_t indent = text.find_first_not_of(' ', begin) - begin;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    if (!line.empty() && line.find_first_not_of(' ') < indent) break;
    block += std::string(line.substr(std::min(indent, line.size()))) + '\n';
    begin = end + 1;
  }
  return block;
}

class MergePlugs : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* const program : {"git", "bash"}) {
      if (io::run_process({program, "--version"}).status != 0) GTEST_SKIP() << "no " << program << " here";
    }
    const std::string plan = read_file(source_path("tests/samples/slow_orders.txt"));
    write_file(folder_.path("team/plans/old.txt"), plan);
    write_file(folder_.path("plan.txt"), plan);
    std::filesystem::create_directories(folder_.path("bin"));
    std::filesystem::create_symlink(program_path(), folder_.path("bin/planvet"));
    const io::ProcessResult made = bash(R"(
      git init -q -b main
      git add -A; git commit -q -m old
      git update-ref refs/remotes/origin/main HEAD
      git checkout -q -b feature
      sed 's/customers/clients/g' ../plan.txt >plans/new.txt
      git add -A; git commit -q -m new)");
    ASSERT_EQ(made.status, 0) << made.complaints;
  }

  // In the team's repository, as CI systems run a step, with nothing of this machine's settings.
  [[nodiscard]] io::ProcessResult bash(const std::string& script) const {
    const std::string prepared =
        "set -eo pipefail\ncd '" + folder_.path("team") + "'\nexport GIT_CONFIG_NOSYSTEM=1 HOME='" + folder_.path("") +
        "' GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=a GIT_CONFIG_KEY_1=user.email "
        "GIT_CONFIG_VALUE_1=a@example.org\nunset GITHUB_ACTIONS GITHUB_STEP_SUMMARY GITHUB_WORKSPACE NO_COLOR\n" +
        script;
    return io::run_process({"bash", "--noprofile", "--norc", "-c", prepared});
  }

  TemporaryFolder folder_;
};

TEST_F(MergePlugs, ActionAnnotatesWhatIsNew) {
  const std::string step = yaml_block(read_file(source_path("action.yml")), "      run: |");
  ASSERT_NE(step.find("prebuilt"), std::string::npos);
  const io::ProcessResult result = bash(
      "export GITHUB_ACTIONS=true GITHUB_WORKSPACE=\"$PWD\" GITHUB_OUTPUT=../output GITHUB_STEP_SUMMARY=../summary\n"
      "export PLANVET_BINARY='" +
      program_path().string() + "' PLANVET_ACTION='" + source_path("").string() +
      "'\n"
      "export PLANVET_PATHS=$'plans\\n' PLANVET_ARGUMENTS='--new-since origin/main' PLANVET_SARIF=planvet.sarif\n" +
      step);
  EXPECT_EQ(result.status, 1) << result.complaints;
  EXPECT_NE(result.output.find("::warning file=plans/new.txt,line="), std::string::npos) << result.output;
  EXPECT_EQ(result.output.find("file=plans/old.txt"), std::string::npos) << result.output;
  EXPECT_EQ(read_file(folder_.path("output")), "status=1\n");
  EXPECT_NE(read_file(folder_.path("summary")).find("plans/new.txt"), std::string::npos);
  EXPECT_FALSE(nlohmann::json::parse(read_file(folder_.path("team/planvet.sarif")))["runs"][0]["results"].empty());
}

TEST_F(MergePlugs, GitLabJobReportsWhatIsNew) {
  const std::string job = read_file(source_path("share/doc/planvet/examples/gitlab-ci.yml"));
  std::string script = yaml_block(job, "  script:");
  ASSERT_TRUE(script.starts_with("- planvet check ")) << script;
  script.erase(0, 2);
  const io::ProcessResult result =
      bash("export PATH='" + folder_.path("bin") + "':\"$PATH\" CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main\n" + script);
  EXPECT_EQ(result.status, 1) << result.complaints;
  EXPECT_NE(result.output.find("plans/new.txt"), std::string::npos) << result.output;
  const auto problems = nlohmann::json::parse(read_file(folder_.path("team/planvet.json")));
  ASSERT_FALSE(problems.empty());
  for (const auto& problem : problems) EXPECT_EQ(problem["location"]["path"], "plans/new.txt");
}

}  // namespace
}  // namespace planvet::test
