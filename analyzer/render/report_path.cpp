#include "analyzer/render/report_path.hpp"

#include <algorithm>
#include <vector>

namespace planvet::render {

namespace {

// "a//b/./c/../d" -> "a/b/d".
std::string without_dots(std::string_view path) {
  const bool is_absolute = path.starts_with('/');
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (part.empty() || part == ".") continue;
    if (part == ".." && !parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else if (part != ".." || !is_absolute) {
      parts.push_back(part);
    }
  }
  std::string result;
  for (const std::string_view part : parts) {
    if (is_absolute || !result.empty()) result += '/';
    result += part;
  }
  return result.empty() && is_absolute ? "/" : result;
}

}  // namespace

std::string absolute_path(const PathBase& base, std::string_view path) {
  if (path.starts_with('/') || base.working_directory.empty()) return without_dots(path);
  return without_dots(base.working_directory + '/' + std::string(path));
}

std::optional<std::string> repository_path(const PathBase& base, std::string_view path) {
  if (path == "-") return std::nullopt;
  const std::string absolute = absolute_path(base, path);
  if (!absolute.starts_with('/') && !absolute.starts_with("..")) return absolute;  // nothing is known: taken as it is
  const std::string root = without_dots(base.root.empty() ? base.working_directory : base.root);
  if (root.empty()) return std::nullopt;
  const std::string folder = root.ends_with('/') ? root : root + '/';
  if (!absolute.starts_with(folder) || absolute.size() == folder.size()) return std::nullopt;
  return absolute.substr(folder.size());
}

std::string hosted_path(const PathBase& base, std::string_view path) {
  return repository_path(base, path).value_or(std::string(path));
}

}  // namespace planvet::render
