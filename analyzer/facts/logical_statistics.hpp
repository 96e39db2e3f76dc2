// The optimizer's estimates: cost and extended mode print them on the optimized logical plan.
//
//   +- Project [product_id#7480, name#7481], Statistics(sizeInBytes=2.2 KiB, rowCount=40)
//
// They belong to the physical operator with the same output columns that does the same thing.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/plan/document.hpp"
#include "analyzer/plan/plan_tree.hpp"

namespace planvet {

// Nodes of a logical plan and operators of a physical one that can be each other's.
enum class LogicalClass : std::uint8_t { Rows, Join, Aggregate, Limit, Window, Generate, Other };

struct LogicalEstimate {
  LogicalClass what = LogicalClass::Other;
  std::vector<std::uint64_t> ids;  // sorted
  std::optional<double> bytes;     // nothing for 8.0 EiB and what was computed from it: Spark's "unknown"
  std::optional<double> rows;
  std::uint32_t joins = 0;  // at and below it: the columns of one side may come out of the join too, and no others
  bool is_unknown = false;  // Spark itself did not know
};

// In pre-order of the last logical plan, which is the optimized one. Nodes without statistics are left out.
[[nodiscard]] std::vector<LogicalEstimate> logical_estimates(const PlanDocument& document);

[[nodiscard]] const LogicalEstimate* estimate_of(const std::vector<LogicalEstimate>& estimates, const PlanTree& plan,
                                                 NodeId id);

// The size of a table by its name, for lists of columns that were cut; nothing where it is read more than once.
[[nodiscard]] std::optional<double> relation_bytes(const PlanDocument& document, std::string_view table);

// `rightHint=(strategy=merge)` on a logical join over both columns; empty where there is none.
[[nodiscard]] std::string_view join_hint(const PlanDocument& document, std::uint64_t left_id, std::uint64_t right_id);

}  // namespace planvet
