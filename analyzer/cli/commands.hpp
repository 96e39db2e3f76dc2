// One function a command; command.cpp chooses.
#pragma once

#include "analyzer/cli/command.hpp"
#include "analyzer/cli/options.hpp"

namespace planvet::cli {

[[nodiscard]] ExitStatus run_check(const CheckOptions& options, const Streams& streams, const io::Terminal& terminal);
[[nodiscard]] ExitStatus run_tree(const TreeOptions& options, const Streams& streams, const io::Terminal& terminal);
[[nodiscard]] ExitStatus run_annotate(const AnnotateOptions& options, const Streams& streams,
                                      const io::Terminal& terminal);
[[nodiscard]] ExitStatus run_snapshot(const SnapshotOptions& options, const Streams& streams,
                                      const io::Terminal& terminal);
[[nodiscard]] ExitStatus run_rules_command(const RulesOptions& options, const Streams& streams,
                                           const io::Terminal& terminal);
[[nodiscard]] ExitStatus run_baseline(const BaselineOptions& options, const Streams& streams,
                                      const io::Terminal& terminal);
[[nodiscard]] ExitStatus run_config(const ConfigOptions& options, const Streams& streams);

}  // namespace planvet::cli
