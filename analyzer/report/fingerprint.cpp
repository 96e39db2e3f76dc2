#include "analyzer/report/fingerprint.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <string_view>
#include <xxhash.h>

#include <fmt/core.h>

namespace planvet {
namespace {

// Of the root of a query with thousands of scans a few tell as much as all.
constexpr int kTables = 32;
constexpr std::size_t kLookedAt = 1000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Without `#12`, `#12L`, and the number of partitions that ends `hashpartitioning(k#1, 200)`.
void append_normalised(std::string& out, std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '#' && i + 1 < text.size() && is_digit(text[i + 1])) {
      while (i + 1 < text.size() && is_digit(text[i + 1])) ++i;
      if (i + 1 < text.size() && text[i + 1] == 'L') ++i;
      continue;
    }
    out.push_back(c);
  }
}

void append_partitioning(std::string& out, std::string_view text) {
  std::size_t end = text.size();
  if (end > 0 && text[end - 1] == ')') {
    std::size_t digits = end - 1;
    while (digits > 0 && is_digit(text[digits - 1])) --digits;
    if (digits < end - 1) end = digits;
  }
  append_normalised(out, text.substr(0, end));
}

std::string_view last_two_parts(std::string_view name) {
  const std::size_t last = name.rfind('.');
  if (last == std::string_view::npos || last == 0) return name;
  const std::size_t before = name.rfind('.', last - 1);
  return before == std::string_view::npos ? name : name.substr(before + 1);
}

}  // namespace

std::string operator_context(const PlanTree& plan, NodeId id) {
  const PlanNode& node = plan.node(id);
  std::string out{info(node.kind).name};
  for (const Attribute& attribute : plan.attributes(id)) {
    switch (attribute.kind) {
      case AttributeKind::JoinType:
      case AttributeKind::LeftKeys:
      case AttributeKind::RightKeys:
      case AttributeKind::JoinCondition:
      case AttributeKind::Condition:
      case AttributeKind::GroupingKeys:
      case AttributeKind::PartitionSpec:
        out.append("\n").append(info(attribute.kind).json_name).append("=");
        append_normalised(out, attribute.text);
        break;
      case AttributeKind::Partitioning:
        out.append("\npartitioning=");
        append_partitioning(out, attribute.text);
        break;
      default: break;  // sizes, places, ids, and what repeats the above
    }
  }
  int tables = 0;
  const auto subtree = plan.subtree(id);
  for (const PlanNode& below : subtree.first(std::min(subtree.size(), kLookedAt))) {
    if (tables == kTables) break;
    if (const Attribute* table = plan.find(below.id, AttributeKind::Table)) {
      out.append("\ntable=").append(last_two_parts(table->text));
      ++tables;
    }
  }
  return out;
}

void assign_fingerprints(std::span<DocumentReport> documents) {
  std::map<std::string, int> seen;
  for (DocumentReport& report : documents) {
    for (Finding& finding : report.findings) {
      std::string key = report.document.source->path();
      key.append("\n")
          .append(finding.rule->code)
          .append("\n")
          .append(operator_context(report.document.fragments[finding.fragment].tree, finding.node));
      for (const std::string& reason : finding.reasons) key.append("\n").append(reason);
      const int ordinal = seen[key]++;
      key.append(fmt::format("\n{}", ordinal));
      const XXH128_hash_t hash = XXH3_128bits(key.data(), key.size());
      finding.fingerprint = fmt::format("xxh128:{:016x}{:016x}", hash.high64, hash.low64);
    }
  }
}

}  // namespace planvet
