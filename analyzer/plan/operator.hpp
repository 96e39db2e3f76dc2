// The kinds of operators and attributes, and what is known of each: all of it comes from operators.def and
// attributes.def.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace planvet {

enum class OperatorKind : std::uint8_t {
#define PLANVET_OPERATOR(kind, name, family, arity, arguments) kind,
#include "analyzer/plan/operators.def"
};

enum class OperatorFamily : std::uint8_t {
  Unknown,
  Join,
  Scan,      // reads a source
  Local,     // rows that are in the plan itself: LocalTableScan, Range, EmptyRelation
  Cache,     // InMemoryTableScan and the InMemoryRelation below it
  Exchange,  // shuffle or broadcast
  Reuse,
  QueryStage,
  ShuffleRead,
  Adaptive,
  Project,
  Filter,
  Transition,  // between rows and columns
  Generate,
  Expand,
  Union,
  Sort,
  Limit,
  Aggregate,
  Window,
  Python,
  Object,  // typed Dataset operators
  Subquery,
  State,  // stateful streaming
  Write,
  Command,
  Structural,  // wrappers that move no rows themselves
  Logical,     // a node of a logical plan, no operator
  Other,
};

// Who runs the operator. A vendor's filter is a Filter with another engine.
enum class Engine : std::uint8_t { Spark, Photon, Comet, Gluten, Rapids };

enum class AttributeKind : std::uint8_t {
#define PLANVET_ATTRIBUTE(kind, json_name, shape, labels) kind,
#include "analyzer/plan/attributes.def"
};

enum class AttributeShape : std::uint8_t {
  Text,
  Word,
  Integer,
  Flag,
  Expression,
  ExpressionList,
  PredicateList,
  Schema,
  Bytes,
  Rows
};

struct OperatorInfo {
  OperatorKind kind;
  std::string_view name;   // as `kind` in JSON: "ShuffleExchange"
  std::string_view names;  // as printed, '|'-separated, see operators.def
  OperatorFamily family;
  int arity;                   // -1: any number of inputs
  std::string_view arguments;  // json names of the positional attributes, blank-separated
};

struct AttributeInfo {
  AttributeKind kind;
  std::string_view json_name;
  AttributeShape shape;
  std::string_view labels;  // '|'-separated
};

[[nodiscard]] std::span<const OperatorInfo> operator_table();
[[nodiscard]] std::span<const AttributeInfo> attribute_table();

[[nodiscard]] inline const OperatorInfo& info(OperatorKind kind) {
  return operator_table()[static_cast<std::size_t>(kind)];
}
[[nodiscard]] inline const AttributeInfo& info(AttributeKind kind) {
  return attribute_table()[static_cast<std::size_t>(kind)];
}
// The key of its line in a snapshot: Spark's own label, "Left keys", else the JSON name as words, "Shuffle origin".
[[nodiscard]] std::string printed_label(AttributeKind kind);
[[nodiscard]] inline OperatorFamily family(OperatorKind kind) { return info(kind).family; }
[[nodiscard]] std::string_view name(Engine engine);  // "spark", "photon" ...

}  // namespace planvet
