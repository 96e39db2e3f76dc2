#include "analyzer/read/explain/photon_broadcasts.hpp"

#include <unordered_map>

namespace planvet::read::explain {
namespace {

using Handle = PlanBuilder::Handle;

bool is_broadcast_join(OperatorKind kind) {
  return kind == OperatorKind::BroadcastHashJoin || kind == OperatorKind::BroadcastNestedLoopJoin;
}

// Between a sink and the operator that reads its rows.
bool is_of_the_chain(OperatorKind kind) {
  return kind == OperatorKind::PhotonShuffleMapStage || kind == OperatorKind::PhotonShuffleExchangeSource ||
         kind == OperatorKind::ShuffleQueryStage || kind == OperatorKind::AQEShuffleRead;
}

bool says_nothing(const PlanBuilder& builder, Handle handle) {
  return !builder.has_attribute(handle, AttributeKind::Partitioning) &&
         !builder.has_attribute(handle, AttributeKind::Arguments);
}

}  // namespace

void mark_photon_broadcasts(const PrintedTree& tree, PlanBuilder& builder) {
  std::unordered_map<Handle, Handle> first_input;
  for (const PrintedNode& printed : tree.nodes) {
    const Handle parent = builder.parent(printed.handle);
    if (parent != PlanBuilder::kNone && builder.node(printed.handle).link == Link::Child)
      first_input.try_emplace(parent, printed.handle);
  }
  for (const PrintedNode& printed : tree.nodes) {
    PlanNode& sink = builder.node(printed.handle);
    if (sink.engine != Engine::Photon || sink.kind != OperatorKind::ShuffleExchange) continue;
    if (!says_nothing(builder, printed.handle)) continue;
    Handle input = printed.handle;
    Handle above = builder.parent(input);
    bool is_known = false;
    while (above != PlanBuilder::kNone && is_of_the_chain(builder.node(above).kind)) {
      is_known = is_known || !says_nothing(builder, above);
      input = above;
      above = builder.parent(above);
    }
    if (above == PlanBuilder::kNone || is_known || !is_broadcast_join(builder.node(above).kind)) continue;
    const Attribute* const side = builder.find_attribute(above, AttributeKind::BuildSide);
    const Attribute* const type = builder.find_attribute(above, AttributeKind::JoinType);
    const bool builds_left =
        side != nullptr ? side->text == "BuildLeft" : type != nullptr && type->text == "RightOuter";
    if (builds_left == (first_input[above] == input)) sink.kind = OperatorKind::BroadcastExchange;
  }
}

}  // namespace planvet::read::explain
