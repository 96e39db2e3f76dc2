#include "analyzer/io/git.hpp"

#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "analyzer/io/paths.hpp"
#include "analyzer/io/process.hpp"

namespace planvet::io {

namespace fs = std::filesystem;

namespace {

GitAnswer<std::string> git(const std::string& repository, std::vector<std::string> arguments,
                           std::string_view input = {}) {
  // A file's name is what it is: no quoting, and no pattern where a path is meant.
  std::vector<std::string> command = {"git", "-C", repository, "-c", "core.quotePath=false", "--literal-pathspecs"};
  command.insert(command.end(), std::make_move_iterator(arguments.begin()), std::make_move_iterator(arguments.end()));
  ProcessResult result = run_process(command, input);
  if (result.status == 0) return std::move(result.output);
  if (result.status == 127) return GitError{"git could not be started: " + result.complaints};
  const std::string_view complaint = result.complaints;
  return GitError{"git says: " + std::string(complaint.substr(0, complaint.find('\n')))};
}

std::vector<std::string_view> split_zeros(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = text.find('\0');
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return parts;
}

}  // namespace

std::optional<std::string> repository_of(const std::string& path) {
  fs::path at = canonical_path(path);
  while (true) {
    std::error_code error;
    if (fs::exists(at / ".git", error)) return at.string();
    if (!at.has_relative_path()) return std::nullopt;
    at = at.parent_path();
  }
}

std::optional<std::string> excludes_file(const std::string& repository) {
  GitAnswer<std::string> answer = git(repository, {"config", "--null", "--type=path", "--get", "core.excludesFile"});
  if (auto* file = std::get_if<std::string>(&answer)) {
    if (file->ends_with('\0')) file->pop_back();
    return std::move(*file);
  }
  // Where git looks when nobody told it.
  if (const char* const folder = std::getenv("XDG_CONFIG_HOME"); folder != nullptr && *folder != '\0') {
    return std::string(folder) + "/git/ignore";
  }
  if (const char* const home = std::getenv("HOME"); home != nullptr) return std::string(home) + "/.config/git/ignore";
  return std::nullopt;
}

GitAnswer<std::string> commit_of(const std::string& repository, const std::string& revision) {
  GitAnswer<std::string> answer =
      git(repository, {"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"});
  if (const auto* error = std::get_if<GitError>(&answer)) {
    if (error->message.starts_with("git could not") || error->message.starts_with("git says: fatal")) return *error;
    return GitError{"unknown revision '" + revision + "' (a shallow clone has few: git fetch --unshallow)"};
  }
  std::string& commit = std::get<std::string>(answer);
  while (commit.ends_with('\n')) commit.pop_back();
  return std::move(commit);
}

GitAnswer<GitChanges> changes_since(const std::string& repository, const std::string& commit) {
  GitChanges changes;
  const auto differing =
      git(repository, {"diff", "--name-status", "-z", "--find-renames", "--no-ext-diff", commit, "--"});
  if (const auto* error = std::get_if<GitError>(&differing)) return *error;
  const std::vector<std::string_view> words = split_zeros(std::get<std::string>(differing));
  for (std::size_t i = 0; i + 1 < words.size();) {
    const bool has_two_names = words[i].starts_with('R') || words[i].starts_with('C');
    if (has_two_names && i + 2 < words.size()) {
      changes.renamed.emplace(words[i + 2], words[i + 1]);
      changes.files.emplace(words[i + 2]);
      i += 3;
    } else {
      changes.files.emplace(words[i + 1]);
      i += 2;
    }
  }
  const auto untracked = git(repository, {"ls-files", "--others", "--exclude-standard", "-z"});
  if (const auto* error = std::get_if<GitError>(&untracked)) return *error;
  for (const std::string_view path : split_zeros(std::get<std::string>(untracked))) changes.files.emplace(path);
  return changes;
}

GitAnswer<std::set<std::string>> files_at(const std::string& repository, const std::string& commit) {
  const auto listed = git(repository, {"ls-tree", "-r", "--name-only", "--full-tree", "-z", commit});
  if (const auto* error = std::get_if<GitError>(&listed)) return *error;
  std::set<std::string> files;
  for (const std::string_view path : split_zeros(std::get<std::string>(listed))) files.emplace_hint(files.end(), path);
  return files;
}

GitAnswer<std::vector<std::optional<std::string>>> contents_at(const std::string& repository, const std::string& commit,
                                                               const std::vector<std::string>& paths) {
  std::vector<std::optional<std::string>> contents(paths.size());
  std::vector<std::size_t> asked;
  std::string questions;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (paths[i].find('\n') != std::string::npos) continue;  // the protocol has lines
    questions.append(commit).append(":").append(paths[i]).append("\n");
    asked.push_back(i);
  }
  if (asked.empty()) return contents;
  const auto answers = git(repository, {"cat-file", "--batch"}, questions);
  if (const auto* error = std::get_if<GitError>(&answers)) return *error;
  // "<object> blob <size>\n<bytes>\n", or "<question> missing\n"
  std::string_view rest = std::get<std::string>(answers);
  for (const std::size_t i : asked) {
    const std::size_t line_end = rest.find('\n');
    if (line_end == std::string_view::npos) return GitError{"git cat-file ended too early"};
    const std::string_view line = rest.substr(0, line_end);
    rest.remove_prefix(line_end + 1);
    if (line.ends_with(" missing")) continue;
    const std::size_t blank = line.rfind(' ');
    std::size_t size = 0;
    const auto [end, error] = std::from_chars(line.data() + blank + 1, line.data() + line.size(), size);
    if (blank == std::string_view::npos || error != std::errc() || size >= rest.size())
      return GitError{"git cat-file answered in a way that is not understood"};
    if (line.find(" blob ") != std::string_view::npos) contents[i] = std::string(rest.substr(0, size));
    rest.remove_prefix(size + 1);
  }
  return contents;
}

}  // namespace planvet::io
