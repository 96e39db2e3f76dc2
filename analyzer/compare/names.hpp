// What people call the operators of a plan: by the tables that their rows come from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/plan/plan_tree.hpp"

namespace planvet::compare {

// `(a#1 > 5)` -> `(a > 5)`: the same in every session.
[[nodiscard]] std::string without_ids(std::string_view text);

class Names {
 public:
  explicit Names(const PlanTree& plan);

  // Of a source of rows: "orders", "literal rows"; empty for operators that read nothing themselves.
  [[nodiscard]] const std::string& source(NodeId id) const { return sources_[index(id)]; }
  // One number for all sources whose rows reach the operator, in any order; subqueries do not count.
  [[nodiscard]] std::uint64_t sources_hash(NodeId id) const { return hashes_[index(id)]; }
  // "orders, customers and 2 more", in the order of the plan.
  [[nodiscard]] std::string sources_of(NodeId id) const;
  [[nodiscard]] std::vector<std::string> source_list(NodeId id, std::size_t most) const;

  // "join of orders and customers", "aggregation of orders by region", "scan of orders".
  [[nodiscard]] std::string subject(NodeId id) const;

 private:
  const PlanTree& plan_;
  std::vector<std::string> sources_;
  std::vector<std::uint64_t> hashes_;
};

// "broadcast hash join", "sort merge join", "hash aggregate": a kind in words.
[[nodiscard]] std::string kind_in_words(const PlanNode& node);

}  // namespace planvet::compare
