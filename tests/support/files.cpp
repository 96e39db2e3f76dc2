#include "tests/support/files.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace planvet::test {

namespace {

// "a{b,c}d" -> "abd", "acd".
std::vector<std::string> expand_braces(std::string_view pattern) {
  const std::size_t open = pattern.find('{');
  const std::size_t close = pattern.find('}', open);
  if (open == std::string_view::npos || close == std::string_view::npos) return {std::string(pattern)};
  std::vector<std::string> expanded;
  std::size_t begin = open + 1;
  while (begin <= close) {
    const std::size_t end = std::min(pattern.find(',', begin), close);
    const std::string one = std::string(pattern.substr(0, open))
                                .append(pattern.substr(begin, end - begin))
                                .append(pattern.substr(close + 1));
    for (std::string& rest : expand_braces(one)) expanded.push_back(std::move(rest));
    begin = end + 1;
  }
  return expanded;
}

bool matches(std::string_view pattern, std::string_view path) {
  while (!pattern.empty()) {
    if (pattern.starts_with("**/")) {
      for (std::size_t at = 0; at != std::string_view::npos;) {
        if (matches(pattern.substr(3), path.substr(at))) return true;
        const std::size_t slash = path.find('/', at);
        at = slash == std::string_view::npos ? slash : slash + 1;
      }
      return false;
    }
    if (pattern == "**") return true;
    if (pattern.front() == '*') {
      pattern.remove_prefix(1);
      for (std::size_t at = 0; at <= path.size(); ++at) {
        if (matches(pattern, path.substr(at))) return true;
        if (at < path.size() && path[at] == '/') return false;
      }
      return false;
    }
    if (path.empty() || path.front() != pattern.front()) return false;
    pattern.remove_prefix(1);
    path.remove_prefix(1);
  }
  return path.empty();
}

// The folders before the first wildcard: where to start looking.
std::string_view literal_folder(std::string_view pattern) {
  const std::string_view literal = pattern.substr(0, pattern.find_first_of("*{"));
  const std::size_t slash = literal.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : literal.substr(0, slash);
}

}  // namespace

std::filesystem::path source_dir() { return PLANVET_SOURCE_DIR; }
std::filesystem::path source_path(std::string_view relative) { return source_dir() / relative; }
std::filesystem::path program_path() { return PLANVET_PROGRAM; }

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    ADD_FAILURE() << "cannot read " << path;
    return {};
  }
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) ADD_FAILURE() << "cannot write " << path;
}

bool glob_matches(std::string_view pattern, std::string_view path) {
  return std::ranges::any_of(expand_braces(pattern), [&](const std::string& one) { return matches(one, path); });
}

std::vector<std::string> source_files_if_any(std::string_view pattern) {
  std::vector<std::string> found;
  const std::filesystem::path start = source_dir() / literal_folder(pattern);
  if (!std::filesystem::is_directory(start)) return found;
  const std::vector<std::string> patterns = expand_braces(pattern);
  for (auto entry = std::filesystem::recursive_directory_iterator(start);
       entry != std::filesystem::recursive_directory_iterator(); ++entry) {
    const std::string relative = entry->path().lexically_relative(source_dir()).generic_string();
    // Build trees may stand inside the source tree and hold copies of anything.
    if (entry->is_directory() && (relative == "build" || relative == ".git")) entry.disable_recursion_pending();
    if (!entry->is_regular_file()) continue;
    if (std::ranges::any_of(patterns, [&](const std::string& one) { return matches(one, relative); }))
      found.push_back(relative);
  }
  std::ranges::sort(found);
  return found;
}

std::vector<std::string> source_files(std::string_view pattern) {
  std::vector<std::string> found = source_files_if_any(pattern);
  EXPECT_FALSE(found.empty()) << "no file matches " << pattern;
  return found;
}

}  // namespace planvet::test
