#include "analyzer/cli/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "analyzer/report/nearest_name.hpp"
#include "analyzer/version.hpp"

namespace planvet::cli {

namespace {

constexpr std::string_view kHelp =
    R"(planvet reads Apache Spark physical plans and says what is wrong with them, why, and what to do.

Usage:
  planvet [check] PATH...       judge plans in files and folders ("-" is standard input)
  planvet tree PATH...          draw the operator tree
  planvet annotate LOG          what really happened, from an event log: rows, bytes, time, spill of every operator
  planvet snapshot PATH...      plans as files for git, and what changed in them
  planvet rules                 list the rules
  planvet rule NAME-OR-CODE     explain one rule
  planvet baseline write|prune|show [PATH...]
                                accept the findings of today, so that only new ones count
  planvet config schema         the JSON Schema of planvet.toml, for editors

  planvet COMMAND --help        options and examples of a command
  planvet --version

A plan is whatever df.explain() printed, in any mode, or plan JSON; what it is, its content says.
On a terminal, planvet without arguments waits for a plan to be pasted.

Examples:
  planvet plan.txt
  spark-sql -e 'EXPLAIN FORMATTED SELECT ...' | planvet
  planvet check plans/ --fail-on error
  planvet tree plan.txt
  planvet annotate application_1234_0001.zstd

Exit status: 0 nothing at or above --fail-on, 1 findings, 2 could not do what was asked.
)";

constexpr std::string_view kCheckExamples = R"(Examples:
  planvet check plans/                                  every plan below a folder
  pbpaste | planvet                                     what was copied from a notebook
  planvet check plan.txt --conf spark.sql.autoBroadcastJoinThreshold=50m
  planvet check plans/ --select PV1,unpushed-filter --severity unpushed-filter=error
  planvet check plans/ --format json > findings.json
  planvet check plans/ --new-since origin/main          only what the branch adds
  planvet check --show-settings plans/daily.txt
  planvet check plans/ --output sarif=planvet.sarif --output junit=planvet.xml

Settings are read from the planvet.toml nearest above each file.
A line `-- planvet: allow RULE reason` above a plan accepts a finding of it.)";

constexpr std::string_view kBaselineExamples = R"(Examples:
  planvet baseline write plans/                         accept what is there today
  planvet baseline show plans/                          what is accepted, and what of it is gone
  planvet baseline prune plans/                         forget what is gone

The file is planvet-baseline.json beside planvet.toml; check reads it by itself. Put it into git.)";

constexpr std::string_view kConfigExamples = R"(Examples:
  planvet config schema > planvet.schema.json)";

constexpr std::string_view kTreeExamples = R"(Examples:
  planvet tree plan.txt
  planvet tree plan.txt --fragment initial              the plan before adaptive execution
  planvet tree plan.txt -v                              every operator, nothing folded
  planvet tree plan.txt --format dot | dot -Tsvg > plan.svg)";

constexpr std::string_view kAnnotateExamples = R"(Examples:
  planvet annotate spark-events/local-1717171717171     all queries, then the slowest one
  planvet annotate application_1234_0001.zstd --list    all queries: time, jobs, bytes, findings
  planvet annotate eventlog_v2_local-1717171717171 --sql 7 --sql 12
  planvet annotate LOG --slowest 3 --format markdown > slow.md
  planvet annotate LOG --failed                         queries that failed or were cancelled
  planvet annotate LOG --sql 7 --format dot | dot -Tsvg > query7.svg
  planvet annotate LOG --sql all --format json > queries.json
  hdfs dfs -cat /spark-history/application_1234_0001.lz4 | planvet annotate -

Event logs are read compressed or not, as files, folders of parts, or whole applications.
Without --sql, --slowest, --failed and --list: the list and the slowest query; in JSON every query.
Times of operators are those that Spark measures; most operators have none, and no time is split by guess.
Exit status: 0 answered, 2 could not do what was asked, 130 stopped by Ctrl-C (what was read is shown).)";

constexpr std::string_view kSnapshotExamples = R"(Examples:
  planvet snapshot explain.txt -o plans/daily_sales.txt
  spark-sql -e 'EXPLAIN FORMATTED SELECT ...' | planvet snapshot -o plans/daily_sales.txt --check
  planvet snapshot build/plans --output-dir plans       one snapshot for each file
  planvet snapshot plans --in-place                     what was pasted there
  planvet snapshot explain.txt --mask-literals          no values of filters

A snapshot is Spark's formatted explain text with what differs from session to session taken out.
Exit status with --check: 0 nothing changed, 1 changed, 2 could not do what was asked.)";

constexpr std::string_view kRulesExamples = R"(Examples:
  planvet rules
  planvet rules --format json)";

constexpr std::string_view kRuleExamples = R"(Examples:
  planvet rule missed-broadcast
  planvet rule PV103)";

constexpr std::array<std::string_view, 8> kCommands = {"check", "tree", "annotate", "snapshot",
                                                       "rules", "rule", "baseline", "config"};

// A word that must be one of some: refused with the nearest right one.
template <typename Value>
void add_choice(CLI::App& app, const std::string& name, std::vector<std::pair<std::string, Value>> words,
                std::function<void(Value)> take, const std::string& description) {
  std::string shown;
  for (const auto& [word, value] : words) shown += (shown.empty() ? "" : "|") + word;
  app.add_option_function<std::string>(
         name,
         [name, words, take](const std::string& given) {
           std::vector<std::string_view> known;
           for (const auto& [word, value] : words) {
             if (word == given) return take(value);
             known.push_back(word);
           }
           throw CLI::ValidationError(fmt::format("{}: unknown value '{}'{}", name, given, did_you_mean(given, known)));
         },
         description)
      ->type_name(shown)
      ->expected(1);
}

std::vector<std::string> split_commas(const std::vector<std::string>& values) {
  std::vector<std::string> parts;
  for (const std::string& value : values) {
    for (std::size_t begin = 0; begin <= value.size();) {
      const std::size_t end = std::min(value.find(',', begin), value.size());
      if (end > begin) parts.push_back(value.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  return parts;
}

std::pair<std::string, std::string> split_assignment(const std::string& option, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw CLI::ValidationError(fmt::format("{}: expected name=value, got '{}'", option, text));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

void add_terminal_options(CLI::App& app, TerminalOptions& options) {
  add_choice<ColorChoice>(
      app, "--color", {{"auto", ColorChoice::Auto}, {"always", ColorChoice::Always}, {"never", ColorChoice::Never}},
      [&options](ColorChoice choice) { options.color = choice; },
      "Colours; auto: on a terminal, unless NO_COLOR is set");
  app.add_option("--width", options.width, "Columns of text output; without: the terminal's, else 120")
      ->type_name("COLUMNS")
      ->check(CLI::Range(std::size_t{40}, std::size_t{100000}));
  app.add_flag("--ascii", options.ascii, "Nothing but ASCII in drawings");
}

void add_input_options(CLI::App& app, InputOptions& options) {
  app.add_option("PATH", options.paths, "Files and folders; - is standard input")->type_name("");
  app.add_option("--stdin-filename", options.stdin_filename, "What standard input is called in the output")
      ->type_name("PATH");
  app.add_option("-j,--jobs", options.jobs, "Inputs that are read at the same time; without: one for each core")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1024}));
  app.add_flag_function(
      "--no-progress", [&options](std::int64_t) { options.progress = false; },
      "No progress line on the terminal; without: after a second");
}

// An option that may be given several times, a value each.
void add_list(CLI::App& app, const std::string& name, const std::string& type_name,
              std::function<void(const std::vector<std::string>&)> take, const std::string& description) {
  app.add_option_function<std::vector<std::string>>(name, std::move(take), description)
      ->type_name(type_name)
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
}

void add_severities(SettingsOptions& options, const std::vector<std::string>& values) {
  for (const std::string& value : split_commas(values)) {
    const auto [rule, level] = split_assignment("--severity", value);
    const std::optional<Severity> severity = config::parse_severity(level);
    if (!severity)
      throw CLI::ValidationError(
          fmt::format("--severity: unknown level '{}' of {}: expected error, warning or info", level, rule));
    options.severity.emplace_back(rule, *severity);
  }
}

CLI::Option* add_baseline_file(CLI::App& app, std::string& file) {
  return app.add_option("--baseline", file, "The file of accepted findings; without: what planvet.toml says")
      ->type_name("FILE");
}

void add_settings_options(CLI::App& app, SettingsOptions& options) {
  using Values = std::vector<std::string>;
  add_list(
      app, "--select", "RULES", [&options](const Values& values) { options.select = split_commas(values); },
      "Only these rules: names, codes, beginnings of codes (PV1), comma-separated");
  add_list(
      app, "--ignore", "RULES", [&options](const Values& values) { options.ignore = split_commas(values); },
      "Not these rules");
  add_list(
      app, "--severity", "RULE=LEVEL", [&options](const Values& values) { add_severities(options, values); },
      "What findings of a rule are: RULE=error, warning or info");
  add_list(
      app, "--conf", "KEY=VALUE",
      [&options](const Values& values) {
        for (const std::string& value : values) options.conf.push_back(split_assignment("--conf", value));
      },
      "A configuration of the session that made the plans; may be repeated");
  auto* file = app.add_option("--config", options.config_file, "Settings from this file, not from planvet.toml")
                   ->type_name("FILE");
  app.add_flag("--isolated", options.isolated, "No settings from any file")->excludes(file);
}

void add_output_options(CLI::App& app, OutputOptions& options) {
  app.add_option_function<std::string>(
         "--format",
         [&options](const std::string& word) {
           const auto format = parse_format(word);
           if (const auto* error = std::get_if<std::string>(&format)) throw CLI::ValidationError("--format: " + *error);
           options.format = std::get<const render::Renderer*>(format);
         },
         "Output format")
      ->type_name(format_names())
      ->expected(1);
  add_list(
      app, "--output", "FORMAT=FILE",
      [&options](const std::vector<std::string>& values) {
        for (const std::string& value : values)
          if (const std::string error = add_output(options, value); !error.empty())
            throw CLI::ValidationError("--output: " + error);
      },
      "Also write the report to a file; may be repeated. - is standard output");
  app.add_flag("--no-github", options.no_github,
               "No annotations and no job summary of its own accord in GitHub Actions");
}

void add_check(CLI::App& app, CheckOptions& options) {
  add_input_options(app, options.input);
  add_output_options(app, options.output);
  add_settings_options(app, options.settings);
  add_choice<config::FailOn>(
      app, "--fail-on",
      {{"error", config::FailOn::Error},
       {"warning", config::FailOn::Warning},
       {"info", config::FailOn::Info},
       {"never", config::FailOn::Never}},
      [&options](config::FailOn level) { options.settings.fail_on = level; },
      "The lowest severity that makes the exit status 1; without: warning");
  app.add_flag("--exit-zero", options.exit_zero, "Exit status 0 even with findings");
  app.add_flag(
      "--strict", options.strict,
      "Exit status 1 also when a part of a plan could not be read (PV901 to PV904), or something accepted is gone");
  add_baseline_file(app, options.baseline_file)
      ->excludes(app.add_flag("--no-baseline", options.no_baseline, "As if there were no baseline"));
  app.add_option("--new-since", options.new_since, "Only findings that this revision of git did not have")
      ->type_name("REV");
  app.add_option("--changed-since", options.changed_since, "Only files that changed in git since this revision")
      ->type_name("REV");
  app.add_flag("--show-settings", options.show_settings, "The settings that hold for PATH, and where each comes from");
  app.add_flag("--statistics", options.statistics, "Also how often each rule fired");
  app.add_flag_function(
      "-q,--quiet", [&options](std::int64_t) { options.terminal.verbosity = render::Verbosity::Quiet; },
      "Findings and notes only, no summary");
  app.add_flag_function(
      "-v,--verbose", [&options](std::int64_t) { options.terminal.verbosity = render::Verbosity::Verbose; },
      "Everything that is known");
  add_terminal_options(app, options.terminal);
}

void add_baseline(CLI::App& app, BaselineOptions& options) {
  add_choice<BaselineAction>(
      app, "ACTION",
      {{"write", BaselineAction::Write}, {"prune", BaselineAction::Prune}, {"show", BaselineAction::Show}},
      [&options](BaselineAction action) { options.action = action; },
      "write: accept all findings; prune: forget those that are gone; show: what is accepted, and what of it is gone");
  app.get_option("ACTION")->required();
  add_input_options(app, options.input);
  add_choice<BaselineFormat>(
      app, "--format", {{"text", BaselineFormat::Text}, {"json", BaselineFormat::Json}},
      [&options](BaselineFormat format) { options.format = format; }, "Output format of show");
  add_baseline_file(app, options.baseline_file);
  add_settings_options(app, options.settings);
  app.add_flag_function(
      "-q,--quiet", [&options](std::int64_t) { options.terminal.verbosity = render::Verbosity::Quiet; }, "Errors only");
  add_terminal_options(app, options.terminal);
}

void add_config(CLI::App& app, ConfigOptions&) {
  add_choice<bool>(
      app, "ACTION", {{"schema", true}}, [](bool) {}, "schema: the JSON Schema of planvet.toml, for editors");
  app.get_option("ACTION")->required();
}

void add_tree(CLI::App& app, TreeOptions& options) {
  add_input_options(app, options.input);
  add_choice<TreeFormat>(
      app, "--format",
      {{"text", TreeFormat::Text},
       {"json", TreeFormat::Json},
       {"dot", TreeFormat::Dot},
       {"mermaid", TreeFormat::Mermaid}},
      [&options](TreeFormat format) { options.format = format; }, "Output format");
  add_choice<render::FragmentChoice>(
      app, "--fragment",
      {{"final", render::FragmentChoice::Final},
       {"initial", render::FragmentChoice::Initial},
       {"all", render::FragmentChoice::All}},
      [&options](render::FragmentChoice choice) { options.fragment = choice; },
      "Which plan of an adaptive query; without: the final one, in JSON all");
  app.add_flag_function(
      "-v,--verbose", [&options](std::int64_t) { options.terminal.verbosity = render::Verbosity::Verbose; },
      "Every operator on its own line, with all of its text");
  add_terminal_options(app, options.terminal);
}

void add_queries(AnnotateOptions& options, const std::vector<std::string>& values) {
  for (const std::string& value : split_commas(values)) {
    if (value == "all") {
      options.all = true;
      continue;
    }
    std::int64_t query = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), query);
    if (error != std::errc() || end != value.data() + value.size() || query < 0) {
      constexpr std::array<std::string_view, 1> kWords = {"all"};
      throw CLI::ValidationError(
          fmt::format("--sql: expected the number of a query, or all, got '{}'{}", value, did_you_mean(value, kWords)));
    }
    options.queries.push_back(query);
  }
}

render::AnnotateFormat annotate_format(std::string_view option, std::string_view word) {
  std::vector<std::string_view> known;
  for (const render::AnnotateFormatInfo& format : render::kAnnotateFormats) {
    if (format.name == word) return format.format;
    known.push_back(format.name);
  }
  throw CLI::ValidationError(fmt::format("{}: unknown format '{}'{}", option, word, did_you_mean(word, known)));
}

void add_annotate_output(AnnotateOptions& options, const std::string& value) {
  const std::size_t equals = value.find('=');
  if (equals == std::string::npos || equals + 1 == value.size())
    throw CLI::ValidationError(fmt::format("--output: expected FORMAT=FILE, got '{}'", value));
  AnnotateOutput output{annotate_format("--output", value.substr(0, equals)), value.substr(equals + 1)};
  if (output.path == "-") throw CLI::ValidationError("--output: standard output gets what --format says; name a file");
  for (const AnnotateOutput& other : options.files)
    if (other.path == output.path)
      throw CLI::ValidationError(fmt::format("--output: two outputs would go to '{}'", output.path));
  options.files.push_back(std::move(output));
}

void add_annotate(CLI::App& app, AnnotateOptions& options) {
  using Values = std::vector<std::string>;
  add_input_options(app, options.input);
  add_list(
      app, "--sql", "N|all", [&options](const Values& values) { add_queries(options, values); },
      "The query of this number, as in the Spark UI; may be repeated. all: every query");
  app.add_option("--slowest", options.slowest, "The K queries that took longest")
      ->type_name("K")
      ->check(CLI::Range(std::size_t{1}, std::size_t{10000}));
  app.add_option("--metrics", options.metrics,
                 "Event log, archive or REST answer with the metrics of plans that have none: of the query whose plan "
                 "matches")
      ->type_name("LOG");
  app.add_flag("--failed", options.failed, "Only queries that failed or were cancelled");
  app.add_flag("--list", options.list, "The list of queries, and none of them");
  std::string formats;
  for (const render::AnnotateFormatInfo& format : render::kAnnotateFormats)
    formats += (formats.empty() ? "" : "|") + std::string(format.name);
  app.add_option_function<std::string>(
         "--format", [&options](const std::string& word) { options.format = annotate_format("--format", word); },
         "Output format")
      ->type_name(formats)
      ->expected(1);
  add_list(
      app, "--output", "FORMAT=FILE",
      [&options](const Values& values) {
        for (const std::string& value : values) add_annotate_output(options, value);
      },
      "Also write it to a file; may be repeated");
  add_settings_options(app, options.settings);
  app.add_flag_function(
      "-q,--quiet", [&options](std::int64_t) { options.terminal.verbosity = render::Verbosity::Quiet; },
      "No fixes, and no remarks below the plan");
  app.add_flag_function(
      "-v,--verbose", [&options](std::int64_t) { options.terminal.verbosity = render::Verbosity::Verbose; },
      "Every operator on its own line, with all of its text and every metric");
  add_terminal_options(app, options.terminal);
}

void add_snapshot(CLI::App& app, SnapshotOptions& options) {
  add_input_options(app, options.input);
  app.add_option("-o,--output-file", options.output_file, "Write this file; - is standard output")->type_name("FILE");
  app.add_option("--output-dir", options.output_folder, "Write a file for each input into this folder")
      ->type_name("DIR");
  app.add_flag("--in-place", options.in_place, "Write the inputs themselves anew");
  app.add_flag("--check", options.check, "Write nothing; say what changed against the file that would be written");
  app.add_flag("--final", options.wants_final, "Of an adaptive plan that ran: the final plan; without: the one before");
  app.add_flag("--mask-literals", options.masks_literals, "? for every literal of an expression");
  app.add_flag_function(
      "-q,--quiet", [&options](std::int64_t) { options.terminal.verbosity = render::Verbosity::Quiet; }, "No summary");
}

template <typename Format>
std::vector<std::pair<std::string, Format>> rules_formats() {
  return {{"text", Format::Text}, {"json", Format::Json}, {"markdown", Format::Markdown}};
}

void add_rules(CLI::App& app, RulesOptions& options) {
  add_choice<RulesFormat>(
      app, "--format", rules_formats<RulesFormat>(), [&options](RulesFormat format) { options.format = format; },
      "Output format");
  add_terminal_options(app, options.terminal);
}

void add_rule(CLI::App& app, RulesOptions& options) {
  app.add_option("RULE", options.rule, "The name or the code of a rule")->type_name("")->required();
  add_rules(app, options);
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

// What CLI11 has left over: an unknown option, or one argument too many.
UsageError extra_argument(const CLI::App& app, std::string_view command, const std::string& argument) {
  std::string text;
  if (argument.size() > 1 && argument.front() == '-') {
    const std::string name = argument.substr(0, argument.find('='));
    const std::vector<std::string> names = option_names(app);
    const std::vector<std::string_view> views(names.begin(), names.end());
    text = fmt::format("unknown option '{}'{}", name, did_you_mean(name, views));
  } else {
    text = fmt::format("one argument too many: '{}'", argument);
  }
  return {fmt::format("{}\n(planvet {} --help lists the options)", text, command)};
}

template <typename CommandOptions>
Options parse_command(std::string_view command, std::span<const std::string> arguments, std::string_view description,
                      std::string_view examples, void (*add)(CLI::App&, CommandOptions&)) {
  CommandOptions options;
  CLI::App app(std::string(description), "planvet " + std::string(command));
  app.set_help_flag("-h,--help", "This text");
  app.footer(std::string(examples));
  app.allow_extras();
  add(app, options);
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // as CLI11 wants them
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    return Announcement{app.help()};
  } catch (const CLI::ParseError& error) {
    // An unknown option in front of the error is more often the reason.
    return UsageError{fmt::format("{}\n(planvet {} --help lists the options)", error.what(), command)};
  }
  std::vector<std::string> extras = app.remaining();
  // CLI11 hands the `--` on behind which every argument is a path.
  if (const auto mark = std::find(extras.begin(), extras.end(), "--"); mark != extras.end()) extras.erase(mark);
  if (!extras.empty()) return extra_argument(app, command, extras.front());
  return options;
}

// A command that reads plans: without a path, standard input, unless somebody would have to type it.
template <typename CommandOptions>
Options parse_input_command(std::string_view command, std::span<const std::string> arguments,
                            std::string_view description, std::string_view examples, const ParseFacts& facts,
                            void (*add)(CLI::App&, CommandOptions&)) {
  Options parsed = parse_command<CommandOptions>(command, arguments, description, examples, add);
  if (auto* options = std::get_if<CommandOptions>(&parsed); options != nullptr && options->input.paths.empty()) {
    if (facts.input_is_terminal) return UsageError{"no input: name files or folders, or pipe a plan in"};
    options->input.paths = {"-"};
  }
  return parsed;
}

Options parse_check(std::span<const std::string> arguments, const ParseFacts& facts) {
  ParseFacts known = facts;
  // Settings are shown of a folder too, and standard input is not read for it.
  known.input_is_terminal =
      facts.input_is_terminal && std::find(arguments.begin(), arguments.end(), "--show-settings") == arguments.end();
  return parse_input_command<CheckOptions>("check", arguments,
                                           "Judge plans: findings with their place, the evidence, and what to do.",
                                           kCheckExamples, known, add_check);
}

Options parse_tree(std::span<const std::string> arguments, const ParseFacts& facts) {
  return parse_input_command<TreeOptions>("tree", arguments, "Draw the operator tree of plans.", kTreeExamples, facts,
                                          add_tree);
}

Options parse_annotate(std::span<const std::string> arguments, const ParseFacts& facts) {
  Options parsed = parse_input_command<AnnotateOptions>(
      "annotate", arguments, "Plans with what was measured when they ran: rows, bytes, time, spill, skew, stages.",
      kAnnotateExamples, facts, add_annotate);
  const auto* const annotate = std::get_if<AnnotateOptions>(&parsed);
  if (annotate == nullptr) return parsed;
  const bool names_queries = annotate->all || !annotate->queries.empty();
  if (names_queries && (annotate->slowest || annotate->failed))
    return UsageError{"--sql names queries; --slowest and --failed look for them: use one or the other"};
  return parsed;
}

Options parse_baseline(std::span<const std::string> arguments) {
  Options parsed = parse_command<BaselineOptions>("baseline", arguments,
                                                  "Accept the findings of today, so that only new ones count.",
                                                  kBaselineExamples, add_baseline);
  if (auto* options = std::get_if<BaselineOptions>(&parsed); options != nullptr && options->input.paths.empty())
    options->input.paths = {"."};
  return parsed;
}

Options parse_snapshot(std::span<const std::string> arguments, const ParseFacts& facts) {
  Options parsed =
      parse_command<SnapshotOptions>("snapshot", arguments, "Plans as files that are fit for review and diff in git.",
                                     kSnapshotExamples, add_snapshot);
  auto* snapshot = std::get_if<SnapshotOptions>(&parsed);
  if (snapshot == nullptr) return parsed;
  std::vector<std::string>& paths = snapshot->input.paths;
  if (paths.empty()) {
    if (facts.input_is_terminal) return UsageError{"no input: name files or folders, or pipe a plan in"};
    paths = {"-"};
  }
  if ((snapshot->output_file.empty() ? 0 : 1) + (snapshot->output_folder.empty() ? 0 : 1) +
          (snapshot->in_place ? 1 : 0) >
      1)
    return UsageError{"-o, --output-dir and --in-place: only one of them says where snapshots go"};
  const bool has_stdin = std::find(paths.begin(), paths.end(), "-") != paths.end();
  if (has_stdin && snapshot->in_place) return UsageError{"--in-place: standard input is no file; use -o FILE"};
  if (has_stdin && !snapshot->output_folder.empty() && snapshot->input.stdin_filename.empty())
    return UsageError{"--output-dir: standard input needs a name; add --stdin-filename NAME"};
  const bool has_file = !snapshot->output_file.empty() && snapshot->output_file != "-";
  if (snapshot->check && snapshot->output_folder.empty() && !has_file) {
    if (has_stdin) return UsageError{"--check: compare with what? add -o FILE or --output-dir DIR"};
    snapshot->in_place = true;
  }
  return parsed;
}

}  // namespace

std::span<const std::string_view> command_names() { return kCommands; }

Options parse_options(std::span<const std::string> arguments, const ParseFacts& facts) {
  if (arguments.empty()) {
    if (facts.input_is_terminal) return Invitation{};
    return parse_check(arguments, facts);
  }
  const std::string& first = arguments.front();
  const std::span<const std::string> rest = arguments.subspan(1);
  if (first == "--help" || first == "-h" || (first == "help" && rest.empty())) return Announcement{std::string(kHelp)};
  if (first == "--version" || first == "-V") return Announcement{fmt::format("planvet {}\n", kVersion)};
  if (first == "check") return parse_check(rest, facts);
  if (first == "tree") return parse_tree(rest, facts);
  if (first == "annotate") return parse_annotate(rest, facts);
  if (first == "snapshot") return parse_snapshot(rest, facts);
  if (first == "rules") return parse_command<RulesOptions>("rules", rest, "List the rules.", kRulesExamples, add_rules);
  if (first == "rule")
    return parse_command<RulesOptions>("rule", rest, "Explain one rule: what, why, an example, the fix, its options.",
                                       kRuleExamples, add_rule);
  if (first == "baseline") return parse_baseline(rest);
  if (first == "config")
    return parse_command<ConfigOptions>("config", rest, "About planvet.toml.", kConfigExamples, add_config);
  // Not a command: the arguments of check, if there is such a file.
  const bool is_option = first.size() > 1 && first.front() == '-';
  if (is_option || first == "-" || facts.exists == nullptr || facts.exists(first)) return parse_check(arguments, facts);
  // A path has a slash or a dot; a word without them was meant as a command.
  if (first.find_first_of("/.\\") != std::string::npos) return parse_check(arguments, facts);
  return UsageError{fmt::format("no such command or file: '{}'{}\n(planvet --help lists the commands)", first,
                                did_you_mean(first, kCommands))};
}

}  // namespace planvet::cli
