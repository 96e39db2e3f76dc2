#include <algorithm>
#include <array>

#include "analyzer/read/eventlog/events.hpp"

namespace planvet::read::eventlog {
namespace {

struct EventName {
  std::string_view name;
  EventKind kind;
};

// By how often they come.
constexpr auto kCoreEvents = std::to_array<EventName>({
    {"TaskEnd", EventKind::TaskEnd},
    {"TaskStart", EventKind::TaskStart},
    {"StageCompleted", EventKind::StageCompleted},
    {"StageSubmitted", EventKind::StageSubmitted},
    {"JobStart", EventKind::JobStart},
    {"JobEnd", EventKind::JobEnd},
    {"LogStart", EventKind::LogStart},
    {"EnvironmentUpdate", EventKind::EnvironmentUpdate},
    {"ApplicationStart", EventKind::ApplicationStart},
    {"ApplicationEnd", EventKind::ApplicationEnd},
});
constexpr auto kSqlEvents = std::to_array<EventName>({
    {"SQLExecutionStart", EventKind::ExecutionStart},
    {"SQLExecutionEnd", EventKind::ExecutionEnd},
    {"SQLAdaptiveExecutionUpdate", EventKind::AdaptiveUpdate},
    {"SQLAdaptiveSQLMetricUpdates", EventKind::AdaptiveMetrics},
    {"DriverAccumUpdates", EventKind::DriverUpdates},
});

template <typename Names>
EventKind find(const Names& names, std::string_view wanted) {
  for (const EventName& row : names) {
    if (row.name == wanted) return row.kind;
  }
  return EventKind::Dropped;
}

// `{"Event":"` is taken off, with blanks between where another program wrote the line anew; false: it is no event.
bool take_head(std::string_view& line) {
  constexpr std::string_view kHead = R"({"Event":")";
  if (line.starts_with(kHead)) {
    line.remove_prefix(kHead.size());
    return true;
  }
  for (const std::string_view token : {"{", R"("Event")", ":", R"(")"}) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with(token)) return false;
    line.remove_prefix(token.size());
  }
  return true;
}

}  // namespace

EventKind event_kind(std::string_view line) {
  constexpr std::string_view kCore = "SparkListener";
  constexpr std::string_view kSql = "org.apache.spark.sql.execution.ui.SparkListener";
  if (!take_head(line)) return EventKind::NoEvent;
  const std::size_t end = line.find('"');
  if (end == std::string_view::npos) return EventKind::NoEvent;
  const std::string_view event = line.substr(0, end);
  if (event.starts_with(kCore)) return find(kCoreEvents, event.substr(kCore.size()));
  if (event.starts_with(kSql)) return find(kSqlEvents, event.substr(kSql.size()));
  return EventKind::Dropped;
}

}  // namespace planvet::read::eventlog
