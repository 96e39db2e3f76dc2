// The whole program but for its process: arguments and streams in, text and an exit status out.
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "analyzer/cli/exit_status.hpp"
#include "analyzer/io/terminal.hpp"

namespace planvet::cli {

struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
};

// `arguments` without the program's name.
[[nodiscard]] ExitStatus run(std::span<const std::string> arguments, const Streams& streams,
                             const io::Terminal& terminal);

}  // namespace planvet::cli
