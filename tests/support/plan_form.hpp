#pragma once

// Operator trees of two inputs side by side: are they the same plan?
//
// A form is a tree without the nodes that only one of the two inputs shows. Dropping a node hands its children to its
// parent; a link other than Child survives.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/plan/plan_tree.hpp"

namespace planvet::test {

struct FormNode {
  NodeId id{};
  std::uint32_t parent = UINT32_MAX;
  Link link = Link::Root;
};

struct Form {
  const PlanTree* tree = nullptr;
  std::vector<FormNode> nodes;  // pre-order
};

// What happens to a node of one input before it is compared.
enum class Treatment : std::uint8_t {
  Keep,
  Splice,  // its children take its place
  Cut,     // with everything below it
  Leaf,    // kept, without anything below it
};

Form make_form(const PlanTree& tree, const std::function<Treatment(const PlanNode&)>& treatment,
               NodeId root = NodeId{0});

struct FormComparison {
  bool is_equal = false;
  std::size_t operators = 0;  // compared and equal, when the forms are equal
  std::size_t edges = 0;
  std::string difference;  // the lines that differ, readable
};

// Operator by operator (kind, name, engine, codegen stage), edge by edge (parent and link). A stage without a number is
// any stage: formatted mode marks some fused operators with `*` alone.
FormComparison compare(const Form& expected, const Form& actual);
std::string text(const Form& form);

// One attribute of a pair of nodes whose texts differ.
struct AttributeDifference {
  AttributeKind kind{};
  NodeId expected_node{};
  NodeId actual_node{};
  std::string expected;
  std::string actual;
};
struct AttributeComparison {
  std::size_t compared = 0;
  std::vector<AttributeDifference> differences;  // both sides have it whole, with other values
  std::vector<AttributeDifference> missing;      // only the expected side has it
};
// Of forms that are equal.
AttributeComparison compare_attributes(const Form& expected, const Form& actual);

// Lists item by item: one-line scans print `[a#1,b#2]`, detail blocks `[a#1, b#2]`.
std::string normalised(const Attribute& attribute);

}  // namespace planvet::test
