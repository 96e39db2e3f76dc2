#include "analyzer/cli/revisions.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "analyzer/io/git.hpp"
#include "analyzer/render/place.hpp"

namespace planvet::cli {

namespace {

// A repository that some input is in, and what changed in it.
struct Repository {
  std::string root;
  std::string commit;
  io::GitChanges changes;
  std::set<std::string> tracked;  // in the commit
};

class Repositories {
 public:
  explicit Repositories(std::string revision) : revision_(std::move(revision)) {}

  // The repository that a canonical path is in; null: see error().
  const Repository* of(const std::string& path) {
    const std::optional<std::string> root = io::repository_of(path);
    if (!root) {
      error_ = fmt::format("{} is in no git repository", path);
      return nullptr;
    }
    const auto known = repositories_.find(*root);
    if (known != repositories_.end()) return &known->second;
    Repository repository;
    repository.root = *root;
    if (!take(io::commit_of(*root, revision_), repository.commit)) return nullptr;
    if (!take(io::changes_since(*root, repository.commit), repository.changes)) return nullptr;
    if (!take(io::files_at(*root, repository.commit), repository.tracked)) return nullptr;
    return &(repositories_[*root] = std::move(repository));
  }
  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  template <typename Answer>
  bool take(io::GitAnswer<Answer> answer, Answer& into) {
    if (auto* error = std::get_if<io::GitError>(&answer)) {
      error_ = std::move(error->message);
      return false;
    }
    into = std::move(std::get<Answer>(answer));
    return true;
  }

  std::string revision_;
  std::map<std::string, Repository> repositories_;
  std::string error_;
};

bool is_unchanged(const Repository& repository, const std::string& path) {
  return repository.tracked.contains(path) && !repository.changes.files.contains(path);
}

// What the file was called in the commit; empty: it was not there.
std::string name_in_commit(const Repository& repository, const std::string& path) {
  if (repository.tracked.contains(path)) return path;
  const auto renamed = repository.changes.renamed.find(path);
  return renamed == repository.changes.renamed.end() ? std::string() : renamed->second;
}

void mark_all(InputResult& result) {
  for (DocumentReport& document : result.documents)
    for (Finding& finding : document.findings) finding.is_baseline = true;
}

void mark_those_in(const InputResult& before, InputResult& now) {
  std::set<std::string> known;
  for (const DocumentReport& document : before.documents)
    for (const Finding& finding : document.findings) known.insert(finding.fingerprint);
  for (DocumentReport& document : now.documents)
    for (Finding& finding : document.findings)
      if (known.contains(finding.fingerprint)) finding.is_baseline = true;
}

// Findings of one repository's files that changed, and what these files were.
struct Changed {
  std::vector<std::string> names;  // in the commit
  std::vector<InputResult*> results;
};

bool has_findings(const InputResult& result) {
  return std::ranges::any_of(result.documents,
                             [](const DocumentReport& document) { return !document.findings.empty(); });
}

constexpr std::string_view kNoName = "standard input is in no revision: name it by --stdin-filename";

}  // namespace

std::string keep_changed_since(const std::string& revision, io::InputFiles& files, const std::string& stdin_filename) {
  Repositories repositories(revision);
  std::vector<io::InputFile> kept;
  for (io::InputFile& file : files.files) {
    const std::string& name = file.path == "-" ? stdin_filename : file.path;
    if (name.empty()) return std::string(kNoName);
    const std::string path = io::canonical_path(name);
    const Repository* const repository = repositories.of(path);
    if (repository == nullptr) return repositories.error();
    if (is_unchanged(*repository, relative_to(repository->root, path))) {
      ++files.unchanged;
    } else {
      kept.push_back(std::move(file));
    }
  }
  files.is_partial = files.unchanged > 0;
  files.files = std::move(kept);
  return {};
}

std::string mark_known_since(const std::string& revision, Inputs& inputs, Judging& judging) {
  Repositories repositories(revision);
  std::map<const Repository*, Changed> changed;
  for (InputResult& result : inputs.results) {
    if (result.path == "-") return std::string(kNoName);
    const std::string path = io::canonical_path(result.path);
    const Repository* const repository = repositories.of(path);
    if (repository == nullptr) return repositories.error();
    if (!has_findings(result)) continue;
    const std::string relative = relative_to(repository->root, path);
    if (is_unchanged(*repository, relative)) {
      mark_all(result);
    } else if (std::string name = name_in_commit(*repository, relative); !name.empty()) {
      changed[repository].names.push_back(std::move(name));
      changed[repository].results.push_back(&result);
    }
  }
  for (auto& [repository, files] : changed) {
    auto answer = io::contents_at(repository->root, repository->commit, files.names);
    if (const auto* error = std::get_if<io::GitError>(&answer)) return error->message;
    auto& contents = std::get<std::vector<std::optional<std::string>>>(answer);
    for (std::size_t i = 0; i < contents.size(); ++i) {
      if (!contents[i]) continue;
      InputResult& now = *files.results[i];
      mark_those_in(judging.judge_bytes(now.path, std::move(*contents[i])), now);
    }
  }
  return {};
}

}  // namespace planvet::cli
