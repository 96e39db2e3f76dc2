// A zip archive of event logs that comes through a pipe. Archives that are files are taken apart when inputs are found.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "analyzer/cli/log_input.hpp"
#include "analyzer/io/watched_source.hpp"
#include "analyzer/read/reader.hpp"

namespace planvet::cli {

// Nothing when the bytes are no archive. Of several logs, the facts are the last one's.
[[nodiscard]] std::optional<LogReading> read_archive_bytes(std::string_view bytes, const std::string& shown_path,
                                                           const read::DocumentSink& sink, io::ReadWatch* watch);

}  // namespace planvet::cli
