#include "analyzer/render/findings.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "analyzer/render/place.hpp"
#include "analyzer/render/quantity.hpp"
#include "analyzer/render/style.hpp"
#include "analyzer/version.hpp"

namespace planvet::render {

bool is_active(const Finding& finding) { return !finding.suppressed_by && !finding.is_baseline; }

bool is_loss(const Note& note) { return note.kind != NoteKind::NotFinalPlan; }

void add(Totals& totals, const Finding& finding) {
  if (finding.suppressed_by) {
    ++totals.suppressed;
  } else if (finding.is_baseline) {
    ++totals.baseline;
  } else {
    switch (finding.severity) {
      case Severity::Error: ++totals.errors; break;
      case Severity::Warning: ++totals.warnings; break;
      case Severity::Info: ++totals.infos; break;
    }
  }
}

Totals totals_of(const Report& report) {
  Totals totals;
  for (const DocumentReport& document : report.documents) {
    for (const Finding& finding : document.findings) add(totals, finding);
    if (!document.document.is_complete || std::ranges::any_of(document.notes, is_loss)) ++totals.incomplete;
    totals.not_final += static_cast<std::size_t>(
        std::ranges::count_if(document.notes, [](const Note& note) { return !is_loss(note); }));
  }
  return totals;
}

std::string count_by_severity(const Totals& totals) {
  std::vector<std::string> parts;
  if (totals.errors > 0) parts.push_back(count_of(totals.errors, "error"));
  if (totals.warnings > 0) parts.push_back(count_of(totals.warnings, "warning"));
  if (totals.infos > 0) parts.push_back(count_of(totals.infos, "info", "infos"));
  return and_list(parts);
}

std::vector<ActiveFinding> active_findings(const Report& report) {
  std::vector<ActiveFinding> findings;
  for (const DocumentReport& document : report.documents)
    for (const Finding& finding : document.findings)
      if (is_active(finding)) findings.push_back({&document, &finding});
  return findings;
}

std::vector<ActiveFinding> findings_by_severity(const Report& report) {
  std::vector<ActiveFinding> findings = active_findings(report);
  std::ranges::stable_sort(findings, [](const ActiveFinding& a, const ActiveFinding& b) {
    return a.finding->severity > b.finding->severity;
  });
  return findings;
}

std::span<const DocumentReport> read_as_one(std::span<const DocumentReport> documents, std::size_t begin) {
  const PlanDocument& first = documents[begin].document;
  std::size_t end = begin + 1;
  while (first.input == InputKind::EventLog && end < documents.size() &&
         documents[end].document.source->path() == first.source->path()) {
    ++end;
  }
  return documents.subspan(begin, end - begin);
}

std::vector<ActiveFinding> ranked_findings(std::span<const DocumentReport> documents) {
  std::vector<ActiveFinding> findings;
  for (const DocumentReport& document : documents)
    for (const Finding& finding : document.findings)
      if (is_active(finding)) findings.push_back({&document, &finding});
  if (documents.empty() || documents.front().document.input != InputKind::EventLog) return findings;
  std::ranges::stable_sort(findings, [](const ActiveFinding& a, const ActiveFinding& b) {
    const double saved_a = a.finding->saving_upper_bound_ms.value_or(-1);
    const double saved_b = b.finding->saving_upper_bound_ms.value_or(-1);
    if (saved_a != saved_b) return saved_a > saved_b;
    return a.finding->severity > b.finding->severity;
  });
  return findings;
}

std::string message_with_fix(const PlanDocument& document, const Finding& finding) {
  std::string text = finding.message;
  if (const std::string at = operator_of_query(document, finding); !at.empty()) text += "\noperator: " + at;
  if (!finding.fix.empty()) text += "\nfix: " + finding.fix;
  return text;
}

std::string evidence_text(const Finding& finding) {
  std::string text;
  for (const Evidence& item : finding.evidence) {
    if (!text.empty()) text += ", ";
    text += item.what + ' ' + format_quantity(item.value, item.unit);
    // What the plan itself says needs no witness.
    if (item.source != EvidenceSource::Plan) text += fmt::format(" ({})", name(item.source));
  }
  return text;
}

std::string rule_url(std::string_view rule) {
  if (kDocumentationUrl.empty()) return {};
  std::string url(kDocumentationUrl);
  if (!url.ends_with('/')) url += '/';
  return url.append(rule);
}

}  // namespace planvet::render
