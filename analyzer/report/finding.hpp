// One thing that a rule says about one operator.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/plan/document.hpp"
#include "analyzer/plan/evidence_source.hpp"
#include "analyzer/plan/ids.hpp"
#include "analyzer/plan/operator.hpp"
#include "analyzer/plan/source.hpp"
#include "analyzer/report/rule_info.hpp"

namespace planvet {

struct Evidence {
  std::string what;       // "right side"
  double value = 0;       // in base units
  std::string_view unit;  // "bytes", "rows", "count", "ms", "ratio"
  EvidenceSource source = EvidenceSource::Plan;
};

// Another place that belongs to the finding: the tree line of a fact in a detail block, what else the cause explains.
struct RelatedPlace {
  std::optional<NodeId> node;
  Span span;
  std::string message;
};

// What is said of a finding's operator once its plan is gone: a run keeps findings of thousands of plans, not the plans.
struct FindingOperator {
  OperatorKind kind = OperatorKind::Unknown;
  std::string printed_name;
  std::optional<std::uint32_t> operator_id;
  FragmentRole fragment = FragmentRole::Only;
  std::vector<std::string> tables;  // read below it, as printed
  std::string context;              // a hash of what stays when the plan is made again: half of the fingerprint
};

struct Finding {
  const RuleInfo* rule = nullptr;
  Severity severity = Severity::Warning;
  std::size_t fragment = 0;  // of the document's; `node` is one of its tree
  NodeId node{};
  FindingOperator subject;
  std::vector<NodeId> also_about;  // of its cause too: a rule that precedes this one may stand on one of them
  Span span;                       // what the caret marks: the operator's name, or the fact in its detail block
  std::string message;             // a fact about this operator, with the plan's own names and numbers
  std::string fix;  // imperative, with the exact hint, conf or rewrite as code in backticks: fix_parts.hpp
  std::vector<Evidence> evidence;
  std::vector<std::string> reasons;  // slugs of rules that name causes: "cast-on-column"
  // Of a run that was measured: the operators whose work the fix may spare. Empty: `node` and `also_about`.
  std::vector<NodeId> saves;
  std::optional<double> saving_upper_bound_ms;  // wall time, no more than that: rules/saving.hpp
  std::vector<RelatedPlace> related;
  std::string fingerprint;  // "xxh128:..": stable under renumbered ids, moved lines, other paths
  bool is_baseline = false;
  std::optional<std::string> suppressed_by;
};

}  // namespace planvet
