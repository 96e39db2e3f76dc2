// Every setting that holds for a path, with its value and where that comes from.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace planvet::config {

struct ShownSetting {
  std::string name;  // "rules.exchange-count.max"
  std::variant<std::string, std::vector<std::string>> value;
  std::string origin;  // "planvet.toml:3", "command line", "default"
};

struct ShownSettings {
  std::string path;  // that they hold for
  std::string file;  // its planvet.toml; empty: none
  std::vector<ShownSetting> settings;
};

}  // namespace planvet::config
