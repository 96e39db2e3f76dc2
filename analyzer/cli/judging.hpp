// Everything before the report that check and baseline share: files, settings, rules, identities, suppressions.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/cli/command.hpp"
#include "analyzer/cli/options.hpp"
#include "analyzer/cli/pipeline.hpp"
#include "analyzer/cli/project_paths.hpp"
#include "analyzer/cli/settings_source.hpp"
#include "analyzer/cli/suppressions.hpp"

namespace planvet::cli {

class Judging {
 public:
  Judging(const InputOptions& input, const SettingsOptions& settings, const TerminalOptions& terminal_options,
          const Streams& streams, const io::Terminal& terminal);

  // Finds the inputs and their settings: what is wrong with them is better known before a thousand plans are read.
  // False: said on standard error what it is.
  [[nodiscard]] bool prepare();
  // Of prepare(): may be made fewer.
  [[nodiscard]] io::InputFiles& files() { return files_; }

  // Findings with fingerprints, suppressed ones marked.
  [[nodiscard]] Inputs judge();
  // An input as it was at another time.
  [[nodiscard]] InputResult judge_bytes(const std::string& path, std::string bytes);

  [[nodiscard]] const config::Settings& settings_of(const std::string& path) const { return *settings_.at(path); }
  [[nodiscard]] ProjectPaths& paths() { return paths_; }
  [[nodiscard]] const Suppressions& suppressions() const { return suppressions_; }
  // Folders that were searched whole.
  [[nodiscard]] std::vector<std::string> covered_folders() const;

 private:
  [[nodiscard]] DocumentReport judge_document(PlanDocument&& document, const std::string& path) const;
  // Of a log: what all of its queries tell together.
  void judge_application(InputResult& result) const;
  void finish(InputResult& result);

  const InputOptions& input_;
  const TerminalOptions& terminal_options_;
  const Streams& streams_;
  const io::Terminal& terminal_;
  SettingsSource source_;
  ExpressionParser parser_;
  io::InputFiles files_;
  std::map<std::string, std::shared_ptr<const config::Settings>> settings_;  // by path
  ProjectPaths paths_;
  Suppressions suppressions_;
};

}  // namespace planvet::cli
