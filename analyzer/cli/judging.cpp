#include "analyzer/cli/judging.hpp"

#include <algorithm>
#include <ostream>
#include <utility>

#include "analyzer/cli/allow_lines.hpp"
#include "analyzer/cli/application_run.hpp"
#include "analyzer/cli/progress.hpp"
#include "analyzer/io/paths.hpp"
#include "analyzer/report/fingerprint.hpp"
#include "rules/application.hpp"
#include "rules/run_rules.hpp"

namespace planvet::cli {

Judging::Judging(const InputOptions& input, const SettingsOptions& settings, const TerminalOptions& terminal_options,
                 const Streams& streams, const io::Terminal& terminal)
    : input_(input),
      terminal_options_(terminal_options),
      streams_(streams),
      terminal_(terminal),
      source_(settings, input.stdin_filename),
      parser_(expression_parser()),
      suppressions_(today()) {}

bool Judging::prepare() {
  files_ = io::find_inputs(input_.paths,
                           [&](const std::string& path, bool is_folder) { return source_.excludes(path, is_folder); });
  for (const io::InputFile& file : files_.files) settings_[file.path] = source_.settings_for(file.path);
  for (const std::string& problem : source_.problems()) streams_.err << "planvet: " << problem << '\n';
  if (!source_.problems().empty()) return false;
  // Documents of standard input carry the name that was given to it.
  if (const auto piped = settings_.find("-"); piped != settings_.end() && !input_.stdin_filename.empty())
    settings_[input_.stdin_filename] = piped->second;
  return true;
}

DocumentReport Judging::judge_document(PlanDocument&& document, const std::string& path) const {
  const config::Settings& own = *settings_.at(path);
  DocumentReport judged = rules::run_rules(std::move(document), own.facts, own.rules, parser_);
  judged.allow_problems = check_allow_lines(judged, own.rules);
  release_plans(judged);
  return judged;
}

void Judging::judge_application(InputResult& result) const {
  const rules::ApplicationRun run =
      application_run(*result.log, result.error, std::ranges::any_of(result.documents, has_gaps));
  rules::judge_application(result.documents, run, settings_.at(result.path)->rules);
}

void Judging::finish(InputResult& result) {
  if (result.documents.empty()) return;
  if (result.log) judge_application(result);
  assign_fingerprints(result.documents, paths_.identity(result.path));
  const config::Settings& own = *settings_.at(result.path);
  if (own.suppressions.empty()) return;
  const std::string canonical = io::canonical_path(result.path);
  for (DocumentReport& document : result.documents) suppressions_.apply(document, own, canonical);
}

Inputs Judging::judge() {
  Progress progress(input_, terminal_options_, streams_.err, terminal_, files_.files.size());
  Inputs inputs = read_inputs(
      files_, input_, streams_.in,
      [this](PlanDocument&& document, const std::string& path) { return judge_document(std::move(document), path); },
      [&] { progress.step(); });
  progress.finish();
  for (InputResult& result : inputs.results) finish(result);
  return inputs;
}

InputResult Judging::judge_bytes(const std::string& path, std::string bytes) {
  InputResult result =
      read_bytes(path, std::move(bytes), [this](PlanDocument&& document, const std::string& judged_as) {
        return judge_document(std::move(document), judged_as);
      });
  assign_fingerprints(result.documents, paths_.identity(path));
  return result;
}

std::vector<std::string> Judging::covered_folders() const {
  std::vector<std::string> folders;
  if (files_.is_partial) return folders;
  for (const std::string& path : input_.paths)
    if (path != "-" && io::is_directory(path)) folders.push_back(io::canonical_path(path));
  return folders;
}

}  // namespace planvet::cli
