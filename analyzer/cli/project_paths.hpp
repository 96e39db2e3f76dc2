// What a plan's path is, wherever planvet is started: relative to its project, the folder of the nearest planvet.toml,
// else the git repository, else the working directory.
#pragma once

#include <map>
#include <string>

namespace planvet::cli {

class ProjectPaths {
 public:
  [[nodiscard]] std::string root_of(const std::string& path);
  // "plans/daily.txt"; "-" for standard input without a name.
  [[nodiscard]] std::string identity(const std::string& path);

 private:
  std::map<std::string, std::string> roots_;  // by canonical folder
};

// What messages call a canonical path: relative where it is below the working directory.
[[nodiscard]] std::string called(const std::string& path);

// `path` as seen from `folder`, both canonical: with `../` where it is not below.
[[nodiscard]] std::string relative_to(const std::string& folder, const std::string& path);

}  // namespace planvet::cli
