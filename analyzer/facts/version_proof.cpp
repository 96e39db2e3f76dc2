#include "analyzer/facts/version_proof.hpp"

#include <algorithm>
#include <string_view>

namespace planvet {
namespace {

constexpr SparkVersion kNothing{};

// What real runs of 3.2.4 to 4.3.0 printed first in the named version.
SparkVersion proof_of(const PlanNode& node) {
  switch (node.kind) {
    case OperatorKind::ResultQueryStage: return {4, 0, 0};
    case OperatorKind::WindowGroupLimit: return {3, 5, 0};
    case OperatorKind::TableCacheQueryStage: return {3, 5, 0};
    case OperatorKind::WriteFiles: return {3, 4, 0};
    // Before 3.2 the same operator was CustomShuffleReader.
    case OperatorKind::AQEShuffleRead:
      return node.printed_name.starts_with("Custom") ? kNothing : SparkVersion{3, 2, 0};
    default: return kNothing;
  }
}

SparkVersion proof_of(const Attribute& attribute) {
  switch (attribute.kind) {
    case AttributeKind::Bucketed: return {3, 3, 0};
    case AttributeKind::StatisticsSize: return {3, 3, 0};
    case AttributeKind::JoinType: return attribute.label == "Join type" ? SparkVersion{3, 4, 0} : kNothing;
    case AttributeKind::PlanId: return attribute.label == "plan_id" ? SparkVersion{3, 3, 0} : kNothing;
    case AttributeKind::ShuffleOrigin: {
      const bool is_new = attribute.text.starts_with("REPARTITION_BY_") || attribute.text.starts_with("REBALANCE_");
      return is_new ? SparkVersion{3, 2, 0} : kNothing;
    }
    case AttributeKind::Table: return attribute.text.starts_with("spark_catalog.") ? SparkVersion{3, 4, 0} : kNothing;
    default: return kNothing;
  }
}

}  // namespace

std::optional<SparkVersion> least_version(const PlanTree& plan) {
  SparkVersion least = kNothing;
  for (const PlanNode& node : plan.nodes()) {
    if (node.engine != Engine::Spark) continue;
    least = std::max(least, proof_of(node));
    for (const Attribute& attribute : plan.attributes(node.id)) least = std::max(least, proof_of(attribute));
  }
  if (least == kNothing) return std::nullopt;
  return least;
}

}  // namespace planvet
