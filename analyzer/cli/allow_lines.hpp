// `-- planvet: allow RULE reason` lines that do nothing: what was meant to be accepted is not, or no longer there.
#pragma once

#include <vector>

#include "analyzer/report/report.hpp"
#include "analyzer/report/rule_settings.hpp"

namespace planvet::cli {

[[nodiscard]] std::vector<AllowProblem> check_allow_lines(const DocumentReport& report, const RuleSettings& settings);

}  // namespace planvet::cli
