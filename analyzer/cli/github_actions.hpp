// What planvet does by itself inside a job of GitHub Actions: annotations in the log, the report as the job's summary.
#pragma once

#include <string>
#include <string_view>

#include "analyzer/cli/command.hpp"
#include "analyzer/render/renderer.hpp"

namespace planvet::cli {

[[nodiscard]] bool is_github_actions(const io::Terminal& terminal);

// Text of plans may look like a command to the runner. Between these marks it takes none.
[[nodiscard]] std::string without_commands(std::string_view text);

// Annotations go to standard output, the report as Markdown to the file that GitHub shows. A summary that cannot be
// written is said and is no failure: nobody asked for it.
void show_in_github_actions(const Report& report, const render::RenderOptions& look, const Streams& streams,
                            const io::Terminal& terminal);

}  // namespace planvet::cli
