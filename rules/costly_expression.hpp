// Is an expression worth spreading over more tasks? What runs long for each row: functions of the user, parsing of JSON,
// CSV, XML and URLs, regular expressions, lambdas. What is not known counts as dear.
#pragma once

#include <string_view>

#include "analyzer/plan/plan_tree.hpp"
#include "rules/plan_context.hpp"

namespace planvet::rules {

[[nodiscard]] bool is_costly(const PlanContext& context, std::string_view expression);

// Any expression of a Project, Filter or aggregate; also where one is cut or unreadable.
[[nodiscard]] bool has_costly_expression(const PlanContext& context, NodeId id);

}  // namespace planvet::rules
