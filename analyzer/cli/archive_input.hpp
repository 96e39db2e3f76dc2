// A zip archive of event logs that comes through a pipe. Archives that are files are taken apart when inputs are found.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "analyzer/cli/pipeline.hpp"
#include "analyzer/io/paths.hpp"

namespace planvet::cli {

// Nothing when the bytes are no archive.
[[nodiscard]] std::optional<InputResult> read_archive_bytes(std::string_view bytes, const io::InputFile& file,
                                                            const std::string& shown_path, const Judge& judge);

}  // namespace planvet::cli
