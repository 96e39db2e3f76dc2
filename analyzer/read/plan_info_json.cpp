#include "analyzer/read/plan_info_json.hpp"

#include <algorithm>
#include <charconv>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "analyzer/read/plan_info_json_syntax.hpp"
#include "analyzer/read/plan_info_json_tree.hpp"

namespace planvet::read {
namespace {

using namespace plan_info;

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// JSON by its first sign, or SparkPlanInfo somewhere in prose. Explain text quotes its own marks nowhere but in the
// strings of such JSON, so they are looked for as lines.
bool looks_like_plan_info(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  constexpr std::size_t kHead = 4096;
  const bool is_json = bytes[first] == '{' || bytes[first] == '[';
  if (is_json) {
    const std::string_view head = bytes.substr(first, kHead);
    if (contains(head, "\"nodeName\"") || contains(head, "\"simpleString\"") || contains(head, "\"sparkPlanInfo\"")) {
      return true;
    }
    if (contains(head, "\"Event\"") && contains(head, "SparkListener")) return true;
  }
  if (!contains(bytes, "\"nodeName\"") || !contains(bytes, "\"simpleString\"")) return false;
  return is_json || !contains(bytes, "\n== ");
}

// Events of one execution: the first plan, and the last one that replaced it.
struct Execution {
  const Record* start = nullptr;
  const Record* latest = nullptr;
};

class Reading {
 public:
  explicit Reading(const std::shared_ptr<const SourceBytes>& bytes) : bytes_(bytes), text_(bytes->bytes()) {
    repaired_ = repaired_utf8(text_);
    if (repaired_) text_ = *repaired_;
  }

  void read(const DocumentSink& sink) {
    result_ = read_records(text_);
    input_ = result_.events > 1 ? InputKind::EventLog : InputKind::PlanInfoJson;
    std::vector<Execution> executions = group();
    // Errors outside of any plan belong to the last document; without any they are one.
    for (std::size_t i = 0; i < executions.size(); ++i) {
      PlanDocument document = make_document(executions[i], i + 1 == executions.size());
      sink(std::move(document));
    }
    if (executions.empty() && !result_.errors.empty()) sink(make_document({}, true));
  }

 private:
  std::vector<Execution> group() {
    std::vector<Execution> executions;
    std::map<std::int64_t, std::size_t> open;  // by execution id
    for (const Record& record : result_.records) {
      if (record.kind == RecordKind::LogStart) {
        version_ = parse_version(decoded(text_, record.spark_version));
        continue;
      }
      const bool is_event = record.kind != RecordKind::PlanInfo && record.execution_id.has_value();
      const auto found = is_event ? open.find(*record.execution_id) : open.end();
      if (record.kind == RecordKind::AdaptiveUpdate && found != open.end()) {
        executions[found->second].latest = &record;
        continue;
      }
      if (is_event) open.insert_or_assign(*record.execution_id, executions.size());
      executions.push_back({record.kind == RecordKind::AdaptiveUpdate ? nullptr : &record, nullptr});
      if (record.kind == RecordKind::AdaptiveUpdate) executions.back().latest = &record;
    }
    return executions;
  }

  static std::optional<SparkVersion> parse_version(std::string_view text) {
    SparkVersion version;
    int* const parts[] = {&version.major, &version.minor, &version.patch};
    const char* at = text.data();
    const char* const end = text.data() + text.size();
    for (int* const part : parts) {
      const auto [stop, failure] = std::from_chars(at, end, *part);
      if (failure != std::errc()) return std::nullopt;
      at = stop < end && *stop == '.' ? stop + 1 : stop;
    }
    return version;
  }

  PlanDocument make_document(const Execution& execution, bool is_last) {
    PlanDocument document;
    document.input = input_;
    document.spark_version = version_;
    const Record* const judged = execution.latest != nullptr ? execution.latest : execution.start;
    const Record* const initial = execution.latest != nullptr ? execution.start : nullptr;

    TextWriter writer(text_);
    std::deque<TreeReader> readers;  // a reader keeps views of its plan
    for (const Record* const record : {judged, initial}) {
      if (record != nullptr) readers.emplace_back(text_, record->plan).write_text(writer);
    }
    describe(judged, execution.start, document);
    add_errors(judged, initial, is_last, writer, document);
    auto source = std::make_shared<const Source>(std::move(writer).finish(bytes_));
    document.source = source;
    for (std::size_t i = 0; i < readers.size(); ++i) {
      const bool is_judged = i == 0;
      TreeReader& reader = readers[i];
      reader.build(*source, is_judged && judged->kind != RecordKind::PlanInfo);
      if (is_judged) {
        document.optimized_out = std::move(reader.optimized_out());
        std::copy(reader.notes().begin(), reader.notes().end(), std::back_inserter(document.notes));
      }
      document.fragments.push_back(
          {is_judged ? role_of(reader, execution) : FragmentRole::Initial, std::move(reader.tree())});
    }
    return document;
  }

  // A query that was updated runs already, even if no stage is done.
  static FragmentRole role_of(const TreeReader& reader, const Execution& execution) {
    const bool is_updated = execution.latest != nullptr;
    return reader.role() == FragmentRole::Only && is_updated ? FragmentRole::Current : reader.role();
  }

  void describe(const Record* judged, const Record* start, PlanDocument& document) const {
    if (judged == nullptr) return;
    document.execution_id = judged->execution_id;
    if (judged->execution_id) document.title = "query " + std::to_string(*judged->execution_id);
    if (start == nullptr) return;
    std::string description = decoded(text_, start->description);
    std::replace_if(
        description.begin(), description.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    if (!description.empty() && start->execution_id) document.title += ": " + description;
    for (const auto& [key, value] : start->conf) document.conf.emplace_back(decoded(text_, key), decoded(text_, value));
  }

  void add_errors(const Record* judged, const Record* initial, bool is_last, TextWriter& writer,
                  PlanDocument& document) {
    if (repaired_ && is_last) {
      const auto first = std::mismatch(repaired_->begin(), repaired_->end(), bytes_->bytes().begin()).first;
      add_note(NoteKind::UnreadablePart, static_cast<std::uint32_t>(first - repaired_->begin()),
               "the JSON is not UTF-8 here: bytes that could not be read are shown as '?'", writer, document);
    }
    for (std::uint32_t i = 0; i < result_.errors.size(); ++i) {
      const bool is_mine = (judged != nullptr && judged->error == i) || (initial != nullptr && initial->error == i);
      const bool has_owner = std::any_of(result_.records.begin(), result_.records.end(),
                                         [&](const Record& record) { return record.error == i; });
      if (!is_mine && (has_owner || !is_last)) continue;
      const SyntaxError& error = result_.errors[i];
      NoteKind kind = NoteKind::UnreadablePart;
      if (error.is_end) kind = input_ == InputKind::EventLog ? NoteKind::IncompleteLog : NoteKind::TruncatedPlan;
      const std::string where = error.is_end ? "the JSON ends too early" : "the JSON is not well-formed";
      const std::string effect = is_mine ? "; the plan is read up to here" : "; what stands here could not be read";
      add_note(kind, error.offset, where + ": while reading " + error.message + effect, writer, document);
    }
  }

  static void add_note(NoteKind kind, std::uint32_t offset, std::string message, TextWriter& writer,
                       PlanDocument& document) {
    document.is_complete = false;
    document.notes.push_back({kind, writer.append_mark(offset), std::move(message)});
  }

  std::shared_ptr<const SourceBytes> bytes_;
  std::optional<std::string> repaired_;
  std::string_view text_;  // the bytes, or their repaired copy: offsets are the same
  Records result_;
  InputKind input_ = InputKind::PlanInfoJson;
  std::optional<SparkVersion> version_;
};

void read_plan_info_json(const std::shared_ptr<const SourceBytes>& bytes, const DocumentSink& sink) {
  Reading(bytes).read(sink);
}

}  // namespace

const Reader kPlanInfoJson{
    "plan JSON",
    "JSON with `\"nodeName\"` and `\"simpleString\"` (sparkPlanInfo), or events `{\"Event\":\"SparkListener..\"}`",
    looks_like_plan_info,
    read_plan_info_json,
};

}  // namespace planvet::read
