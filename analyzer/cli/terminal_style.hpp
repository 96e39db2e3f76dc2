// The look of text output: what was asked for, else what the environment and the terminal say.
#pragma once

#include "analyzer/cli/options.hpp"
#include "analyzer/io/terminal.hpp"
#include "analyzer/render/style.hpp"

namespace planvet::cli {

// --color, then NO_COLOR, then FORCE_COLOR and CLICOLOR_FORCE, then a terminal that is not dumb.
[[nodiscard]] bool wants_color(ColorChoice choice, const io::Terminal& terminal);

// Can box characters be shown? Not on dumb terminals, and not in a locale that is known to be no UTF-8.
[[nodiscard]] bool shows_unicode(const io::Terminal& terminal);

[[nodiscard]] render::Style style_for(const TerminalOptions& options, const io::Terminal& terminal);

}  // namespace planvet::cli
