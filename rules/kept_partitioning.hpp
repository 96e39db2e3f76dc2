// By what are rows partitioned that come to an operator? Down through what keeps a partitioning, with the columns
// followed through their renames, to the shuffle that made it.
//
//   Exchange hashpartitioning(cast(k#9 as bigint), 8)      asks: k#9
//   +- Project [k#1 AS k#9]
//      +- HashAggregate(keys=[k#1])
//         +- Exchange hashpartitioning(k#1, 8)             found: k#1
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/plan/expression.hpp"
#include "analyzer/plan/ids.hpp"
#include "rules/plan_context.hpp"

namespace planvet::rules {

// A key of a shuffle: a column, or a cast of one. Others cannot be followed.
struct PartitionKey {
  std::uint64_t id = kNoExprId;
  std::string name;
  std::string cast_to;  // empty: the column itself
};

// The keys of `hashpartitioning(..)`; nothing where one is more than a column or a cast of one.
[[nodiscard]] std::optional<std::vector<PartitionKey>> partition_keys(const PlanContext& context, NodeId exchange);

struct KeptPartitioning {
  NodeId exchange = kNoNode;         // that made it: of the first input, where a UNION is between
  std::vector<PartitionKey> wanted;  // what was asked for, as that exchange's columns are called; without an id: a
                                     // column that is made above it
  std::vector<PartitionKey> made;    // its own keys
  bool is_union = false;             // every input of a UNION between is partitioned so
};

// For the rows that flow into this exchange; nothing where something between scatters them or drops the columns.
[[nodiscard]] std::optional<KeptPartitioning> kept_partitioning(const PlanContext& context, NodeId exchange);

// "int" of a column that a scan below reads; "bigint" of one that is printed as such; empty where nothing says it.
[[nodiscard]] std::string type_of_column(const PlanContext& context, NodeId below, const PartitionKey& key);

}  // namespace planvet::rules
