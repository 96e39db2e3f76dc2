// What git would not look at: .gitignore of a folder and of those above it up to the repository, .git/info/exclude,
// and the file of core.excludesFile.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "analyzer/io/path_pattern.hpp"

namespace planvet::io {

// The rules that hold in one folder. Values: a folder inside has its own, made from these.
class IgnoreRules {
 public:
  // For a folder that somebody named: those of the repository that it is in are looked for.
  [[nodiscard]] static IgnoreRules for_folder(const std::string& folder);
  // For a folder in this one. Where another repository begins, so do its rules.
  [[nodiscard]] IgnoreRules inside(const std::string& folder, std::string_view name) const;

  // By the last pattern of the nearest file that speaks of it.
  [[nodiscard]] bool ignores(std::string_view name, bool is_folder) const;

 private:
  struct Level {
    PathPatterns patterns;
    std::size_t prefix = 0;  // of paths from the root, before what is relative to the level's folder
    std::shared_ptr<const Level> above;
  };
  void add_file(const std::string& file, std::size_t prefix);

  std::string from_root_;  // this folder, with a slash behind it; empty for the root
  std::shared_ptr<const Level> nearest_;
};

}  // namespace planvet::io
