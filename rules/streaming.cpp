// What PlanContext knows of streams.
#include "analyzer/plan/views.hpp"
#include "rules/plan_context.hpp"

namespace planvet::rules {
namespace {

bool is_of_a_stream(const PlanTree& plan, const PlanNode& node) {
  switch (node.kind) {
    case OperatorKind::EventTimeWatermark:
    case OperatorKind::WriteToDataSourceV2:
    case OperatorKind::WriteToContinuousDataSource:
    case OperatorKind::StreamingSymmetricHashJoin:
    case OperatorKind::StreamingLocalLimit: return true;
    default: break;
  }
  if (family(node.kind) == OperatorFamily::State) return true;
  const auto scan = Scan::of(plan, node.id);
  return scan && scan->is_streaming();
}

}  // namespace

bool PlanContext::is_streaming() const {
  if (!is_streaming_) {
    is_streaming_ = false;
    for (const PlanNode& node : operators()) {
      if (is_of_a_stream(plan(), node)) is_streaming_ = true;
    }
  }
  return *is_streaming_;
}

}  // namespace planvet::rules
