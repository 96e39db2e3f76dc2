// An expression of TreeNode.toJSON as Spark prints it in plans.
//
//   [{"class":"..GreaterThan","num-children":2,"left":0,"right":1},{"class":"..AttributeReference","name":"id",..},..]
//   -> (id#24L > 5)
//
// Expressions stand in pre-order, as operators do. What Spark gives a text of its own and is not known here is printed
// as a function is: the class in small letters and its inputs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/read/json_tree.hpp"

namespace planvet::read::tree_node {

// "AttributeReference" of "org.apache.spark.sql.catalyst.expressions.AttributeReference", "Inner" of "..Inner$".
[[nodiscard]] std::string_view short_class(std::string_view name);
[[nodiscard]] std::string_view class_of(const JsonTree& json, JsonTree::Index object);  // empty: it has none

// Is it an array whose first element has a class: one expression, or one plan?
[[nodiscard]] bool is_tree_node(const JsonTree& json, JsonTree::Index value);

// The array of one expression.
[[nodiscard]] std::string expression_text(const JsonTree& json, JsonTree::Index array);

// Of a data type: "bigint", "decimal(10,2)", "struct<a:int>".
[[nodiscard]] std::string type_text(const JsonTree& json, JsonTree::Index type);

// The plans inside of a value's expressions: of scalar subqueries, IN subqueries, dynamic pruning.
[[nodiscard]] std::vector<JsonTree::Index> plans_inside(const JsonTree& json, JsonTree::Index value);

}  // namespace planvet::read::tree_node
