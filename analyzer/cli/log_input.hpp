// Event logs among the inputs of a command: read piece by piece, one document for each query.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "analyzer/io/file.hpp"
#include "analyzer/io/paths.hpp"
#include "analyzer/io/watched_source.hpp"
#include "analyzer/plan/byte_source.hpp"
#include "analyzer/read/eventlog/event_log.hpp"
#include "analyzer/read/reader.hpp"

namespace planvet::cli {

// What became of a log. Its documents went to the sink, in the order in which their queries ended.
struct LogReading {
  std::string error;  // why there is none, or what part of the log could not be read
  bool has_plan = false;
  read::EventLogResult log;
};

// Nothing when the file is no event log, compressed or not, or cannot be opened: others will say so. Nothing, too, for
// what can be read only once (pipes): see read_log_stream. `shown_path`: how documents call their input. `watch` may be
// null.
[[nodiscard]] std::optional<LogReading> read_log_file(const io::InputFile& file, const read::DocumentSink& sink,
                                                      io::ReadWatch* watch);

// The same for parts that somebody else opens; documents are called `shown_path`.
using PartOpener = std::function<std::variant<std::unique_ptr<ByteSource>, io::ReadError>(const io::LogPart& part)>;
[[nodiscard]] std::optional<LogReading> read_log_parts(const io::InputFile& file, const std::string& shown_path,
                                                       const read::DocumentSink& sink, io::ReadWatch* watch,
                                                       const PartOpener& open);

// What comes piece by piece, or is in memory already. Of what is no log, only the beginning was read; `on_recognised` is
// called before more is read of what is one.
[[nodiscard]] std::optional<LogReading> read_log_stream(ByteSource& source, const std::string& shown_path,
                                                        const read::DocumentSink& sink, io::ReadWatch* watch,
                                                        const std::function<void()>& on_recognised = {});

}  // namespace planvet::cli
