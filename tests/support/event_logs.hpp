// The event logs of the corpus: what Spark wrote, and what its own History Server says about it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/io/log_parts.hpp"
#include "analyzer/plan/document.hpp"
#include "analyzer/read/eventlog/event_log.hpp"

namespace planvet::test {

struct EventLogCase {
  std::string name;       // "spark-3.5.9/adaptive"
  std::string directory;  // of eventlog.zst, sql.json.zst, stages.json.zst
};
[[nodiscard]] std::vector<EventLogCase> event_log_cases();
// Those that are folders of parts, "spark-3.5.9/rolled": directory/eventlog_v2_<id>/.
[[nodiscard]] std::vector<EventLogCase> rolling_log_cases();
[[nodiscard]] std::vector<EventLogCase> all_log_cases();
[[nodiscard]] bool is_rolling(const EventLogCase& log);
[[nodiscard]] std::vector<io::LogPart> log_parts(const EventLogCase& log);  // one, or those of a rolling log
[[nodiscard]] std::string test_name(const EventLogCase& log);               // of letters, digits and '_'

// A file as it is when it is decompressed, whatever its codec.
[[nodiscard]] std::string decompressed_file(const std::string& path);

struct ReadLog {
  read::EventLogResult result;
  std::vector<PlanDocument> documents;  // by execution id
};
[[nodiscard]] ReadLog read_case(const EventLogCase& log);  // whichever of both
// Bytes in any codec.
[[nodiscard]] ReadLog read_log(std::string_view bytes, const std::string& path = "app.log");

// What any document of a log must hold to, however damaged the log.
void expect_sound(const PlanDocument& document);

}  // namespace planvet::test
