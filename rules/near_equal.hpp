// Two parts of a plan that make (nearly) the same rows, compared operator by operator, ids and aliases left out:
//
//   Exchange hashpartitioning(k, 8)                  Exchange hashpartitioning(k, 8)
//   +- HashAggregate(keys=[k], [partial_max(b)])     +- HashAggregate(keys=[k], [])         one needs fewer columns
//      +- Filter (d > 5)                                +- Filter (d > 5)
//         +- FileScan parquet t[k,b,d]                     +- FileScan parquet t[k,d]
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/plan/ids.hpp"
#include "rules/plan_context.hpp"

namespace planvet::rules {

struct Difference {
  enum class Kind : std::uint8_t {
    None,     // equal
    Columns,  // the one has all columns and functions of the other, and more
    Filter,   // one of them has one predicate more
    Swapped,  // the inputs of an inner join stand the other way round
  };
  Kind kind = Kind::None;
  bool is_first_larger = false;   // Columns: has more; Filter: has the predicate
  std::vector<std::string> what;  // the columns, or the predicate
};

// Nothing: they differ by more than one of these, or something in them cannot be compared.
[[nodiscard]] std::optional<Difference> compare_plans(const PlanContext& context, NodeId first, NodeId second);

}  // namespace planvet::rules
