// Which operators of a plan run in the same stages. An exchange separates them: it and what is below it belong to the
// stages that write, what is above it to those that read.
//
//   SortMergeJoin        region 0   stage 8
//   +- Exchange          region 1   stage 6
//   |  +- Scan           region 1
//   +- Exchange          region 2   stage 7
//      +- Scan           region 2
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/metrics/overlay.hpp"
#include "analyzer/plan/plan_tree.hpp"

namespace planvet::render {

struct StageRegion {
  static constexpr std::uint32_t kNone = UINT32_MAX;
  NodeId top{};
  std::uint32_t parent = kNone;
  std::vector<std::int32_t> stages;  // rising; empty: nothing was measured in it
  bool is_repeated = false;          // another region before it has the same stages: no boundary to see

  // Of its stages, all attempts together.
  std::size_t attempts = 0;
  std::size_t tasks = 0;  // attempts of tasks
  std::size_t failed_tasks = 0;
  std::size_t killed_tasks = 0;
  std::optional<std::int64_t> wall_ms;  // on the clock; where stages overlap, once
  metrics::TaskTotals totals;
  std::string failure;
};

struct StageRegions {
  std::vector<StageRegion> regions;    // in the order of their tops
  std::vector<std::uint32_t> of_node;  // by node
  std::vector<std::int32_t> others;    // stages of the query that no operator of the plan names
};

// Stages without operators, for what is to be said of them.
[[nodiscard]] StageRegion region_of_stages(std::vector<std::int32_t> stages, const metrics::ExecutionRun& run);

[[nodiscard]] StageRegions find_regions(const PlanTree& tree, const metrics::TreeMetrics& measured,
                                        const metrics::ExecutionRun& run);

}  // namespace planvet::render
