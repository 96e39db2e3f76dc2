#include "analyzer/cli/baselines.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/core.h>

#include "analyzer/io/file.hpp"
#include "rules/run_rules.hpp"

namespace planvet::cli {

namespace {

std::string folder_of(const std::string& file) { return std::filesystem::path(file).parent_path().string(); }

// What is known of one plan that was read.
struct ReadPlan {
  const InputResult* result = nullptr;
  std::set<std::string> fingerprints;
};

// Did its rule run, with all that it needs? A rule that is gone finds nothing any more.
bool did_run(const std::string& rule_name, const InputResult& result, const config::Settings& settings) {
  const rules::Rule* const rule = rules::find_rule(rule_name);
  if (rule == nullptr) return true;
  if (!rules::is_enabled(rule->info, settings.rules)) return false;
  return std::ranges::none_of(result.documents, [&](const DocumentReport& document) {
    return std::ranges::any_of(document.skipped,
                               [&](const SkippedRule& skipped) { return skipped.rule == &rule->info; });
  });
}

}  // namespace

std::string Baselines::file_for(const std::string& path) {
  const config::Settings& settings = judging_.settings_of(path);
  if (!file_.empty()) return io::canonical_path(file_);
  if (!settings.baseline.empty()) return io::canonical_path(settings.baseline);
  return (std::filesystem::path(judging_.paths().root_of(path)) / kBaselineFileName).string();
}

std::string Baselines::read_file(const std::string& name, bool must_exist) {
  File& file = files_[name];
  if (!must_exist && io::exists(name) && !io::is_regular_file(name)) return {};  // a device, a pipe: written only
  if (!io::exists(name)) {
    if (must_exist && !file_.empty()) return fmt::format("{}: no such file: planvet baseline write makes it", file_);
    return {};
  }
  io::FileBytes bytes = io::read_file(name);
  if (const auto* error = std::get_if<io::ReadError>(&bytes))
    return fmt::format("{}: {}", called(name), error->message);
  BaselineFile parsed = parse_baseline(std::get<std::string>(bytes));
  if (parsed.problem)
    return fmt::format("{}:{}:{}: {}", called(name), parsed.problem->line, parsed.problem->column,
                       parsed.problem->message);
  for (BaselineEntry& entry : parsed.entries) file.entries.push_back({std::move(entry), false, false, false});
  file.exists = true;
  return {};
}

void Baselines::add_findings(const InputResult& result, File& file, const std::string& folder) const {
  const std::string path = result.path == "-" ? result.path : relative_to(folder, io::canonical_path(result.path));
  for (const DocumentReport& document : result.documents)
    for (const Finding& finding : document.findings)
      if (!finding.suppressed_by)
        file.found.push_back({path, std::string(finding.rule->name), std::string(info(finding.subject.kind).name),
                              finding.subject.tables, finding.fingerprint});
}

void Baselines::judge_entries(const Inputs& inputs) {
  std::map<std::string, ReadPlan> plans;  // by canonical path
  for (const InputResult& result : inputs.results) {
    if (result.documents.empty()) continue;
    ReadPlan& plan = plans[result.path == "-" ? result.path : io::canonical_path(result.path)];
    plan.result = &result;
    for (const DocumentReport& document : result.documents)
      for (const Finding& finding : document.findings) plan.fingerprints.insert(finding.fingerprint);
  }
  const std::vector<std::string> covered = judging_.covered_folders();
  for (auto& [name, file] : files_) {
    const std::filesystem::path folder = folder_of(name);
    for (Entry& entry : file.entries) {
      const std::string path =
          entry.entry.path == "-" ? entry.entry.path : (folder / entry.entry.path).lexically_normal().string();
      if (const auto plan = plans.find(path); plan != plans.end()) {
        const InputResult& result = *plan->second.result;
        entry.is_found = plan->second.fingerprints.contains(entry.entry.fingerprint);
        entry.is_covered = entry.is_found || did_run(entry.entry.rule, result, judging_.settings_of(result.path));
      } else if (path != "-" && !io::exists(path)) {
        const bool was_looked_for = std::ranges::any_of(
            covered, [&](const std::string& searched) { return relative_below(searched, path).has_value(); });
        entry.is_covered = entry.is_file_gone = was_looked_for;
      }
    }
  }
}

std::string Baselines::read(const Inputs& inputs, bool must_exist) {
  for (const InputResult& result : inputs.results) {
    if (result.documents.empty()) continue;
    const std::string name = file_for(result.path);
    file_of_[result.path] = name;
    if (!files_.contains(name))
      if (std::string wrong = read_file(name, must_exist); !wrong.empty()) return wrong;
    add_findings(result, files_[name], folder_of(name));
  }
  judge_entries(inputs);
  return {};
}

void Baselines::mark(Inputs& inputs) const {
  std::map<std::string, std::set<std::string>> known;
  for (const auto& [name, file] : files_)
    for (const Entry& entry : file.entries) known[name].insert(entry.entry.fingerprint);
  for (InputResult& result : inputs.results) {
    if (result.documents.empty()) continue;
    const std::set<std::string>& accepted = known[file_of_.at(result.path)];
    for (DocumentReport& document : result.documents)
      for (Finding& finding : document.findings)
        if (accepted.contains(finding.fingerprint)) finding.is_baseline = true;
  }
}

std::vector<StaleEntry> Baselines::stale_entries() const {
  std::vector<StaleEntry> stale;
  for (const auto& [name, file] : files_) {
    for (const Entry& entry : file.entries)
      if (entry.is_stale())
        stale.push_back({called(name), entry.entry.path, entry.entry.rule, entry.entry.operator_kind,
                         entry.entry.fingerprint, entry.is_file_gone});
  }
  return stale;
}

}  // namespace planvet::cli
