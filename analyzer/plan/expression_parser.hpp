// How text becomes expressions, for those who may not include the readers: the program hands the functions of
// analyzer/read/expression_reader.hpp in. Each is total; its trees view the text.
#pragma once

#include <string_view>
#include <vector>

#include "analyzer/plan/expression.hpp"

namespace planvet {

struct ExpressionParser {
  ExpressionTree (*expression)(std::string_view text) = nullptr;
  std::vector<ExpressionTree> (*pushed_filters)(std::string_view list) = nullptr;
};

}  // namespace planvet
