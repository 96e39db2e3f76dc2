#include "analyzer/report/fingerprint.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <xxhash.h>

#include <fmt/core.h>

#include "analyzer/plan/characters.hpp"

namespace planvet {
namespace {

// Of the root of a query with thousands of scans a few tell as much as all.
constexpr int kTables = 32;
constexpr std::size_t kLookedAt = 1000;

std::size_t skip_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

// What is volatile at `at`: how far it reaches, and what is left of it.
struct Volatile {
  std::size_t end = 0;  // 0: nothing
  std::string_view left;
};

Volatile volatile_at(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  const char c = rest.front();
  if (c == '#' && rest.size() > 1 && is_digit(rest[1])) {
    std::size_t end = skip_digits(text, at + 1);
    if (end < text.size() && text[end] == 'L') ++end;
    return {end, ""};
  }
  // An object's address: Function@4f2e1a.
  if (c == '@' && rest.size() > 4 && is_hex(rest[1])) {
    std::size_t end = at + 1;
    while (end < text.size() && is_hex(text[end])) ++end;
    if (end - at > 4 && (end == text.size() || !is_word(text[end]))) return {end, "@"};
  }
  // Class$$Lambda$123/0x00007f: a number of this JVM.
  constexpr std::string_view kLambda = "$Lambda";
  if (rest.starts_with(kLambda)) {
    std::size_t end = at + kLambda.size();
    while (end < text.size() && (is_word(text[end]) || text[end] == '$' || text[end] == '/')) ++end;
    return {end, kLambda};
  }
  constexpr std::string_view kPlanId = "plan_id=";
  if (rest.starts_with(kPlanId)) return {skip_digits(text, at + kPlanId.size()), kPlanId};
  // A path: what lies there is said by tables and columns.
  for (const std::string_view scheme : {"file:/", "hdfs:/", "s3:/", "s3a:/", "s3n:/", "gs:/", "abfs:/", "abfss:/",
                                        "wasbs:/", "dbfs:/", "oss:/", "cos:/"}) {
    if (!rest.starts_with(scheme) || (at > 0 && is_word(text[at - 1]))) continue;
    const std::size_t end = text.find_first_of(" ,)]}'\"", at);
    return {end == std::string_view::npos ? text.size() : end, scheme.substr(0, scheme.size() - 1)};
  }
  return {};
}

// And without the number of partitions that ends `hashpartitioning(k#1, 200)`.
std::string_view without_partition_count(std::string_view text) {
  if (!text.ends_with(')')) return text;
  std::size_t digits = text.size() - 1;
  while (digits > 0 && is_digit(text[digits - 1])) --digits;
  return digits < text.size() - 1 ? text.substr(0, digits) : text;
}

std::string_view last_two_parts(std::string_view name) {
  const std::size_t last = name.rfind('.');
  if (last == std::string_view::npos || last == 0) return name;
  const std::size_t before = name.rfind('.', last - 1);
  return before == std::string_view::npos ? name : name.substr(before + 1);
}

}  // namespace

std::string without_volatile_parts(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const Volatile found = volatile_at(text, at);
    if (found.end > at) {
      out += found.left;
      at = found.end;
    } else {
      out.push_back(text[at++]);
    }
  }
  return out;
}

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
        out += without_volatile_parts(attribute.text);
        break;
      case AttributeKind::Partitioning:
        out.append("\npartitioning=").append(without_volatile_parts(without_partition_count(attribute.text)));
        break;
      default: break;  // sizes, places, ids, and what repeats the above
    }
  }
  int tables = 0;
  const auto subtree = plan.subtree(id);
  for (const PlanNode& below : subtree.first(std::min(subtree.size(), kLookedAt))) {
    if (tables == kTables) break;
    if (const Attribute* table = plan.find(below.id, AttributeKind::Table)) {
      out.append("\ntable=").append(without_volatile_parts(last_two_parts(table->text)));
      ++tables;
    }
  }
  return out;
}

namespace {

void set_context(const PlanDocument& document, Finding& finding) {
  const PlanTree& plan = document.fragments[finding.fragment].tree;
  std::string key(finding.rule->code);
  key.append("\n").append(operator_context(plan, finding.node));
  for (const std::string& reason : finding.reasons) key.append("\n").append(reason);
  // One operator may have several facts of one rule: conjuncts of a filter.
  const PlanNode& node = plan.node(finding.node);
  if (!finding.span.empty() && !(finding.span == node.name_span))
    key.append("\nfact=").append(without_volatile_parts(document.source->text(finding.span)));
  const XXH128_hash_t hash = XXH3_128bits(key.data(), key.size());
  finding.subject.context = fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

void set_contexts(DocumentReport& report) {
  for (Finding& finding : report.findings) set_context(report.document, finding);
  for (CacheRead& read : report.cache_reads) set_context(report.document, read.finding);
}

void Fingerprints::assign(DocumentReport& next) {
  for (Finding& finding : next.findings) {
    const int ordinal = seen_[finding.subject.context]++;
    const std::string key = fmt::format("{}\n{}\n{}", path_, finding.subject.context, ordinal);
    const XXH128_hash_t hash = XXH3_128bits(key.data(), key.size());
    finding.fingerprint = fmt::format("xxh128:{:016x}{:016x}", hash.high64, hash.low64);
  }
}

void Fingerprints::pass(std::span<const std::string> contexts) {
  for (const std::string& context : contexts) ++seen_[context];
}

void assign_fingerprints(std::span<DocumentReport> documents, std::string_view path) {
  Fingerprints fingerprints{std::string(path)};
  for (DocumentReport& report : documents) fingerprints.assign(report);
}

}  // namespace planvet
