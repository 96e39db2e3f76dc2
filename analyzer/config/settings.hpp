// What the user decided: which rules, how loud, what fails, and what is known beside the plans.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analyzer/facts/facts.hpp"
#include "analyzer/report/rule_settings.hpp"

namespace planvet::config {

// From which severity on a run fails.
enum class FailOn : std::uint8_t { Error, Warning, Info, Never };
[[nodiscard]] std::optional<FailOn> parse_fail_on(std::string_view text);
[[nodiscard]] bool fails(FailOn fail_on, Severity severity);

[[nodiscard]] std::optional<Severity> parse_severity(std::string_view text);

struct Settings {
  RuleSettings rules;
  Facts facts;
  std::optional<FailOn> fail_on;
};

}  // namespace planvet::config
