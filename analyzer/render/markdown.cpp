// A comment under a pull request, a job summary: a table of findings, and behind it each with its place in the plan and
// what to do, folded. The text stays within a number of bytes: whole findings are left out and counted, never cut ones.
#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "analyzer/render/escape.hpp"
#include "analyzer/render/findings.hpp"
#include "analyzer/render/glyphs.hpp"
#include "analyzer/render/loose_ends.hpp"
#include "analyzer/render/place.hpp"
#include "analyzer/render/renderer.hpp"
#include "analyzer/render/snippet.hpp"

namespace planvet::render {

namespace {

constexpr std::size_t kTableMessageBytes = 300;  // in the table
constexpr std::size_t kFixBytes = 4000;
constexpr std::size_t kLeftOutBytes = 200;  // kept for the line that counts what is left out
constexpr std::string_view kTableHead = "\n| severity | rule | where | what |\n|---|---|---|---|\n";

// "plans/daily.txt:14"; of an event log "logs/app-1 (query 7)".
std::string where(const DocumentReport& document, Span span) {
  const std::optional<Place> place = place_of(document.document, span);
  std::string text = shown_path(document.document.source->path());
  if (place) text += fmt::format(":{}", place->begin.line);
  if (const std::string title = shown_title(document.document, 0, 1); !place && !title.empty())
    text += fmt::format(" ({})", title);
  return text;
}

std::string row(std::string_view level, const std::string& rule, std::string_view place, std::string_view message) {
  return fmt::format("| {} | {} | {} | {} |\n", level, rule, markdown_text(place),
                     markdown_text(cut_to_bytes(message, kTableMessageBytes)));
}

std::string details(const DocumentReport& document, const Finding& finding) {
  std::string out = fmt::format("\n<details>\n<summary>{} {}: {}</summary>\n\n", finding.rule->code, finding.rule->name,
                                html_text(where(document, finding.span)));
  out += markdown_text(finding.message) + "\n\n";
  std::string snippet;
  append_snippet(snippet, document.document, finding.span, role_of(finding.severity), Style{.unicode = false});
  if (!snippet.empty()) out += markdown_block(snippet) + '\n';
  if (!finding.evidence.empty()) out += "**Evidence:** " + markdown_text(evidence_text(finding)) + "\n\n";
  const std::string fix = cut_to_bytes(finding.fix, kFixBytes);
  // More than a line is code.
  if (fix.find('\n') != std::string::npos) {
    out += "**Fix:**\n\n" + markdown_block(fix) + '\n';
  } else if (!fix.empty()) {
    out += "**Fix:** " + markdown_fix_text(fix) + "\n\n";
  }
  return out + "</details>\n";
}

std::string verdict(const Report& report, const Totals& totals) {
  std::string out = "<!-- planvet -->\n";
  if (totals.active() > 0) {
    out += fmt::format("### planvet: {}\n\n", count_by_severity(totals));
  } else if (totals.incomplete > 0 || !report.errors.empty()) {
    out += "### planvet: no findings in what could be read\n\n";
  } else {
    out += "### planvet: clean\n\n";
  }
  out += fmt::format("{} of {}.", count_of(report.documents.size(), "plan"),
                     count_of(report.inputs - report.skipped_inputs, "input"));
  if (totals.baseline > 0)
    out += fmt::format(" {} new, {} known ({}).", totals.active(), totals.baseline,
                       report.new_since.empty() ? "accepted by the baseline" : "there before");
  if (totals.suppressed > 0) out += fmt::format(" {} suppressed.", totals.suppressed);
  if (!report.stale_entries.empty())
    out += fmt::format(" {} of the baseline no longer found (planvet baseline prune).",
                       count_of(report.stale_entries.size(), "entry", "entries"));
  if (totals.incomplete > 0)
    out += fmt::format(" **{} could not be read whole: what is missing was not judged.**",
                       count_of(totals.incomplete, "plan"));
  if (!report.errors.empty()) out += fmt::format(" **{} could not be read.**", count_of(report.errors.size(), "input"));
  return out + '\n';
}

std::vector<std::string> rows_of(const Report& report, const std::vector<ActiveFinding>& findings) {
  std::vector<std::string> rows;
  for (const InputError& error : report.errors)
    rows.push_back(row("error", "unreadable input", shown_path(error.path), error.message));
  for (const auto& [document, finding] : findings)
    rows.push_back(row(name(finding->severity), fmt::format("{} {}", finding->rule->code, finding->rule->name),
                       where(*document, finding->span), finding->message));
  for (const DocumentReport& document : report.documents) {
    for (const Note& note : document.notes)
      if (is_loss(note))
        rows.push_back(row("note", fmt::format("{} {}", code(note.kind), name(note.kind)), where(document, note.span),
                           note.message));
  }
  for (const LooseEnd& end : loose_ends_of(report)) {
    std::string place = shown_path(end.path);
    if (end.place) place += fmt::format(":{}", end.place->begin.line);
    rows.push_back(row("note", std::string(end.kind), place, end.message));
  }
  return rows;
}

// Appends as many of `parts` as fit, and says how many do not.
void append_parts(std::string& out, const std::vector<std::string>& parts, std::size_t most_bytes,
                  std::string_view left_out) {
  std::size_t shown = 0;
  while (shown < parts.size() && out.size() + parts[shown].size() + kLeftOutBytes <= most_bytes) out += parts[shown++];
  if (shown < parts.size()) out += fmt::format("\n{} {}.\n", count_of(parts.size() - shown, "more line"), left_out);
}

std::string markdown(const Report& report, const RenderOptions& options) {
  std::string out = verdict(report, totals_of(report));
  const std::vector<ActiveFinding> findings = findings_by_severity(report);
  const std::vector<std::string> rows = rows_of(report, findings);
  if (rows.empty()) return out;
  out += kTableHead;
  // The table first, but half of the room is for what to do.
  append_parts(out, rows, options.most_bytes / 2, "did not fit here");
  std::vector<std::string> parts;
  std::size_t size = 0;
  for (const auto& [document, finding] : findings) {
    if (size > options.most_bytes) break;
    parts.push_back(details(*document, *finding));
    size += parts.back().size();
  }
  std::size_t shown = 0;
  while (shown < parts.size() && out.size() + parts[shown].size() + kLeftOutBytes <= options.most_bytes)
    out += parts[shown++];
  if (shown < findings.size())
    out += fmt::format("\n{} without details here: run planvet for all of them.\n",
                       count_of(findings.size() - shown, "more finding"));
  return out;
}

}  // namespace

extern constinit const Renderer kMarkdown{.name = "markdown",
                                          .description = "a comment under a pull request, a job summary",
                                          .is_machine = true,
                                          .render = markdown};

}  // namespace planvet::render
