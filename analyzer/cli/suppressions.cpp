#include "analyzer/cli/suppressions.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/core.h>

#include "analyzer/cli/settings_source.hpp"
#include "rules/run_rules.hpp"

namespace planvet::cli {

namespace {

bool could_judge(const DocumentReport& report, const RuleInfo& rule, const config::Settings& settings) {
  return rules::is_enabled(rule, settings.rules) &&
         std::ranges::none_of(report.skipped, [&](const SkippedRule& skipped) { return skipped.rule == &rule; });
}

std::string narrowed(const Suppression& suppression) {
  std::string text;
  if (suppression.operator_kind) text += fmt::format(" on {}", info(*suppression.operator_kind).name);
  if (!suppression.table.empty()) text += fmt::format(" above {}", suppression.table);
  return text;
}

}  // namespace

Date today() {
  const auto days = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  const std::chrono::year_month_day date{days};
  return {static_cast<int>(date.year()), static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day())};
}

Suppressions::State& Suppressions::state_of(const Suppression& suppression) {
  const ConfigPlace& place = suppression.place;
  const auto [at, is_new] = states_.try_emplace({place.file, place.line, place.column});
  if (is_new) {
    at->second.suppression = suppression;
    at->second.patterns = io::PathPatterns(suppression.paths.patterns);
    at->second.is_expired = suppression.expires && *suppression.expires < today_;
  }
  return at->second;
}

void Suppressions::apply(DocumentReport& report, const config::Settings& settings, const std::string& path) {
  for (const Suppression& suppression : settings.suppressions) {
    State& state = state_of(suppression);
    const auto relative = relative_below(suppression.paths.folder, path);
    if (!relative || !state.patterns.cover(*relative)) continue;
    state.has_plan = true;
    if (state.is_expired) continue;
    const rules::Rule* const rule = rules::find_rule(suppression.rule);
    if (rule == nullptr) continue;
    state.was_judged = state.was_judged || could_judge(report, rule->info, settings);
    for (Finding& finding : report.findings) {
      if (!accepts(suppression, finding)) continue;
      state.is_used = true;
      if (!finding.suppressed_by)
        finding.suppressed_by = fmt::format("{}: {}", to_text(suppression.place), suppression.reason);
    }
  }
}

std::vector<SuppressionProblem> Suppressions::problems(const std::vector<std::string>& covered) const {
  std::vector<SuppressionProblem> problems;
  for (const auto& [place, state] : states_) {
    const Suppression& suppression = state.suppression;
    std::string message;
    if (state.is_expired) {
      message = fmt::format("this suppression expired on {}: {}", to_text(*suppression.expires), suppression.reason);
    } else if (state.was_judged && !state.is_used) {
      message = fmt::format("this suppresses nothing: {} finds nothing{} in these plans", suppression.rule,
                            narrowed(suppression));
    } else if (!state.has_plan) {
      const bool is_covered = std::ranges::any_of(covered, [&](const std::string& folder) {
        return folder == suppression.paths.folder || relative_below(folder, suppression.paths.folder);
      });
      if (is_covered) message = "this suppresses nothing: its path names no plan";
    }
    if (!message.empty()) problems.push_back({suppression.place, std::move(message)});
  }
  return problems;
}

}  // namespace planvet::cli
