#include "analyzer/cli/settings_source.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/core.h>

#include "analyzer/cli/project_paths.hpp"
#include "analyzer/config/merge.hpp"
#include "analyzer/io/file.hpp"
#include "analyzer/io/paths.hpp"
#include "analyzer/report/nearest_name.hpp"
#include "rules/run_rules.hpp"

namespace planvet::cli {

namespace {

std::string folder_of(const std::string& file) {
  return std::filesystem::path(io::canonical_path(file)).parent_path().string();
}

// Rules by their names, however they are called: layers are laid over each other by name.
template <typename Value>
void use_rule_names(std::map<std::string, Value>& by_rule, std::string_view prefix,
                    std::map<std::string, config::Place>& places) {
  std::map<std::string, Value> renamed;
  for (auto& [rule, value] : by_rule) {
    const rules::Rule* const known = rules::find_rule(rule);
    const std::string name = known == nullptr ? rule : std::string(known->info.name);
    renamed[name] = std::move(value);
    if (name == rule) continue;
    const std::string old_key = fmt::format("{}.{}", prefix, rule);
    std::map<std::string, config::Place> moved;
    for (const auto& [key, place] : places)
      moved[key == old_key || key.starts_with(old_key + ".")
                ? fmt::format("{}.{}{}", prefix, name, key.substr(old_key.size()))
                : key] = place;
    places = std::move(moved);
  }
  by_rule = std::move(renamed);
}

void use_rule_names(config::Layer& layer) {
  use_rule_names(layer.settings.rules.severity, "severity", layer.places);
  use_rule_names(layer.settings.rules.options, "rules", layer.places);
}

std::string unknown_rule(const std::string& rule) {
  std::vector<std::string_view> names;
  for (const rules::Rule* known : rules::catalogue()) {
    names.push_back(known->info.name);
    names.push_back(known->info.code);
  }
  return fmt::format("unknown rule '{}'{}", rule, did_you_mean(rule, names));
}

}  // namespace

std::optional<std::string> relative_below(const std::string& folder, const std::string& path) {
  const std::string prefix = folder.ends_with('/') ? folder : folder + '/';
  if (!path.starts_with(prefix)) return std::nullopt;
  return path.substr(prefix.size());
}

std::string SettingsSource::named(const std::string& path) const {
  return path == "-" && !stdin_filename_.empty() ? stdin_filename_ : path;
}

std::string SettingsSource::file_for(const std::string& path) {
  if (options_.isolated) return {};
  if (!options_.config_file.empty()) return options_.config_file;
  const std::string name = named(path);
  const std::string beside = name == "-" ? std::string() : name.substr(0, name.rfind('/') + 1);
  const auto seen = file_beside_.find(beside);
  if (seen != file_beside_.end()) return seen->second;
  std::vector<std::string> folders = io::folders_upward(name);
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
  if (!found.empty()) found = called(found);
  for (std::size_t i = 0; i < looked_at; ++i) file_of_folder_[folders[i]] = found;
  return file_beside_[beside] = found;
}

// The command line wins: its --select takes the place of the file's, what can be added to is added to.
void SettingsSource::add_command_line(config::Settings& settings) const {
  config::Layer layer;
  const auto say = [&](const std::string& name) { layer.places[name] = {}; };
  layer.settings.rules.select = options_.select;
  layer.settings.rules.ignore = options_.ignore;
  if (!options_.select.empty()) say("select");
  if (!options_.ignore.empty()) say("ignore");
  for (const auto& [rule, severity] : options_.severity) {
    layer.settings.rules.severity[rule] = severity;
    say("severity." + rule);
  }
  layer.settings.facts.conf = options_.conf;
  for (const auto& [key, value] : options_.conf) say("conf." + key);
  layer.settings.fail_on = options_.fail_on;
  if (options_.fail_on) say("fail-on");
  use_rule_names(layer);
  config::merge(settings, layer, "", "");
}

void SettingsSource::object(std::string line) {
  if (std::ranges::find(problems_, line) == problems_.end()) problems_.push_back(std::move(line));
}

bool SettingsSource::check_layer(const config::Layer& layer, const std::string& file) {
  const std::vector<rules::SettingsProblem> found = rules::check_settings(layer.settings.rules);
  for (const rules::SettingsProblem& problem : found) {
    const auto place = layer.places.find(problem.where);
    object(place == layer.places.end() ? fmt::format("{}: {}: {}", file, problem.where, problem.message)
                                       : fmt::format("{}:{}:{}: {}: {}", file, place->second.line, place->second.column,
                                                     problem.where, problem.message));
  }
  bool is_good = found.empty();
  for (const Suppression& suppression : layer.settings.suppressions) {
    if (rules::find_rule(suppression.rule) != nullptr || suppression.rule.empty()) continue;
    object(fmt::format("{}:{}:{}: suppress: {}", file, suppression.place.line, suppression.place.column,
                       unknown_rule(suppression.rule)));
    is_good = false;
  }
  return is_good;
}

// The file and all that it extends, the farthest first.
bool SettingsSource::read_chain(const std::string& file, std::vector<std::string>& chain, Loaded& loaded) {
  chain.push_back(file);
  io::FileBytes bytes = io::read_file(file);
  if (const auto* error = std::get_if<io::ReadError>(&bytes)) {
    object(fmt::format("{}: {}", file, error->message));
    return false;
  }
  config::ConfigFile config = config::parse_planvet_toml(std::get<std::string>(bytes));
  for (const config::ConfigProblem& problem : config.problems)
    object(fmt::format("{}:{}:{}: {}", file, problem.place.line, problem.place.column, problem.message));
  bool is_good = config.problems.empty();
  const std::string folder = folder_of(file);
  if (!config.extend.empty()) {
    const config::Place place = config.places["extend"];
    const std::filesystem::path beside = std::filesystem::path(file).parent_path() / config.extend;
    const std::string extended = beside.lexically_normal().string();
    const auto is_same = [&](const std::string& other) {
      return io::canonical_path(other) == io::canonical_path(extended);
    };
    if (const auto loop = std::ranges::find_if(chain, is_same); loop != chain.end()) {
      std::string names;
      for (auto at = loop; at != chain.end(); ++at) names += *at + " -> ";
      object(fmt::format("{}:{}:{}: extend leads round in a circle: {}{}", file, place.line, place.column, names,
                         extended));
      return false;
    }
    if (!io::exists(extended) || io::is_directory(extended)) {
      object(fmt::format("{}:{}:{}: extend: {}: {}", file, place.line, place.column, extended,
                         io::exists(extended) ? "is a directory" : "no such file"));
      return false;
    }
    is_good = read_chain(extended, chain, loaded) && is_good;
  }
  use_rule_names(config);
  is_good = check_layer(config, file) && is_good;
  config::merge(loaded.settings, config, file, folder);
  for (config::Override& override : config.overrides) {
    use_rule_names(override);
    is_good = check_layer(override, file) && is_good;
    loaded.overrides.push_back({static_cast<config::Layer&>(override), file, folder, io::PathPatterns(override.paths)});
  }
  return is_good;
}

SettingsSource::Loaded& SettingsSource::load(const std::string& file) {
  const auto known = loaded_.find(file);
  if (known != loaded_.end()) return known->second;
  Loaded& loaded = loaded_[file];
  std::vector<std::string> chain;
  if (!file.empty()) loaded.is_good = read_chain(file, chain, loaded);
  for (const PathList& list : loaded.settings.exclude)
    loaded.excludes.emplace_back(list.folder, io::PathPatterns(list.patterns));
  // What is wrong on the command line is said without a file.
  config::Settings ours;
  add_command_line(ours);
  for (const rules::SettingsProblem& problem : rules::check_settings(ours.rules)) {
    object(fmt::format("--{}: {}", problem.where, problem.message));
    loaded.is_good = false;
  }
  return loaded;
}

std::shared_ptr<const config::Settings> SettingsSource::settings_for(const std::string& path) {
  Loaded& loaded = load(file_for(path));
  if (!loaded.is_good) return nullptr;
  std::vector<bool> holds(loaded.overrides.size());
  if (!holds.empty()) {
    const std::string canonical = io::canonical_path(named(path));
    for (std::size_t i = 0; i < holds.size(); ++i) {
      const auto relative = relative_below(loaded.overrides[i].folder, canonical);
      holds[i] = relative && loaded.overrides[i].paths.cover(*relative);
    }
  }
  std::shared_ptr<const config::Settings>& made = loaded.made[holds];
  if (made == nullptr) {
    auto settings = std::make_shared<config::Settings>(loaded.settings);
    for (std::size_t i = 0; i < holds.size(); ++i) {
      const Branch& branch = loaded.overrides[i];
      if (holds[i]) config::merge(*settings, branch.layer, branch.file, branch.folder);
    }
    add_command_line(*settings);
    made = std::move(settings);
  }
  return made;
}

bool SettingsSource::excludes(const std::string& path, bool is_folder) {
  const Loaded& loaded = load(file_for(path));
  if (loaded.excludes.empty()) return false;
  const std::string canonical = io::canonical_path(path);
  return std::ranges::any_of(loaded.excludes, [&](const auto& list) {
    const auto relative = relative_below(list.first, canonical);
    return relative && list.second.cover(*relative, is_folder);
  });
}

}  // namespace planvet::cli
