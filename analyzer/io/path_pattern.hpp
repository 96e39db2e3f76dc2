// Patterns of paths as in .gitignore, which planvet.toml uses too:
//
//   *.tmp        a name, in any folder below the pattern's own     /plans/*.txt    with a slash in it: from that folder on
//   old/         only folders                                      plans/**/x.txt  `**`: any number of folders
//   !keep.tmp    takes back what an earlier line said              [a-c], ?, \*    as in shells; * and ? match no slash
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace planvet::io {

class PathPattern {
 public:
  // A line of a .gitignore; nothing for empty lines and comments.
  [[nodiscard]] static std::optional<PathPattern> parse(std::string_view line);

  [[nodiscard]] bool is_negated() const { return is_negated_; }
  // `path` relative to the pattern's folder, with slashes.
  [[nodiscard]] bool matches(std::string_view path, bool is_folder) const;

 private:
  std::string glob_;
  bool is_negated_ = false;
  bool is_anchored_ = false;
  bool only_folders_ = false;
};

// The patterns of one list, in order: the last one that matches decides.
class PathPatterns {
 public:
  PathPatterns() = default;
  explicit PathPatterns(const std::vector<std::string>& lines);
  // The lines of a .gitignore.
  [[nodiscard]] static PathPatterns of_file(std::string_view text);

  [[nodiscard]] bool empty() const { return patterns_.empty(); }
  // true: named; false: taken back by `!`; nothing: not spoken of. Does not look at the folders above.
  [[nodiscard]] std::optional<bool> decide(std::string_view path, bool is_folder) const;
  // Is it, or a folder that it is in, named?
  [[nodiscard]] bool cover(std::string_view path, bool is_folder = false) const;

 private:
  void add(std::string_view line);
  std::vector<PathPattern> patterns_;
};

// Does the whole of `text` match? With `**` as above.
[[nodiscard]] bool glob_matches(std::string_view glob, std::string_view text);

}  // namespace planvet::io
