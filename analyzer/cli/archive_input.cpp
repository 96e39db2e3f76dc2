#include "analyzer/cli/archive_input.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "analyzer/io/archive.hpp"
#include "analyzer/io/log_parts.hpp"

namespace planvet::cli {

std::optional<LogReading> read_archive_bytes(std::string_view bytes, const std::string& shown_path,
                                             const read::DocumentSink& sink, io::ReadWatch* watch) {
  if (!io::is_archive(bytes)) return std::nullopt;
  LogReading reading;
  auto opened = io::Archive::open_bytes(bytes);
  if (const auto* error = std::get_if<io::ReadError>(&opened)) {
    reading.error = error->message;
    return reading;
  }
  io::Archive& archive = *std::get<std::unique_ptr<io::Archive>>(opened);
  std::vector<io::InputFile> logs;
  for (const std::string& entry : archive.entries()) logs.push_back({entry, false, {}, {}});
  logs = io::with_log_parts(std::move(logs));
  std::ranges::sort(logs, io::comes_before, &io::InputFile::path);
  std::string errors;
  for (const io::InputFile& log : logs) {
    std::optional<LogReading> one = read_log_parts(log, shown_path + '/' + log.path, sink, watch,
                                                   [&](const io::LogPart& part) { return archive.open(part.path); });
    if (!one) continue;
    if (!one->error.empty()) errors += (errors.empty() ? "" : "; ") + log.path + ": " + one->error;
    const bool had_plan = reading.has_plan;
    reading = std::move(*one);
    reading.has_plan |= had_plan;
  }
  if (!reading.has_plan && errors.empty()) errors = "is a zip archive that holds no event log";
  reading.error = errors;
  return reading;
}

}  // namespace planvet::cli
