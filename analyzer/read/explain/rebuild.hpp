// Trees whose indentation is lost or damaged, put together again from what else the text says.
//
// Formatted mode numbers operators from the leaves up (post-order) and prints them from the root down (pre-order); the
// two orders together leave one tree. Other modes have no numbers: there, each operator takes as many inputs as its kind
// has.
#pragma once

#include <cstdint>

#include "analyzer/plan/plan_tree.hpp"
#include "analyzer/read/explain/tree_reader.hpp"

namespace planvet::read::explain {

// Operators with more or fewer inputs than their kind has: 0 for a tree that was printed and read whole.
[[nodiscard]] std::size_t count_wrong_inputs(const PrintedTree& tree, const PlanBuilder& builder);

// Hangs the nodes of `tree` anew if that leaves fewer wrong inputs than columns did; true if it did so.
bool rebuild_if_better(PrintedTree& tree, PlanBuilder& builder);

}  // namespace planvet::read::explain
