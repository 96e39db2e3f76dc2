// A document in, its report out: the only door to the rules.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/facts/facts.hpp"
#include "analyzer/plan/expression_parser.hpp"
#include "analyzer/report/report.hpp"
#include "analyzer/report/rule_settings.hpp"
#include "rules/rule.hpp"

namespace planvet::rules {

// A name in the settings that means nothing, with the nearest one that does.
struct SettingsProblem {
  std::string where;    // "select", "ignore", "severity", "rules.exchange-count"
  std::string message;  // "unknown rule 'missed-brodcast': did you mean 'missed-broadcast'?"
};
[[nodiscard]] std::vector<SettingsProblem> check_settings(const RuleSettings& settings);

[[nodiscard]] bool is_enabled(const RuleInfo& rule, const RuleSettings& settings);
// That the user gave the rule; nothing: its own.
[[nodiscard]] std::optional<Severity> severity_of(const RuleInfo& rule, const RuleSettings& settings);

// Judges the final (else current, else only) plan. Findings come sorted by position, then rule, with fingerprints, and
// marked as suppressed where an `-- planvet: allow` line says so.
[[nodiscard]] DocumentReport run_rules(PlanDocument document, const Facts& facts, const RuleSettings& settings,
                                       const ExpressionParser& parser);

}  // namespace planvet::rules
