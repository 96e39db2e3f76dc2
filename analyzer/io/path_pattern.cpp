#include "analyzer/io/path_pattern.hpp"

#include <array>
#include <cctype>
#include <cstddef>
#include <utility>

namespace planvet::io {

namespace {

using Class = int (*)(int);
constexpr std::array kClasses = {std::pair{std::string_view("alnum"), static_cast<Class>(std::isalnum)},
                                 std::pair{std::string_view("alpha"), static_cast<Class>(std::isalpha)},
                                 std::pair{std::string_view("blank"), static_cast<Class>(std::isblank)},
                                 std::pair{std::string_view("cntrl"), static_cast<Class>(std::iscntrl)},
                                 std::pair{std::string_view("digit"), static_cast<Class>(std::isdigit)},
                                 std::pair{std::string_view("graph"), static_cast<Class>(std::isgraph)},
                                 std::pair{std::string_view("lower"), static_cast<Class>(std::islower)},
                                 std::pair{std::string_view("print"), static_cast<Class>(std::isprint)},
                                 std::pair{std::string_view("punct"), static_cast<Class>(std::ispunct)},
                                 std::pair{std::string_view("space"), static_cast<Class>(std::isspace)},
                                 std::pair{std::string_view("upper"), static_cast<Class>(std::isupper)},
                                 std::pair{std::string_view("xdigit"), static_cast<Class>(std::isxdigit)}};

// `[...]` at the start of `glob`: does it match `c`, and where does it end? No end: no class at all, and no match.
struct ClassMatch {
  bool matches = false;
  std::size_t end = std::string_view::npos;
};

ClassMatch match_class(std::string_view glob, char c) {
  std::size_t at = 1;
  const bool is_negated = at < glob.size() && (glob[at] == '!' || glob[at] == '^');
  if (is_negated) ++at;
  bool found = false;
  for (bool is_first = true; at < glob.size() && (glob[at] != ']' || is_first); is_first = false) {
    if (glob.substr(at).starts_with("[:")) {
      const std::size_t end = glob.find(":]", at);
      if (end != std::string_view::npos) {
        for (const auto& [name, test] : kClasses)
          if (glob.substr(at + 2, end - at - 2) == name) found = found || test(static_cast<unsigned char>(c)) != 0;
        at = end + 2;
        continue;
      }
    }
    if (glob[at] == '\\' && at + 1 < glob.size()) ++at;
    const char low = glob[at++];
    char high = low;
    if (at + 1 < glob.size() && glob[at] == '-' && glob[at + 1] != ']') {
      ++at;
      if (glob[at] == '\\' && at + 1 < glob.size()) ++at;
      high = glob[at++];
    }
    const auto value = static_cast<unsigned char>(c);
    found = found || (static_cast<unsigned char>(low) <= value && value <= static_cast<unsigned char>(high));
  }
  if (at >= glob.size()) return {};
  return {found != is_negated && c != '/', at + 1};
}

// One letter of the glob against one of the text; how much of the glob that took, 0 without a match.
std::size_t match_one(std::string_view glob, char c) {
  switch (glob.front()) {
    case '?': return c == '/' ? 0 : 1;
    case '[': {
      const ClassMatch match = match_class(glob, c);
      return match.matches ? match.end : 0;
    }
    case '\\':
      if (glob.size() > 1) return glob[1] == c ? 2 : 0;
      return 0;
    default: return glob.front() == c ? 1 : 0;
  }
}

// Within one name: * goes back to the last star only, so that no pattern costs more than the product of both lengths.
bool segment_matches(std::string_view glob, std::string_view text) {
  std::size_t at = 0;
  std::size_t glob_at = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_text = 0;
  while (at < text.size()) {
    if (glob_at < glob.size() && glob[glob_at] == '*') {
      star = glob_at++;
      star_text = at;
      continue;
    }
    const std::size_t taken = glob_at < glob.size() ? match_one(glob.substr(glob_at), text[at]) : 0;
    if (taken > 0) {
      glob_at += taken;
      ++at;
    } else if (star != std::string_view::npos) {
      glob_at = star + 1;
      at = ++star_text;
    } else {
      return false;
    }
  }
  while (glob_at < glob.size() && glob[glob_at] == '*') ++glob_at;
  return glob_at == glob.size();
}

std::vector<std::string_view> segments(std::string_view path) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t slash = path.find('/');
    parts.push_back(path.substr(0, slash));
    if (slash == std::string_view::npos) return parts;
    path.remove_prefix(slash + 1);
  }
}

}  // namespace

bool glob_matches(std::string_view glob, std::string_view text) {
  const std::vector<std::string_view> patterns = segments(glob);
  const std::vector<std::string_view> names = segments(text);
  // reachable[j]: the patterns so far match the first j names.
  std::vector<bool> reachable(names.size() + 1, false);
  reachable[0] = true;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    std::vector<bool> next(names.size() + 1, false);
    if (patterns[i] == "**") {
      // At the end it stands for what is inside: at least one name.
      bool any = false;
      const bool is_last = i + 1 == patterns.size() && i > 0;
      for (std::size_t j = 0; j <= names.size(); ++j) {
        if (is_last) next[j] = any;
        any = any || reachable[j];
        if (!is_last) next[j] = any;
      }
    } else {
      for (std::size_t j = 0; j < names.size(); ++j)
        if (reachable[j] && segment_matches(patterns[i], names[j])) next[j + 1] = true;
    }
    reachable = std::move(next);
  }
  return reachable[names.size()];
}

std::optional<PathPattern> PathPattern::parse(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  // Blanks at the end count only behind a backslash.
  while (line.ends_with(' ') && !line.ends_with("\\ ")) line.remove_suffix(1);
  if (line.empty() || line.front() == '#') return std::nullopt;
  PathPattern pattern;
  if (line.front() == '!') {
    pattern.is_negated_ = true;
    line.remove_prefix(1);
  }
  if (line.ends_with('/')) {
    pattern.only_folders_ = true;
    line.remove_suffix(1);
  }
  pattern.is_anchored_ = line.find('/') != std::string_view::npos;
  if (line.starts_with('/')) line.remove_prefix(1);
  if (line.empty()) return std::nullopt;
  pattern.glob_ = line;
  return pattern;
}

bool PathPattern::matches(std::string_view path, bool is_folder) const {
  if (only_folders_ && !is_folder) return false;
  if (is_anchored_) return glob_matches(glob_, path);
  const std::size_t slash = path.rfind('/');
  return segment_matches(glob_, slash == std::string_view::npos ? path : path.substr(slash + 1));
}

PathPatterns::PathPatterns(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) add(line);
}

PathPatterns PathPatterns::of_file(std::string_view text) {
  PathPatterns patterns;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    patterns.add(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return patterns;
}

void PathPatterns::add(std::string_view line) {
  if (std::optional<PathPattern> pattern = PathPattern::parse(line)) patterns_.push_back(std::move(*pattern));
}

std::optional<bool> PathPatterns::decide(std::string_view path, bool is_folder) const {
  for (auto pattern = patterns_.rbegin(); pattern != patterns_.rend(); ++pattern)
    if (pattern->matches(path, is_folder)) return !pattern->is_negated();
  return std::nullopt;
}

bool PathPatterns::cover(std::string_view path, bool is_folder) const {
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1))
    if (decide(path.substr(0, slash), true) == true) return true;
  return decide(path, is_folder) == true;
}

}  // namespace planvet::io
