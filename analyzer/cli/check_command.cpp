// `planvet check`: settings, inputs, rules, report, exit status.
#include <algorithm>
#include <ostream>
#include <string>
#include <utility>

#include "analyzer/cli/baselines.hpp"
#include "analyzer/cli/commands.hpp"
#include "analyzer/cli/input_errors.hpp"
#include "analyzer/cli/judging.hpp"
#include "analyzer/cli/revisions.hpp"
#include "analyzer/cli/show_settings.hpp"
#include "analyzer/cli/terminal_style.hpp"
#include "analyzer/render/json.hpp"
#include "analyzer/render/report_text.hpp"

namespace planvet::cli {

namespace {

bool is_active(const Finding& finding) { return !finding.suppressed_by && !finding.is_baseline; }

bool has_findings(const Report& report, const Judging& judging) {
  for (const DocumentReport& document : report.documents) {
    const config::FailOn fail_on =
        judging.settings_of(document.document.source->path()).fail_on.value_or(config::FailOn::Warning);
    for (const Finding& finding : document.findings)
      if (is_active(finding) && config::fails(fail_on, finding.severity)) return true;
  }
  return false;
}

// What --strict does not let pass: parts of plans that were not read, and what accepts nothing any more.
bool has_loose_ends(const Report& report) {
  return !report.suppression_problems.empty() || !report.stale_entries.empty() ||
         std::ranges::any_of(report.documents, [](const DocumentReport& document) {
           return !document.allow_problems.empty() || std::ranges::any_of(document.notes, [](const Note& note) {
             return note.kind != NoteKind::NotFinalPlan;
           });
         });
}

ExitStatus refuse(const Streams& streams, std::string_view option, const std::string& message) {
  streams.err << "planvet: " << option << message << '\n';
  return ExitStatus::Failure;
}

}  // namespace

ExitStatus run_check(const CheckOptions& options, const Streams& streams, const io::Terminal& terminal) {
  if (options.show_settings) return show_settings(options, streams);
  Judging judging(options.input, options.settings, options.terminal, streams, terminal);
  if (!judging.prepare()) return ExitStatus::Failure;
  if (!options.changed_since.empty()) {
    const std::string wrong = keep_changed_since(options.changed_since, judging.files(), options.input.stdin_filename);
    if (!wrong.empty()) return refuse(streams, "--changed-since: ", wrong);
  }
  Inputs inputs = judging.judge();
  Baselines baselines(judging, options.baseline_file);
  if (!options.no_baseline) {
    if (const std::string wrong = baselines.read(inputs, true); !wrong.empty()) return refuse(streams, "", wrong);
    baselines.mark(inputs);
  }
  if (!options.new_since.empty()) {
    const std::string wrong = mark_known_since(options.new_since, inputs, judging);
    if (!wrong.empty()) return refuse(streams, "--new-since: ", wrong);
  }
  Report report = make_report(std::move(inputs));
  report.new_since = options.new_since;
  report.suppression_problems = judging.suppressions().problems(judging.covered_folders());
  report.stale_entries = baselines.stale_entries();

  switch (options.format) {
    case CheckFormat::Text:
      streams.out << render::report_text(report, {style_for(options.terminal, terminal), options.statistics});
      break;
    case CheckFormat::Json: streams.out << render::report_json(report); break;
  }
  streams.out.flush();
  print_input_errors(report.errors, streams.err);
  if (!report.errors.empty()) return ExitStatus::Failure;
  if (options.exit_zero) return ExitStatus::Clean;
  if (has_findings(report, judging) || (options.strict && has_loose_ends(report))) return ExitStatus::Findings;
  return ExitStatus::Clean;
}

}  // namespace planvet::cli
