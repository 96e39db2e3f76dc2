// Takes what the rules say: findings, what they could not judge for want of evidence, what they wanted and was cut.
#pragma once

#include <string>
#include <vector>

#include "analyzer/plan/document.hpp"
#include "analyzer/report/cache_read.hpp"
#include "analyzer/report/finding.hpp"
#include "analyzer/report/report.hpp"

namespace planvet::rules {

class Reporter {
 public:
  explicit Reporter(const PlanDocument& document) : document_(document) {}

  void set_rule(const RuleInfo& rule) { rule_ = &rule; }

  // About the operator as a whole: the caret stands under its name. The reference is good until the next report.
  // Where another rule explains this from a neighbour (a Window above this Exchange), put that operator into
  // `also_about` and a line of precedence into rules.def: see precedence.hpp.
  Finding& report(const PlanNode& node, Severity severity, std::string message);
  // About one fact of it. Where that stands in a detail block the caret does too, and `related` leads to the tree line.
  Finding& report_fact(const PlanNode& node, std::string_view fact, Severity severity, std::string message);

  // For when all queries of the application are known: a finding of this rule on `node`, without its words.
  CacheRead& cache_read(const PlanNode& node, Severity severity);

  // The rule found something to judge, and not the evidence for it. Once for each document and reason.
  void skip(std::string reason);
  // "needs `what`: `where`", with where a plan has that; of a log, which cannot be had otherwise, that it has none.
  void skip_without(std::string_view what, std::string_view where);
  // The rule would have judged by an attribute that was cut or unreadable: one PV901 for it, whoever asks.
  void want(const PlanNode& node, const Attribute& attribute);

  [[nodiscard]] std::vector<Finding>& findings() { return findings_; }
  [[nodiscard]] std::vector<SkippedRule>& skipped() { return skipped_; }
  [[nodiscard]] std::vector<CacheRead>& cache_reads() { return cache_reads_; }
  [[nodiscard]] std::vector<Note> cut_notes() const;

 private:
  struct Wish {
    const PlanNode* node;
    const Attribute* attribute;
    std::vector<const RuleInfo*> rules;
  };
  const PlanDocument& document_;
  const RuleInfo* rule_ = nullptr;
  std::vector<Finding> findings_;
  std::vector<SkippedRule> skipped_;
  std::vector<CacheRead> cache_reads_;
  std::vector<Wish> wishes_;
};

}  // namespace planvet::rules
