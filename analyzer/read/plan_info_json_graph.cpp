#include "analyzer/read/plan_info_json_graph.hpp"

#include <functional>
#include <unordered_map>

namespace planvet::read::plan_info {
namespace {

std::string_view raw(std::string_view bytes, JsonString string) {
  return string.exists() ? bytes.substr(string.begin, string.end - string.begin) : std::string_view();
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15U;
  return hash ^ (hash >> 29U);
}

}  // namespace

std::vector<std::uint64_t> subtree_hashes(std::string_view bytes, const Plan& plan) {
  std::vector<std::uint64_t> hashes(plan.nodes.size());
  const std::hash<std::string_view> hash;
  for (std::size_t i = plan.nodes.size(); i-- > 0;) {
    const Node& node = plan.nodes[i];
    std::uint64_t value = mixed(hash(raw(bytes, node.node_name)), hash(raw(bytes, node.simple_string)));
    for (std::uint32_t child = static_cast<std::uint32_t>(i) + 1; child < node.subtree_end;
         child = plan.nodes[child].subtree_end) {
      value = mixed(value, hashes[child]);
    }
    hashes[i] = value;
  }
  return hashes;
}

// The rules of SparkPlanGraph: a cluster is numbered before its members; InputAdapter and query stages are not drawn;
// an exchange or subquery that is drawn already is only pointed at.
std::vector<std::uint32_t> graph_ids(std::string_view bytes, const Plan& plan,
                                     const std::vector<std::uint64_t>& hashes) {
  std::vector<std::uint32_t> ids(plan.nodes.size(), kNone);
  std::unordered_map<std::uint64_t, std::uint32_t> drawn;  // hash -> the node whose subtree has the ids
  std::uint32_t next_id = 0;

  // What is pointed at has its ids where it was drawn first.
  const auto point_at = [&](std::uint32_t node) {
    const std::uint32_t original = drawn.at(hashes[node]);
    const std::uint32_t size = plan.nodes[node].subtree_end - node;
    if (plan.nodes[original].subtree_end - original != size) return;
    for (std::uint32_t i = 0; i < size; ++i) ids[node + i] = ids[original + i];
  };

  for (std::uint32_t at = 0; at < plan.nodes.size();) {
    const Node& node = plan.nodes[at];
    const std::string_view name = raw(bytes, node.node_name);
    const std::uint32_t child = at + 1 < node.subtree_end ? at + 1 : kNone;
    const bool is_child_drawn = child != kNone && drawn.contains(hashes[child]);
    if (name == "InputAdapter" || name == "TableCacheQueryStage" || name == "ReusedSubquery") {
      ++at;
    } else if (name == "BroadcastQueryStage" || name == "ShuffleQueryStage" || name == "ResultQueryStage") {
      if (is_child_drawn) point_at(child);
      at = is_child_drawn ? node.subtree_end : at + 1;
    } else if (name == "ReusedExchange" && is_child_drawn) {
      at = node.subtree_end;
    } else if (name == "Subquery" && drawn.contains(hashes[at])) {
      point_at(at);
      at = node.subtree_end;
    } else {
      ids[at] = next_id++;
      if (name.find("Exchange") != std::string_view::npos || name == "Subquery") drawn.insert_or_assign(hashes[at], at);
      ++at;
    }
  }
  return ids;
}

}  // namespace planvet::read::plan_info
