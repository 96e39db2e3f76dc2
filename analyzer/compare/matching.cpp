#include "analyzer/compare/matching.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"

namespace planvet::compare {
namespace {

std::uint64_t combine(std::uint64_t hash, std::uint64_t more) {
  return (hash ^ more) * 0x9E3779B97F4A7C15U + (hash >> 29U);
}

std::uint64_t hash_of(std::string_view text) { return std::hash<std::string_view>()(text); }

// Between two plans of one query these differ by chance, or repeat what other attributes say.
bool is_work(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::Output:
    case AttributeKind::Input:
    case AttributeKind::LeftOutput:
    case AttributeKind::RightOutput:
    case AttributeKind::PlanId:
    case AttributeKind::StageId:
    case AttributeKind::StatisticsSize:
    case AttributeKind::StatisticsRows:
    case AttributeKind::StatisticsIsRuntime:
    case AttributeKind::ReusesOperatorId:
    case AttributeKind::ReusedOperator:
    case AttributeKind::Location:
    case AttributeKind::Arguments:
    case AttributeKind::Other:
    case AttributeKind::SubqueryName:
    case AttributeKind::HostingExpression: return false;
    default: return true;
  }
}

// What makes an operator of its role this one: the keys of a join, the columns of a shuffle.
std::uint64_t main_hash(const PlanTree& plan, NodeId id) {
  std::uint64_t hash = 0;
  for (const Attribute& attribute : plan.attributes(id)) {
    switch (attribute.kind) {
      case AttributeKind::LeftKeys:
      case AttributeKind::RightKeys: hash += hash_of(without_ids(attribute.text)); break;  // sides may be swapped
      case AttributeKind::Partitioning:
      case AttributeKind::GroupingKeys:
      case AttributeKind::PartitionSpec:
      case AttributeKind::SortOrder:
      case AttributeKind::Condition: hash += hash_of(without_ids(attribute.text)) * 3; break;
      default: break;
    }
  }
  return hash;
}

class Matcher {
 public:
  Matcher(const PlanTree& before, const Names& before_names, const PlanTree& after, const Names& after_names)
      : sides_{{before, before_names}, {after, after_names}} {
    matching_.after.assign(before.size(), kNoNode);
    matching_.before.assign(after.size(), kNoNode);
    for (Side& side : sides_) {
      side.roles.reserve(side.plan.size());
      for (const PlanNode& node : side.plan.nodes()) side.roles.push_back(role_of(side.plan, node.id));
    }
  }

  Matching run() {
    const auto exact = [](const Side& side, NodeId id) {
      return combine(combine(base(side, id), side.names.sources_hash(id)), work_hash(side.plan, id));
    };
    const auto same_keys = [](const Side& side, NodeId id) {
      return combine(combine(base(side, id), side.names.sources_hash(id)), main_hash(side.plan, id));
    };
    const auto same_sources = [](const Side& side, NodeId id) {
      return combine(base(side, id), side.names.sources_hash(id));
    };
    // A table more or less below: the keys tell.
    const auto keys_alone = [](const Side& side, NodeId id) {
      const std::uint64_t keys = main_hash(side.plan, id);
      return keys == 0 ? 0 : combine(base(side, id) + 1, keys);
    };
    // The same operator above (through structure), and the same place below it.
    const auto same_parent = [this](const Side& side, NodeId id) -> std::uint64_t {
      NodeId above = side.plan.node(id).parent;
      while (above != kNoNode && side.roles[index(above)] == Role::None) above = side.plan.node(above).parent;
      if (above == kNoNode) return combine(base(side, id), 7);
      const bool is_first = &side == &sides_[0];
      const NodeId partner = is_first ? above : matching_.before[index(above)];
      if (partner == kNoNode || matching_.after[index(partner)] == kNoNode) return 0;
      return combine(combine(base(side, id), 11), index(partner));
    };
    round(exact);
    round(same_keys);
    round(same_sources);
    round(keys_alone);
    round(same_parent);
    return std::move(matching_);
  }

 private:
  struct Side {
    const PlanTree& plan;
    const Names& names;
    std::vector<Role> roles = {};
  };

  static std::uint64_t base(const Side& side, NodeId id) {
    const PlanNode& node = side.plan.node(id);
    const Role role = side.roles[index(id)];
    std::uint64_t hash = static_cast<std::uint64_t>(role) + 1;
    if (role == Role::Source) hash = combine(hash, hash_of(side.names.source(id)));
    if (role == Role::Other) hash = combine(hash, static_cast<std::uint64_t>(node.kind));
    return hash;
  }

  template <typename Key>
  void round(const Key& key) {
    std::unordered_map<std::uint64_t, std::vector<NodeId>> open;  // in reverse, so that the first is taken first
    const Side& after = sides_[1];
    for (std::size_t at = after.plan.size(); at-- > 0;) {
      const NodeId id = after.plan.nodes()[at].id;
      if (after.roles[at] == Role::None || matching_.before[at] != kNoNode) continue;
      if (const std::uint64_t hash = key(after, id); hash != 0) open[hash].push_back(id);
    }
    const Side& before = sides_[0];
    for (const PlanNode& node : before.plan.nodes()) {
      if (before.roles[index(node.id)] == Role::None || matching_.after[index(node.id)] != kNoNode) continue;
      const std::uint64_t hash = key(before, node.id);
      const auto found = hash == 0 ? open.end() : open.find(hash);
      if (found == open.end() || found->second.empty()) continue;
      const NodeId partner = found->second.back();
      found->second.pop_back();
      matching_.after[index(node.id)] = partner;
      matching_.before[index(partner)] = node.id;
    }
  }

  std::vector<Side> sides_;
  Matching matching_;
};

bool is_partial(const PlanTree& plan, NodeId id) {
  const Attribute* functions = plan.find(id, AttributeKind::Functions);
  const Attribute* mode = plan.find(id, AttributeKind::AggregateMode);
  if (mode != nullptr) return mode->text.find("Partial") != std::string_view::npos;
  if (functions != nullptr && functions->text.find_first_not_of("[] ") != std::string_view::npos) {
    return functions->text.find("partial_") != std::string_view::npos;
  }
  // Without functions: the one below the shuffle.
  const NodeId above = above_structure(plan, id);
  return above != kNoNode && family(plan.node(above).kind) == OperatorFamily::Exchange;
}

}  // namespace

Role role_of(const PlanTree& plan, NodeId id) {
  const PlanNode& node = plan.node(id);
  if (node.is_logical) return Role::None;
  switch (family(node.kind)) {
    case OperatorFamily::Scan:
    case OperatorFamily::Local: return Role::Source;
    case OperatorFamily::Cache: return node.kind == OperatorKind::InMemoryTableScan ? Role::Source : Role::None;
    case OperatorFamily::Filter: return Role::Filter;
    case OperatorFamily::Join: return Role::Join;
    case OperatorFamily::Aggregate: return is_partial(plan, id) ? Role::PartialAggregate : Role::Aggregate;
    case OperatorFamily::Window: return Role::Window;
    case OperatorFamily::Sort: return Role::Sort;
    case OperatorFamily::Exchange:
      return node.kind == OperatorKind::BroadcastExchange ? Role::Broadcast : Role::Shuffle;
    case OperatorFamily::Reuse: return Role::Reuse;
    case OperatorFamily::Limit: return Role::Limit;
    case OperatorFamily::Python: return Role::Python;
    case OperatorFamily::Project:
    case OperatorFamily::Subquery:
    case OperatorFamily::Logical: return Role::None;
    default: return is_structural(node.kind) ? Role::None : Role::Other;
  }
}

std::uint64_t work_hash(const PlanTree& plan, NodeId id) {
  std::uint64_t hash = static_cast<std::uint64_t>(plan.node(id).kind) + 1;
  for (const Attribute& attribute : plan.attributes(id)) {
    if (!is_work(attribute.kind)) continue;
    // A sum: formatted and one-line text print the same attributes in another order.
    hash += combine(static_cast<std::uint64_t>(attribute.kind) + 5, hash_of(without_ids(attribute.text)));
  }
  return hash;
}

Matching match(const PlanTree& before, const Names& before_names, const PlanTree& after, const Names& after_names) {
  return Matcher(before, before_names, after, after_names).run();
}

}  // namespace planvet::compare
