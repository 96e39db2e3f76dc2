// A file that is there whole or as it was: written beside its place, then put there.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace planvet::io {

struct WriteError {
  std::string message;  // "no space left on device", without the path
};

// Nothing: written. Else the old file, if there was one, is untouched, and nothing is left behind.
[[nodiscard]] std::optional<WriteError> write_file(const std::string& path, std::string_view text);

// Adds to the end: for files that several programs write to one after the other.
[[nodiscard]] std::optional<WriteError> append_to_file(const std::string& path, std::string_view text);

}  // namespace planvet::io
