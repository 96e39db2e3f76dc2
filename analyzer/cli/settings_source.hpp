// Which settings hold for which input: planvet.toml of the nearest folder above it, then the command line.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/cli/options.hpp"
#include "analyzer/config/settings.hpp"

namespace planvet::cli {

class SettingsSource {
 public:
  explicit SettingsSource(const CheckOptions& options) : options_(options) {}

  // Settings for an input, checked; null when something in them is wrong (see problems). Not for several threads.
  [[nodiscard]] std::shared_ptr<const config::Settings> settings_for(const std::string& path);

  // Lines for standard error, each problem once.
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

 private:
  std::shared_ptr<const config::Settings> load(const std::string& file);
  [[nodiscard]] std::string file_for(const std::string& path);
  void add_command_line(config::Settings& settings) const;

  const CheckOptions& options_;
  std::map<std::string, std::string> file_of_folder_;  // folder -> its planvet.toml, or nothing
  std::map<std::string, std::shared_ptr<const config::Settings>> loaded_;
  std::vector<std::string> problems_;
};

}  // namespace planvet::cli
