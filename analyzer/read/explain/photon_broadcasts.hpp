// Databricks broadcasts through a shuffle. The map stage of Photon's chain says so, in its detail block:
//
//   PhotonBroadcastHashJoin Inner (15)
//   :- ..
//   +- PhotonShuffleExchangeSource (14)
//      +- PhotonShuffleMapStage (13)            (13) Arguments: EXECUTOR_BROADCAST, [id=#40]
//         +- PhotonShuffleExchangeSink (12)     counts as BroadcastExchange
//
// Where the blocks are lost, the join above tells it still: what feeds the side that it builds is a broadcast.
#pragma once

#include "analyzer/plan/plan_tree.hpp"
#include "analyzer/read/explain/tree_reader.hpp"

namespace planvet::read::explain {

// Makes broadcasts of those exchanges of `tree` that nothing but their place tells.
void mark_photon_broadcasts(const PrintedTree& tree, PlanBuilder& builder);

}  // namespace planvet::read::explain
