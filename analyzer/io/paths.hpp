// From what the user named to the files that are meant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace planvet::io {

struct LogPart {
  std::string path;
  bool is_compacted = false;
  std::string archive = {};  // as InputFile's
};

struct InputFile {
  std::string path;      // "-" is standard input
  bool is_named = true;  // false: found in a directory, where other things may lie too
  // Of an event log that is a folder (log_parts.hpp), in order; empty: the file itself.
  std::vector<LogPart> parts = {};
  // The zip archive that holds it: its entries are files below it, "logs.zip/events_1_app". Empty: none.
  std::string archive = {};
  std::vector<std::uint64_t> missing_parts = {};  // numbers between those of the parts, and before the first
};

struct InputFiles {
  std::vector<InputFile> files;  // sorted by path, each once; pipes of a shell in the order of their naming
  // Directories and archives that could not be read, and the reason.
  struct Problem {
    std::string path;
    std::string message;
  };
  std::vector<Problem> problems;
  std::uint32_t left_out = 0;   // files and folders that .gitignore or `excludes` names
  std::uint32_t unchanged = 0;  // files that somebody took out again, because they did not change
  bool is_partial = false;      // somebody took files out: a folder without a plan may have one
};

// Is a path that was found in a directory to be left out, with all that is below it?
using Excludes = std::function<bool(const std::string& path, bool is_folder)>;

// Directories are searched with all that is below them, but for what is hidden (.git among it), what git ignores, what
// `excludes` names, and links to other folders. What was named is read in any case.
[[nodiscard]] InputFiles find_inputs(const std::vector<std::string>& paths, const Excludes& excludes = {});

// The other files of its folder, by name; none where there are more than `most`.
[[nodiscard]] std::vector<std::string> files_beside(const std::string& path, std::size_t most);

// The folder of `path`, then its parents up to the root, as absolute paths; those of the working directory for "-".
[[nodiscard]] std::vector<std::string> folders_upward(const std::string& path);

// Was `path` found by searching `folder`?
[[nodiscard]] bool is_below(const std::string& path, const std::string& folder);

// Absolute, without `.` and `..`, folders without links; of what does not exist too. A link to a file keeps its name:
// it is a file of its own.
[[nodiscard]] std::string canonical_path(const std::string& path);

[[nodiscard]] bool exists(const std::string& path);
[[nodiscard]] bool is_regular_file(const std::string& path);  // or a link to one
// Makes the folder of `path`, and those above it. The answer is what went wrong, empty when nothing did.
[[nodiscard]] std::string make_folders_of(const std::string& path);
[[nodiscard]] bool is_directory(const std::string& path);
[[nodiscard]] bool is_pipe(const std::string& path);  // or a device: read once, from its beginning
// 0 where there is no such file.
[[nodiscard]] std::size_t file_size(const std::string& path);

}  // namespace planvet::io
