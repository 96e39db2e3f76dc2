#include "analyzer/render/stage_regions.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "analyzer/render/query_summary.hpp"

namespace planvet::render {

namespace {

using Stages = std::vector<std::int32_t>;

void sort_unique(Stages& stages) {
  std::ranges::sort(stages);
  stages.erase(std::unique(stages.begin(), stages.end()), stages.end());
}

bool begins_region(const PlanNode& node) {
  return node.link != Link::Child || family(node.kind) == OperatorFamily::Exchange;
}

void add_runs(StageRegion& region, const metrics::ExecutionRun& run) {
  std::vector<std::pair<std::int64_t, std::int64_t>> intervals;
  bool is_timed = true;
  for (const metrics::StageRun& stage : run.stages) {
    if (!std::ranges::binary_search(region.stages, stage.stage)) continue;
    ++region.attempts;
    region.tasks += static_cast<std::size_t>(std::max(0, stage.succeeded + stage.failed + stage.killed));
    region.failed_tasks += static_cast<std::size_t>(std::max(0, stage.failed));
    region.killed_tasks += static_cast<std::size_t>(std::max(0, stage.killed));
    region.totals.add(stage.totals);
    if (region.failure.empty()) region.failure = stage.failure;
    const std::int64_t end = stage.completion_time.value_or(run.last_event_time);
    if (stage.submission_time) {
      intervals.emplace_back(*stage.submission_time, end);
    } else {
      is_timed = false;
    }
  }
  if (is_timed && !intervals.empty()) region.wall_ms = covered_ms(std::move(intervals));
}

}  // namespace

StageRegion region_of_stages(std::vector<std::int32_t> stages, const metrics::ExecutionRun& run) {
  StageRegion region;
  region.stages = std::move(stages);
  add_runs(region, run);
  return region;
}

StageRegions find_regions(const PlanTree& tree, const metrics::TreeMetrics& measured,
                          const metrics::ExecutionRun& run) {
  StageRegions found;
  found.of_node.resize(tree.size());
  std::map<std::uint32_t, std::map<std::int32_t, std::size_t>> votes;  // of the operators of a region, for their stages
  for (const PlanNode& node : tree.nodes()) {
    const std::uint32_t above = node.parent == kNoNode ? StageRegion::kNone : found.of_node[index(node.parent)];
    if (begins_region(node)) {
      StageRegion region;
      region.top = node.id;
      region.parent = above;
      found.of_node[index(node.id)] = static_cast<std::uint32_t>(found.regions.size());
      found.regions.push_back(std::move(region));
    } else {
      found.of_node[index(node.id)] = above;
    }
    // An exchange has the stages of both of its sides; one that is reused has those of somebody else.
    const OperatorFamily kind = family(node.kind);
    if (kind == OperatorFamily::Exchange || kind == OperatorFamily::Reuse) continue;
    for (const std::int32_t stage : measured.stages(node.id)) ++votes[found.of_node[index(node.id)]][stage];
  }
  std::set<std::int32_t> named;
  for (const auto& [region, of_stages] : votes) {
    std::size_t most = 0;
    for (const auto& [stage, count] : of_stages) most = std::max(most, count);
    for (const auto& [stage, count] : of_stages) {
      named.insert(stage);
      // Some engines share a metric of one operator between stages that have nothing else in common.
      if (2 * count >= most) found.regions[region].stages.push_back(stage);
    }
  }
  for (StageRegion& region : found.regions) {
    if (region.stages.empty() && region.parent != StageRegion::kNone) {
      // Nothing below the exchange counted anything: those that wrote are those that did not read.
      const Stages& readers = found.regions[region.parent].stages;
      std::ranges::set_difference(measured.stages(region.top), readers, std::back_inserter(region.stages));
    }
  }
  // Some engines let a join count what its broadcast side took: stages below an exchange are not those above it.
  for (std::size_t i = found.regions.size(); i-- > 1;) {
    const StageRegion& below = found.regions[i];
    if (below.parent == StageRegion::kNone || tree[below.top].link != Link::Child) continue;
    Stages& above = found.regions[below.parent].stages;
    Stages left;
    std::ranges::set_difference(above, below.stages, std::back_inserter(left));
    if (!left.empty()) above = std::move(left);
  }
  std::set<Stages> seen;
  for (StageRegion& region : found.regions) {
    if (region.stages.empty()) continue;
    add_runs(region, run);
    region.is_repeated = !seen.insert(region.stages).second;
  }
  for (const StageRegion& region : found.regions) named.insert(region.stages.begin(), region.stages.end());
  for (const metrics::StageRun& stage : run.stages)
    if (!named.contains(stage.stage)) found.others.push_back(stage.stage);
  sort_unique(found.others);
  return found;
}

}  // namespace planvet::render
