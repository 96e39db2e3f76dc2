#include "analyzer/cli/command.hpp"

#include <exception>
#include <new>
#include <ostream>
#include <variant>

#include "analyzer/cli/commands.hpp"
#include "analyzer/cli/options.hpp"
#include "analyzer/io/paths.hpp"

namespace planvet::cli {

namespace {

constexpr std::string_view kInvitation =
    "Paste a plan (what df.explain(mode=\"formatted\") printed), then press Ctrl-D on a line of its own.\n"
    "planvet --help shows everything else.\n";

class Runner {
 public:
  Runner(const Streams& streams, const io::Terminal& terminal) : streams_(streams), terminal_(terminal) {}

  ExitStatus operator()(const CheckOptions& options) const { return run_check(options, streams_, terminal_); }
  ExitStatus operator()(const TreeOptions& options) const { return run_tree(options, streams_, terminal_); }
  ExitStatus operator()(const AnnotateOptions& options) const { return run_annotate(options, streams_, terminal_); }
  ExitStatus operator()(const SnapshotOptions& options) const { return run_snapshot(options, streams_, terminal_); }
  ExitStatus operator()(const RulesOptions& options) const { return run_rules_command(options, streams_, terminal_); }
  ExitStatus operator()(const BaselineOptions& options) const { return run_baseline(options, streams_, terminal_); }
  ExitStatus operator()(const ConfigOptions& options) const { return run_config(options, streams_); }
  ExitStatus operator()(const Announcement& announcement) const {
    streams_.out << announcement.text;
    return ExitStatus::Clean;
  }
  ExitStatus operator()(const Invitation&) const {
    streams_.err << kInvitation << std::flush;
    CheckOptions options;
    options.input.paths = {"-"};
    return run_check(options, streams_, terminal_);
  }
  ExitStatus operator()(const UsageError& error) const {
    streams_.err << "planvet: " << error.message << '\n';
    return ExitStatus::Failure;
  }

 private:
  const Streams& streams_;
  const io::Terminal& terminal_;
};

}  // namespace

ExitStatus run(std::span<const std::string> arguments, const Streams& streams, const io::Terminal& terminal) {
  try {
    return std::visit(Runner(streams, terminal), parse_options(arguments, {terminal.input_is_terminal, io::exists}));
  } catch (const std::bad_alloc&) {
    streams.err << "planvet: not enough memory for this input\n";
  } catch (const std::exception& error) {
    streams.err << "planvet: internal error: " << error.what() << "; please report it with the input\n";
  }
  return ExitStatus::Failure;
}

}  // namespace planvet::cli
