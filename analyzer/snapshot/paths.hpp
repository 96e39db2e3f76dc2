// Where data lies, without what is a machine's or a day's: `file:/data/lake/retail/sales/dt=2024-01-08` of one session
// is `.../sales/dt=*` of all. Two places of one name are told apart: `.../data` and `.../2/data`.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace planvet::snapshot {

class Paths {
 public:
  // "InMemoryFileIndex(20 paths)[file:/a/b, ... 19 entries]", "file:/a/b".
  // One-line modes cut it at 100 characters, so what is shown depends on the length of the folders: where the table is
  // known, its name stands for them.
  [[nodiscard]] std::string location(std::string_view text, std::string_view table = {});
  // Every path in a text that says more: arguments of writes, options, names of scans.
  [[nodiscard]] std::string in_text(std::string_view text);

 private:
  // `is_one_of_many`: which one is shown is chance, unless they are partitions of one table.
  std::string path(std::string_view text, bool is_one_of_many);

  std::unordered_map<std::string, std::vector<std::string>> folders_;  // of each name, in order of appearance
};

}  // namespace planvet::snapshot
