// The SQL events that carry a plan, as every Spark since 3.0 writes them, and their plans: read straight from the text.
#pragma once

#include <string_view>
#include <vector>

#include "analyzer/read/eventlog/events.hpp"
#include "analyzer/read/plan_info_json_syntax.hpp"

namespace planvet::read::eventlog {

// `line` has kPadding bytes behind it, `event` is new. `metrics` are those that the plan declares. False: not such a line,
// or anything about it is unusual; what the others hold then means nothing.
[[nodiscard]] bool read_usual(std::string_view line, ExecutionStart& event, std::vector<MetricDeclaration>& metrics);
[[nodiscard]] bool read_usual(std::string_view line, AdaptiveUpdate& event, std::vector<MetricDeclaration>& metrics);
// The same for the plan alone, a part of `text`.
[[nodiscard]] bool read_usual_plan(std::string_view text, std::string_view plan, plan_info::Plan& into);

}  // namespace planvet::read::eventlog
