#include "rules/native_parts.hpp"

#include "analyzer/plan/walk.hpp"

namespace planvet::rules {
namespace {

bool is_native(const PlanNode& node) { return node.engine != Engine::Spark && !is_structural(node.kind); }

// A part below `top`, down to the next native operators.
SparkPart part_below(const PlanTree& plan, NodeId top, Engine engine) {
  SparkPart part;
  part.top = top;
  part.engine = engine;
  std::vector<NodeId> open{top};
  while (!open.empty()) {
    const NodeId at = open.back();
    open.pop_back();
    const PlanNode& node = plan.node(at);
    if (is_native(node)) {
      part.is_above_native = true;
      continue;
    }
    if (is_spark_work(node)) {
      part.members.push_back(at);
    } else if (!is_structural(node.kind)) {
      part.others.push_back(at);
    }
    const std::vector<NodeId> inputs = plan.inputs(at);
    open.insert(open.end(), inputs.rbegin(), inputs.rend());
  }
  return part;
}

}  // namespace

std::string_view title(Engine engine) {
  switch (engine) {
    case Engine::Spark: return "Spark";
    case Engine::Photon: return "Photon";
    case Engine::Comet: return "Comet";
    case Engine::Gluten: return "Gluten";
    case Engine::Rapids: return "RAPIDS";
  }
  return "Spark";
}

bool is_spark_work(const PlanNode& node) {
  if (node.engine != Engine::Spark || node.is_logical) return false;
  switch (family(node.kind)) {
    case OperatorFamily::Join:
    case OperatorFamily::Project:
    case OperatorFamily::Filter:
    case OperatorFamily::Generate:
    case OperatorFamily::Expand:
    case OperatorFamily::Union:
    case OperatorFamily::Sort:
    case OperatorFamily::Aggregate:
    case OperatorFamily::Window:
    case OperatorFamily::Python:
    case OperatorFamily::Object:
    case OperatorFamily::Exchange: return true;
    case OperatorFamily::Scan: return node.kind != OperatorKind::RDDScan && node.kind != OperatorKind::ExternalRDDScan;
    default: return node.kind == OperatorKind::Sample || node.kind == OperatorKind::Coalesce;
  }
}

std::vector<SparkPart> spark_parts(const PlanTree& plan) {
  std::vector<SparkPart> parts;
  // The nearest operator above that is no structure and none of those that stay with Spark.
  std::vector<NodeId> above(plan.size(), kNoNode);
  for (const PlanNode& node : plan.nodes()) {
    if (node.link != Link::Child || node.parent == kNoNode) continue;
    const PlanNode& parent = plan.node(node.parent);
    const NodeId nearest = is_native(parent) || is_spark_work(parent) ? parent.id : above[index(parent.id)];
    above[index(node.id)] = nearest;
    if (nearest == kNoNode || !is_native(plan.node(nearest)) || !is_spark_work(node)) continue;
    parts.push_back(part_below(plan, node.id, plan.node(nearest).engine));
  }
  return parts;
}

}  // namespace planvet::rules
