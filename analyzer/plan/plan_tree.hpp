// The operator tree: a flat arena in pre-order, built once, then const for ever.
//
//   index        0         1         2         3         4
//   operator     Join      Filter    Scan      Exchange  Scan
//   parent       -         0         1         0         3
//   subtree_end  5         3         3         5         5
//
// The subtree of node i is the contiguous range [i, subtree_end(i)), so "anything below me" is a loop over a span.
// Subqueries of an operator's expressions are its children too, with another link, and stand before its inputs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analyzer/plan/ids.hpp"
#include "analyzer/plan/operator.hpp"
#include "analyzer/plan/source.hpp"

namespace planvet {

// How a node hangs on its parent. Only Child means "rows flow into the parent".
enum class Link : std::uint8_t {
  Root,
  Child,
  Subquery,        // a plan inside one of the parent's expressions
  ReusedSubquery,  // a mention of a subquery that runs elsewhere
  CachedPlan,      // the plan that once filled the cache that the parent reads
};
[[nodiscard]] std::string_view name(Link link);  // "root", "child", "subquery", "reused-subquery", "cached-plan"

enum class Completeness : std::uint8_t {
  Whole,
  Truncated,  // "... 12 more fields", a value cut at 100 characters: what stands there is a part
  Unparsed,   // its place was found, its content could not be split
};

// One attribute as printed. Lists and expressions are decoded by who asks (expression.hpp), not by the reader.
struct Attribute {
  AttributeKind kind{};
  Completeness completeness = Completeness::Whole;
  std::uint32_t count = 0;  // N of "Output [N]: [..]"; 0 where none was printed
  std::string_view text;    // without the label; lists with their brackets
  std::string_view label;   // the key as printed; the only name of an AttributeKind::Other
  [[nodiscard]] bool is_whole() const { return completeness == Completeness::Whole; }
};

inline constexpr std::int32_t kNoCodegen = -1;
inline constexpr std::int32_t kCodegenWithoutNumber = 0;  // formatted trees print "* " alone

struct PlanNode {
  NodeId id{};
  NodeId parent = kNoNode;
  NodeId subtree_end{};
  NodeId reuses = kNoNode;  // the exchange or subquery that a Reused.. node reads; kNoNode where not known
  OperatorKind kind = OperatorKind::Unknown;
  Engine engine = Engine::Spark;
  Link link = Link::Root;
  bool is_logical = false;  // a logical node that a command or EmptyRelation printed below itself: no operator
  std::int32_t codegen_stage = kNoCodegen;
  std::optional<std::uint32_t> operator_id;  // (14) in formatted text; the Spark UI's node id in event logs
  AttributeRange attributes;
  Span span;                      // the whole line of the tree, from the name on
  Span name_span;                 // the printed name in it; where a caret stands
  Span block;                     // the detail block's head line; empty where there is none
  std::string_view printed_name;  // Spark's nodeName: "Scan parquet db.t", "Exchange", "CometFilter"
};

class PlanTree {
 public:
  [[nodiscard]] bool empty() const { return nodes_.empty(); }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] std::span<const PlanNode> nodes() const { return nodes_; }
  [[nodiscard]] const PlanNode& node(NodeId id) const { return nodes_[index(id)]; }
  [[nodiscard]] const PlanNode& operator[](NodeId id) const { return nodes_[index(id)]; }

  // The node and everything below it, subqueries and cached plans included.
  [[nodiscard]] std::span<const PlanNode> subtree(NodeId id) const {
    return nodes().subspan(index(id), index(node(id).subtree_end) - index(id));
  }
  // Direct children of every link, in order.
  [[nodiscard]] std::vector<NodeId> children(NodeId id) const;
  // Direct children that rows come from (Link::Child); 0 = left.
  [[nodiscard]] std::vector<NodeId> inputs(NodeId id) const;
  [[nodiscard]] NodeId input(NodeId id, std::size_t number = 0) const;  // kNoNode where there is none

  [[nodiscard]] std::span<const Attribute> attributes(NodeId id) const {
    const AttributeRange range = node(id).attributes;
    return std::span(attributes_).subspan(range.begin, range.end - range.begin);
  }
  [[nodiscard]] const Attribute* find(NodeId id, AttributeKind kind) const;  // nullptr where it was not printed

 private:
  friend class PlanBuilder;
  std::vector<PlanNode> nodes_;
  std::vector<Attribute> attributes_;
};

// Takes nodes in any order of discovery; children of one parent keep the order in which they were added, subqueries
// first. Handles are not NodeIds: those exist only after finish().
class PlanBuilder {
 public:
  using Handle = std::uint32_t;
  static constexpr Handle kNone = UINT32_MAX;

  Handle add(Handle parent, PlanNode node);
  void add_attribute(Handle node, Attribute attribute);
  void set_parent(Handle node, Handle parent) { drafts_[node].parent = parent; }
  void set_reuses(Handle node, Handle original) { drafts_[node].reuses = original; }
  [[nodiscard]] PlanNode& node(Handle handle) { return drafts_[handle].node; }
  [[nodiscard]] const PlanNode& node(Handle handle) const { return drafts_[handle].node; }
  [[nodiscard]] Handle parent(Handle handle) const { return drafts_[handle].parent; }
  [[nodiscard]] std::size_t size() const { return drafts_.size(); }
  [[nodiscard]] const Attribute* find_attribute(Handle handle, AttributeKind kind) const;  // until the next is added
  [[nodiscard]] bool has_attribute(Handle handle, AttributeKind kind) const {
    return find_attribute(handle, kind) != nullptr;
  }

  // The subtree of each root as a tree of its own, in time linear in all nodes together.
  [[nodiscard]] std::vector<PlanTree> finish(std::span<const Handle> roots) const;
  [[nodiscard]] PlanTree finish(Handle root) const;

 private:
  static constexpr std::uint32_t kEndOfList = UINT32_MAX;
  struct Draft {
    PlanNode node;
    Handle parent = kNone;
    Handle reuses = kNone;
    std::uint32_t first_attribute = kEndOfList;
    std::uint32_t last_attribute = kEndOfList;
  };
  struct AttributeDraft {
    Attribute attribute;
    std::uint32_t next = kEndOfList;
  };
  std::vector<Draft> drafts_;
  std::vector<AttributeDraft> attributes_;
};

}  // namespace planvet
