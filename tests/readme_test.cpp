// What README.md shows is what happens: every command of a ```console block is run in the source tree and its output
// compared (UPDATE_GOLDEN=1 writes it anew), and every path that it links to exists.

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "tests/support/files.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/shell.hpp"

namespace planvet::test {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

TEST(Readme, ShowsWhatItsCommandsPrint) {
  const std::string readme = read_file(source_path("README.md"));
  std::string rewritten;
  std::size_t commands = 0;
  bool in_console = false;
  for (const std::string_view line : lines_of(readme)) {
    const bool is_command = in_console && line.starts_with("$ ");
    if (line.starts_with("```")) in_console = line == "```console";
    if (in_console && line != "```console" && !is_command) continue;  // the old output
    rewritten.append(line).append("\n");
    if (!is_command) continue;
    ++commands;
    const ShellResult result = run_shell(line.substr(2));
    EXPECT_LE(result.exit_status, 1) << line;
    rewritten += result.output;
    if (rewritten.back() != '\n') rewritten += '\n';
  }
  EXPECT_GT(commands, 0u) << "README.md shows no command";
  EXPECT_TRUE(matches_golden(rewritten, "README.md"));
}

TEST(Readme, LinksLeadSomewhere) {
  const std::string readme = read_file(source_path("README.md"));
  std::size_t links = 0;
  for (std::size_t at = readme.find("]("); at != std::string::npos; at = readme.find("](", at + 1)) {
    const std::string target = readme.substr(at + 2, readme.find(')', at) - at - 2);
    if (target.starts_with("http") || target.starts_with("#")) continue;
    ++links;
    EXPECT_TRUE(std::filesystem::exists(source_path(target))) << "README.md links to " << target;
  }
  EXPECT_GT(links, 0u);
}

// .ci/run and .ci/bare-debian run them; this says that they are there and can be started.
TEST(Readme, ShowsExactlyTwoCommandsForAFreshMachine) {
  std::vector<std::string> commands;
  const std::string readme = read_file(source_path("README.md"));
  for (const std::string_view line : lines_of(readme))
    if (line.starts_with(".ci/")) commands.emplace_back(line.substr(0, line.find(' ')));
  EXPECT_EQ(commands, (std::vector<std::string>{".ci/try", ".ci/test"}));
  for (const std::string& command : commands) {
    const auto permissions = std::filesystem::status(source_path(command)).permissions();
    EXPECT_NE(permissions & std::filesystem::perms::owner_exec, std::filesystem::perms::none) << command;
  }
}

}  // namespace
}  // namespace planvet::test
