#include "analyzer/cli/project_paths.hpp"

#include <filesystem>

#include "analyzer/config/planvet_toml.hpp"
#include "analyzer/io/git.hpp"
#include "analyzer/io/paths.hpp"

namespace planvet::cli {

namespace {

std::string find_root(const std::filesystem::path& folder) {
  for (std::filesystem::path at = folder;; at = at.parent_path()) {
    if (io::exists((at / config::kFileName).string())) return at.string();
    if (!at.has_relative_path()) break;
  }
  if (const auto repository = io::repository_of(folder.string())) return *repository;
  return io::canonical_path(".");
}

}  // namespace

std::string called(const std::string& path) {
  std::string relative = relative_to(io::canonical_path("."), path);
  return relative.empty() || relative.starts_with("..") ? path : relative;
}

std::string relative_to(const std::string& folder, const std::string& path) {
  return std::filesystem::path(path).lexically_relative(folder).string();
}

std::string ProjectPaths::root_of(const std::string& path) {
  const std::string folder =
      path == "-" ? io::canonical_path(".") : std::filesystem::path(io::canonical_path(path)).parent_path().string();
  std::string& root = roots_[folder];
  if (root.empty()) root = find_root(folder);
  return root;
}

std::string ProjectPaths::identity(const std::string& path) {
  return path == "-" ? path : relative_to(root_of(path), io::canonical_path(path));
}

}  // namespace planvet::cli
