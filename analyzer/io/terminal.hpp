// What the process stands in: terminals or not, how wide, the environment. A value, so that tests can make one.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace planvet::io {

struct Terminal {
  bool input_is_terminal = false;
  bool output_is_terminal = false;
  bool error_is_terminal = false;
  std::optional<std::size_t> columns;                                    // of the output's terminal
  std::function<std::optional<std::string>(std::string_view)> variable;  // of the environment

  [[nodiscard]] std::optional<std::string> environment(std::string_view name) const {
    return variable ? variable(name) : std::nullopt;
  }
};

[[nodiscard]] Terminal this_terminal();

}  // namespace planvet::io
