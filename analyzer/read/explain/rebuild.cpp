#include "analyzer/read/explain/rebuild.hpp"

#include <vector>

namespace planvet::read::explain {
namespace {

using Handle = PlanBuilder::Handle;

struct Arity {
  int least = 0;
  int most = 0;
};

// How many inputs an operator prints below itself. Writers, commands and wrappers differ by version: anything goes.
Arity printed_arity(const PlanNode& node) {
  constexpr int kAny = 1 << 20;
  const OperatorInfo& known = info(node.kind);
  if (node.kind == OperatorKind::RDDScan) return {0, 1};  // a snapshot of JSON: where 4.x says the rows came from
  switch (known.family) {
    case OperatorFamily::Unknown:
    case OperatorFamily::Write:
    case OperatorFamily::Command:
    case OperatorFamily::Union: return {0, kAny};
    case OperatorFamily::Adaptive:  // its plan is lost with its section
    case OperatorFamily::Local:     // EmptyRelation prints the logical plan that it replaced
      return {0, 1};
    case OperatorFamily::Cache: return {0, 1};
    case OperatorFamily::Subquery: return {0, 1};
    case OperatorFamily::State:
      return {1, known.arity < 0 ? 2 : known.arity};  // the initial state is an input from 3.2 on
    default: break;
  }
  if (known.arity < 0) return {0, kAny};
  return {known.arity, known.arity};
}

bool takes_rows(OperatorFamily kin) {
  return kin == OperatorFamily::Project || kin == OperatorFamily::Filter || kin == OperatorFamily::Sort ||
         kin == OperatorFamily::Logical;
}

std::size_t count_wrong(const std::vector<PrintedNode>& nodes, const std::vector<Handle>& parents,
                        const PlanBuilder& builder) {
  std::vector<int> inputs(builder.size(), 0);
  for (std::size_t at = 0; at < nodes.size(); ++at) {
    const Link link = builder.node(nodes[at].handle).link;
    if (parents[at] != PlanBuilder::kNone && link != Link::Subquery && link != Link::ReusedSubquery)
      ++inputs[parents[at]];
  }
  std::size_t wrong = 0;
  for (const PrintedNode& printed : nodes) {
    const PlanNode& node = builder.node(printed.handle);
    const int count = inputs[printed.handle];
    if (node.is_logical) {
      // Of logical nodes only this much is sure: what works on rows has somewhere to take them from.
      const OperatorInfo& known = info(node.kind);
      if (known.arity > 0 && count == 0 && takes_rows(known.family)) ++wrong;
      continue;
    }
    const Arity arity = printed_arity(node);
    if (count < arity.least || count > arity.most) ++wrong;
  }
  return wrong;
}

std::vector<Handle> current_parents(const PrintedTree& tree, const PlanBuilder& builder) {
  std::vector<Handle> parents;
  parents.reserve(tree.nodes.size());
  for (const PrintedNode& node : tree.nodes) parents.push_back(builder.parent(node.handle));
  return parents;
}

// Post-order numbers: the nearest open node with a larger id is the parent. A cached plan is numbered after its scan.
std::vector<Handle> parents_by_id(const PrintedTree& tree, const PlanBuilder& builder) {
  std::vector<Handle> parents(tree.nodes.size(), PlanBuilder::kNone);
  struct Open {
    Handle handle;
    std::uint32_t id;
    std::uint32_t part;
  };
  std::vector<Open> stack;
  for (std::size_t at = 0; at < tree.nodes.size(); ++at) {
    const PrintedNode& printed = tree.nodes[at];
    const PrintedPart& part = tree.parts[printed.part];
    const bool starts_part = at > 0 && tree.nodes[at - 1].part != printed.part && part.is_adaptive;
    const bool is_cached = at > 0 && (builder.node(printed.handle).kind == OperatorKind::InMemoryRelation ||
                                      builder.node(tree.nodes[at - 1].handle).kind == OperatorKind::InMemoryRelation);
    if (starts_part) {
      while (!stack.empty() && stack.back().handle != part.host) stack.pop_back();
      parents[at] = part.is_superseded() ? PlanBuilder::kNone : part.host;
    } else if (is_cached && !stack.empty()) {
      parents[at] = stack.back().handle;
    } else {
      while (!stack.empty() && (stack.back().id == kNoId || stack.back().id < printed.id) && printed.id != kNoId) {
        stack.pop_back();
      }
      parents[at] = stack.empty() ? PlanBuilder::kNone : stack.back().handle;
    }
    stack.push_back({printed.handle, printed.id, printed.part});
  }
  return parents;
}

// No numbers: each operator takes the next ones until it has its inputs. A union takes what is left.
std::vector<Handle> parents_by_arity(const PrintedTree& tree, const PlanBuilder& builder) {
  std::vector<Handle> parents(tree.nodes.size(), PlanBuilder::kNone);
  struct Open {
    Handle handle;
    int missing;
  };
  std::vector<Open> stack;
  for (std::size_t at = 0; at < tree.nodes.size(); ++at) {
    const PrintedNode& printed = tree.nodes[at];
    const PlanNode& node = builder.node(printed.handle);
    const PrintedPart& part = tree.parts[printed.part];
    const bool starts_part = at > 0 && tree.nodes[at - 1].part != printed.part && part.is_adaptive;
    if (starts_part) {
      stack.clear();
      parents[at] = part.is_superseded() ? PlanBuilder::kNone : part.host;
    } else if (node.kind == OperatorKind::InMemoryRelation && at > 0) {
      parents[at] = tree.nodes[at - 1].handle;
    } else {
      while (!stack.empty() && stack.back().missing == 0) stack.pop_back();
      if (!stack.empty()) {
        parents[at] = stack.back().handle;
        --stack.back().missing;
      }
    }
    const OperatorInfo& known = info(node.kind);
    int arity = known.arity < 0 ? INT32_MAX : known.arity;
    if (node.kind == OperatorKind::Unknown || known.family == OperatorFamily::Write) arity = 1;
    if (known.family == OperatorFamily::Command) arity = 0;
    stack.push_back({printed.handle, arity});
  }
  return parents;
}

}  // namespace

std::size_t count_wrong_inputs(const PrintedTree& tree, const PlanBuilder& builder) {
  return count_wrong(tree.nodes, current_parents(tree, builder), builder);
}

bool rebuild_if_better(PrintedTree& tree, PlanBuilder& builder) {
  const std::size_t before = count_wrong_inputs(tree, builder);
  if (before == 0) return false;
  std::vector<Handle> parents = tree.is_formatted ? parents_by_id(tree, builder) : parents_by_arity(tree, builder);
  if (count_wrong(tree.nodes, parents, builder) >= before) return false;
  tree.roots.clear();
  tree.initial_roots.clear();
  for (std::size_t at = 0; at < tree.nodes.size(); ++at) {
    const PrintedNode& printed = tree.nodes[at];
    builder.set_parent(printed.handle, parents[at]);
    PlanNode& node = builder.node(printed.handle);
    if (parents[at] == PlanBuilder::kNone) {
      node.link = Link::Root;
      const PrintedPart& part = tree.parts[printed.part];
      (part.is_superseded() ? tree.initial_roots : tree.roots).push_back(printed.handle);
    } else if (node.link == Link::Root) {
      node.link = family(node.kind) == OperatorFamily::Subquery ? Link::Subquery : Link::Child;
    }
  }
  return true;
}

}  // namespace planvet::read::explain
