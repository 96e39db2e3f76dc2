#include "analyzer/cli/settings_source.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "analyzer/config/planvet_toml.hpp"
#include "analyzer/io/file.hpp"
#include "analyzer/io/paths.hpp"
#include "rules/run_rules.hpp"

namespace planvet::cli {

std::string SettingsSource::file_for(const std::string& path) {
  if (options_.isolated) return {};
  if (!options_.config_file.empty()) return options_.config_file;
  const std::string named =
      path == "-" && !options_.input.stdin_filename.empty() ? options_.input.stdin_filename : path;
  std::vector<std::string> folders = io::folders_upward(named);
  std::string found;
  std::size_t looked_at = 0;
  for (const std::string& folder : folders) {
    if (const auto known = file_of_folder_.find(folder); known != file_of_folder_.end()) {
      found = known->second;
      break;
    }
    ++looked_at;
    const std::string candidate = folder + (folder.ends_with('/') ? "" : "/") + std::string(config::kFileName);
    if (io::exists(candidate)) {
      found = candidate;
      break;
    }
  }
  for (std::size_t i = 0; i < looked_at; ++i) file_of_folder_[folders[i]] = found;
  return found;
}

// The command line wins: its --select takes the place of the file's, what can be added to is added to.
void SettingsSource::add_command_line(config::Settings& settings) const {
  if (!options_.select.empty()) settings.rules.select = options_.select;
  settings.rules.ignore.insert(settings.rules.ignore.end(), options_.ignore.begin(), options_.ignore.end());
  for (const auto& [rule, severity] : options_.severity) settings.rules.severity[rule] = severity;
  settings.facts.conf.insert(settings.facts.conf.end(), options_.conf.begin(), options_.conf.end());
  if (options_.fail_on) settings.fail_on = options_.fail_on;
}

std::shared_ptr<const config::Settings> SettingsSource::load(const std::string& file) {
  config::ConfigFile config;
  std::vector<std::string> found;
  if (!file.empty()) {
    io::FileBytes bytes = io::read_file(file);
    if (const auto* error = std::get_if<io::ReadError>(&bytes)) {
      found.push_back(fmt::format("{}: {}", file, error->message));
    } else {
      config = config::parse_planvet_toml(std::get<std::string>(bytes));
      for (const config::ConfigProblem& problem : config.problems)
        found.push_back(fmt::format("{}:{}:{}: {}", file, problem.place.line, problem.place.column, problem.message));
    }
    for (const rules::SettingsProblem& problem : rules::check_settings(config.settings.rules)) {
      const auto place = config.places.find(problem.where);
      if (place == config.places.end()) {
        found.push_back(fmt::format("{}: {}: {}", file, problem.where, problem.message));
      } else {
        found.push_back(fmt::format("{}:{}:{}: {}: {}", file, place->second.line, place->second.column, problem.where,
                                    problem.message));
      }
    }
  }
  auto settings = std::make_shared<config::Settings>(std::move(config.settings));
  if (found.empty()) {
    add_command_line(*settings);
    for (const rules::SettingsProblem& problem : rules::check_settings(settings->rules))
      found.push_back(fmt::format("--{}: {}", problem.where, problem.message));
  }
  for (std::string& line : found)
    if (std::ranges::find(problems_, line) == problems_.end()) problems_.push_back(std::move(line));
  return found.empty() ? settings : nullptr;
}

std::shared_ptr<const config::Settings> SettingsSource::settings_for(const std::string& path) {
  const std::string file = file_for(path);
  const auto known = loaded_.find(file);
  if (known != loaded_.end()) return known->second;
  return loaded_[file] = load(file);
}

}  // namespace planvet::cli
