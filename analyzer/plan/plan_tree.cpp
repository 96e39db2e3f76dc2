#include "analyzer/plan/plan_tree.hpp"

#include <algorithm>

namespace planvet {

std::string_view name(Link link) {
  switch (link) {
    case Link::Root: return "root";
    case Link::Child: return "child";
    case Link::Subquery: return "subquery";
    case Link::ReusedSubquery: return "reused-subquery";
    case Link::CachedPlan: return "cached-plan";
  }
  return "child";
}

std::vector<NodeId> PlanTree::children(NodeId id) const {
  std::vector<NodeId> result;
  for (NodeId at = next(id); at < node(id).subtree_end; at = node(at).subtree_end) result.push_back(at);
  return result;
}

std::vector<NodeId> PlanTree::inputs(NodeId id) const {
  std::vector<NodeId> result;
  for (NodeId at = next(id); at < node(id).subtree_end; at = node(at).subtree_end) {
    if (node(at).link == Link::Child) result.push_back(at);
  }
  return result;
}

NodeId PlanTree::input(NodeId id, std::size_t number) const {
  for (NodeId at = next(id); at < node(id).subtree_end; at = node(at).subtree_end) {
    if (node(at).link != Link::Child) continue;
    if (number == 0) return at;
    --number;
  }
  return kNoNode;
}

const Attribute* PlanTree::find(NodeId id, AttributeKind kind) const {
  for (const Attribute& attribute : attributes(id)) {
    if (attribute.kind == kind) return &attribute;
  }
  return nullptr;
}

PlanBuilder::Handle PlanBuilder::add(Handle parent, PlanNode node) {
  Draft draft;
  draft.node = node;
  draft.parent = parent;
  drafts_.push_back(draft);
  return static_cast<Handle>(drafts_.size() - 1);
}

void PlanBuilder::add_attribute(Handle node, Attribute attribute) {
  const auto row = static_cast<std::uint32_t>(attributes_.size());
  AttributeDraft draft;
  draft.attribute = attribute;
  attributes_.push_back(draft);
  Draft& owner = drafts_[node];
  if (owner.first_attribute == kEndOfList) {
    owner.first_attribute = row;
  } else {
    attributes_[owner.last_attribute].next = row;
  }
  owner.last_attribute = row;
}

const Attribute* PlanBuilder::find_attribute(Handle handle, AttributeKind kind) const {
  for (std::uint32_t row = drafts_[handle].first_attribute; row != kEndOfList; row = attributes_[row].next) {
    if (attributes_[row].attribute.kind == kind) return &attributes_[row].attribute;
  }
  return nullptr;
}

PlanTree PlanBuilder::finish(Handle root) const { return std::move(finish(std::span(&root, 1)).front()); }

std::vector<PlanTree> PlanBuilder::finish(std::span<const Handle> roots) const {
  // Children as linked lists in order of discovery, subqueries in one of their own: no allocation per node.
  const auto count = drafts_.size();
  struct Lists {
    Handle first_subquery = kNone, last_subquery = kNone, first = kNone, last = kNone, next = kNone;
  };
  std::vector<Lists> lists(count);
  for (Handle handle = 0; handle < count; ++handle) {
    const Handle parent = drafts_[handle].parent;
    if (parent == kNone) continue;
    const Link link = drafts_[handle].node.link;
    const bool is_subquery = link == Link::Subquery || link == Link::ReusedSubquery;
    Handle& first = is_subquery ? lists[parent].first_subquery : lists[parent].first;
    Handle& last = is_subquery ? lists[parent].last_subquery : lists[parent].last;
    if (first == kNone) {
      first = handle;
    } else {
      lists[last].next = handle;
    }
    last = handle;
  }

  struct Open {
    Handle handle;
    Handle next_subquery, next_child;
  };
  std::vector<PlanTree> trees;
  std::vector<NodeId> id_of(count, kNoNode);
  std::vector<Handle> order;  // the nodes of one tree
  std::vector<Open> stack;
  for (const Handle root : roots) {
    PlanTree tree;
    order.clear();
    const auto open = [&](Handle handle) {
      const auto id = NodeId{static_cast<std::uint32_t>(tree.nodes_.size())};
      id_of[handle] = id;
      order.push_back(handle);
      PlanNode node = drafts_[handle].node;
      node.id = id;
      node.parent = stack.empty() ? kNoNode : id_of[stack.back().handle];
      if (stack.empty()) node.link = Link::Root;
      node.attributes.begin = static_cast<std::uint32_t>(tree.attributes_.size());
      for (std::uint32_t row = drafts_[handle].first_attribute; row != kEndOfList; row = attributes_[row].next) {
        tree.attributes_.push_back(attributes_[row].attribute);
      }
      node.attributes.end = static_cast<std::uint32_t>(tree.attributes_.size());
      tree.nodes_.push_back(node);
      stack.push_back({handle, lists[handle].first_subquery, lists[handle].first});
    };

    open(root);
    while (!stack.empty()) {
      Open& top = stack.back();
      Handle& next_handle = top.next_subquery != kNone ? top.next_subquery : top.next_child;
      if (next_handle == kNone) {
        tree.nodes_[index(id_of[top.handle])].subtree_end = NodeId{static_cast<std::uint32_t>(tree.nodes_.size())};
        stack.pop_back();
        continue;
      }
      const Handle child = next_handle;
      next_handle = lists[child].next;
      open(child);
    }
    for (const Handle handle : order) {
      if (drafts_[handle].reuses != kNone) tree.nodes_[index(id_of[handle])].reuses = id_of[drafts_[handle].reuses];
    }
    for (const Handle handle : order) id_of[handle] = kNoNode;
    trees.push_back(std::move(tree));
  }
  return trees;
}

}  // namespace planvet
