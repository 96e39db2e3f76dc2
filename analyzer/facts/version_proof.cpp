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

// `[plan_id=12]` was `[id=#12]` before 3.3.
bool is_plan_id(const Attribute& attribute, const Source& source) {
  constexpr std::string_view kLabel = "plan_id=";
  const Span span = source.span_of(attribute.text);
  return span.begin >= kLabel.size() && source.text().substr(span.begin - kLabel.size(), kLabel.size()) == kLabel;
}

SparkVersion proof_of(const Attribute& attribute, const Source& source) {
  switch (attribute.kind) {
    case AttributeKind::Bucketed: return {3, 3, 0};
    case AttributeKind::StatisticsSize: return {3, 3, 0};
    case AttributeKind::JoinType: return attribute.label == "Join type" ? SparkVersion{3, 4, 0} : kNothing;
    case AttributeKind::PlanId: return is_plan_id(attribute, source) ? SparkVersion{3, 3, 0} : kNothing;
    case AttributeKind::ShuffleOrigin: {
      const bool is_new = attribute.text.starts_with("REPARTITION_BY_") || attribute.text.starts_with("REBALANCE_");
      return is_new ? SparkVersion{3, 2, 0} : kNothing;
    }
    case AttributeKind::Table: return attribute.text.starts_with("spark_catalog.") ? SparkVersion{3, 4, 0} : kNothing;
    default: return kNothing;
  }
}

}  // namespace

std::optional<SparkVersion> least_version(const PlanTree& plan, const Source& source) {
  SparkVersion least = kNothing;
  for (const PlanNode& node : plan.nodes()) {
    if (node.engine != Engine::Spark) continue;
    least = std::max(least, proof_of(node));
    for (const Attribute& attribute : plan.attributes(node.id)) least = std::max(least, proof_of(attribute, source));
  }
  if (least == kNothing) return std::nullopt;
  return least;
}

}  // namespace planvet
