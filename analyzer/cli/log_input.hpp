// Event logs among the inputs of a command: read piece by piece, one document for each query.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "analyzer/cli/pipeline.hpp"
#include "analyzer/io/paths.hpp"

namespace planvet::cli {

// Nothing when the file is no event log, compressed or not, or cannot be opened: others will say so. Nothing, too, for
// what can be read only once (pipes): see read_log_bytes.
[[nodiscard]] std::optional<InputResult> read_log_file(const io::InputFile& file, const Judge& judge);

// What is in memory already. `shown_path`: how the input is called.
[[nodiscard]] std::optional<InputResult> read_log_bytes(std::string_view bytes, const io::InputFile& file,
                                                        const std::string& shown_path, const Judge& judge);

}  // namespace planvet::cli
