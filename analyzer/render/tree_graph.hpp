// `planvet tree` for graph tools: Graphviz and Mermaid. Rows flow along the arrows, from the scans to the result.
#pragma once

#include <span>
#include <string>

#include "analyzer/plan/document.hpp"
#include "analyzer/plan/expression_parser.hpp"
#include "analyzer/render/fragments.hpp"

namespace planvet::render {

struct TreeGraphOptions {
  FragmentChoice fragment = FragmentChoice::Final;
  bool verbose = false;  // structure-only nodes, and everything that was printed
  ExpressionParser parser;
};

[[nodiscard]] std::string tree_dot(std::span<const PlanDocument* const> documents, const TreeGraphOptions& options);
[[nodiscard]] std::string tree_mermaid(std::span<const PlanDocument* const> documents, const TreeGraphOptions& options);

}  // namespace planvet::render
