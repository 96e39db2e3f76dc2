// What a shuffle is, read from its line, and the call in a program that asks for one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/plan/views.hpp"
#include "rules/plan_context.hpp"

namespace planvet::rules {

enum class PartitioningKind : std::uint8_t { Other, Single, Hash, Range, RoundRobin };

// `hashpartitioning(a#1, cast(b#2 as bigint), 200)`
struct Partitioning {
  PartitioningKind kind = PartitioningKind::Other;
  std::vector<std::string_view> keys;  // as printed; sort orders of a range
  std::optional<std::uint64_t> count;
};
[[nodiscard]] Partitioning partitioning_of(const Exchange& exchange);

// `.repartition(10, "a")` for an exchange that the query asks for; empty where its keys are no plain columns.
[[nodiscard]] std::string repartition_call(const Exchange& exchange);
// The same without its number, which leaves it to AQE: `.repartition("a")`, `.hint("rebalance")`.
[[nodiscard]] std::string adaptive_call(const Exchange& exchange);

// `"a", "b"`: columns as Python's methods take them, in order, descending ones as `F.desc("b")`; empty where one is no
// plain column.
[[nodiscard]] std::string python_columns(const std::vector<std::string_view>& keys);

// "by product_id", "round robin", "into one partition"
[[nodiscard]] std::string partitioning_text(const Partitioning& partitioning);

// The rows below it in a word or two: the table's name, else "its input".
[[nodiscard]] std::string input_text(const PlanTree& plan, NodeId id);

// Bytes that an exchange writes: of its stage where it ran.
[[nodiscard]] std::optional<Quantity> shuffled_bytes(const PlanContext& context, NodeId exchange);
[[nodiscard]] std::optional<Quantity> shuffled_rows(const PlanContext& context, NodeId exchange);

// Known to be no more than so many rows or bytes.
struct SmallSize {
  double rows;
  double bytes;
};
[[nodiscard]] bool is_known_small(const PlanContext& context, NodeId id, SmallSize limit);

}  // namespace planvet::rules
