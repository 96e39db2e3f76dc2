// One operator in words: what it does, on what, why, and how much of it.
//
//   SortMergeJoin  Inner on store_id · if qty > min_qty
//   Exchange  by hash of dept into 200 · for HashAggregate · 3.1 KiB, 40 rows
//   Scan parquet retail.sales  5 columns · partitions: dt = 2024-01-01 · pushed: qty > 3
#pragma once

#include <string>
#include <vector>

#include "analyzer/plan/expression_parser.hpp"
#include "analyzer/render/drawing.hpp"

namespace planvet::render {

enum class Tone : std::uint8_t { Plain, Attention, Dim };

struct OperatorDetail {
  std::string text;
  Tone tone = Tone::Plain;
};

struct OperatorText {
  std::string label;                    // "subquery#12", "cached plan": what it is to its parent; mostly empty
  std::string name;                     // "Scan parquet retail.sales"
  std::vector<OperatorDetail> details;  // the most telling first
};

struct OperatorTextOptions {
  bool verbose = false;     // everything that was printed, with Spark's ids
  ExpressionParser parser;  // without functions: nothing is said about what was pushed
};

[[nodiscard]] OperatorText operator_text(const PlanTree& tree, const Drawing& drawing, std::uint32_t drawn,
                                         const OperatorTextOptions& options);

}  // namespace planvet::render
