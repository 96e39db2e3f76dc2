// An operator of TreeNode.toJSON as the line that Spark prints for it in a plan: "SortMergeJoin [a#1], [b#2], Inner".
#pragma once

#include <string>

#include "analyzer/read/json_tree.hpp"

namespace planvet::read::tree_node {

struct OperatorLine {
  std::string name;       // as in plans: "SortMergeJoin", "WholeStageCodegen (3)"
  std::string arguments;  // without the blank before
};

// The JSON does not have everything: file formats, locations and options are lost.
[[nodiscard]] OperatorLine operator_line(const JsonTree& json, JsonTree::Index object);

}  // namespace planvet::read::tree_node
