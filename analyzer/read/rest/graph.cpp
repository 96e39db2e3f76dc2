#include "analyzer/read/rest/graph.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "analyzer/dialect/dialect.hpp"
#include "analyzer/plan/characters.hpp"

namespace planvet::read::rest {
namespace {

// Counts what is reached from the root, and takes out edges that lead back to where they came from.
std::size_t count_reached(Graph& graph) {
  std::vector<bool> is_reached(graph.nodes.size(), false);
  std::vector<std::uint32_t> open{graph.root};
  is_reached[graph.root] = true;
  std::size_t reached = 1;
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    for (GraphNode::Input& input : graph.nodes[at].inputs) {
      if (input.is_reuse) continue;
      if (is_reached[input.node]) {
        input.is_reuse = true;
        continue;
      }
      is_reached[input.node] = true;
      ++reached;
      open.push_back(input.node);
    }
  }
  return reached;
}

}  // namespace

Graph make_graph(const JsonTree& json, const Execution& execution) {
  Graph graph;
  for (const ShownNode& shown : execution.nodes) {
    GraphNode node;
    node.shown = &shown;
    node.name = without_blanks(plan_info::decoded(json.text(), shown.name));
    const dialect::OperatorName resolved = dialect::resolve(node.name);
    node.kind = resolved.kind;
    node.engine = resolved.engine;
    node.is_cluster = node.kind == OperatorKind::WholeStageCodegen;
    graph.nodes.push_back(std::move(node));
  }
  std::stable_sort(graph.nodes.begin(), graph.nodes.end(),
                   [](const GraphNode& a, const GraphNode& b) { return a.shown->id < b.shown->id; });
  const auto repeated = std::unique(graph.nodes.begin(), graph.nodes.end(),
                                    [](const GraphNode& a, const GraphNode& b) { return a.shown->id == b.shown->id; });
  graph.nodes.erase(repeated, graph.nodes.end());

  std::unordered_map<std::uint32_t, std::uint32_t> by_id;
  std::size_t clusters = 0;
  for (std::uint32_t at = 0; at < graph.nodes.size(); ++at) {
    by_id.emplace(graph.nodes[at].shown->id, at);
    clusters += graph.nodes[at].is_cluster ? 1U : 0U;
  }
  // A ReusedExchange that came before its original was drawn with it below; where the original has a place of its own,
  // that is where it stands.
  std::vector<bool> has_taker(graph.nodes.size(), false);
  std::vector<std::pair<std::uint32_t, std::size_t>> below_reuse;
  for (const ShownEdge& edge : execution.edges) {
    const auto from = by_id.find(edge.from);
    const auto to = by_id.find(edge.to);
    if (from == by_id.end() || to == by_id.end() || from == to) continue;
    GraphNode& taker = graph.nodes[to->second];
    taker.inputs.push_back({from->second, has_taker[from->second]});
    if (family(taker.kind) == OperatorFamily::Reuse) {
      below_reuse.emplace_back(to->second, taker.inputs.size() - 1);
    } else {
      has_taker[from->second] = true;
    }
  }
  // A subquery that several operators mention belongs to the uppermost, as plans print it.
  std::set<std::uint32_t> owned;
  for (GraphNode& taker : graph.nodes) {  // by id: what is above comes first
    for (GraphNode::Input& input : taker.inputs) {
      if (graph.nodes[input.node].kind != OperatorKind::Subquery) continue;
      input.is_reuse = !owned.insert(input.node).second;
    }
  }
  for (const auto& [taker, at] : below_reuse) {
    GraphNode::Input& input = graph.nodes[taker].inputs[at];
    input.is_reuse = has_taker[input.node];
    has_taker[input.node] = true;
  }
  for (std::uint32_t at = 0; at < graph.nodes.size() && graph.empty(); ++at) {
    if (!graph.nodes[at].is_cluster && !has_taker[at]) graph.root = at;
  }
  if (graph.empty()) {
    graph.unreachable = graph.nodes.size();
    return graph;
  }
  graph.unreachable = graph.nodes.size() - clusters - count_reached(graph);
  return graph;
}

}  // namespace planvet::read::rest
