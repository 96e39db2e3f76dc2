// `planvet tree`: inputs, drawing.
#include <algorithm>
#include <ostream>
#include <vector>

#include "analyzer/cli/commands.hpp"
#include "analyzer/cli/input_errors.hpp"
#include "analyzer/cli/pipeline.hpp"
#include "analyzer/cli/progress.hpp"
#include "analyzer/cli/settings_source.hpp"
#include "analyzer/cli/terminal_style.hpp"
#include "analyzer/render/json.hpp"
#include "analyzer/render/tree_graph.hpp"
#include "analyzer/render/tree_text.hpp"

namespace planvet::cli {

namespace {

bool has_initial_plan(const std::vector<const PlanDocument*>& documents) {
  return std::ranges::any_of(documents, [](const PlanDocument* document) {
    return !render::chosen_fragments(*document, render::FragmentChoice::Initial).empty();
  });
}

std::string rendered(const std::vector<const PlanDocument*>& documents, const TreeOptions& options,
                     const io::Terminal& terminal) {
  using render::FragmentChoice;
  const FragmentChoice shown = options.fragment.value_or(FragmentChoice::Final);
  const bool verbose = options.terminal.verbosity == render::Verbosity::Verbose;
  switch (options.format) {
    case TreeFormat::Text:
      return render::tree_text(documents, {style_for(options.terminal, terminal), shown, expression_parser()});
    case TreeFormat::Json: return render::tree_json(documents, options.fragment.value_or(FragmentChoice::All));
    case TreeFormat::Dot: return render::tree_dot(documents, {shown, verbose, expression_parser()});
    case TreeFormat::Mermaid: return render::tree_mermaid(documents, {shown, verbose, expression_parser()});
  }
  return {};
}

}  // namespace

ExitStatus run_tree(const TreeOptions& options, const Streams& streams, const io::Terminal& terminal) {
  SettingsOptions of_check;  // what a folder's `exclude` names is not drawn either
  SettingsSource settings(of_check, options.input.stdin_filename);
  io::InputFiles files = io::find_inputs(
      options.input.paths, [&](const std::string& path, bool is_folder) { return settings.excludes(path, is_folder); });
  if (!settings.problems().empty()) {
    for (const std::string& problem : settings.problems()) streams.err << "planvet: " << problem << '\n';
    return ExitStatus::Failure;
  }
  Progress progress(options.input, options.terminal, streams.err, terminal, files.files.size());
  Inputs inputs = read_inputs(
      std::move(files), options.input, streams.in,
      [](PlanDocument&& document, const std::string&) {
        DocumentReport drawn;
        drawn.document = std::move(document);
        return drawn;
      },
      [&] { progress.step(); });
  progress.finish();
  const Report report = make_report(std::move(inputs));
  std::vector<const PlanDocument*> documents;
  for (const DocumentReport& document : report.documents) documents.push_back(&document.document);
  const std::string text = rendered(documents, options, terminal);
  streams.out << text;
  streams.out.flush();
  print_input_errors(report.errors, streams.err);
  if (options.format != TreeFormat::Json && options.fragment == render::FragmentChoice::Initial && !documents.empty() &&
      !has_initial_plan(documents)) {
    streams.err << "planvet: no initial plan: only adaptive plans that ran have one\n";
    return ExitStatus::Failure;
  }
  return report.errors.empty() ? ExitStatus::Clean : ExitStatus::Failure;
}

}  // namespace planvet::cli
