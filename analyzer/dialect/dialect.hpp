// A vendor's names, as data: how its operators are called and which Spark operators they are.
#pragma once

#include <span>
#include <string_view>

#include "analyzer/plan/operator.hpp"

namespace planvet::dialect {

struct NameMapping {
  std::string_view printed;  // whole name, or a prefix ending in '*' ("CometNativeScan*")
  OperatorKind kind;
};

// Where a vendor's operator prints its arguments in another order than Spark's (operators.def).
struct ArgumentOrder {
  OperatorKind kind;
  std::string_view arguments;
};

// "CometFilter" is Comet's prefix and Spark's "Filter"; "FilterExecTransformer" is Gluten's suffix. Names that follow no
// affix are listed one by one and win over the affixes.
struct Dialect {
  Engine engine;
  std::span<const std::string_view> prefixes;
  std::span<const std::string_view> suffixes;
  std::span<const NameMapping> irregular;
  std::span<const ArgumentOrder> arguments;
};

[[nodiscard]] std::span<const Dialect* const> dialects();  // the order in which names are tried; Spark's own first

struct OperatorName {
  OperatorKind kind = OperatorKind::Unknown;
  Engine engine = Engine::Spark;
};

// `printed` is Spark's nodeName as printed, without codegen mark, operator id and arguments: "Scan parquet db.t",
// "FileScan parquet", "Exchange", "SortMergeJoin(skew=true)", "CometScan [native_iceberg_compat] parquet cat.db.t".
[[nodiscard]] OperatorName resolve(std::string_view printed);

// Whether `printed`, which is no name itself, begins one: "HashAggr", "CometBroadcas". A cut line ends so.
[[nodiscard]] bool begins_a_name(std::string_view printed);

}  // namespace planvet::dialect
