#include "analyzer/read/rest/weave.hpp"

#include <algorithm>
#include <unordered_map>

#include "analyzer/plan/characters.hpp"

namespace planvet::read::rest {
namespace {

using Handle = PlanBuilder::Handle;
constexpr std::uint32_t kNoGraphNode = UINT32_MAX;

// Operators that the text prints and the UI does not draw.
bool is_undrawn(OperatorKind kind) {
  return family(kind) == OperatorFamily::QueryStage || kind == OperatorKind::InputAdapter ||
         kind == OperatorKind::InMemoryRelation || kind == OperatorKind::ReusedSubquery;
}

// Operators that the UI draws and formatted text does not print.
bool is_unprinted(OperatorKind kind) { return family(kind) == OperatorFamily::Subquery; }

// Formatted text has the number in a detail block alone, which is printed once for all operators of one id.
std::int32_t codegen_stage(const ShownNode& node) {
  return static_cast<std::int32_t>(
      std::clamp<std::int64_t>(node.codegen_stage.value_or(kNoCodegen), kNoCodegen, INT32_MAX));
}

// In the order in which the UI draws them: inputs, then subqueries. Trees have subqueries first.
std::vector<NodeId> drawn_order(const PlanTree& tree, NodeId id) {
  std::vector<NodeId> children = tree.children(id);
  std::stable_partition(children.begin(), children.end(), [&](NodeId child) {
    const Link link = tree.node(child).link;
    return link == Link::Child || link == Link::CachedPlan;
  });
  return children;
}

class Weaver {
 public:
  Weaver(const Graph& graph, const PlanTree& text, const Views& views) : graph_(graph), text_(text), views_(views) {}

  PlanTree run(std::uint32_t root, std::vector<std::uint32_t>& optimized_out) {
    open_.push_back({root, false, text_.empty() ? kNoNode : NodeId{0}, PlanBuilder::kNone, kNoGraphNode, false, false});
    while (!open_.empty()) {
      const Pair pair = open_.back();
      open_.pop_back();
      if (pair.graph == kNoGraphNode) {
        copy_text(pair.text, pair.parent);
      } else if (pair.is_reuse && !is_printed_again(pair)) {
        add_reuse(pair);
      } else {
        add_drawn(pair, optimized_out);
      }
    }
    for (const auto& [handle, node] : reuses_of_graph_) {
      if (const auto found = by_graph_.find(node); found != by_graph_.end()) builder_.set_reuses(handle, found->second);
    }
    for (const auto& [handle, node] : reuses_of_text_) {
      if (const auto found = by_text_.find(node); found != by_text_.end()) builder_.set_reuses(handle, found->second);
    }
    return builder_.finish(0);
  }

  [[nodiscard]] std::size_t without_text() const { return without_text_; }

 private:
  struct Pair {
    std::uint32_t graph = kNoGraphNode;  // kNoGraphNode: the text alone has it
    bool is_reuse = false;
    NodeId text = kNoNode;
    Handle parent = PlanBuilder::kNone;
    std::uint32_t taker = kNoGraphNode;  // the graph's node above
    bool is_again = false;               // inside of what was drawn before
    bool is_left_out = false;            // formatted text ends above: below a relation that proved empty
  };

  [[nodiscard]] bool is_same(std::uint32_t graph, NodeId text) const {
    const GraphNode& drawn = graph_.nodes[graph];
    const PlanNode& printed = text_.node(text);
    if (drawn.kind == printed.kind && drawn.kind != OperatorKind::Unknown) return true;
    return drawn.name == without_blanks(printed.printed_name);
  }

  // Past what is not drawn; kNoNode where nothing else is below.
  [[nodiscard]] NodeId lowered(NodeId text) const {
    while (text != kNoNode && is_undrawn(text_.node(text).kind)) {
      const std::vector<NodeId> below = drawn_order(text_, text);
      text = below.empty() ? kNoNode : below.front();
    }
    return text;
  }
  // Past what is not printed.
  [[nodiscard]] std::uint32_t lowered(std::uint32_t graph) const {
    for (std::size_t steps = 0; steps < graph_.nodes.size() && is_unprinted(graph_.nodes[graph].kind); ++steps) {
      const std::vector<GraphNode::Input>& inputs = graph_.nodes[graph].inputs;
      if (inputs.empty() || inputs.front().is_reuse) break;
      graph = inputs.front().node;
    }
    return graph;
  }

  // A cached plan that two operators read is drawn once from its first exchange on, and printed twice.
  [[nodiscard]] bool is_printed_again(const Pair& pair) const {
    if (pair.text == kNoNode || text_.node(pair.text).link == Link::ReusedSubquery) return false;
    const NodeId below = lowered(pair.text);
    return below != kNoNode && is_same(pair.graph, below);
  }

  [[nodiscard]] bool fits(const GraphNode::Input& input, NodeId text) const {
    const NodeId below = lowered(text);
    const bool is_reuse = text_.node(text).link == Link::ReusedSubquery ||
                          (below != kNoNode && family(text_.node(below).kind) == OperatorFamily::Reuse);
    if (input.is_reuse && is_reuse) return true;
    const auto fits_text = [&](std::uint32_t graph) {
      return is_same(graph, text) || (below != kNoNode && is_same(graph, below));
    };
    return fits_text(input.node) || fits_text(lowered(input.node));
  }

  Handle add(Handle parent, PlanNode node) {
    if (parent != PlanBuilder::kNone && node.link == Link::Root) node.link = Link::Child;
    return builder_.add(parent, node);
  }

  Handle add_text(NodeId text, Handle parent) {
    PlanNode node = text_.node(text);
    const NodeId reuses = node.reuses;
    node.printed_name = views_.moved(node.printed_name);
    node.operator_id.reset();
    node.attributes = {};
    node.reuses = kNoNode;
    const Handle handle = add(parent, node);
    for (Attribute attribute : text_.attributes(text)) {
      attribute.text = views_.moved(attribute.text);
      attribute.label = views_.moved(attribute.label);
      builder_.add_attribute(handle, attribute);
    }
    by_text_.emplace(text, handle);
    if (reuses != kNoNode) reuses_of_text_.emplace_back(handle, reuses);
    return handle;
  }

  // With everything below it.
  void copy_text(NodeId root, Handle parent) {
    std::unordered_map<NodeId, Handle> handles;
    for (const PlanNode& node : text_.subtree(root)) {
      handles[node.id] = add_text(node.id, node.id == root ? parent : handles.at(node.parent));
    }
  }

  Handle add_bare(std::uint32_t graph, Handle parent) {
    const GraphNode& drawn = graph_.nodes[graph];
    PlanNode node;
    node.kind = drawn.kind;
    node.engine = drawn.engine;
    node.printed_name = views_.name(graph);
    node.span = node.name_span = views_.name_span(graph);
    node.link = Link::Child;
    if (is_unprinted(drawn.kind)) node.link = Link::Subquery;
    if (parent != PlanBuilder::kNone) {
      const PlanNode& above = builder_.node(parent);
      if (above.kind == OperatorKind::InMemoryTableScan) node.link = Link::CachedPlan;
      node.is_logical = above.kind == OperatorKind::EmptyRelation ||
                        (above.is_logical && family(node.kind) != OperatorFamily::QueryStage);
    }
    return add(parent, node);
  }

  void add_reuse(const Pair& pair) {
    Handle parent = pair.parent;
    NodeId text = pair.text;
    while (text != kNoNode && family(text_.node(text).kind) != OperatorFamily::Reuse &&
           text_.node(text).link != Link::ReusedSubquery) {
      parent = add_text(text, parent);
      const std::vector<NodeId> below = drawn_order(text_, text);
      text = below.empty() ? kNoNode : below.front();
    }
    Handle handle = PlanBuilder::kNone;
    if (text != kNoNode) {
      handle = add_text(text, parent);
    } else {
      handle = add_bare(pair.graph, parent);
      PlanNode& node = builder_.node(handle);
      const bool is_subquery = is_unprinted(node.kind);
      node.kind = is_subquery ? OperatorKind::ReusedSubquery : OperatorKind::ReusedExchange;
      node.link = is_subquery ? Link::ReusedSubquery : Link::Child;
    }
    reuses_of_graph_.emplace_back(handle, pair.graph);
  }

  void add_drawn(Pair pair, std::vector<std::uint32_t>& optimized_out) {
    const GraphNode& drawn = graph_.nodes[pair.graph];
    Handle parent = pair.parent;
    // Down to the text's operator of this name.
    NodeId text = pair.text;
    NodeId for_input = kNoNode;  // of an operator that is not printed
    if (text != kNoNode && !is_same(pair.graph, text)) {
      const NodeId below = lowered(text);
      if (below != kNoNode && is_same(pair.graph, below)) {
        while (text != below) {
          parent = add_text(text, parent);
          text = drawn_order(text_, text).front();
        }
      } else {
        if (is_unprinted(drawn.kind)) for_input = text;
        text = kNoNode;
      }
    }
    const std::uint32_t cluster = graph_.cluster_before(pair.graph);
    if (cluster != kNoGraphNode) {
      const Link link = text != kNoNode ? text_.node(text).link : Link::Child;
      parent = add_bare(cluster, parent);
      if (builder_.parent(parent) != PlanBuilder::kNone && !is_below_unprinted(pair)) builder_.node(parent).link = link;
      builder_.node(parent).operator_id = graph_.nodes[cluster].shown->id;
      by_graph_.emplace(cluster, parent);
    }
    Handle handle = PlanBuilder::kNone;
    if (text != kNoNode) {
      handle = add_text(text, parent);
      // The node that was put in between has its link.
      if (cluster != kNoGraphNode || is_below_unprinted(pair)) builder_.node(handle).link = Link::Child;
    } else {
      handle = add_bare(pair.graph, parent);
      if (!text_.empty() && !is_unprinted(drawn.kind) && !pair.is_left_out) ++without_text_;
    }
    builder_.node(handle).operator_id = drawn.shown->id;
    if (drawn.shown->codegen_stage) builder_.node(handle).codegen_stage = codegen_stage(*drawn.shown);
    by_graph_.emplace(pair.graph, handle);
    if (family(drawn.kind) == OperatorFamily::Reuse && !drawn.inputs.empty()) {
      for (const GraphNode::Input& input : drawn.inputs) {
        if (input.is_reuse)
          reuses_of_graph_.emplace_back(handle, input.node);
        else
          optimized_out.push_back(input.node);
      }
      return;
    }
    open_inputs(pair, text, for_input, handle);
  }

  [[nodiscard]] bool is_below_unprinted(const Pair& pair) const {
    return pair.taker != kNoGraphNode && is_unprinted(graph_.nodes[pair.taker].kind);
  }

  // Pairs the inputs of both sides, in order; what only the text has is skipped over where a later one fits.
  void open_inputs(const Pair& taker, NodeId text, NodeId for_input, Handle handle) {
    const std::uint32_t graph = taker.graph;
    const bool is_again = taker.is_again || taker.is_reuse;
    const GraphNode& drawn = graph_.nodes[graph];
    std::vector<NodeId> printed;
    if (text != kNoNode) printed = drawn_order(text_, text);
    if (for_input != kNoNode) printed = {for_input};
    const bool is_left_out = taker.is_left_out || (drawn.kind == OperatorKind::EmptyRelation && printed.empty());
    std::vector<Pair> pairs;
    std::size_t next = 0;
    for (const GraphNode::Input& input : drawn.inputs) {
      std::size_t at = next;
      while (at < printed.size() && !fits(input, printed[at])) ++at;
      Pair pair{input.node, input.is_reuse, kNoNode, handle, graph, is_again, is_left_out};
      if (at < printed.size()) {
        for (; next < at; ++next) pairs.push_back({kNoGraphNode, false, printed[next], handle, graph, is_again, false});
        pair.text = printed[at];
        next = at + 1;
      }
      // What is drawn again is bounded by the text.
      if (is_again && pair.text == kNoNode) continue;
      pairs.push_back(pair);
    }
    // Behind a place where both differ, the rest of the text would stand twice.
    const bool all_fit =
        std::none_of(pairs.begin(), pairs.end(), [](const Pair& pair) { return pair.text == kNoNode; });
    for (; all_fit && next < printed.size(); ++next) {
      pairs.push_back({kNoGraphNode, false, printed[next], handle, graph, is_again, false});
    }
    std::reverse(pairs.begin(), pairs.end());
    open_.insert(open_.end(), pairs.begin(), pairs.end());
  }

  const Graph& graph_;
  const PlanTree& text_;
  const Views& views_;
  PlanBuilder builder_;
  std::vector<Pair> open_;
  std::unordered_map<std::uint32_t, Handle> by_graph_;
  std::unordered_map<NodeId, Handle> by_text_;
  std::vector<std::pair<Handle, std::uint32_t>> reuses_of_graph_;
  std::vector<std::pair<Handle, NodeId>> reuses_of_text_;
  std::size_t without_text_ = 0;
};

}  // namespace

PlanTree moved_tree(const PlanTree& tree, const Views& views) {
  PlanBuilder builder;
  for (PlanNode node : tree.nodes()) {
    node.printed_name = views.moved(node.printed_name);
    node.operator_id.reset();
    const NodeId id = node.id;
    const Handle parent = node.parent == kNoNode ? PlanBuilder::kNone : index(node.parent);
    const NodeId reuses = node.reuses;
    node.attributes = {};
    node.reuses = kNoNode;
    const Handle handle = builder.add(parent, node);  // in pre-order, so that handles are the ids
    if (reuses != kNoNode) builder.set_reuses(handle, index(reuses));
    for (Attribute attribute : tree.attributes(id)) {
      attribute.text = views.moved(attribute.text);
      attribute.label = views.moved(attribute.label);
      builder.add_attribute(handle, attribute);
    }
  }
  return builder.size() == 0 ? PlanTree() : builder.finish(0);
}

Woven weave(const Graph& graph, const PlanTree& text, const std::vector<PlanTree>& text_optimized_out,
            const Views& views) {
  Woven woven;
  std::vector<std::uint32_t> optimized_out;  // grows while it is worked through
  Weaver weaver(graph, text, views);
  woven.tree = weaver.run(graph.root, optimized_out);
  woven.without_text = weaver.without_text();
  std::vector<bool> is_taken(text_optimized_out.size(), false);
  const PlanTree none;
  for (std::size_t i = 0; i < optimized_out.size(); ++i) {
    const GraphNode& root = graph.nodes[optimized_out[i]];
    const PlanTree* partner = &none;
    for (std::size_t at = 0; at < text_optimized_out.size() && partner == &none; ++at) {
      const PlanTree& candidate = text_optimized_out[at];
      if (is_taken[at] || candidate.empty() || candidate.node(NodeId{0}).kind != root.kind) continue;
      is_taken[at] = true;
      partner = &candidate;
    }
    Weaver below(graph, *partner, views);
    woven.optimized_out.push_back(below.run(optimized_out[i], optimized_out));
    woven.without_text += below.without_text();
  }
  for (std::size_t at = 0; at < text_optimized_out.size(); ++at) {
    if (!is_taken[at]) woven.optimized_out.push_back(moved_tree(text_optimized_out[at], views));
  }
  return woven;
}

}  // namespace planvet::read::rest
