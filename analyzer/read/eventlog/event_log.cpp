#include "analyzer/read/eventlog/event_log.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "analyzer/facts/facts.hpp"
#include "analyzer/read/eventlog/events.hpp"
#include "analyzer/read/eventlog/execution_document.hpp"
#include "analyzer/read/eventlog/fold.hpp"
#include "analyzer/read/eventlog/line_reader.hpp"
#include "analyzer/read/eventlog/plan_event_parser.hpp"
#include "analyzer/read/eventlog/run_event_parser.hpp"
#include "analyzer/read/eventlog/task_event_parser.hpp"

namespace planvet::read {

using namespace eventlog;

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Parsers do not read every line to its end: one that is cut where an inner object ends may look whole to them.
bool is_closed(std::string_view line) {
  int depth = 0;
  bool is_in_text = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (is_in_text && c == '\\') {
      ++at;
    } else if (c == '"') {
      is_in_text = !is_in_text;
    } else if (!is_in_text) {
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    }
  }
  return depth == 0 && !is_in_text;
}

std::string count_text(std::size_t count, std::string_view thing) {
  return std::to_string(count) + " " + std::string(thing) + (count == 1 ? "" : "s");
}

}  // namespace

struct EventLogReader::State {
  State(std::string path, DocumentSink document_sink)
      : sink(std::move(document_sink)),
        fold([this](Execution&& execution, bool is_whole) { take(execution, is_whole); }) {
    facts.path = std::move(path);
  }

  // The last document waits for notes about the log as a whole.
  void take(const Execution& execution, bool is_whole) {
    PlanDocument document = make_document(execution, is_whole, facts, plan_parser);
    if (document.fragments.empty()) {
      if (!execution.has_start) ++lost_queries;
      return;
    }
    hand_on_last();
    last = std::move(document);
  }

  void hand_on_last() {
    if (!last) return;
    ++result.documents;
    sink(std::move(*last));
    last.reset();
  }

  bool read_line(std::string_view line);
  bool read_plan_event(EventKind kind, std::string_view line);
  void note_problems();

  DocumentSink sink;
  LogFacts facts;
  EventLogResult result;
  std::optional<PlanDocument> last;
  std::vector<std::string> problems;  // of parts
  bool is_cut = false;                // the last line lacks its end
  std::size_t lost_queries = 0;       // whose plan the log does not hold

  TaskEventParser task_parser;
  RunEventParser run_parser;
  PlanEventParser plan_parser;
  Fold fold;

  TaskEnd task_end;  // used again for every task
  std::vector<MetricDeclaration> declared;
};

// False: not well-formed.
bool EventLogReader::State::read_line(std::string_view line) {
  const EventKind kind = event_kind(line);
  if (kind == EventKind::NoEvent) return false;
  ++result.events;
  switch (kind) {
    case EventKind::Dropped: return line.ends_with('}');
    case EventKind::NoEvent: return false;
    case EventKind::TaskEnd: {
      if (!task_parser.parse(line, task_end)) return false;
      fold.on(task_end);
      return true;
    }
    case EventKind::TaskStart: {
      TaskStart event;
      if (!TaskEventParser::parse(line, event)) return false;
      fold.on(event);
      return true;
    }
    case EventKind::JobStart: {
      JobStart event;
      if (!run_parser.parse(line, event)) return false;
      fold.on(event);
      return true;
    }
    case EventKind::JobEnd: {
      JobEnd event;
      if (!run_parser.parse(line, event)) return false;
      fold.on(event);
      return true;
    }
    case EventKind::StageSubmitted:
    case EventKind::StageCompleted: {
      StageInfo event;
      if (!run_parser.parse(line, event)) return false;
      kind == EventKind::StageSubmitted ? fold.on_stage_submitted(event) : fold.on_stage_completed(event);
      return true;
    }
    case EventKind::LogStart: {
      std::string version;
      if (!run_parser.parse_log_start(line, version)) return false;
      facts.spark_version = parse_spark_version(version);
      return true;
    }
    case EventKind::EnvironmentUpdate: {
      Environment event;
      if (!run_parser.parse(line, event)) return false;
      fold.on(event);
      facts.conf = std::move(event.spark_properties);
      return true;
    }
    case EventKind::ApplicationStart: {
      ApplicationStart event;
      if (!run_parser.parse(line, event)) return false;
      const bool is_another = event.id != result.application_id || event.attempt != result.application_attempt;
      if (is_another && !result.application_id.empty()) {
        fold.begin_application();
        result.has_several_applications = true;
      }
      result.application_id = std::move(event.id);
      result.application_name = std::move(event.name);
      result.application_attempt = std::move(event.attempt);
      return true;
    }
    case EventKind::ApplicationEnd: result.has_application_end = true; return line.ends_with('}');
    case EventKind::ExecutionStart:
    case EventKind::ExecutionEnd:
    case EventKind::AdaptiveUpdate:
    case EventKind::AdaptiveMetrics:
    case EventKind::DriverUpdates: return read_plan_event(kind, line);
  }
  return false;
}

bool EventLogReader::State::read_plan_event(EventKind kind, std::string_view line) {
  if (kind == EventKind::ExecutionStart) {
    ExecutionStart event;
    const bool is_whole = plan_parser.parse(line, event, declared);
    if (event.execution >= 0) fold.on(event, declared);  // also where its plan is broken
    return is_whole;
  }
  if (kind == EventKind::AdaptiveUpdate) {
    AdaptiveUpdate event;
    if (!plan_parser.parse(line, event, declared)) return false;
    fold.on(event, declared);
    return true;
  }
  if (kind == EventKind::AdaptiveMetrics) {
    AdaptiveMetrics event;
    if (!plan_parser.parse(line, event)) return false;
    fold.on(event);
    return true;
  }
  if (kind == EventKind::DriverUpdates) {
    DriverUpdates event;
    if (!plan_parser.parse(line, event)) return false;
    fold.on(event);
    return true;
  }
  ExecutionEnd event;
  if (!plan_parser.parse(line, event)) return false;
  fold.on(event);
  return true;
}

void EventLogReader::State::note_problems() {
  // What compaction dropped is no gap; trust says it.
  const StagesOfNoJob lost = facts.is_compacted ? StagesOfNoJob() : fold.stages_of_no_job();
  result.has_gaps = !problems.empty() || is_cut || lost_queries > 0 || lost.stages > 0 || result.broken_lines > 0;
  if (!last) return;
  const auto add = [&](NoteKind kind, std::string message) {
    last->is_complete = false;
    last->notes.push_back({kind, {}, std::move(message)});
  };
  for (std::string& problem : problems) add(NoteKind::IncompleteLog, std::move(problem));
  if (is_cut) add(NoteKind::IncompleteLog, "the log ends in the middle of a line: what stood there could not be read");
  if (lost_queries > 0) {
    const std::string queries = lost_queries == 1 ? "1 query" : std::to_string(lost_queries) + " queries";
    add(NoteKind::IncompleteLog,
        queries + " of the log cannot be shown: the event of the start, which has the plan, is missing");
  }
  if (lost.stages > 0) {
    add(NoteKind::IncompleteLog,
        count_text(lost.stages, "stage") + " of the log, with " + count_text(lost.tasks, "task") + " that ended, " +
            (lost.stages == 1 ? "belongs" : "belong") +
            " to no job in it: the event of a job's start is missing, and what they did is not "
            "counted");
  }
  const std::uint64_t broken = result.broken_lines - (is_cut ? 1 : 0);
  if (broken > 0) {
    const std::string lines = broken == 1 ? "1 line of the log" : std::to_string(broken) + " lines of the log";
    add(NoteKind::UnreadablePart, lines + " could not be read: they are no events, or not well-formed");
  }
}

EventLogReader::EventLogReader(std::string path, DocumentSink sink)
    : state_(std::make_unique<State>(std::move(path), std::move(sink))) {}
EventLogReader::~EventLogReader() = default;

void EventLogReader::read(ByteSource& part, bool is_compacted) {
  State& state = *state_;
  state.facts.is_compacted |= is_compacted;
  LineReader lines(part);
  while (const std::optional<std::string_view> line = lines.next()) {
    ++state.result.lines;
    std::string_view text = *line;
    if (state.result.lines == 1 && text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    if (text.ends_with('\r')) text.remove_suffix(1);
    if (text.empty()) continue;
    const bool is_whole = state.read_line(text) && (lines.last_line_had_break() || is_closed(text));
    if (is_whole) continue;
    ++state.result.broken_lines;
    if (!lines.last_line_had_break()) state.is_cut = true;
  }
  state.result.broken_lines += lines.skipped_lines();
  state.result.bytes += lines.bytes();
  if (!part.problem().empty()) state.problems.push_back(part.problem());
}

void EventLogReader::add_problem(std::string problem) { state_->problems.push_back(std::move(problem)); }

EventLogResult EventLogReader::finish() {
  state_->fold.finish();
  state_->note_problems();
  state_->hand_on_last();
  state_->result.last_job_of_no_query = state_->fold.last_job_of_no_query();
  return state_->result;
}

bool looks_like_event_log(std::string_view head) {
  if (head.starts_with(kByteOrderMark)) head.remove_prefix(kByteOrderMark.size());
  constexpr std::size_t kLongFirstLine = std::size_t{1} << 16U;
  // Empty: there is no further line.
  const auto next_line = [&] {
    head.remove_prefix(std::min(head.find_first_not_of("\r\n"), head.size()));
    const std::string_view line = head.substr(0, head.find('\n'));
    head.remove_prefix(line.size());
    return line;
  };
  const auto is_event = [](std::string_view line) { return event_kind(line) != EventKind::NoEvent; };
  const std::string_view first = next_line();
  if (is_event(first)) {
    const bool is_long = first.size() > kLongFirstLine;
    const std::string_view second = next_line();
    // One event that somebody cut out of a log is a plan, but for the first one of all.
    return second.empty() ? is_long || event_kind(first) == EventKind::LogStart : is_event(second);
  }
  // Cut at its beginning, or with a line of somebody else in front. Not an archive, and no list "[{..},".
  if (first.find('\0') != std::string_view::npos) return false;
  const auto is_whole_event = [&](std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    return is_event(line) && (head.empty() || line.ends_with('}'));
  };
  return is_whole_event(next_line()) && is_whole_event(next_line());
}

}  // namespace planvet::read
