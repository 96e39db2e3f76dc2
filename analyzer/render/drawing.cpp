#include "analyzer/render/drawing.hpp"

#include <utility>

namespace planvet::render {

bool is_structural(const PlanTree& tree, NodeId node) {
  const OperatorFamily kind = family(tree[node].kind);
  return kind == OperatorFamily::QueryStage || kind == OperatorFamily::ShuffleRead ||
         kind == OperatorFamily::Adaptive || kind == OperatorFamily::Transition || kind == OperatorFamily::Structural;
}

Drawing draw(const PlanTree& tree, bool fold) {
  Drawing drawing;
  std::vector<std::uint32_t> drawn_as(tree.size(), DrawnNode::kNone);  // of folded nodes: their drawn parent
  std::vector<std::uint32_t> child_count(tree.size(), 0);
  for (const PlanNode& node : tree.nodes())
    if (node.parent != kNoNode) ++child_count[index(node.parent)];

  std::vector<NodeId> folded;
  for (const PlanNode& node : tree.nodes()) {
    const std::uint32_t parent = node.parent == kNoNode ? DrawnNode::kNone : drawn_as[index(node.parent)];
    // The only child comes next in pre-order, so what is folded here goes to it.
    const bool is_foldable = is_structural(tree, node.id) || node.kind == OperatorKind::Subquery;
    if (fold && is_foldable && child_count[index(node.id)] == 1 && tree[next(node.id)].link == Link::Child) {
      folded.push_back(node.id);
      drawn_as[index(node.id)] = parent;
      continue;
    }
    DrawnNode drawn;
    drawn.node = node.id;
    drawn.link = folded.empty() ? node.link : tree[folded.front()].link;
    drawn.folded = std::exchange(folded, {});
    drawn.parent = parent;
    const auto number = static_cast<std::uint32_t>(drawing.nodes.size());
    if (parent != DrawnNode::kNone) drawing.nodes[parent].children.push_back(number);
    drawn_as[index(node.id)] = number;
    drawing.nodes.push_back(std::move(drawn));
  }
  return drawing;
}

}  // namespace planvet::render
