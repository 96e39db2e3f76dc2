// Paths as code hosts want them: from the root of the repository, whatever folder planvet was started in.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace planvet::render {

// Both absolute, without a slash at the end; empty: unknown.
struct PathBase {
  std::string working_directory;
  std::string root;  // of the repository
};

// "plans/daily.txt"; none for paths outside the root, and for standard input.
[[nodiscard]] std::optional<std::string> repository_path(const PathBase& base, std::string_view path);

// The same where there is one, else the path as the user named it.
[[nodiscard]] std::string hosted_path(const PathBase& base, std::string_view path);

// "/work/plans/daily.txt", without "." and ".."; as it is where the working directory is unknown.
[[nodiscard]] std::string absolute_path(const PathBase& base, std::string_view path);

}  // namespace planvet::render
