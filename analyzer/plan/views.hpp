// What an operator is, behind the names and places of its attributes: `if (const auto join = Join::of(plan, id))`.
//
// A view is two words and reads on demand. Nothing here judges; what the text does not say is Unknown, empty, or null.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/plan/expression_list.hpp"
#include "analyzer/plan/plan_tree.hpp"

namespace planvet {

enum class JoinType : std::uint8_t {
  Unknown,
  Inner,
  Cross,
  LeftOuter,
  RightOuter,
  FullOuter,
  LeftSemi,
  LeftAnti,
  Existence,   // EXISTS inside OR: ExistenceJoin(exists#1)
  LeftSingle,  // a correlated scalar subquery in 4.x
};

enum class Side : std::uint8_t { Left, Right };
constexpr Side other(Side side) { return side == Side::Left ? Side::Right : Side::Left; }
[[nodiscard]] std::string_view name(Side side);  // "left", "right"

class OperatorView {
 public:
  OperatorView(const PlanTree& plan, NodeId id) : plan_(&plan), id_(id) {}
  [[nodiscard]] NodeId id() const { return id_; }
  [[nodiscard]] const PlanNode& node() const { return plan_->node(id_); }
  [[nodiscard]] const PlanTree& plan() const { return *plan_; }
  [[nodiscard]] const Attribute* find(AttributeKind kind) const { return plan_->find(id_, kind); }

 protected:
  [[nodiscard]] std::string_view text(AttributeKind kind) const;  // empty where there is none
  [[nodiscard]] ItemList list(AttributeKind kind) const;

 private:
  const PlanTree* plan_;
  NodeId id_;
};

class Join : public OperatorView {
 public:
  [[nodiscard]] static std::optional<Join> of(const PlanTree& plan, NodeId id);

  [[nodiscard]] JoinType type() const;
  [[nodiscard]] std::string_view type_text() const { return text(AttributeKind::JoinType); }  // "LeftOuter"
  [[nodiscard]] std::optional<Side> build_side() const;
  [[nodiscard]] ItemList left_keys() const { return list(AttributeKind::LeftKeys); }
  [[nodiscard]] ItemList right_keys() const { return list(AttributeKind::RightKeys); }
  [[nodiscard]] ItemList keys(Side side) const { return side == Side::Left ? left_keys() : right_keys(); }
  [[nodiscard]] const Attribute* condition() const;  // null: none, or `None`
  // Does the text say what kind of join this is, so that a condition that is not there is none? A formatted tree whose
  // detail blocks were left out does not.
  [[nodiscard]] bool has_details() const;
  [[nodiscard]] bool is_skew_join() const { return text(AttributeKind::IsSkewJoin) == "true"; }
  // NOT IN as a hash join, wherever the text says so: the join's own flag, or the broadcast's mode.
  [[nodiscard]] bool is_null_aware() const;
  [[nodiscard]] NodeId input(Side side) const { return plan().input(id(), side == Side::Left ? 0 : 1); }

 private:
  using OperatorView::OperatorView;
};

// May a broadcast (or shuffled) hash join of this type build that side? As measured: Inner and Cross either, LeftOuter,
// LeftSemi, LeftAnti and Existence the right, RightOuter the left, FullOuter none.
[[nodiscard]] bool can_broadcast(JoinType type, Side side);

// Who asked for a shuffle.
enum class ShuffleOrigin : std::uint8_t {
  Unknown,      // not printed: before 3.1, or another engine
  Required,     // ENSURE_REQUIREMENTS: an operator above needs it
  Repartition,  // REPARTITION_BY_COL, REPARTITION_BY_NUM
  Rebalance,    // REBALANCE_PARTITIONS_BY_NONE, .._BY_COL
  Stateful,     // REQUIRED_BY_STATEFUL_OPERATOR
};

class Exchange : public OperatorView {
 public:
  [[nodiscard]] static std::optional<Exchange> of(const PlanTree& plan, NodeId id);  // a shuffle, not a broadcast

  [[nodiscard]] ShuffleOrigin origin() const;
  [[nodiscard]] std::string_view origin_text() const;  // "REPARTITION_BY_NUM"; Photon prints it on the map stage above
  [[nodiscard]] bool is_users() const {
    return origin() == ShuffleOrigin::Repartition || origin() == ShuffleOrigin::Rebalance;
  }
  [[nodiscard]] std::string_view partitioning() const { return text(AttributeKind::Partitioning); }
  [[nodiscard]] bool is_single_partition() const { return partitioning().starts_with("SinglePartition"); }
  [[nodiscard]] std::optional<std::uint64_t> partitions() const;  // 200 of hashpartitioning(k#1, 200)

 private:
  using OperatorView::OperatorView;
};

enum class ScanSource : std::uint8_t {
  Unknown,
  Parquet,
  Orc,
  Avro,
  Csv,
  Json,
  Text,
  Xml,
  Hive,  // through a SerDe
  Jdbc,
  Iceberg,
  OtherV1,
  OtherV2,
};
[[nodiscard]] std::string_view name(ScanSource source);  // "Parquet"

struct SchemaField {
  std::string_view name;
  std::string_view type;  // "decimal(10,2)"
};

class Scan : public OperatorView {
 public:
  [[nodiscard]] static std::optional<Scan> of(const PlanTree& plan, NodeId id);  // family Scan

  [[nodiscard]] std::string_view table() const { return text(AttributeKind::Table); }  // empty for paths
  // "retail.sales", else the last part of a path, else empty: what a person calls it.
  [[nodiscard]] std::string_view display_name() const;
  [[nodiscard]] ScanSource source() const;
  [[nodiscard]] bool is_v2() const;
  [[nodiscard]] bool is_streaming() const;
  // The metadata behind the name was printed, so that a list that is not there is an empty one.
  [[nodiscard]] bool has_metadata() const;
  [[nodiscard]] ItemList output() const { return list(AttributeKind::Output); }
  // Top-level fields of ReadSchema; nothing where it is missing or cut.
  [[nodiscard]] std::optional<std::vector<SchemaField>> read_schema() const;
  // Columns of the output that no file holds: Output minus ReadSchema where both are whole, or Hive's `Partition Cols`.
  // Nothing where that cannot be known.
  [[nodiscard]] std::optional<std::vector<std::string_view>> partition_columns() const;

 private:
  using OperatorView::OperatorView;
};

class Aggregate : public OperatorView {
 public:
  [[nodiscard]] static std::optional<Aggregate> of(const PlanTree& plan, NodeId id);

  [[nodiscard]] bool is_global() const;  // printed without keys; false where that is not known
  [[nodiscard]] bool has_details() const { return find(AttributeKind::GroupingKeys) != nullptr; }

 private:
  using OperatorView::OperatorView;
};

// Fields of `struct<a:int,b:struct<c:int>>`, top level only.
[[nodiscard]] std::vector<SchemaField> schema_fields(std::string_view schema);

}  // namespace planvet
