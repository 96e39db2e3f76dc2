// Another program, without a shell: what it is given, what it said.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace planvet::io {

struct ProcessResult {
  int status = -1;         // 127: there is no such program
  std::string output;      // standard output
  std::string complaints;  // standard error
};

// `arguments[0]` is looked for in PATH. `input` is its standard input.
[[nodiscard]] ProcessResult run_process(const std::vector<std::string>& arguments, std::string_view input = {});

}  // namespace planvet::io
