#include "analyzer/cli/allow_lines.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/core.h>

#include "analyzer/report/nearest_name.hpp"
#include "rules/run_rules.hpp"

namespace planvet::cli {

namespace {

std::string unknown_rule(std::string_view wrong) {
  std::vector<std::string_view> names;
  for (const rules::Rule* rule : rules::catalogue()) {
    names.push_back(rule->info.name);
    names.push_back(rule->info.code);
  }
  return fmt::format("this accepts nothing: unknown rule '{}'{}", wrong, did_you_mean(wrong, names));
}

// Empty: the line does what it says, or its rule did not run.
std::string problem_of(const AllowLine& allow, const DocumentReport& report, const RuleSettings& settings) {
  const rules::Rule* const rule = rules::find_rule(allow.rule);
  if (rule == nullptr) {
    if (rules::find_info(allow.rule) != nullptr) return "this accepts nothing: a reading note is no finding";
    return unknown_rule(allow.rule);
  }
  if (allow.reason.empty())
    return fmt::format("this accepts nothing: write the reason behind it: allow {} because ..", allow.rule);
  if (!rules::is_enabled(rule->info, settings)) return {};
  const bool was_skipped =
      std::ranges::any_of(report.skipped, [&](const SkippedRule& skipped) { return skipped.rule == &rule->info; });
  const bool is_used = std::ranges::any_of(report.findings, [&](const Finding& finding) {
    return finding.rule == &rule->info && finding.suppressed_by.has_value();
  });
  if (was_skipped || is_used) return {};
  return fmt::format("this accepts nothing: {} finds nothing in this plan", rule->info.name);
}

}  // namespace

std::vector<AllowProblem> check_allow_lines(const DocumentReport& report, const RuleSettings& settings) {
  std::vector<AllowProblem> problems;
  for (const AllowLine& allow : report.document.allows) {
    std::string message = problem_of(allow, report, settings);
    if (!message.empty()) problems.push_back({allow.span, std::move(message)});
  }
  return problems;
}

}  // namespace planvet::cli
