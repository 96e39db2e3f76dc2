// The command line as data. Says nothing and reads nothing: a wrong one is an answer too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "analyzer/cli/output_options.hpp"
#include "analyzer/config/settings.hpp"
#include "analyzer/render/annotate.hpp"
#include "analyzer/render/fragments.hpp"
#include "analyzer/render/style.hpp"

namespace planvet::cli {

enum class ColorChoice : std::uint8_t { Auto, Always, Never };

// Where settings come from, for commands that read plans.
struct InputOptions {
  std::vector<std::string> paths;  // "-" is standard input
  std::string stdin_filename;      // how standard input is called in messages, and where its planvet.toml is looked for
  std::size_t jobs = 0;            // 0: one for each core
  bool progress = true;            // on a terminal, when it takes longer
};

struct TerminalOptions {
  ColorChoice color = ColorChoice::Auto;
  render::Verbosity verbosity = render::Verbosity::Normal;
  bool ascii = false;
  std::optional<std::size_t> width;
};

// What the command line says of settings: it wins over every planvet.toml.
struct SettingsOptions {
  std::vector<std::string> select;
  std::vector<std::string> ignore;
  std::vector<std::pair<std::string, Severity>> severity;
  std::optional<config::FailOn> fail_on;
  std::vector<std::pair<std::string, std::string>> conf;
  std::string config_file;
  bool isolated = false;
};

struct CheckOptions {
  InputOptions input;
  TerminalOptions terminal;
  SettingsOptions settings;
  OutputOptions output;
  bool exit_zero = false;
  bool strict = false;
  bool statistics = false;
  bool show_settings = false;  // instead of judging
  std::string baseline_file;   // empty: what the settings say
  bool no_baseline = false;
  std::string new_since;      // a revision of git: findings that it had are known
  std::string changed_since;  // a revision of git: other files are left out
};

enum class BaselineAction : std::uint8_t { Write, Prune, Show };
enum class BaselineFormat : std::uint8_t { Text, Json };

struct BaselineOptions {
  BaselineAction action = BaselineAction::Show;
  InputOptions input;
  TerminalOptions terminal;
  SettingsOptions settings;
  BaselineFormat format = BaselineFormat::Text;
  std::string baseline_file;
};

struct ConfigOptions {};  // planvet config schema

enum class TreeFormat : std::uint8_t { Text, Json, Dot, Mermaid };

struct TreeOptions {
  InputOptions input;
  TerminalOptions terminal;
  TreeFormat format = TreeFormat::Text;
  std::optional<render::FragmentChoice> fragment;  // without: text shows the final one, JSON all
};

struct AnnotateOutput {
  render::AnnotateFormat format = render::AnnotateFormat::Text;
  std::string path;
};

struct AnnotateOptions {
  InputOptions input;
  TerminalOptions terminal;
  SettingsOptions settings;
  render::AnnotateFormat format = render::AnnotateFormat::Text;
  std::vector<AnnotateOutput> files;
  std::vector<std::int64_t> queries;   // by execution id
  bool all = false;                    // every query
  std::optional<std::size_t> slowest;  // so many
  bool failed = false;                 // those that failed or were cancelled
  bool list = false;                   // the list, and no query
  std::string metrics;                 // where the metrics are of plans that have none; empty: nowhere
};

struct SnapshotOptions {
  InputOptions input;
  TerminalOptions terminal;
  std::string output_file;    // "-" and nothing: standard output
  std::string output_folder;  // a file of the same name for each input
  bool in_place = false;
  bool check = false;  // writes nothing, compares
  bool wants_final = false;
  bool masks_literals = false;
};

enum class RulesFormat : std::uint8_t { Text, Json, Markdown };

struct RulesOptions {
  TerminalOptions terminal;
  RulesFormat format = RulesFormat::Text;
  std::string rule;  // one rule's page; empty: the list
};

// Something to print, and no more to do: help, the version.
struct Announcement {
  std::string text;
};

struct UsageError {
  std::string message;  // what is wrong and what to do
};

// planvet without arguments on a terminal: an invitation, then check.
struct Invitation {};

using Options = std::variant<CheckOptions, TreeOptions, AnnotateOptions, SnapshotOptions, RulesOptions, BaselineOptions,
                             ConfigOptions, Announcement, Invitation, UsageError>;

struct ParseFacts {
  bool input_is_terminal = false;
  // Is there such a file? What is neither command nor file is a misspelt command.
  bool (*exists)(const std::string& path) = nullptr;
};

// `arguments` without the program's name.
[[nodiscard]] Options parse_options(std::span<const std::string> arguments, const ParseFacts& facts);

// The commands, for completions and the like.
[[nodiscard]] std::span<const std::string_view> command_names();

}  // namespace planvet::cli
