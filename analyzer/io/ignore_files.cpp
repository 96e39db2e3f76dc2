#include "analyzer/io/ignore_files.hpp"

#include <filesystem>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "analyzer/io/file.hpp"
#include "analyzer/io/git.hpp"

namespace planvet::io {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kFile = ".gitignore";

bool is_repository(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / ".git", error);  // a file in worktrees and submodules
}

}  // namespace

void IgnoreRules::add_file(const std::string& file, std::size_t prefix) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return;
  const FileBytes bytes = read_file(file);
  const auto* text = std::get_if<std::string>(&bytes);
  if (text == nullptr) return;
  PathPatterns patterns = PathPatterns::of_file(*text);
  if (patterns.empty()) return;
  nearest_ = std::make_shared<const Level>(Level{std::move(patterns), prefix, nearest_});
}

IgnoreRules IgnoreRules::for_folder(const std::string& folder) {
  std::error_code error;
  const fs::path start = fs::weakly_canonical(folder, error);
  std::vector<fs::path> folders;  // from the named one up to the repository
  fs::path root;
  for (fs::path at = start; !at.empty(); at = at.parent_path()) {
    folders.push_back(at);
    if (is_repository(at)) {
      root = at;
      break;
    }
    if (at == at.root_path()) break;
  }
  IgnoreRules rules;
  if (root.empty()) {
    folders.resize(folders.empty() ? 0 : 1);
  } else {
    if (const auto file = excludes_file(root.string())) rules.add_file(*file, 0);
    rules.add_file((root / ".git" / "info" / "exclude").string(), 0);
  }
  for (auto at = folders.rbegin(); at != folders.rend(); ++at) {
    if (at != folders.rbegin()) rules.from_root_ += at->filename().string() + '/';
    rules.add_file((*at / kFile).string(), rules.from_root_.size());
  }
  return rules;
}

IgnoreRules IgnoreRules::inside(const std::string& folder, std::string_view name) const {
  IgnoreRules rules;
  if (is_repository(folder)) {
    rules.add_file((fs::path(folder) / ".git" / "info" / "exclude").string(), 0);
  } else {
    rules = *this;
    rules.from_root_.append(name).append("/");
  }
  rules.add_file((fs::path(folder) / kFile).string(), rules.from_root_.size());
  return rules;
}

bool IgnoreRules::ignores(std::string_view name, bool is_folder) const {
  if (nearest_ == nullptr) return false;
  std::string path = from_root_;
  path += name;
  for (const Level* level = nearest_.get(); level != nullptr; level = level->above.get()) {
    const auto decided = level->patterns.decide(std::string_view(path).substr(level->prefix), is_folder);
    if (decided) return *decided;
  }
  return false;
}

}  // namespace planvet::io
