// From what the user named to the files that are meant.
#pragma once

#include <string>
#include <vector>

namespace planvet::io {

struct InputFile {
  std::string path;      // "-" is standard input
  bool is_named = true;  // false: found in a directory, where other things may lie too
};

struct InputFiles {
  std::vector<InputFile> files;  // sorted by path, each once
  // Directories that could not be read, and the reason.
  struct Problem {
    std::string path;
    std::string message;
  };
  std::vector<Problem> problems;
};

// Directories are searched with all that is below them, but for .git and links to other folders.
[[nodiscard]] InputFiles find_inputs(const std::vector<std::string>& paths);

// The folder of `path`, then its parents up to the root, as absolute paths; those of the working directory for "-".
[[nodiscard]] std::vector<std::string> folders_upward(const std::string& path);

[[nodiscard]] bool exists(const std::string& path);
[[nodiscard]] bool is_directory(const std::string& path);

}  // namespace planvet::io
