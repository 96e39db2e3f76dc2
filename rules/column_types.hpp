// The types of a plan's columns, as far as the text shows them: ReadSchema of scans, the `L` of a bigint's id, casts that
// made a column, and what passes them on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "analyzer/plan/expression.hpp"
#include "rules/plan_context.hpp"

namespace planvet::rules {

class ColumnTypes {
 public:
  explicit ColumnTypes(const PlanContext& context);

  // "int", "decimal(10,2)"; empty where not known.
  [[nodiscard]] std::string_view of(std::uint64_t id) const;
  // Of a column, a field of one, or a cast; empty for other expressions.
  [[nodiscard]] std::string_view of(const ExpressionTree& tree, ExpressionIndex index) const;

 private:
  std::unordered_map<std::uint64_t, std::string> types_;
};

[[nodiscard]] bool is_integer_type(std::string_view type);
[[nodiscard]] bool is_decimal_type(std::string_view type);
[[nodiscard]] bool is_floating_type(std::string_view type);
[[nodiscard]] inline bool is_numeric_type(std::string_view type) {
  return is_integer_type(type) || is_decimal_type(type) || is_floating_type(type);
}

}  // namespace planvet::rules
