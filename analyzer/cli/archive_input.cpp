#include "analyzer/cli/archive_input.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "analyzer/cli/log_input.hpp"
#include "analyzer/io/archive.hpp"
#include "analyzer/io/log_parts.hpp"

namespace planvet::cli {

std::optional<InputResult> read_archive_bytes(std::string_view bytes, const io::InputFile& file,
                                              const std::string& shown_path, const Judge& judge) {
  if (!io::is_archive(bytes)) return std::nullopt;
  InputResult result;
  result.path = shown_path;
  auto opened = io::Archive::open_bytes(bytes);
  if (const auto* error = std::get_if<io::ReadError>(&opened)) {
    result.error = error->message;
    return result;
  }
  io::Archive& archive = *std::get<std::unique_ptr<io::Archive>>(opened);
  std::vector<io::InputFile> logs;
  for (const std::string& entry : archive.entries()) logs.push_back({entry, false, {}, {}});
  logs = io::with_log_parts(std::move(logs));
  std::ranges::sort(logs, {}, &io::InputFile::path);
  for (const io::InputFile& log : logs) {
    const std::string path = shown_path + '/' + log.path;
    std::optional<InputResult> read = read_log_parts(
        log, path, [&](PlanDocument&& document, const std::string&) { return judge(std::move(document), file.path); },
        [&](const io::LogPart& part) { return archive.open(part.path); });
    if (!read) continue;
    std::move(read->documents.begin(), read->documents.end(), std::back_inserter(result.documents));
    if (!read->error.empty()) result.error += (result.error.empty() ? "" : "; ") + log.path + ": " + read->error;
  }
  if (result.documents.empty() && result.error.empty()) result.error = "is a zip archive that holds no event log";
  return result;
}

}  // namespace planvet::cli
