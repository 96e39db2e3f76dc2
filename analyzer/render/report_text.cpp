#include "analyzer/render/report_text.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include <fmt/core.h>

#include "analyzer/render/findings.hpp"
#include "analyzer/render/glyphs.hpp"
#include "analyzer/render/loose_ends.hpp"
#include "analyzer/render/place.hpp"
#include "analyzer/render/quantity.hpp"
#include "analyzer/render/renderer.hpp"
#include "analyzer/render/snippet.hpp"

namespace planvet::render {

namespace {

// `   = fix: two lines` with the further lines below the first.
void append_remark(std::string& out, std::size_t numbers, std::string_view label, std::string_view text,
                   const Style& style) {
  const std::string margin(numbers + 1, ' ');
  out += style.paint(Role::Frame, margin + "=") + ' ' + style.paint(Role::Strong, label) + ": ";
  const std::string indent(numbers + 3 + label.size() + 2, ' ');
  for (std::size_t begin = 0;;) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out += one_line(text.substr(begin, end - begin));
    out += '\n';
    if (end == text.size()) return;
    begin = end + 1;
    out += indent;
  }
}

void append_heading(std::string& out, const PlanDocument& document, Span span, Role role, std::string_view level,
                    std::string_view message, const std::string& origin, const Style& style) {
  out += style.paint(Role::Strong, location(document, span) + ":") + ' ';
  out += style.paint(role, level) + ": " + one_line(message);
  out += ' ' + style.paint(Role::Dim, '[' + origin + ']') + '\n';
}

void append_finding(std::string& out, const DocumentReport& report, const Finding& finding, const Style& style) {
  const PlanDocument& document = report.document;
  const Role role = role_of(finding.severity);
  append_heading(out, document, finding.span, role, name(finding.severity), finding.message,
                 fmt::format("{} {}", finding.rule->name, finding.rule->code), style);
  append_snippet(out, document, finding.span, role, style);
  const std::size_t numbers = number_width(document, finding.span);
  if (const std::string at = operator_of_query(document, finding); !at.empty())
    append_remark(out, numbers, "operator", at, style);
  if (!finding.evidence.empty()) append_remark(out, numbers, "evidence", evidence_text(finding), style);
  if (!finding.fix.empty()) append_remark(out, numbers, "fix", finding.fix, style);
  if (finding.saving_upper_bound_ms) {
    append_remark(out, numbers, "saves", "at most " + format_quantity(*finding.saving_upper_bound_ms, "ms"), style);
  }
  for (const RelatedPlace& place : finding.related) {
    std::string text = place.message;
    if (!place.span.empty()) text = location(document, place.span) + (text.empty() ? "" : ": " + text);
    append_remark(out, numbers, "related", text, style);
  }
  out += '\n';
}

// Every plan that has not run has this note: the summary counts them.
bool is_shown(const Note& note, const Style& style) {
  if (note.kind == NoteKind::NotFinalPlan) return style.is_verbose();
  return true;
}

void append_note(std::string& out, const PlanDocument& document, const Note& note, const Style& style) {
  append_heading(out, document, note.span, Role::Note, "note", note.message,
                 fmt::format("{} {}", name(note.kind), code(note.kind)), style);
  if (!note.span.empty()) append_snippet(out, document, note.span, Role::Note, style);
  out += '\n';
}

void append_allow_problem(std::string& out, const PlanDocument& document, const AllowProblem& problem,
                          const Style& style) {
  append_heading(out, document, problem.span, Role::Note, "note", problem.message, "allow", style);
  append_snippet(out, document, problem.span, Role::Note, style);
  out += '\n';
}

// What is said of planvet.toml and of the baseline: they are no plans, and nothing of them is shown below.
void append_settings_problems(std::string& out, const Report& report, const Style& style) {
  // What a person reads; the machine formats list all of them.
  constexpr std::size_t kMostShown = 10;
  for (const SuppressionProblem& problem : report.suppression_problems) {
    out += style.paint(Role::Strong, fmt::format("{}:{}:{}:", shown_path(problem.place.file), problem.place.line,
                                                 problem.place.column));
    out += ' ' + style.paint(Role::Note, "note") + ": " + one_line(problem.message) + ' ' +
           style.paint(Role::Dim, "[suppress]") + "\n\n";
  }
  const std::size_t count = report.stale_entries.size();
  const std::size_t shown = style.is_verbose() ? count : std::min(count, kMostShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const StaleEntry& entry = report.stale_entries[i];
    out += style.paint(Role::Strong, shown_path(entry.baseline) + ":") + ' ' + style.paint(Role::Note, "note") + ": ";
    out += one_line(message_of(entry)) + ' ' + style.paint(Role::Dim, "[baseline]") + '\n';
  }
  if (shown < count) out += fmt::format("  and {} more (-v shows all)\n", count - shown);
  if (count > 0) out += "  planvet baseline prune forgets what is gone\n\n";
}

std::string findings_line(const Totals& totals, const Style& style) {
  std::vector<std::string> parts;
  if (totals.errors > 0) parts.push_back(style.paint(Role::Error, count_of(totals.errors, "error")));
  if (totals.warnings > 0) parts.push_back(style.paint(Role::Warning, count_of(totals.warnings, "warning")));
  if (totals.infos > 0) parts.push_back(style.paint(Role::Info, count_of(totals.infos, "info", "infos")));
  return and_list(parts);
}

void append_verdict(std::string& out, const Report& report, const Totals& totals, const Style& style) {
  const std::string scope = fmt::format("{} of {}", count_of(report.documents.size(), "plan"),
                                        count_of(report.inputs - report.skipped_inputs, "input"));
  if (totals.active() > 0) {
    out += fmt::format("Found {} in {}.", findings_line(totals, style), scope);
  } else if (totals.incomplete > 0 || !report.errors.empty()) {
    out += fmt::format("No findings in what could be read: {}.", scope);
  } else {
    out += style.paint(Role::Good, "Clean") + fmt::format(": no findings in {}.", scope);
  }
  std::vector<std::string> accepted;
  if (totals.suppressed > 0) accepted.push_back(fmt::format("{} suppressed", totals.suppressed));
  if (totals.baseline > 0)
    accepted.push_back(report.new_since.empty()
                           ? fmt::format("{} accepted by the baseline", totals.baseline)
                           : fmt::format("{} known since {}", totals.baseline, one_line(report.new_since)));
  if (!accepted.empty()) out += fmt::format(" ({})", and_list(accepted));
  out += '\n';
}

std::string bill_text(const ExchangeBill& bill) {
  std::string text = count_of(bill.shuffle, "shuffle");
  if (bill.user_requested > 0) text += fmt::format(" ({} asked for by the user)", bill.user_requested);
  text += ", " + count_of(bill.broadcast, "broadcast");
  text += fmt::format(", {} reused", bill.reused);
  if (bill.in_cached_plans > 0)
    text += fmt::format("; {} more when its cached plans were filled", bill.in_cached_plans);
  return text;
}

// Plans of one input have numbers; two numbers are what tells them apart when they have no titles.
struct Numbering {
  std::size_t number = 0;
  std::size_t count = 0;
};

std::vector<Numbering> number_plans(const Report& report) {
  std::vector<Numbering> numbering(report.documents.size());
  for (std::size_t begin = 0; begin < numbering.size();) {
    const std::string& path = report.documents[begin].document.source->path();
    std::size_t end = begin;
    while (end < numbering.size() && report.documents[end].document.source->path() == path) ++end;
    for (std::size_t i = begin; i < end; ++i) numbering[i] = {i - begin, end - begin};
    begin = end;
  }
  return numbering;
}

void append_bills(std::string& out, const Report& report, const Style& style) {
  // What a person reads; the machine formats list all of them.
  constexpr std::size_t kMostShown = 10;
  const std::vector<Numbering> numbering = number_plans(report);
  const std::size_t shown =
      style.is_verbose() ? report.documents.size() : std::min(report.documents.size(), kMostShown);
  std::vector<std::pair<std::string, std::string>> lines;
  std::size_t width = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    const PlanDocument& document = report.documents[i].document;
    std::string label = shown_path(document.source->path());
    const std::string title = shown_title(document, numbering[i].number, numbering[i].count);
    if (!title.empty()) label += fmt::format(" ({})", title);
    width = std::max(width, display_width(label));
    lines.emplace_back(std::move(label), bill_text(report.documents[i].bill));
  }
  if (lines.empty()) return;
  out += style.paint(Role::Strong, "Exchanges:") + '\n';
  for (const auto& [label, text] : lines)
    out += "  " + label + std::string(width - display_width(label) + 2, ' ') + text + '\n';
  if (shown < report.documents.size())
    out += fmt::format("  and {} (-v shows all)\n", count_of(report.documents.size() - shown, "more plan"));
}

void append_skipped(std::string& out, const Report& report, const Style& style) {
  std::map<std::string, std::map<std::string_view, std::size_t>> by_reason;  // reason -> rule -> documents
  for (const DocumentReport& document : report.documents)
    for (const SkippedRule& skipped : document.skipped) ++by_reason[skipped.reason][skipped.rule->name];
  if (by_reason.empty()) return;
  out += style.paint(Role::Strong, "Not judged:") + '\n';
  for (const auto& [reason, rules] : by_reason) {
    std::string names;
    for (const auto& [rule, documents] : rules) {
      if (!names.empty()) names += ", ";
      names += rule;
      if (documents < report.documents.size()) names += fmt::format(" ({})", count_of(documents, "plan"));
    }
    // "needs runtime metrics" is said of one rule.
    const bool is_plural = rules.size() != 1 && reason.starts_with("needs ");
    out += fmt::format("  {} ({}) {}\n", count_of(rules.size(), "rule"), names,
                       is_plural ? "need " + reason.substr(6) : reason);
  }
}

void append_losses(std::string& out, const Report& report, const Totals& totals, const Style& style) {
  std::vector<std::string> lines;
  if (totals.incomplete > 0)
    lines.push_back(
        fmt::format("{} could not be read whole: what is missing was not judged", count_of(totals.incomplete, "plan")));
  if (!report.errors.empty())
    lines.push_back(fmt::format("{} could not be read", count_of(report.errors.size(), "input")));
  if (report.skipped_inputs > 0)
    lines.push_back(fmt::format("{} without a plan skipped", count_of(report.skipped_inputs, "file")));
  if (report.unchanged_inputs > 0)
    lines.push_back(fmt::format("{} not changed, and not judged", count_of(report.unchanged_inputs, "file")));
  if (report.left_out_paths > 0)
    lines.push_back(fmt::format("{} left out by .gitignore or exclude",
                                count_of(report.left_out_paths, "file or folder", "files and folders")));
  if (totals.not_final > 0)
    lines.push_back(fmt::format("{} not final: adaptive execution may still change {} [{} {}]",
                                totals.not_final == 1 ? "1 plan is" : fmt::format("{} plans are", totals.not_final),
                                totals.not_final == 1 ? "it" : "them", name(NoteKind::NotFinalPlan),
                                code(NoteKind::NotFinalPlan)));
  if (lines.empty()) return;
  out += style.paint(Role::Strong, "Reading:") + '\n';
  for (const std::string& line : lines) out += "  " + line + '\n';
}

void append_statistics(std::string& out, const Report& report, const Style& style) {
  std::map<const RuleInfo*, std::size_t> counts;
  for (const DocumentReport& document : report.documents)
    for (const Finding& finding : document.findings)
      if (is_active(finding)) ++counts[finding.rule];
  std::vector<std::tuple<std::size_t, std::string_view, std::string_view>> rows;
  for (const auto& [rule, count] : counts) rows.emplace_back(count, rule->code, rule->name);
  std::ranges::sort(rows, [](const auto& a, const auto& b) {
    return std::get<0>(a) != std::get<0>(b) ? std::get<0>(a) > std::get<0>(b) : std::get<1>(a) < std::get<1>(b);
  });
  if (rows.empty()) return;
  out += style.paint(Role::Strong, "Rules:") + '\n';
  for (const auto& [count, code, rule] : rows) out += fmt::format("  {:>5}  {}  {}\n", count, code, rule);
}

// What is said of a document and is no finding.
void append_remarks(std::string& out, const DocumentReport& document, const Style& style) {
  for (const Note& note : document.notes)
    if (is_shown(note, style)) append_note(out, document.document, note, style);
  for (const AllowProblem& problem : document.allow_problems)
    append_allow_problem(out, document.document, problem, style);
}

}  // namespace

std::string report_text(const Report& report, const ReportTextOptions& options) {
  const Style& style = options.style;
  std::string out;
  for (std::size_t begin = 0; begin < report.documents.size();) {
    const auto documents = read_as_one(report.documents, begin);
    begin += documents.size();
    for (const auto& [document, finding] : ranked_findings(documents)) append_finding(out, *document, *finding, style);
    for (const DocumentReport& document : documents) append_remarks(out, document, style);
  }
  append_settings_problems(out, report, style);
  if (options.statistics) append_statistics(out, report, style);
  if (style.is_quiet()) return out;
  if (report.documents.empty()) {
    if (report.unchanged_inputs > 0 && report.errors.empty())
      out += fmt::format("Nothing to judge: {} not changed.\n", count_of(report.unchanged_inputs, "file"));
    return out;
  }

  const Totals totals = totals_of(report);
  append_verdict(out, report, totals, style);
  append_bills(out, report, style);
  append_skipped(out, report, style);
  append_losses(out, report, totals, style);
  return out;
}

extern constinit const Renderer kText{.name = "text",
                                      .description = "for people, with carets on the plan",
                                      .is_machine = false,
                                      .render = [](const Report& report, const RenderOptions& options) {
                                        return report_text(report, {options.style, options.statistics});
                                      }};

}  // namespace planvet::render
