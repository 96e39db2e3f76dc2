// Commands as a person types them, for what cannot be tested in process: run by sh in the source tree, with this
// build's planvet first in PATH, nothing on standard input, and both output streams in one.
#pragma once

#include <string>
#include <string_view>

namespace planvet::test {

struct ShellResult {
  std::string output;
  int exit_status = 0;  // as the shell gives it: 128 + n for signal n
};

ShellResult run_shell(std::string_view command);

}  // namespace planvet::test
