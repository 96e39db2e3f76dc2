#include "analyzer/snapshot/paths.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "analyzer/plan/characters.hpp"

namespace planvet::snapshot {
namespace {

constexpr std::string_view kNeutral = "...";

bool is_scheme(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// `part-00000-aaf2c0c1-..`: a file whose name was drawn.
bool is_unique_name(std::string_view name) {
  std::size_t run = 0;
  std::size_t dashes = 0;
  for (const char c : name) {
    if (c == '-') ++dashes;
    run = is_hex(c) ? run + 1 : 0;
    if (dashes >= 4 && run >= 12) return true;
  }
  return false;
}

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    if (slash > 0) parts.push_back(path.substr(0, slash));
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return parts;
}

// dt=2024-01-08, but not a query's own "=".
bool is_partition(std::string_view part) {
  const std::size_t equals = part.find('=');
  return equals != std::string_view::npos && equals > 0;
}

// A path begins here: "file:/..", "s3a://..", "/a/b", ".../a".
bool begins_path(std::string_view text, std::size_t at) {
  constexpr std::string_view kBefore = " [(,=`";
  if (at > 0 && kBefore.find(text[at - 1]) == std::string_view::npos) return false;
  const std::string_view rest = text.substr(at);
  if (rest.starts_with(".../")) return true;
  if (rest.starts_with('/')) return rest.size() > 2 && rest[1] != '/' && rest[1] != ' ' && rest[1] != '*';
  std::size_t end = 0;
  while (end < rest.size() && is_scheme(rest[end])) ++end;
  return end >= 2 && rest.substr(end).starts_with(":/") && !rest.starts_with("jdbc");
}

std::size_t end_of_path(std::string_view text, std::size_t at) {
  constexpr std::string_view kEnds = ", )]`\"'";
  return std::min(text.find_first_of(kEnds, at), text.size());
}

}  // namespace

std::string Paths::path(std::string_view text, bool is_one_of_many) {
  if (text.find('/') == std::string_view::npos) return std::string(text);  // a table
  if (const std::size_t scheme = text.find(":/"); scheme != std::string_view::npos && scheme < text.find('/')) {
    text.remove_prefix(scheme + 1);
  }
  std::vector<std::string_view> parts = parts_of(text);
  std::size_t partitions = parts.size();
  while (partitions > 0 && is_partition(parts[partitions - 1])) --partitions;
  if (partitions == 0) return std::string(kNeutral);
  const std::string_view name = parts[partitions - 1];
  std::string out{kNeutral};
  const bool is_chance = is_one_of_many && partitions == parts.size();
  if (is_chance || is_unique_name(name) || name == kNeutral) {
    out += "/*";
  } else {
    std::string folder;
    for (std::size_t part = 0; part + 1 < partitions; ++part) folder.append("/").append(parts[part]);
    std::vector<std::string>& folders = folders_[std::string(name)];
    auto place = std::find(folders.begin(), folders.end(), folder);
    if (place == folders.end()) place = folders.insert(folders.end(), folder);
    if (place != folders.begin()) out.append("/").append(std::to_string(place - folders.begin() + 1));
    out.append("/").append(name);
  }
  for (std::size_t part = partitions; part < parts.size(); ++part) {
    out.append("/").append(parts[part].substr(0, parts[part].find('='))).append("=*");
  }
  return out;
}

std::string Paths::location(std::string_view text, std::string_view table) {
  const std::size_t open = text.find('[');
  if (open == std::string_view::npos) return in_text(text);
  std::string_view head = text.substr(0, open);
  const std::size_t count = head.find('(');  // "(20 paths)"
  head = head.substr(0, count);
  while (head.ends_with(' ')) head.remove_suffix(1);
  if (count != std::string_view::npos && !table.empty()) return std::string(head) + " [" + std::string(table) + "]";
  std::string_view inside = text.substr(open + 1);
  const bool is_whole = inside.ends_with(']');
  if (is_whole) inside.remove_suffix(1);

  std::vector<std::string_view> shown;
  std::size_t others = 0;
  while (!inside.empty()) {
    const std::size_t comma = std::min(inside.find(", "), inside.size());
    const std::string_view item = inside.substr(0, comma);
    inside.remove_prefix(std::min(comma + 2, inside.size()));
    const bool is_neutral = item.starts_with(".../");
    if ((item.starts_with("...") && !is_neutral) || item.empty() || (!is_whole && inside.empty())) {
      ++others;  // "... 19 entries", or cut
    } else {
      shown.push_back(item);
    }
  }
  std::vector<std::string> paths;
  for (const std::string_view item : shown) {
    std::string neutral = path(item, others > 0 || shown.size() > 1);
    if (std::find(paths.begin(), paths.end(), neutral) == paths.end()) paths.push_back(std::move(neutral));
  }
  std::sort(paths.begin(), paths.end());
  std::string out{head};
  out += head.empty() ? "[" : " [";
  for (std::size_t at = 0; at < paths.size(); ++at) out.append(at == 0 ? "" : ", ").append(paths[at]);
  // A path that was cut could be any: still cut.
  return paths.empty() && others > 0 ? out + "..." : out + "]";
}

std::string Paths::in_text(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (!begins_path(text, at)) {
      out += text[at++];
      continue;
    }
    const std::size_t end = end_of_path(text, at);
    const std::string_view found = text.substr(at, end - at);
    out += found == ".../*" ? std::string(found) : path(found, false);
    at = end;
  }
  return out;
}

}  // namespace planvet::snapshot
