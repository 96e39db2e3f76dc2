// `planvet check`: settings, inputs, rules, report, exit status.
#include <algorithm>
#include <map>
#include <memory>
#include <ostream>

#include "analyzer/cli/allow_lines.hpp"
#include "analyzer/cli/commands.hpp"
#include "analyzer/cli/input_errors.hpp"
#include "analyzer/cli/pipeline.hpp"
#include "analyzer/cli/settings_source.hpp"
#include "analyzer/cli/terminal_style.hpp"
#include "analyzer/io/paths.hpp"
#include "analyzer/render/json.hpp"
#include "analyzer/render/report_text.hpp"
#include "rules/run_rules.hpp"

namespace planvet::cli {

namespace {

using SettingsOfPaths = std::map<std::string, std::shared_ptr<const config::Settings>>;

bool is_active(const Finding& finding) { return !finding.suppressed_by && !finding.is_baseline; }

bool has_findings(const Report& report, const SettingsOfPaths& settings) {
  for (const DocumentReport& document : report.documents) {
    const auto own = settings.find(document.document.source->path());
    const config::FailOn fail_on =
        own == settings.end() ? config::FailOn::Warning : own->second->fail_on.value_or(config::FailOn::Warning);
    for (const Finding& finding : document.findings)
      if (is_active(finding) && config::fails(fail_on, finding.severity)) return true;
  }
  return false;
}

bool lost_something(const Report& report) {
  return std::ranges::any_of(report.documents, [](const DocumentReport& document) {
    return std::ranges::any_of(document.notes, [](const Note& note) { return note.kind != NoteKind::NotFinalPlan; });
  });
}

}  // namespace

ExitStatus run_check(const CheckOptions& options, const Streams& streams, const io::Terminal& terminal) {
  // Settings first: what is wrong with them is better known before a thousand plans are read.
  SettingsSource source(options);
  SettingsOfPaths settings;
  for (const io::InputFile& file : io::find_inputs(options.input.paths).files)
    settings[file.path] = source.settings_for(file.path);
  if (!source.problems().empty()) {
    for (const std::string& problem : source.problems()) streams.err << "planvet: " << problem << '\n';
    return ExitStatus::Failure;
  }
  // Documents of standard input carry the name that was given to it.
  if (const auto piped = settings.find("-"); piped != settings.end() && !options.input.stdin_filename.empty())
    settings[options.input.stdin_filename] = piped->second;

  const ExpressionParser parser = expression_parser();
  const Report report =
      make_report(read_inputs(options.input, streams.in, [&](PlanDocument&& document, const std::string& path) {
        const config::Settings& own = *settings.at(path);
        DocumentReport judged = rules::run_rules(std::move(document), own.facts, own.rules, parser);
        judged.allow_problems = check_allow_lines(judged, own.rules);
        release_plans(judged);
        return judged;
      }));

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
  if (has_findings(report, settings) || (options.strict && lost_something(report))) return ExitStatus::Findings;
  return ExitStatus::Clean;
}

}  // namespace planvet::cli
