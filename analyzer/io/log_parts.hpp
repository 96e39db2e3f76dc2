// Logs that are a folder: rolled parts of one application, which are one log only together.
//
//   eventlog_v2_local-1/events_1_local-1.zstd, events_2_local-1.zstd, appstatus_local-1    Spark, in numeric order
//                       events_3_local-1.zstd.compact     stands for itself and all before it, and is lossy
//   any/eventlog-2021-06-15--15-00.gz, eventlog           Databricks; the one without a date is the newest
#pragma once

#include <string_view>
#include <vector>

#include "analyzer/io/paths.hpp"

namespace planvet::io {

// Puts the files of each such folder together into one input with parts, named by the folder.
[[nodiscard]] std::vector<InputFile> with_log_parts(std::vector<InputFile> files);

// The order of inputs: by path, but the second attempt of an application before its tenth.
[[nodiscard]] bool comes_before(std::string_view a, std::string_view b);

}  // namespace planvet::io
