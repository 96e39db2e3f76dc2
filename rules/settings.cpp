// Which rules run: selection by name, code, beginning of a code, or "all"; and what in the settings means nothing.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "analyzer/report/nearest_name.hpp"
#include "rules/options.hpp"
#include "rules/run_rules.hpp"

namespace planvet::rules {
namespace {

constexpr int kExact = 1000;

// How closely a pattern names a rule: 0 not at all, more for longer beginnings, most for the name or code itself.
int closeness(const RuleInfo& rule, std::string_view pattern) {
  if (pattern == rule.name || pattern == rule.code) return kExact;
  if (pattern == "all" || pattern == "ALL") return 1;
  const bool is_beginning = pattern.size() >= 2 && pattern.starts_with("PV") && rule.code.starts_with(pattern);
  return is_beginning ? static_cast<int>(pattern.size()) : 0;
}

int closest(const RuleInfo& rule, const std::vector<std::string>& patterns) {
  int best = 0;
  for (const std::string& pattern : patterns) best = std::max(best, closeness(rule, pattern));
  return best;
}

std::vector<std::string_view> all_names() {
  std::vector<std::string_view> names;
  for (const Rule* rule : catalogue()) {
    names.push_back(rule->info.name);
    names.push_back(rule->info.code);
  }
  return names;
}

void check_patterns(std::string_view where, const std::vector<std::string>& patterns,
                    std::vector<SettingsProblem>& problems) {
  for (const std::string& pattern : patterns) {
    const bool is_known = std::any_of(catalogue().begin(), catalogue().end(),
                                      [&](const Rule* rule) { return closeness(rule->info, pattern) > 0; });
    if (is_known) continue;
    problems.push_back(
        {std::string(where), fmt::format("unknown rule '{}'{}", pattern, did_you_mean(pattern, all_names()))});
  }
}

void check_options(const RuleInfo& rule, const std::map<std::string, std::string>& values,
                   std::vector<SettingsProblem>& problems) {
  const std::string where = fmt::format("rules.{}", rule.name);
  for (const auto& entry : values) {
    const std::string& key = entry.first;
    const std::string& value = entry.second;
    const auto option = std::find_if(rule.options.begin(), rule.options.end(),
                                     [&](const RuleOption& candidate) { return candidate.name == key; });
    if (option == rule.options.end()) {
      std::vector<std::string_view> names;
      for (const RuleOption& known : rule.options) names.push_back(known.name);
      problems.push_back({where, fmt::format("unknown option '{}'{}", key, did_you_mean(key, names))});
      continue;
    }
    const std::string_view expected = expected_form(*option, value);
    if (!expected.empty()) problems.push_back({where, fmt::format("{} = '{}': expected {}", key, value, expected)});
  }
}

}  // namespace

bool is_enabled(const RuleInfo& rule, const RuleSettings& settings) {
  const int selected = settings.select.empty() ? 1 : closest(rule, settings.select);
  return selected > 0 && selected > closest(rule, settings.ignore);
}

std::vector<SettingsProblem> check_settings(const RuleSettings& settings) {
  std::vector<SettingsProblem> problems;
  check_patterns("select", settings.select, problems);
  check_patterns("ignore", settings.ignore, problems);
  std::vector<std::string> with_severity;
  for (const auto& [name, severity] : settings.severity) with_severity.push_back(name);
  for (const std::string& name : with_severity) {
    if (find_rule(name) != nullptr) continue;
    problems.push_back({"severity", fmt::format("unknown rule '{}'{}", name, did_you_mean(name, all_names()))});
  }
  for (const auto& [name, values] : settings.options) {
    const Rule* rule = find_rule(name);
    if (rule == nullptr) {
      problems.push_back({"rules", fmt::format("unknown rule '{}'{}", name, did_you_mean(name, all_names()))});
    } else {
      check_options(rule->info, values, problems);
    }
  }
  return problems;
}

}  // namespace planvet::rules
