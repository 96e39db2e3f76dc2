#include "rules/run_rules.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "analyzer/report/finding_order.hpp"
#include "analyzer/report/fingerprint.hpp"
#include "rules/exchange_bill.hpp"
#include "rules/plan_context.hpp"
#include "rules/precedence.hpp"
#include "rules/reporter.hpp"
#include "rules/saving.hpp"

namespace planvet::rules {
namespace {

const std::map<std::string, std::string>* options_of(const RuleInfo& rule, const RuleSettings& settings) {
  for (const std::string_view key : {rule.name, rule.code}) {
    if (const auto found = settings.options.find(std::string(key)); found != settings.options.end()) {
      return &found->second;
    }
  }
  return nullptr;
}

// `-- planvet: allow NAME reason`: the line above the plan holds for all of it.
void mark_suppressed(DocumentReport& report) {
  for (Finding& finding : report.findings) {
    for (const AllowLine& allow : report.document.allows) {
      if (allow.rule != finding.rule->name && allow.rule != finding.rule->code) continue;
      if (allow.reason.empty()) continue;  // what nobody gave a reason for is not accepted
      finding.suppressed_by = "allow line: " + allow.reason;
      break;
    }
  }
}

bool has_note(const std::vector<Note>& notes, NoteKind kind) {
  return std::any_of(notes.begin(), notes.end(), [&](const Note& note) { return note.kind == kind; });
}

// PV905: an adaptive plan that has not run, or not to its end. The outermost flag decides.
void note_when_not_final(const Fragment& fragment, std::vector<Note>& notes) {
  if (has_note(notes, NoteKind::NotFinalPlan)) return;
  for (const PlanNode& node : fragment.tree.nodes()) {
    if (node.kind != OperatorKind::AdaptiveSparkPlan || node.is_logical) continue;
    const Attribute* flag = fragment.tree.find(node.id, AttributeKind::IsFinalPlan);
    if (flag == nullptr || flag->text != "false") return;
    notes.push_back({NoteKind::NotFinalPlan, node.name_span,
                     "the plan is adaptive and not final: joins, partitions and reuse may still change when it runs"});
    return;
  }
}

// PV902, where the log has lost ends of tasks: nothing in the text of a plan says so.
void note_lost_events(const PlanDocument& document, std::vector<Note>& notes) {
  if (document.metrics == nullptr || document.fragments.empty()) return;
  std::size_t operators = 0;
  for (const PlanNode& node : document.fragments.front().tree.nodes()) {
    const auto metrics = document.metrics->judged.of(node.id);
    operators += std::any_of(metrics.begin(), metrics.end(), [](const metrics::MeasuredMetric& metric) {
      return metric.trust.has(metrics::Doubt::LostEvents);
    });
  }
  if (operators == 0) return;
  notes.push_back(
      {NoteKind::IncompleteLog,
       {},
       fmt::format("the log lost ends of tasks: numbers of {} are lower bounds, and what needs more than that "
                   "was not judged by them",
                   operators == 1 ? std::string("1 operator") : fmt::format("{} operators", operators))});
}

// What outlives the plan.
FindingOperator subject_of(const PlanDocument& document, const Finding& finding) {
  // Of the root of a query with thousands of scans a few tell as much as all.
  constexpr std::size_t kMostTables = 32;
  const Fragment& fragment = document.fragments[finding.fragment];
  const PlanNode& node = fragment.tree.node(finding.node);
  FindingOperator subject{node.kind, std::string(node.printed_name), node.operator_id, fragment.role, {}, {}};
  for (const PlanNode& below : fragment.tree.subtree(node.id)) {
    if (subject.tables.size() == kMostTables) break;
    if (const Attribute* table = fragment.tree.find(below.id, AttributeKind::Table)) {
      if (std::find(subject.tables.begin(), subject.tables.end(), table->text) == subject.tables.end())
        subject.tables.emplace_back(table->text);
    }
  }
  return subject;
}

void add(ExchangeBill& sum, const ExchangeBill& part) {
  sum.shuffle += part.shuffle;
  sum.broadcast += part.broadcast;
  sum.reused += part.reused;
  sum.in_cached_plans += part.in_cached_plans;
  sum.user_requested += part.user_requested;
}

}  // namespace

std::optional<Severity> severity_of(const RuleInfo& rule, const RuleSettings& settings) {
  for (const std::string_view key : {rule.name, rule.code}) {
    if (const auto found = settings.severity.find(std::string(key)); found != settings.severity.end()) {
      return found->second;
    }
  }
  return std::nullopt;
}

DocumentReport run_rules(PlanDocument document, const Facts& facts, const RuleSettings& settings,
                         const ExpressionParser& parser) {
  DocumentReport report;
  report.document = std::move(document);
  report.notes = report.document.notes;
  const DocumentFacts document_facts(facts, report.document);
  Reporter reporter(report.document);
  for (const Fragment* fragment : judged_fragments(report.document)) {
    PlanContext context(report.document, *fragment, document_facts, parser);
    const std::size_t before = reporter.findings().size();
    // Every rule runs, also where the user wants to see a few: what a cause's own rule would say must not be said by
    // another one because the first is ignored.
    for (const Rule* rule : catalogue()) {
      context.set_options(Options(rule->info, options_of(rule->info, settings)));
      reporter.set_rule(rule->info);
      rule->check(context, reporter);
    }
    const auto number = static_cast<std::size_t>(fragment - report.document.fragments.data());
    for (std::size_t i = before; i < reporter.findings().size(); ++i) reporter.findings()[i].fragment = number;
    for (CacheRead& read : reporter.cache_reads()) read.finding.fragment = number;
    add(report.bill, exchange_bill(context));
    note_when_not_final(*fragment, report.notes);
  }
  note_lost_events(report.document, report.notes);
  report.findings = std::move(reporter.findings());
  report.skipped = std::move(reporter.skipped());
  say_doubts(report.document, report.findings);
  merge_by_precedence(report.findings, precedences());
  set_savings(report.document, report.findings);
  std::erase_if(report.findings, [&](const Finding& finding) { return !is_enabled(*finding.rule, settings); });
  std::erase_if(report.skipped, [&](const SkippedRule& skipped) { return !is_enabled(*skipped.rule, settings); });
  for (Finding& finding : report.findings) {
    finding.subject = subject_of(report.document, finding);
    if (const auto severity = severity_of(*finding.rule, settings)) finding.severity = *severity;
  }
  put_in_order(report.findings);
  for (Note& note : reporter.cut_notes()) report.notes.push_back(std::move(note));
  mark_suppressed(report);
  report.cache_reads = std::move(reporter.cache_reads());
  for (CacheRead& read : report.cache_reads) read.finding.subject = subject_of(report.document, read.finding);
  set_contexts(report);
  assign_fingerprints(std::span(&report, 1), report.document.source->path());
  return report;
}

}  // namespace planvet::rules
