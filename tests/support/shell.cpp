#include "tests/support/shell.hpp"

#include <array>
#include <cstdio>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "tests/support/files.hpp"

namespace planvet::test {

ShellResult run_shell(std::string_view command) {
  ShellResult result;
  std::string line = "cd '" + source_dir().string() + "' && PATH='" + program_path().parent_path().string() +
                     "':\"$PATH\" && unset GITHUB_ACTIONS COLUMNS NO_COLOR && export LC_ALL=C.UTF-8 && (\n";
  line.append(command).append("\n) 2>&1 </dev/null");
  FILE* pipe = popen(line.c_str(), "r");
  if (pipe == nullptr) {
    ADD_FAILURE() << "cannot run " << command;
    return result;
  }
  std::array<char, 4096> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
    result.output.append(buffer.data(), count);
  const int status = pclose(pipe);
  result.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace planvet::test
