// The exchanges that run for a query, counted once each: PV301 and every summary.
#pragma once

#include "analyzer/report/report.hpp"
#include "rules/plan_context.hpp"

namespace planvet::rules {

[[nodiscard]] ExchangeBill exchange_bill(const PlanContext& context);

}  // namespace planvet::rules
