// What of a filter reached the source below it.
#pragma once

#include <string>
#include <vector>

#include "analyzer/plan/expression_parser.hpp"
#include "analyzer/plan/plan_tree.hpp"
#include "analyzer/plan/predicate.hpp"

namespace planvet::render {

struct FilterPart {
  std::string_view text;  // one conjunct as printed
  Answer pushed = Answer::Unknown;
  bool is_null_test = false;
  bool is_or = false;  // needs brackets beside another part
};

// The conjuncts of a filter. Unknown where no source is below, or its lists were cut or cannot be compared.
[[nodiscard]] std::vector<FilterPart> filter_parts(const PlanTree& tree, NodeId filter, const ExpressionParser& parser);

// The predicates that the source evaluates or prunes with, null tests left out, as people write them.
[[nodiscard]] std::vector<std::string> pushed_predicates(const PlanTree& tree, NodeId scan,
                                                         const ExpressionParser& parser);

}  // namespace planvet::render
