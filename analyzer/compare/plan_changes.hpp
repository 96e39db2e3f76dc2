// What changed from one plan of a query to another: facts, most important first. render/plan_changes_text.hpp says them
// in words.
//
// Only what both texts show is compared: where one of them lacks an attribute, or has a part of it, nothing is said.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/plan/expression_parser.hpp"
#include "analyzer/plan/plan_tree.hpp"

namespace planvet::compare {

// In the order in which they are told.
enum class ChangeKind : std::uint8_t {
  JoinStrategy,   // was, is: kinds
  JoinAdded,      // is: its kind
  JoinGone,       // was: its kind
  JoinType,       // was, is
  JoinKeys,       // was, is
  JoinCondition,  // was, is; empty: none
  BuildSide,      // was, is: the tables of the side that is built
  JoinSkew,       // is: "true" where skewed partitions are split now
  JoinOrder,      // was, is: the tables in the order of the plan
  SourceAdded,
  SourceGone,
  SourceCount,            // was, is: how often it is read
  PredicateNotPushed,     // is: the predicate, which a Filter still tests
  PredicatePushed,        // is: the predicate, which a Filter tested before
  PartitionFilterLost,    // is: the predicate, which is tested row by row now
  PartitionFilterGained,  // is: the predicate, which was tested row by row
  PredicateAdded,         // is: the predicate; place: how it is tested
  PredicateGone,          // was: the predicate; place: how it was tested
  ColumnsRead,            // is: columns that are new; was: those that are gone
  SourceChanged,          // place: the fact; was, is
  ShuffleAdded,           // is: the partitioning; place: who needs it
  ShuffleGone,            // was: the partitioning; place: who needed it
  ShuffleChanged,         // was, is
  PartitionCount,         // subject: how many shuffles; was, is
  BroadcastAdded,
  BroadcastGone,
  ReuseAdded,
  ReuseGone,
  OperatorReplaced,  // was, is: kinds
  OperatorAdded,
  OperatorGone,
  OperatorChanged,  // place: the fact; was, is
  ResultOrder,      // was, is; empty: none
  ResultColumns,    // is: columns that are new; was: those that are gone
  Adaptive,         // is: "true" where the plan is adaptive now
  Execution,        // is: "true" where the plan is one that ran now
  Engine,           // subject: the engine; was, is: numbers of operators
  Count,            // subject: "shuffles", "broadcasts"; was, is: numbers
};

struct Change {
  ChangeKind kind{};
  NodeId before = kNoNode;
  NodeId after = kNoNode;
  std::string subject;  // "join of orders and customers", "orders"
  std::string was;
  std::string is;
  std::string place;
};

[[nodiscard]] std::vector<Change> plan_changes(const PlanTree& before, const PlanTree& after,
                                               const ExpressionParser& parser);

}  // namespace planvet::compare
