// The operators that a person wants to see: Spark's structure-only nodes (query stages, adapters, transitions, shuffle
// reads) become marks of the operator below them.
//
//   ShuffleQueryStage 0             Exchange    (folded: ShuffleQueryStage)
//   +- Exchange                     +- Scan     (folded: ColumnarToRow)
//      +- ColumnarToRow
//         +- Scan
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analyzer/plan/plan_tree.hpp"

namespace planvet::render {

struct DrawnNode {
  static constexpr std::uint32_t kNone = UINT32_MAX;
  NodeId node{};
  Link link = Link::Root;        // of the topmost folded node
  std::vector<NodeId> folded;    // from the top
  std::uint32_t parent = kNone;  // indices into Drawing::nodes
  std::vector<std::uint32_t> children;
};

struct Drawing {
  std::vector<DrawnNode> nodes;  // pre-order
};

[[nodiscard]] bool is_structural(const PlanTree& tree, NodeId node);

// With `fold` false every node is drawn.
[[nodiscard]] Drawing draw(const PlanTree& tree, bool fold);

}  // namespace planvet::render
