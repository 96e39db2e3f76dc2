// A whole file at once: readers see the old one or the new one, never a part, and a disk that is full loses nothing.
#pragma once

#include <string>
#include <string_view>

namespace planvet::io {

// Files are replaced (through a temporary file beside them, with the permissions of the old one), links are followed;
// what is no file (a device, a pipe) is written to. The answer is what went wrong, empty when nothing did.
[[nodiscard]] std::string replace_file(const std::string& path, std::string_view bytes);

// Adds to the end of a file. For files that several programs write to one after the other.
[[nodiscard]] std::string append_to_file(const std::string& path, std::string_view bytes);

}  // namespace planvet::io
