// Shuffles, broadcasts and what is reused of them.
#include <algorithm>
#include <array>
#include <map>

#include "analyzer/compare/comparison.hpp"
#include "analyzer/plan/views.hpp"

namespace planvet::compare {
namespace {

// "hashpartitioning(k, 200)": the columns, and the number.
struct Partitioning {
  std::string columns;
  std::string count;
};

Partitioning split(const std::string& text) {
  if (!text.ends_with(')')) return {text, {}};
  std::size_t begin = text.size() - 1;
  while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9') --begin;
  const std::string count = text.substr(begin, text.size() - 1 - begin);
  std::size_t end = begin;
  while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == ',')) --end;
  if (count.empty()) return {text, {}};
  return {text.substr(0, end) + (text[end - 1] == '(' ? "" : ")"), count};
}

std::string needed_by(const Side& side, NodeId id) {
  const NodeId above = consumer(side.plan, id);
  return "the " + (above == kNoNode ? std::string("result") : side.names.subject(above));
}

bool is_role(const PlanTree& plan, NodeId id, Role role) { return role_of(plan, id) == role; }

// The join above is new, gone, or works in another way: that says it all.
bool is_explained(const Comparison& comparison, NodeId id, bool is_new) {
  const Side& own = is_new ? comparison.after : comparison.before;
  const NodeId above = consumer(own.plan, id);
  if (above == kNoNode) return false;
  const NodeId partner = is_new ? comparison.matching.before[index(above)] : comparison.matching.after[index(above)];
  if (partner == kNoNode) return true;
  const Side& other = is_new ? comparison.before : comparison.after;
  return own.plan.node(above).kind != other.plan.node(partner).kind;
}

void compare_partitioning(Comparison& comparison, NodeId old_id, NodeId new_id,
                          std::map<std::pair<std::string, std::string>, std::size_t>& counts) {
  if (!comparison.differs(old_id, new_id, AttributeKind::Partitioning)) return;
  const std::string old_text = comparison.before.text(old_id, AttributeKind::Partitioning);
  const std::string new_text = comparison.after.text(new_id, AttributeKind::Partitioning);
  const Partitioning was = split(old_text);
  const Partitioning is = split(new_text);
  if (was.columns == is.columns) {
    ++counts[{was.count, is.count}];
    return;
  }
  comparison.add({ChangeKind::ShuffleChanged, old_id, new_id, comparison.after.names.sources_of(new_id), old_text,
                  new_text, needed_by(comparison.after, new_id)});
}

void add_unmatched(Comparison& comparison, NodeId id, Role role, bool is_new) {
  const Side& side = is_new ? comparison.after : comparison.before;
  const NodeId before = is_new ? kNoNode : id;
  const NodeId after = is_new ? id : kNoNode;
  if (role == Role::Shuffle) {
    const std::string partitioning = side.text(id, AttributeKind::Partitioning);
    comparison.add({is_new ? ChangeKind::ShuffleAdded : ChangeKind::ShuffleGone, before, after,
                    side.names.sources_of(id), is_new ? std::string() : partitioning,
                    is_new ? partitioning : std::string(), needed_by(side, id)});
  } else if (role == Role::Broadcast) {
    if (is_explained(comparison, id, is_new)) return;
    comparison.add({is_new ? ChangeKind::BroadcastAdded : ChangeKind::BroadcastGone,
                    before,
                    after,
                    side.names.sources_of(id),
                    {},
                    {},
                    needed_by(side, id)});
  } else {
    comparison.add({is_new ? ChangeKind::ReuseAdded : ChangeKind::ReuseGone,
                    before,
                    after,
                    side.names.source(id),
                    {},
                    {},
                    needed_by(side, id)});
  }
}

void compare_counts(Comparison& comparison) {
  struct Counted {
    Role role;
    const char* name;
  };
  constexpr std::array<Counted, 3> kCounted = {
      {{Role::Shuffle, "shuffles"}, {Role::Broadcast, "broadcasts"}, {Role::Reuse, "reused exchanges"}}};
  for (const Counted& counted : kCounted) {
    const auto count = [&](const PlanTree& plan) {
      return std::count_if(plan.nodes().begin(), plan.nodes().end(),
                           [&](const PlanNode& node) { return role_of(plan, node.id) == counted.role; });
    };
    const auto was = count(comparison.before.plan);
    const auto is = count(comparison.after.plan);
    if (was == is) continue;
    comparison.add({ChangeKind::Count, kNoNode, kNoNode, counted.name, std::to_string(was), std::to_string(is), {}});
  }
}

}  // namespace

NodeId consumer(const PlanTree& plan, NodeId id) {
  while (plan.node(id).link == Link::Child) {
    id = plan.node(id).parent;
    switch (role_of(plan, id)) {
      case Role::None:
      case Role::Sort:
      case Role::Filter: break;
      default: return id;
    }
  }
  return kNoNode;
}

void compare_shuffles(Comparison& comparison) {
  std::map<std::pair<std::string, std::string>, std::size_t> counts;
  for (const Role role : {Role::Shuffle, Role::Broadcast, Role::Reuse}) {
    for (const PlanNode& node : comparison.before.plan.nodes()) {
      if (!is_role(comparison.before.plan, node.id, role)) continue;
      const NodeId partner = comparison.matching.after[index(node.id)];
      if (partner == kNoNode) {
        add_unmatched(comparison, node.id, role, false);
      } else if (role == Role::Shuffle) {
        compare_partitioning(comparison, node.id, partner, counts);
      }
    }
    for (const PlanNode& node : comparison.after.plan.nodes()) {
      if (!is_role(comparison.after.plan, node.id, role)) continue;
      if (comparison.matching.before[index(node.id)] == kNoNode) add_unmatched(comparison, node.id, role, true);
    }
  }
  for (const auto& [count, shuffles] : counts) {
    comparison.add(
        {ChangeKind::PartitionCount, kNoNode, kNoNode, std::to_string(shuffles), count.first, count.second, {}});
  }
  compare_counts(comparison);
}

}  // namespace planvet::compare
