// What the columns of a plan are: the expressions behind the aliases of projections, and from those more types than
// scans and casts tell.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "analyzer/plan/expression.hpp"
#include "rules/column_types.hpp"
#include "rules/plan_context.hpp"

namespace planvet::rules {

class ComputedColumns {
 public:
  // Must outlive this.
  explicit ComputedColumns(const PlanContext& context);

  // `date_format(a#1, yyyy)` of `date_format(a#1, yyyy) AS b#2`; empty where there is none.
  [[nodiscard]] std::string_view expression_of(std::uint64_t id) const;
  // The type of a whole expression, with aliases followed; empty where it is not known.
  [[nodiscard]] std::string_view type_of(const ExpressionTree& tree, ExpressionIndex root) const;

 private:
  std::string_view type_of(const ExpressionTree& tree, ExpressionIndex root, int aliases) const;

  const PlanContext& context_;
  ColumnTypes types_;
  std::unordered_map<std::uint64_t, std::string_view> expressions_;
};

// string, binary, array, map, struct: values that differ in length from row to row.
[[nodiscard]] bool is_variable_width(std::string_view type);

}  // namespace planvet::rules
