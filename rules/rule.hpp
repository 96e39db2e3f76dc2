// A rule is one small file: a `RuleInfo`, and a `check` that reads like a filter. See any file below rules/.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "analyzer/report/rule_info.hpp"

namespace planvet::rules {

class PlanContext;  // rules/plan_context.hpp: the plan to judge and all that is known beside it
class Reporter;     // rules/reporter.hpp: takes findings, skips and wishes for cut attributes

struct Rule {
  RuleInfo info;
  void (*check)(const PlanContext& context, Reporter& reporter);
};

// Every rule in the order of rules.def.
[[nodiscard]] std::span<const Rule* const> catalogue();
[[nodiscard]] const Rule* find_rule(std::string_view name_or_code);

// The reading notes PV901 to PV905: they have pages like rules, and no check.
[[nodiscard]] std::span<const RuleInfo> note_catalogue();
[[nodiscard]] const RuleInfo* find_info(std::string_view name_or_code);  // of a rule or a note
[[nodiscard]] std::vector<const RuleInfo*> all_infos();                  // rules, then notes

}  // namespace planvet::rules
