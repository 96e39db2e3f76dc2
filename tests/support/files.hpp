// Files of the source tree, named as they are from its root: "corpus/spark-3.5/q01.txt".
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace planvet::test {

std::filesystem::path source_dir();
std::filesystem::path source_path(std::string_view relative);

// The planvet executable of this build, for what cannot be tested in process.
std::filesystem::path program_path();

// The whole file; a test failure and "" when it cannot be read.
std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, std::string_view text);

// Files that match, sorted, relative to the source tree. `*` stays within one folder, `**` spans any number of
// them, `{a,b}` is either: "corpus/**/*.{txt,json}". No match is a test failure: a sweep over nothing proves nothing.
std::vector<std::string> source_files(std::string_view pattern);

// As source_files, but an empty answer is fine.
std::vector<std::string> source_files_if_any(std::string_view pattern);

bool glob_matches(std::string_view pattern, std::string_view path);

}  // namespace planvet::test
