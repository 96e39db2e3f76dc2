// Commands of planvet run in the process of a test, without a terminal: faster than the executable, and all that most
// tests ask of it. Other environments and limits: tests/support/process.hpp.
#pragma once

#include <istream>
#include <sstream>
#include <string>
#include <vector>

#include "analyzer/cli/command.hpp"

namespace planvet::test {

struct CommandRun {
  std::string out;
  std::string err;
  int status = 0;
};

inline CommandRun run_in_process(const std::vector<std::string>& arguments, std::istream& input) {
  std::ostringstream out;
  std::ostringstream err;
  const cli::ExitStatus status = cli::run(arguments, {input, out, err}, io::Terminal());
  return {out.str(), err.str(), static_cast<int>(status)};
}

inline CommandRun run_in_process(const std::vector<std::string>& arguments, const std::string& input = {}) {
  std::istringstream in(input);
  return run_in_process(arguments, in);
}

}  // namespace planvet::test
