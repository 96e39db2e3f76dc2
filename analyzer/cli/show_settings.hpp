// `planvet check --show-settings PATH`.
#pragma once

#include "analyzer/cli/command.hpp"
#include "analyzer/cli/options.hpp"

namespace planvet::cli {

[[nodiscard]] ExitStatus show_settings(const CheckOptions& options, const Streams& streams);

}  // namespace planvet::cli
