// Where a report goes: standard output in one format, files in any number of them, and what GitHub Actions shows.
#pragma once

#include <span>
#include <string>

#include "analyzer/cli/command.hpp"
#include "analyzer/cli/output_options.hpp"
#include "analyzer/render/renderer.hpp"

namespace planvet::cli {

// Files are whole or as they were before; what cannot be written is said on standard error, and then the answer is
// false.
[[nodiscard]] bool write_outputs(const Report& report, const render::RenderOptions& look, const OutputOptions& options,
                                 const Streams& streams, const io::Terminal& terminal);

// The working directory, and the root of the repository around it as the environment or a .git says.
[[nodiscard]] render::PathBase path_base(const io::Terminal& terminal);

}  // namespace planvet::cli
