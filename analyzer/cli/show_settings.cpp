#include "analyzer/cli/show_settings.hpp"

#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "analyzer/cli/project_paths.hpp"
#include "analyzer/cli/settings_source.hpp"
#include "analyzer/config/shown_settings.hpp"
#include "analyzer/io/paths.hpp"
#include "analyzer/render/settings_page.hpp"
#include "analyzer/report/baseline.hpp"
#include "analyzer/snapshot/secrets.hpp"
#include "rules/run_rules.hpp"

namespace planvet::cli {

namespace {

class Lines {
 public:
  Lines(const config::Settings& settings, config::ShownSettings& shown) : settings_(settings), shown_(shown) {}

  void add(std::string name, std::variant<std::string, std::vector<std::string>> value) {
    const auto origin = settings_.origins.find(name);
    shown_.settings.push_back(
        {std::move(name), std::move(value), origin == settings_.origins.end() ? "default" : origin->second});
  }

  void add_rules() {
    for (const rules::Rule* rule : rules::catalogue()) {
      const std::string name(rule->info.name);
      const auto own = settings_.rules.severity.find(name);
      if (own != settings_.rules.severity.end()) add("severity." + name, std::string(planvet::name(own->second)));
      const auto options = settings_.rules.options.find(name);
      for (const RuleOption& option : rule->info.options) {
        std::string value(option.default_value);
        if (options != settings_.rules.options.end())
          if (const auto set = options->second.find(std::string(option.name)); set != options->second.end())
            value = set->second;
        add(fmt::format("rules.{}.{}", name, option.name), std::move(value));
      }
    }
  }

  void add_facts() {
    if (const auto& version = settings_.facts.spark_version) {
      add("spark.version", fmt::format("{}.{}.{}", version->major, version->minor, version->patch));
    } else {
      add("spark.version", std::string());
    }
    for (auto conf = settings_.facts.conf.begin(); conf != settings_.facts.conf.end(); ++conf) {
      const bool is_overridden = std::any_of(conf + 1, settings_.facts.conf.end(),
                                             [&](const auto& later) { return later.first == conf->first; });
      if (!is_overridden) add("conf." + conf->first, snapshot::is_secret(conf->first) ? "(not shown)" : conf->second);
    }
    for (const TableFact& table : settings_.facts.tables) {
      const std::string prefix = "tables." + table.name + ".";
      if (table.size_bytes) add(prefix + "size", format_size(*table.size_bytes));
      if (table.rows) add(prefix + "rows", fmt::format("{:.0f}", *table.rows));
      if (!table.partition_columns.empty()) add(prefix + "partition-columns", table.partition_columns);
      if (!table.bucket_columns.empty()) add(prefix + "bucket-columns", table.bucket_columns);
    }
  }

  void add_suppressions() {
    for (const Suppression& suppression : settings_.suppressions) {
      std::string what = suppression.rule;
      if (suppression.operator_kind) what += fmt::format(" on {}", info(*suppression.operator_kind).name);
      if (!suppression.table.empty()) what += " above " + suppression.table;
      if (suppression.expires) what += " until " + to_text(*suppression.expires);
      shown_.settings.push_back({"suppress", what + ": " + suppression.reason, to_text(suppression.place)});
    }
  }

 private:
  const config::Settings& settings_;
  config::ShownSettings& shown_;
};

std::vector<std::string> patterns_of(const std::vector<PathList>& lists) {
  std::vector<std::string> patterns;
  for (const PathList& list : lists) patterns.insert(patterns.end(), list.patterns.begin(), list.patterns.end());
  return patterns;
}

config::ShownSettings shown_settings(const config::Settings& settings, const std::string& path, std::string file,
                                     const std::string& baseline_option) {
  config::ShownSettings shown{path, std::move(file), {}};
  Lines lines(settings, shown);
  lines.add("select", settings.rules.select.empty() ? std::vector<std::string>{"all"} : settings.rules.select);
  lines.add("ignore", settings.rules.ignore);
  lines.add("fail-on", std::string(config::name(settings.fail_on.value_or(config::FailOn::Warning))));
  lines.add("exclude", patterns_of(settings.exclude));
  std::string baseline = settings.baseline;
  if (baseline.empty()) baseline = ProjectPaths().root_of(path) + "/" + std::string(kBaselineFileName);
  if (!baseline_option.empty()) baseline = baseline_option;
  lines.add("baseline", baseline);
  if (!baseline_option.empty()) shown.settings.back().origin = "command line";
  lines.add_rules();
  lines.add_facts();
  lines.add_suppressions();
  return shown;
}

}  // namespace

ExitStatus show_settings(const CheckOptions& options, const Streams& streams) {
  SettingsSource source(options.settings, options.input.stdin_filename);
  std::vector<config::ShownSettings> all;
  for (const std::string& path : options.input.paths) {
    // Of a folder, those of a file in it.
    const std::string asked = path != "-" && io::is_directory(path) ? path + "/<plan>" : path;
    const std::shared_ptr<const config::Settings> settings = source.settings_for(asked);
    if (settings != nullptr)
      all.push_back(shown_settings(*settings, path, source.file_for(asked), options.baseline_file));
  }
  for (const std::string& problem : source.problems()) streams.err << "planvet: " << problem << '\n';
  if (!source.problems().empty()) return ExitStatus::Failure;
  const bool is_json = options.output.format != nullptr && options.output.format->name == "json";
  streams.out << (is_json ? render::settings_json(all) : render::settings_text(all));
  return ExitStatus::Clean;
}

}  // namespace planvet::cli
