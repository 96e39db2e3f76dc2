// What git knows of a repository's files, asked of the program git.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace planvet::io {

struct GitError {
  std::string message;
};

template <typename Answer>
using GitAnswer = std::variant<Answer, GitError>;

// The folder of the repository that a path is in, without links; nothing outside of one. Paths below are relative to it.
[[nodiscard]] std::optional<std::string> repository_of(const std::string& path);

// The file of patterns that its user ignores everywhere (core.excludesFile), and where git looks for one
// when nothing is set. It need not be there.
[[nodiscard]] std::optional<std::string> excludes_file(const std::string& repository);

// The commit that a revision names.
[[nodiscard]] GitAnswer<std::string> commit_of(const std::string& repository, const std::string& revision);

struct GitChanges {
  std::set<std::string> files;                 // changed in the working tree since the commit, or not tracked
  std::map<std::string, std::string> renamed;  // new name -> name in the commit
};
[[nodiscard]] GitAnswer<GitChanges> changes_since(const std::string& repository, const std::string& commit);

[[nodiscard]] GitAnswer<std::set<std::string>> files_at(const std::string& repository, const std::string& commit);

// In the order of `paths`; nothing where the commit has no such file.
[[nodiscard]] GitAnswer<std::vector<std::optional<std::string>>> contents_at(const std::string& repository,
                                                                             const std::string& commit,
                                                                             const std::vector<std::string>& paths);

}  // namespace planvet::io
