// The Spark UI's plan graph as a tree: what the edges of /sql say.
//
//   edges   2->0, 3->2, 4->3, 6->3        0          an edge leads from an operator to who takes its rows; they come in
//   nodes   (1 WholeStageCodegen)         +- 2       the order in which the UI drew the plan, so the second one of an
//                                           +- 3     operator stands for a ReusedExchange or ReusedSubquery
//                                              :- 4
//                                              +- 6
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/plan/operator.hpp"
#include "analyzer/read/rest/answers.hpp"

namespace planvet::read::rest {

struct GraphNode {
  struct Input {
    std::uint32_t node = 0;  // in Graph::nodes
    bool is_reuse = false;   // drawn elsewhere
  };
  const ShownNode* shown = nullptr;
  std::string name;  // trimmed
  OperatorKind kind = OperatorKind::Unknown;
  Engine engine = Engine::Spark;
  bool is_cluster = false;  // WholeStageCodegen: a frame around operators, without edges
  std::vector<Input> inputs;
};

struct Graph {
  std::vector<GraphNode> nodes;     // by id, rising
  std::uint32_t root = UINT32_MAX;  // in `nodes`; UINT32_MAX: there is none
  std::size_t unreachable = 0;      // nodes that no edge connects with the root
  [[nodiscard]] bool empty() const { return root == UINT32_MAX; }
  // The cluster whose first member the node is: it is numbered right before. UINT32_MAX: none.
  [[nodiscard]] std::uint32_t cluster_before(std::uint32_t node) const {
    const bool is_first = node > 0 && nodes[node - 1].is_cluster && !nodes[node].is_cluster &&
                          nodes[node - 1].shown->id + 1 == nodes[node].shown->id;
    return is_first ? node - 1 : UINT32_MAX;
  }
};

// Total: cycles, unknown ids and repeated nodes of a broken answer do no harm.
[[nodiscard]] Graph make_graph(const JsonTree& json, const Execution& execution);

}  // namespace planvet::read::rest
