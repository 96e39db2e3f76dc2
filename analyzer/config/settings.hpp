// What the user decided: which rules, how loud, what fails, and what is known beside the plans.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts/facts.hpp"
#include "analyzer/report/rule_settings.hpp"
#include "analyzer/report/suppression.hpp"

namespace planvet::config {

// From which severity on a run fails.
enum class FailOn : std::uint8_t { Error, Warning, Info, Never };
[[nodiscard]] std::optional<FailOn> parse_fail_on(std::string_view text);
[[nodiscard]] std::string_view name(FailOn fail_on);
[[nodiscard]] bool fails(FailOn fail_on, Severity severity);

[[nodiscard]] std::optional<Severity> parse_severity(std::string_view text);

struct Settings {
  RuleSettings rules;
  Facts facts;
  std::optional<FailOn> fail_on;
  std::vector<PathList> exclude;
  std::vector<Suppression> suppressions;
  std::string baseline;  // empty: the default
  // Where values came from, by name as in merge.hpp: "planvet.toml:3", "command line". What is not here is a default.
  std::map<std::string, std::string> origins;
};

}  // namespace planvet::config
