// Where decoded attributes go: one node of a builder, and the habits of adding to it.
#pragma once

#include <string_view>

#include "analyzer/plan/plan_tree.hpp"
#include "analyzer/read/arguments/items.hpp"

namespace planvet::read {

class NodeAttributes {
 public:
  NodeAttributes(PlanBuilder& builder, PlanBuilder::Handle node) : builder_(builder), node_(node) {}

  [[nodiscard]] PlanBuilder& builder() { return builder_; }
  [[nodiscard]] PlanBuilder::Handle handle() const { return node_; }
  [[nodiscard]] const PlanNode& node() const { return builder_.node(node_); }
  [[nodiscard]] OperatorKind kind() const { return node().kind; }
  [[nodiscard]] bool has(AttributeKind kind) const { return builder_.has_attribute(node_, kind); }

  void add(AttributeKind kind, std::string_view text, Completeness completeness = Completeness::Whole,
           std::string_view label = {}, std::uint32_t count = 0) {
    builder_.add_attribute(node_, {kind, completeness, count, text, label});
  }
  // Sees for itself whether the value was cut at its end, or is a list that lost its bracket.
  void add_checked(AttributeKind kind, std::string_view text, std::string_view label = {}, std::uint32_t count = 0);
  // With what the scanner saw.
  void add_item(AttributeKind kind, std::string_view text, const Item& item, std::string_view label = {});

 private:
  PlanBuilder& builder_;
  PlanBuilder::Handle node_;
};

// "Statistics(sizeInBytes=1961.4 MiB, rowCount=2.86E+7)"; false: it is none.
bool decode_statistics(NodeAttributes& attributes, std::string_view text);
// Takes ", Statistics(..)" from the end of a line.
std::string_view take_statistics(NodeAttributes& attributes, std::string_view text);

// "keys=[..], functions=[..]", the inside of the brackets behind HashAggregate and TakeOrderedAndProject.
void decode_keyed(NodeAttributes& attributes, std::string_view inside);

// By the operator's signature. False: something is left that no attribute took.
bool decode_positional(NodeAttributes& attributes, std::string_view arguments);

// "Batched: true, DataFilters: [..], .." behind a scan's name, with the output list and a description before it.
void decode_metadata(NodeAttributes& attributes, std::string_view text);

// A line that describes a V2 scan: "ice.db.t (branch=null) [filters=.., groupedBy=..]".
void decode_description(NodeAttributes& attributes, std::string_view text);

// A relation of a logical plan: "db.t[a#1] parquet" behind Relation, "[a#1] cat.db.t" behind RelationV2.
void decode_relation(NodeAttributes& attributes, std::string_view text);

// What a scan's name says: table and format. `Scan parquet spark_catalog.db.t`.
void decode_scan_name(NodeAttributes& attributes, std::string_view name);

}  // namespace planvet::read
