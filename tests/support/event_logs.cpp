#include "tests/support/event_logs.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "analyzer/plan/byte_source.hpp"
#include "analyzer/read/eventlog/codec.hpp"
#include "tests/support/files.hpp"

namespace planvet::test {

std::vector<EventLogCase> event_log_cases() {
  std::vector<EventLogCase> cases;
  const std::filesystem::path root = source_path("corpus/eventlogs");
  for (const auto& version : std::filesystem::directory_iterator(root)) {
    if (!version.is_directory()) continue;
    for (const auto& entry : std::filesystem::directory_iterator(version.path())) {
      if (!std::filesystem::exists(entry.path() / "eventlog.zst")) continue;
      cases.push_back(
          {version.path().filename().string() + "/" + entry.path().filename().string(), entry.path().string()});
    }
  }
  std::sort(cases.begin(), cases.end(), [](const EventLogCase& a, const EventLogCase& b) { return a.name < b.name; });
  return cases;
}

std::string decompressed_file(const std::string& path) {
  const std::string bytes = read_file(path);
  MemorySource source(bytes);
  read::eventlog::DecodedSource decoded(source);
  std::string text;
  std::array<char, 65536> buffer{};
  while (const std::size_t got = decoded.read(buffer)) text.append(buffer.data(), got);
  return text;
}

ReadLog read_log(std::string_view bytes, const std::string& path) {
  ReadLog log;
  read::EventLogReader reader(path, [&](PlanDocument&& document) { log.documents.push_back(std::move(document)); });
  MemorySource source(bytes);
  read::eventlog::DecodedSource decoded(source);
  reader.read(decoded);
  log.result = reader.finish();
  std::stable_sort(log.documents.begin(), log.documents.end(),
                   [](const PlanDocument& a, const PlanDocument& b) { return a.execution_id < b.execution_id; });
  return log;
}

}  // namespace planvet::test
