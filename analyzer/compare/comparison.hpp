// The two plans that are compared, and where changes go: shared by the files that each look at one kind of operator.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analyzer/compare/matching.hpp"
#include "analyzer/compare/names.hpp"
#include "analyzer/compare/plan_changes.hpp"

namespace planvet::compare {

struct Side {
  const PlanTree& plan;
  Names names;
  [[nodiscard]] const Attribute* whole(NodeId id, AttributeKind kind) const {
    const Attribute* attribute = plan.find(id, kind);
    return attribute != nullptr && attribute->is_whole() ? attribute : nullptr;
  }
  // Without ids; empty where it is not there.
  [[nodiscard]] std::string text(NodeId id, AttributeKind kind) const {
    const Attribute* attribute = plan.find(id, kind);
    return attribute == nullptr ? std::string() : without_ids(attribute->text);
  }
};

struct Comparison {
  Side before;
  Side after;
  const ExpressionParser& parser;
  Matching matching;
  std::vector<Change> changes;

  void add(Change change) { changes.push_back(std::move(change)); }
  // Both texts have all of the attribute, and it differs.
  [[nodiscard]] bool differs(NodeId old_id, NodeId new_id, AttributeKind kind) const {
    const Attribute* old_one = before.whole(old_id, kind);
    const Attribute* new_one = after.whole(new_id, kind);
    return old_one != nullptr && new_one != nullptr && without_ids(old_one->text) != without_ids(new_one->text);
  }
};

// The nearest operator above that has a role and is no sort or filter: who needs the rows as they come.
[[nodiscard]] NodeId consumer(const PlanTree& plan, NodeId id);

void compare_joins(Comparison& comparison);
void compare_sources(Comparison& comparison);
void compare_shuffles(Comparison& comparison);
void compare_operators(Comparison& comparison);
void compare_results(Comparison& comparison);

}  // namespace planvet::compare
