// What a snapshot says of one operator: its name in the tree, and one line for each fact.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/plan/expression_parser.hpp"
#include "analyzer/plan/plan_tree.hpp"
#include "analyzer/snapshot/identifiers.hpp"
#include "analyzer/snapshot/layout.hpp"
#include "analyzer/snapshot/paths.hpp"

namespace planvet::snapshot {

class Facts {
 public:
  Facts(const ExpressionParser& parser, bool masks_literals) : parser_(parser), masks_literals_(masks_literals) {}

  // "Scan parquet retail.sales", "BroadcastHashJoin": as in the head of its block.
  [[nodiscard]] std::string name(const PlanTree& tree, NodeId id);
  // " Inner BuildRight": what a tree line says of a join behind its name.
  [[nodiscard]] std::string join_words(const PlanTree& tree, NodeId id);
  // "Left keys [1]: [a#1]" .., each with its line break.
  [[nodiscard]] std::string block(const Operator& shown);
  // "Subquery subquery#1, [id=#1]": what the line above a subquery says; may be empty.
  [[nodiscard]] std::string hosting_expression(const PlanTree& tree, NodeId id);
  // Text that stands beside the plan.
  [[nodiscard]] std::string words(std::string_view text) { return identifiers_.words(text); }

 private:
  [[nodiscard]] std::string value(const PlanTree& tree, const PlanNode& node, const Attribute& attribute);

  const ExpressionParser& parser_;
  bool masks_literals_;
  Identifiers identifiers_;
  Paths paths_;
};

}  // namespace planvet::snapshot
