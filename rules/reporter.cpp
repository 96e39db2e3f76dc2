#include "rules/reporter.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

namespace planvet::rules {

Finding& Reporter::report(const PlanNode& node, Severity severity, std::string message) {
  Finding finding;
  finding.rule = rule_;
  finding.severity = severity;
  finding.node = node.id;
  finding.span = node.name_span;
  finding.message = std::move(message);
  findings_.push_back(std::move(finding));
  return findings_.back();
}

Finding& Reporter::report_fact(const PlanNode& node, std::string_view fact, Severity severity, std::string message) {
  Finding& finding = report(node, severity, std::move(message));
  const Span span = document_.source->span_of(fact);
  const bool is_on_tree_line = span.empty() || (span.begin >= node.span.begin && span.end <= node.span.end);
  if (is_on_tree_line) return finding;
  finding.span = span;
  finding.related.push_back({node.id, node.name_span, "of this operator"});
  return finding;
}

CacheRead& Reporter::cache_read(const PlanNode& node, Severity severity) {
  CacheRead read;
  read.finding.rule = rule_;
  read.finding.severity = severity;
  read.finding.node = node.id;
  read.finding.span = node.name_span;
  cache_reads_.push_back(std::move(read));
  return cache_reads_.back();
}

void Reporter::skip(std::string reason) {
  const bool is_known = std::any_of(skipped_.begin(), skipped_.end(), [&](const SkippedRule& skipped) {
    return skipped.rule == rule_ && skipped.reason == reason;
  });
  if (!is_known) skipped_.push_back({rule_, std::move(reason)});
}

void Reporter::skip_without(std::string_view what, std::string_view where) {
  skip(document_.input == InputKind::EventLog ? fmt::format("needs {}, which the log does not tell", what)
                                              : fmt::format("needs {}: {}", what, where));
}

void Reporter::want(const PlanNode& node, const Attribute& attribute) {
  auto found =
      std::find_if(wishes_.begin(), wishes_.end(), [&](const Wish& wish) { return wish.attribute == &attribute; });
  if (found == wishes_.end()) found = wishes_.insert(wishes_.end(), Wish{&node, &attribute, {}});
  if (found->rules.empty() || found->rules.back() != rule_) found->rules.push_back(rule_);
}

std::vector<Note> Reporter::cut_notes() const {
  std::vector<Note> notes;
  for (const Wish& wish : wishes_) {
    std::string names;
    for (const RuleInfo* rule : wish.rules) names.append(names.empty() ? "" : ", ").append(rule->name);
    Note note;
    note.kind = NoteKind::TruncatedPlan;
    note.span = document_.source->span_of(wish.attribute->text);
    if (note.span.empty()) note.span = wish.node->name_span;
    const std::string_view label =
        wish.attribute->label.empty() ? info(wish.attribute->kind).json_name : wish.attribute->label;
    note.message =
        wish.attribute->completeness == Completeness::Truncated
            ? fmt::format("{} of {} is cut in the text: {} could not judge it; use df.explain(\"formatted\")", label,
                          wish.node->printed_name, names)
            : fmt::format("{} of {} could not be read: {} could not judge it", label, wish.node->printed_name, names);
    notes.push_back(std::move(note));
  }
  return notes;
}

}  // namespace planvet::rules
