#include "analyzer/compare/names.hpp"

#include <algorithm>
#include <functional>

#include <fmt/core.h>

#include "analyzer/plan/characters.hpp"
#include "analyzer/plan/expression_list.hpp"
#include "analyzer/plan/views.hpp"

namespace planvet::compare {
namespace {

constexpr std::size_t kNamed = 3;

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

std::string_view last_part(std::string_view name) {
  if (name.find_first_of(" ()/") != std::string_view::npos) return name;
  return name.substr(name.rfind('.') + 1);
}

std::string source_name(const PlanTree& plan, const PlanNode& node) {
  switch (family(node.kind)) {
    case OperatorFamily::Scan: {
      const auto scan = Scan::of(plan, node.id);
      const std::string_view name = scan ? scan->display_name() : std::string_view{};
      if (!name.empty() && name != "*") return std::string(last_part(name));
      const Attribute* format = plan.find(node.id, AttributeKind::Format);
      return format == nullptr ? std::string(node.printed_name) : std::string(format->text) + " files";
    }
    case OperatorFamily::Local:
      if (node.kind == OperatorKind::Range) return "a range";
      if (node.kind == OperatorKind::OneRowRelation) return "one row";
      return "literal rows";
    case OperatorFamily::Cache:
      if (node.kind != OperatorKind::InMemoryTableScan) return {};
      if (const Attribute* table = plan.find(node.id, AttributeKind::Table)) return std::string(last_part(table->text));
      return "a cached plan";
    default: return {};
  }
}

// Rows that the operator passes on come from here.
bool feeds(const PlanNode& node) { return node.link == Link::Child; }

std::string list_in_words(const std::vector<std::string>& items, std::size_t more) {
  std::string out;
  for (std::size_t at = 0; at < items.size(); ++at) {
    if (at > 0) out += at + 1 == items.size() && more == 0 ? " and " : ", ";
    out += items[at];
  }
  if (more > 0) out += fmt::format(" and {} more", more);
  return out;
}

std::string by_keys(const PlanTree& plan, NodeId id, AttributeKind kind) {
  const Attribute* keys = plan.find(id, kind);
  if (keys == nullptr) return {};
  std::vector<std::string> names;
  const ItemList list = split_list(keys->text, keys->count > 0 ? keys->count : kAnyCount);
  for (const std::string_view item : list.items) {
    if (names.size() < kNamed) names.push_back(without_ids(item));
  }
  const std::size_t more = list.items.size() + list.missing - names.size();
  return names.empty() ? std::string() : " by " + list_in_words(names, more);
}

}  // namespace

std::string without_ids(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_id =
        text[at] == '#' && at > 0 && text[at - 1] != ' ' && at + 1 < text.size() && is_digit(text[at + 1]);
    if (!is_id) {
      out += text[at];
      continue;
    }
    while (at + 1 < text.size() && is_digit(text[at + 1])) ++at;
    if (at + 1 < text.size() && text[at + 1] == 'L') ++at;
  }
  return out;
}

Names::Names(const PlanTree& plan) : plan_(plan), sources_(plan.size()), hashes_(plan.size()) {
  for (std::size_t at = plan.size(); at-- > 0;) {
    const PlanNode& node = plan.nodes()[at];
    sources_[at] = source_name(plan, node);
    std::uint64_t hash = sources_[at].empty() ? 0 : std::hash<std::string>()(sources_[at]) | 1U;
    for (NodeId child = next(node.id); child < node.subtree_end; child = plan.node(child).subtree_end) {
      if (feeds(plan.node(child))) hash += hashes_[index(child)];
    }
    hashes_[at] = hash;
  }
  // A reused exchange reads what the other made, wherever that stands.
  for (std::size_t at = plan.size(); at-- > 0;) {
    const PlanNode& node = plan.nodes()[at];
    if (node.reuses == kNoNode) continue;
    const std::uint64_t reused = hashes_[index(node.reuses)];
    sources_[at] = sources_of(node.reuses);
    hashes_[at] = reused;
    NodeId above = node.parent;
    for (NodeId below = node.id; above != kNoNode && feeds(plan.node(below)); above = plan.node(below).parent) {
      hashes_[index(above)] += reused;
      below = above;
    }
  }
}

std::vector<std::string> Names::source_list(NodeId id, std::size_t most) const {
  std::vector<std::string> found;
  const NodeId end = plan_.node(id).subtree_end;
  for (NodeId at = id; at < end && found.size() < most;) {
    const PlanNode& node = plan_.node(at);
    if (at != id && !feeds(node)) {
      at = node.subtree_end;
      continue;
    }
    const std::string& source = sources_[index(at)];
    if (!source.empty() && std::find(found.begin(), found.end(), source) == found.end()) found.push_back(source);
    at = next(at);
  }
  return found;
}

std::string Names::sources_of(NodeId id) const {
  constexpr std::size_t kCounted = 100;
  std::vector<std::string> all = source_list(id, kCounted);
  const std::size_t more = all.size() > kNamed ? all.size() - kNamed : 0;
  all.resize(all.size() - more);
  return list_in_words(all, more);
}

std::string Names::subject(NodeId id) const {
  const PlanNode& node = plan_.node(id);
  const std::string sources = sources_of(id);
  switch (family(node.kind)) {
    case OperatorFamily::Join: {
      const std::vector<NodeId> inputs = plan_.inputs(id);
      if (inputs.size() != 2) return "join of " + sources;
      const std::string left = sources_of(inputs[0]);
      const std::string right = sources_of(inputs[1]);
      if (left.empty() || right.empty()) return "join of " + sources;
      const bool is_long = left.find(' ') != std::string::npos && left.find(" and ") != std::string::npos;
      return fmt::format("join of {} {} {}", left, is_long ? "with" : "and", right);
    }
    case OperatorFamily::Scan:
    case OperatorFamily::Local:
    case OperatorFamily::Cache: return "scan of " + source(id);
    case OperatorFamily::Aggregate: {
      const std::string keys = by_keys(plan_, id, AttributeKind::GroupingKeys);
      return "aggregation of " + sources + keys;
    }
    case OperatorFamily::Window:
      if (node.kind == OperatorKind::WindowGroupLimit) return "limit of each group of " + sources;
      return "window over " + sources + by_keys(plan_, id, AttributeKind::PartitionSpec);
    case OperatorFamily::Sort: return "sort of " + sources + by_keys(plan_, id, AttributeKind::SortOrder);
    case OperatorFamily::Filter: return "filter on " + sources;
    case OperatorFamily::Limit: return sources.empty() ? "limit" : "limit of " + sources;
    case OperatorFamily::Union: return "union of " + sources;
    case OperatorFamily::Python: return "Python on " + sources;
    case OperatorFamily::Write: return "write of " + sources;
    default: {
      const std::string kind = kind_in_words(node);
      return sources.empty() ? kind : kind + " of " + sources;
    }
  }
}

std::string kind_in_words(const PlanNode& node) {
  const std::string_view name = node.kind == OperatorKind::Unknown ? node.printed_name : info(node.kind).name;
  std::string out;
  for (std::size_t at = 0; at < name.size(); ++at) {
    const bool begins_word = at > 0 && is_upper(name[at]) && is_lower(name[at - 1]);
    if (begins_word) out += ' ';
    const bool is_acronym =
        is_upper(name[at]) && ((at + 1 < name.size() && is_upper(name[at + 1])) || (at > 0 && is_upper(name[at - 1])));
    out += is_upper(name[at]) && !is_acronym ? static_cast<char>(name[at] - 'A' + 'a') : name[at];
  }
  return out;
}

}  // namespace planvet::compare
