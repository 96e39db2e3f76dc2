// Which settings hold for which input: planvet.toml of the nearest folder above it with what that extends and overrides,
// then the command line.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/cli/options.hpp"
#include "analyzer/config/planvet_toml.hpp"
#include "analyzer/config/settings.hpp"
#include "analyzer/io/path_pattern.hpp"

namespace planvet::cli {

class SettingsSource {
 public:
  explicit SettingsSource(const SettingsOptions& options, std::string stdin_filename)
      : options_(options), stdin_filename_(std::move(stdin_filename)) {}

  // Settings for an input, checked; null when something in them is wrong (see problems). Not for several threads.
  [[nodiscard]] std::shared_ptr<const config::Settings> settings_for(const std::string& path);
  // Does `exclude` of the settings there name it? Problems are found later, when its files are asked for.
  [[nodiscard]] bool excludes(const std::string& path, bool is_folder);

  // The planvet.toml that holds for an input; empty: none.
  [[nodiscard]] std::string file_for(const std::string& path);

  // Lines for standard error, each problem once.
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

 private:
  // Overrides of a file and of those that it extends, with what their patterns are relative to.
  struct Branch {
    config::Layer layer;
    std::string file;
    std::string folder;
    io::PathPatterns paths;
  };
  struct Loaded {
    config::Settings settings;  // of the files, without overrides and command line
    std::vector<Branch> overrides;
    std::vector<std::pair<std::string, io::PathPatterns>> excludes;             // folder, patterns
    std::map<std::vector<bool>, std::shared_ptr<const config::Settings>> made;  // by which overrides hold
    bool is_good = true;
  };

  Loaded& load(const std::string& file);
  bool read_chain(const std::string& file, std::vector<std::string>& chain, Loaded& loaded);
  bool check_layer(const config::Layer& layer, const std::string& file);
  void object(std::string line);
  void add_command_line(config::Settings& settings) const;
  [[nodiscard]] std::string named(const std::string& path) const;

  const SettingsOptions& options_;
  std::string stdin_filename_;
  std::map<std::string, std::string> file_of_folder_;  // folder -> its planvet.toml, or nothing
  std::map<std::string, std::string> file_beside_;     // a path without its name, as written -> the same
  std::map<std::string, Loaded> loaded_;
  std::vector<std::string> problems_;
};

// `path` relative to `folder`, both canonical; nothing when it is not below.
[[nodiscard]] std::optional<std::string> relative_below(const std::string& folder, const std::string& path);

}  // namespace planvet::cli
