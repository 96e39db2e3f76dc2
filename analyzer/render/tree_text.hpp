// `planvet tree` for people. A chain of operators runs straight down; only branches go to the right:
//
//   14 * ┬ HashAggregate  by dept · sum(salary)
//   11   │ Exchange  by hash of dept into 200 · required by HashAggregate · 3.1 KiB, 40 rows
//    8 * │ SortMergeJoin  Inner on store_id
//    5 * ├─┬ Filter  pushed: qty > 3
//    1   │ └ Scan parquet retail.sales  5 columns
//    6   └── Scan parquet retail.stores  2 columns
#pragma once

#include <span>
#include <string>

#include "analyzer/plan/document.hpp"
#include "analyzer/plan/expression_parser.hpp"
#include "analyzer/render/fragments.hpp"
#include "analyzer/render/style.hpp"

namespace planvet::render {

struct TreeTextOptions {
  Style style;
  FragmentChoice fragment = FragmentChoice::Final;
  ExpressionParser parser;
};

[[nodiscard]] std::string tree_text(std::span<const PlanDocument* const> documents, const TreeTextOptions& options);

}  // namespace planvet::render
