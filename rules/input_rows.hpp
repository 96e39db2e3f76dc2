// How many rows flow out of an operator, asked in the two ways that rules need: are they surely many, surely few?
#pragma once

#include <optional>
#include <string_view>

#include "analyzer/report/finding.hpp"
#include "rules/plan_context.hpp"

namespace planvet::rules {

// The rows that something counted, else a bound by what the operators are.
[[nodiscard]] std::optional<Quantity> known_rows(const PlanContext& context, NodeId id);

// No more than so many, surely; false where nothing is known.
[[nodiscard]] bool has_at_most(const PlanContext& context, NodeId id, double rows);

// The same, where nobody but the query itself or an event log says so: what Spark counted when a plan of a small test ran
// tells nothing of the next run.
[[nodiscard]] bool has_always_at_most(const PlanContext& context, NodeId id, double rows);

// No fewer than so many, surely: the count, for the evidence.
[[nodiscard]] std::optional<Quantity> rows_if_at_least(const PlanContext& context, NodeId id, double rows);

// A limit of so many rows above takes what it needs of the operator and stops: no shuffle, sort or filter between.
[[nodiscard]] bool is_cut_by_limit(const PlanContext& context, NodeId id, double rows);

// "retail.sales" where the rows are those of one scan, one for one or fewer; empty above an aggregate or a join.
[[nodiscard]] std::string_view table_read_by(const PlanTree& plan, NodeId id);

[[nodiscard]] Evidence rows_evidence(std::string what, const Quantity& rows);

}  // namespace planvet::rules
