// The exchanges that run for a query, counted once each: PV301 and every summary.
//
// What an adaptive plan will reuse is not printed before it has run: equal subtrees count once there. Exchanges of
// subqueries count; those of a cached plan ran when the cache was filled and are a number of their own.
#pragma once

#include <vector>

#include "analyzer/report/report.hpp"
#include "rules/plan_context.hpp"

namespace planvet::rules {

[[nodiscard]] CountedExchanges count_exchanges(const PlanContext& context);

// An adaptive plan that prints what it plans to run, not what ran: equal exchanges are printed in full.
[[nodiscard]] bool is_unexecuted_adaptive(const PlanContext& context);

[[nodiscard]] ExchangeBill exchange_bill(const PlanContext& context);

// "9 for joins, 5 for aggregates, 1 asked for by the query"
[[nodiscard]] std::string shuffle_reasons(const PlanContext& context, const std::vector<NodeId>& shuffles);

}  // namespace planvet::rules
