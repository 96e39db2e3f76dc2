// The identity of a finding, for baselines and for code hosts that track findings from run to run.
//
// xxh128 of plan path, rule, the operator's context and the ordinal among equal ones. The context is what stays when the
// plan is made again: operator, join type, keys, conditions and the fact that the caret marks, with expression ids,
// exchange ids, numbers of partitions, object addresses and locations taken out, and the tables below; no lines, no
// sizes.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/plan/plan_tree.hpp"
#include "analyzer/report/report.hpp"

namespace planvet {

[[nodiscard]] std::string operator_context(const PlanTree& plan, NodeId node);

// Without what another session prints otherwise: `#12L`, `[id=#7]`, `plan_id=9`, `@4f2e`, `$$Lambda$12/0x00`, paths.
[[nodiscard]] std::string without_volatile_parts(std::string_view text);

// While the document has its plans: what of the fingerprint depends on them.
void set_contexts(DocumentReport& report);

// Of all findings of the documents of one input, in their order. `path` is the same wherever planvet is started.
class Fingerprints {
 public:
  explicit Fingerprints(std::string path) : path_(std::move(path)) {}
  void assign(DocumentReport& next);
  // The next document where nobody keeps it: the contexts of its findings.
  void pass(std::span<const std::string> contexts);

 private:
  std::string path_;
  std::map<std::string, int, std::less<>> seen_;  // contexts so far
};
void assign_fingerprints(std::span<DocumentReport> documents, std::string_view path);

}  // namespace planvet
