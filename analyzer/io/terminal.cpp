#include "analyzer/io/terminal.hpp"

#include <cstdlib>
#include <unistd.h>

#include <sys/ioctl.h>

namespace planvet::io {

Terminal this_terminal() {
  Terminal terminal;
  terminal.input_is_terminal = ::isatty(STDIN_FILENO) == 1;
  terminal.output_is_terminal = ::isatty(STDOUT_FILENO) == 1;
  terminal.error_is_terminal = ::isatty(STDERR_FILENO) == 1;
  winsize size{};
  if (terminal.output_is_terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    terminal.columns = size.ws_col;
  terminal.variable = [](std::string_view name) -> std::optional<std::string> {
    const char* value = std::getenv(std::string(name).c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  };
  return terminal;
}

}  // namespace planvet::io
