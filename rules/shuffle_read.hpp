// How the partitions of a shuffle were read: what AQE made of them, and how large they were.
#pragma once

#include <optional>

#include "rules/plan_context.hpp"

namespace planvet::rules {

// The AQEShuffleRead that reads an exchange; kNoNode where there is none.
[[nodiscard]] NodeId shuffle_read_above(const PlanTree& plan, NodeId exchange);

// As read, after AQE merged or split them, in compressed bytes: what its thresholds compare.
struct PartitionSizes {
  double count = 0;
  double total = 0;
  double median = 0;
  double max = 0;
};

// AQE's own numbers, else the rows that each task read at the mean size of a row. Nothing without measurements.
[[nodiscard]] std::optional<PartitionSizes> partition_sizes(const PlanContext& context, NodeId exchange);

}  // namespace planvet::rules
