// `planvet check`: settings, inputs, rules, report, exit status.
#include <algorithm>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/cli/baselines.hpp"
#include "analyzer/cli/commands.hpp"
#include "analyzer/cli/input_errors.hpp"
#include "analyzer/cli/judging.hpp"
#include "analyzer/cli/outputs.hpp"
#include "analyzer/cli/revisions.hpp"
#include "analyzer/cli/show_settings.hpp"
#include "analyzer/cli/terminal_style.hpp"
#include "analyzer/render/findings.hpp"
#include "rules/rule.hpp"

namespace planvet::cli {

namespace {

// What makes the exit status 1.
bool fails(const DocumentReport& document, const Finding& finding, const Judging& judging) {
  const config::FailOn fail_on =
      judging.settings_of(document.document.source->path()).fail_on.value_or(config::FailOn::Warning);
  return render::is_active(finding) && config::fails(fail_on, finding.severity);
}

bool has_findings(const Report& report, const Judging& judging) {
  return std::ranges::any_of(report.documents, [&](const DocumentReport& document) {
    return std::ranges::any_of(document.findings,
                               [&](const Finding& finding) { return fails(document, finding, judging); });
  });
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

  const std::vector<const RuleInfo*> infos = rules::all_infos();
  render::RenderOptions look{style_for(options.terminal, terminal), options.statistics, infos, path_base(terminal)};
  look.fails = [&](const DocumentReport& document, const Finding& finding) {
    return fails(document, finding, judging);
  };
  look.strict = options.strict;
  const bool is_written = write_outputs(report, look, options.output, streams, terminal);
  print_input_errors(report.errors, streams.err);
  if (!report.errors.empty() || !is_written) return ExitStatus::Failure;
  if (options.exit_zero) return ExitStatus::Clean;
  if (has_findings(report, judging) || (options.strict && has_loose_ends(report))) return ExitStatus::Findings;
  return ExitStatus::Clean;
}

}  // namespace planvet::cli
