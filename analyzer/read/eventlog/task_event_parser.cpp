#include "analyzer/read/eventlog/task_event_parser.hpp"

#include <algorithm>

#include "analyzer/read/eventlog/json_value.hpp"
#include "analyzer/read/eventlog/task_end_line.hpp"

namespace planvet::read::eventlog {
namespace {

using json::is;
using json::ondemand::raw_json_string;
using json::ondemand::value;

// One group of "Task Metrics"; the empty one is that object itself.
struct Group {
  std::string_view name;
  metrics::TaskTotals* totals;

  // A key's closing quote is looked at first, so most rows cost one byte.
  bool operator()(const raw_json_string& key, value number) const {
#define PLANVET_TASK_TOTAL(field, rest_name, group, metric) \
  if (is(key, metric) && name == (group)) {                 \
    json::read_integer(number, totals->field);              \
    return true;                                            \
  }
#include "analyzer/metrics/task_totals.def"
    return true;
  }
};

bool read_metrics(value metrics_value, metrics::TaskTotals& totals) {
  const Group outer{"", &totals};
  return json::for_each_member(metrics_value, [&](const raw_json_string& key, value member) {
    for (const std::string_view name :
         {"Shuffle Read Metrics", "Shuffle Write Metrics", "Input Metrics", "Output Metrics"}) {
      if (is(key, name)) return json::for_each_member(member, Group{name, &totals});
    }
    return outer(key, member);
  });
}

// {"ID":23,"Name":"duration","Update":"5","Value":"9","Internal":true,"Count Failed Values":true,"Metadata":"sql"}
// Update of SQL metrics is a string, of Spark's own metrics a number. "Value" sums over tasks and stages: of no use.
bool read_accumulable(value accumulable, std::vector<AccumulatorUpdate>& updates) {
  json::ondemand::object object;
  if (accumulable.get_object().get(object) != simdjson::SUCCESS) return true;
  AccumulatorUpdate update;
  bool has_id = false;
  bool has_update = false;
  for (auto member : object) {
    json::ondemand::field field;
    if (std::move(member).get(field) != simdjson::SUCCESS) return false;
    const raw_json_string key = field.key();
    if (!has_id && is(key, "ID")) {
      has_id = field.value().get_int64().get(update.accumulator) == simdjson::SUCCESS;
    } else if (!has_update && is(key, "Update")) {
      has_update = json::read_quoted_integer(field.value(), update.value);
      if (!has_update) return true;
    } else if (has_id && has_update && is(key, "Metadata")) {
      if (json::text_of(field.value()) == "sql") updates.push_back(update);
      return true;
    }
  }
  return true;
}

bool read_info(value info, TaskEnd& event, bool& is_failed, bool& is_killed) {
  return json::for_each_member(info, [&](const raw_json_string& key, value member) {
    if (is(key, "Task ID"))
      json::read_integer(member, event.task);
    else if (is(key, "Index"))
      json::read_integer(member, event.index);
    else if (is(key, "Partition ID"))
      json::read_integer(member, event.partition);
    else if (is(key, "Launch Time"))
      json::read_integer(member, event.launch_time);
    else if (is(key, "Getting Result Time"))
      json::read_integer(member, event.getting_result_time);
    else if (is(key, "Finish Time"))
      json::read_integer(member, event.finish_time);
    else if (is(key, "Speculative"))
      json::read_flag(member, event.is_speculative);
    else if (is(key, "Failed"))
      json::read_flag(member, is_failed);
    else if (is(key, "Killed"))
      json::read_flag(member, is_killed);
    else if (is(key, "Accumulables"))
      return json::for_each_element(member, [&](value element) { return read_accumulable(element, event.updates); });
    return true;
  });
}

TaskOutcome outcome_of(std::string_view reason) {
  if (reason.empty() || reason == "Success") return TaskOutcome::Succeeded;
  return reason == "TaskKilled" || reason == "TaskCommitDenied" ? TaskOutcome::Killed : TaskOutcome::Failed;
}

}  // namespace

struct TaskEventParser::State {
  TaskEndLine usual;
  json::ondemand::parser parser;
};

TaskEventParser::TaskEventParser() : state_(std::make_unique<State>()) {}
TaskEventParser::~TaskEventParser() = default;

std::int64_t TaskEnd::scheduler_delay() const {
  std::int64_t rest = duration();
  for (const std::int64_t known :
       {totals.run_time_ms, totals.deserialize_time_ms, totals.result_serialization_time_ms, getting_result()}) {
    rest = metrics::saturating_subtract(rest, known);
  }
  return std::max<std::int64_t>(rest, 0);
}

void TaskEnd::clear() {
  std::vector<AccumulatorUpdate> room = std::move(updates);
  room.clear();
  *this = TaskEnd();
  updates = std::move(room);
}

bool TaskEventParser::parse(std::string_view line, TaskEnd& event) {
  event.clear();
  return state_->usual.read(line, event) || parse_any(line, event);
}

bool TaskEventParser::parse_any(std::string_view line, TaskEnd& event) {
  event.clear();
  json::ondemand::document document;
  if (state_->parser.iterate(json::padded(line)).get(document) != simdjson::SUCCESS) return false;
  json::ondemand::object object;
  if (document.get_object().get(object) != simdjson::SUCCESS) return false;
  bool is_failed = false;
  bool is_killed = false;
  std::string_view reason;
  const bool is_whole = json::for_each_member(object, [&](const raw_json_string& key, value member) {
    if (is(key, "Stage ID"))
      json::read_integer(member, event.stage);
    else if (is(key, "Stage Attempt ID"))
      json::read_integer(member, event.attempt);
    else if (is(key, "Task End Reason"))
      return json::for_each_member(member, [&](const raw_json_string& inner, value text) {
        if (is(inner, "Reason")) reason = json::text_of(text);
        return true;
      });
    else if (is(key, "Task Info"))
      return read_info(member, event, is_failed, is_killed);
    else if (is(key, "Task Metrics"))
      return read_metrics(member, event.totals);
    return true;
  });
  event.outcome = outcome_of(reason);
  event.is_resubmitted = reason == "Resubmitted";
  if (event.outcome == TaskOutcome::Succeeded && is_killed) event.outcome = TaskOutcome::Killed;
  if (event.outcome == TaskOutcome::Succeeded && is_failed) event.outcome = TaskOutcome::Failed;
  return is_whole && event.stage >= 0;
}

// {"Event":"SparkListenerTaskStart","Stage ID":0,"Stage Attempt ID":0,"Task Info":{..: two numbers at the front and the
// launch time are all that is wanted.
bool TaskEventParser::parse(std::string_view line, TaskStart& event) {
  event = TaskStart();
  if (!line.ends_with('}')) return false;
  CompactJson usual(line);
  std::int64_t ignored = 0;
  if (usual.take(R"({"Event":"SparkListenerTaskStart","Stage ID":)") && usual.integer(event.stage) &&
      usual.take(R"(,"Stage Attempt ID":)") && usual.integer(event.attempt) &&
      usual.take(R"(,"Task Info":{"Task ID":)") && usual.integer(ignored) && usual.take(R"(,"Index":)") &&
      usual.integer(ignored) && usual.take(R"(,"Attempt":)") && usual.integer(ignored) &&
      (!usual.take(R"(,"Partition ID":)") || usual.integer(ignored)) && usual.take(R"(,"Launch Time":)") &&
      usual.integer(event.launch_time)) {
    return true;
  }
  event = TaskStart();
  const auto number_behind = [&](std::string_view key, auto& into) {
    const std::size_t at = line.find(key);
    if (at == std::string_view::npos) return false;
    // With a blank where another program wrote the line anew.
    const std::size_t begin = std::min(line.find_first_not_of(' ', at + key.size()), line.size());
    const auto [end, error] = std::from_chars(line.data() + begin, line.data() + line.size(), into);
    return error == std::errc();
  };
  number_behind(R"("Launch Time":)", event.launch_time);
  return number_behind(R"("Stage ID":)", event.stage) && number_behind(R"("Stage Attempt ID":)", event.attempt);
}

}  // namespace planvet::read::eventlog
