#include "analyzer/read/plan_info_json_syntax.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <nlohmann/json.hpp>

#include "analyzer/read/json_text.hpp"

namespace planvet::read::plan_info {
namespace {

using nlohmann::json;

enum class Key : std::uint8_t {
  Other,
  Event,
  ExecutionId,
  Description,
  SparkVersion,
  ModifiedConfigs,
  SparkPlanInfo,
  NodeName,
  SimpleString,
  Children,
  Metadata,
  Metrics,
  AccumulatorId,
};

struct KeyName {
  std::string_view name;
  Key key;
};
constexpr auto kKeys = std::to_array<KeyName>({
    {"Event", Key::Event},
    {"executionId", Key::ExecutionId},
    {"description", Key::Description},
    {"Spark Version", Key::SparkVersion},
    {"modifiedConfigs", Key::ModifiedConfigs},
    {"sparkPlanInfo", Key::SparkPlanInfo},
    {"nodeName", Key::NodeName},
    {"simpleString", Key::SimpleString},
    {"children", Key::Children},
    {"metadata", Key::Metadata},
    {"metrics", Key::Metrics},
    {"accumulatorId", Key::AccumulatorId},
});

Key key_of(std::string_view name) {
  for (const KeyName& row : kKeys) {
    if (row.name == name) return row.key;
  }
  return Key::Other;
}

// Which object or array is open. A Candidate is any object that may turn out to be an event or the root of a plan.
enum class Place : std::uint8_t { Candidate, Node, Children, Metadata, Metrics, Metric, Conf, Array, Ignored };

struct Frame {
  Place place = Place::Ignored;
  Key key = Key::Other;          // the member whose value comes next
  std::uint32_t node = kNone;    // Node, Children, Metadata, Metrics, and a Candidate that is a plan's root
  std::uint32_t record = kNone;  // in open_; kNone: a Candidate that has not said what it is
};

class Handler {
 public:
  Handler(std::string_view text, const char* const* reached, Records& result)
      : text_(text), reached_(reached), result_(result) {}

  // -- nlohmann's SAX interface ------------------------------------------------------------------------------------
  bool null() { return true; }
  bool boolean(bool) { return true; }
  bool number_float(double, const std::string&) { return true; }
  bool binary(json::binary_t&) { return true; }
  bool number_integer(std::int64_t value) { return number(value); }
  bool number_unsigned(std::uint64_t value) { return number(static_cast<std::int64_t>(value)); }

  bool string(std::string& value) {
    if (frames_.empty()) return true;
    Frame& frame = frames_.back();
    if (frame.place == Place::Metadata) {
      open_[frame.record].plan.metadata.emplace_back(member_, value_range());
    } else if (frame.place == Place::Conf) {
      open_[frame.record].conf.emplace_back(member_, value_range());
    } else if (frame.place == Place::Candidate || frame.place == Place::Node) {
      member_string(frame, value);
    }
    return true;
  }

  bool key(std::string& name) {
    Frame& frame = frames_.back();
    frame.key = key_of(name);
    key_end_ = offset();
    if (frame.place == Place::Metadata || frame.place == Place::Conf) {
      // The range of the key itself: back from its closing quote by its length in the text.
      member_ = key_range();
    }
    if (frame.place != Place::Candidate || frame.node != kNone) return true;
    if (frame.key == Key::NodeName || frame.key == Key::SimpleString || frame.key == Key::Children) {
      open_record(frame);
      frame.node = add_node(frame.record, kNone);
    }
    return true;
  }

  bool start_object(std::size_t) {
    Frame next;
    if (frames_.empty()) {
      next.place = Place::Candidate;
    } else {
      Frame& frame = frames_.back();
      next.record = frame.record;
      next.node = frame.node;
      switch (frame.place) {
        case Place::Candidate:
          if (frame.key == Key::SparkPlanInfo) {
            open_record(frame);
            next.record = frame.record;
            if (plan(next.record).nodes.empty()) {
              next.place = Place::Node;
              next.node = add_node(next.record, kNone);
            }
          } else if (frame.key == Key::ModifiedConfigs) {
            open_record(frame);
            next = {Place::Conf, Key::Other, kNone, frame.record};
          } else if (frame.node != kNone && frame.key == Key::Metadata) {
            start_metadata(next);
          } else {
            next = {Place::Candidate};
          }
          break;
        case Place::Node:
          if (frame.key == Key::Metadata) start_metadata(next);
          break;
        case Place::Children:
          next.place = Place::Node;
          next.node = add_node(frame.record, frame.node);
          break;
        case Place::Metrics: next.place = Place::Metric; break;
        case Place::Array: next = {Place::Candidate}; break;
        case Place::Metadata:
        case Place::Metric:
        case Place::Conf:
        case Place::Ignored: break;
      }
    }
    frames_.push_back(next);
    return true;
  }

  bool end_object() {
    const Frame frame = frames_.back();
    frames_.pop_back();
    if (frame.place == Place::Metadata) {
      Plan& owner = plan(frame.record);
      owner.nodes[frame.node].metadata_end = static_cast<std::uint32_t>(owner.metadata.size());
    }
    const bool is_root = frame.place == Place::Candidate && frame.node != kNone;
    if (frame.place == Place::Node || is_root) {
      Plan& owner = plan(frame.record);
      owner.nodes[frame.node].subtree_end = static_cast<std::uint32_t>(owner.nodes.size());
    }
    if (frame.place == Place::Candidate && frame.record != kNone) {
      // Records nest like frames do: this one is the last that was opened.
      emit(std::move(open_.back()));
      open_.pop_back();
    }
    return true;
  }

  bool start_array(std::size_t) {
    Frame next;
    if (frames_.empty()) {
      next.place = Place::Array;
    } else {
      Frame& frame = frames_.back();
      next.record = frame.record;
      next.node = frame.node;
      const bool is_node = frame.place == Place::Node || (frame.place == Place::Candidate && frame.node != kNone);
      if (is_node && frame.key == Key::Children) {
        next.place = Place::Children;
      } else if (is_node && frame.key == Key::Metrics) {
        next.place = Place::Metrics;
        plan(frame.record).nodes[frame.node].metrics_begin =
            static_cast<std::uint32_t>(plan(frame.record).accumulators.size());
      } else if (frame.place == Place::Candidate || frame.place == Place::Array) {
        next = {Place::Array};
      }
    }
    frames_.push_back(next);
    return true;
  }

  bool end_array() {
    const Frame frame = frames_.back();
    frames_.pop_back();
    if (frame.place == Place::Metrics) {
      Plan& owner = plan(frame.record);
      owner.nodes[frame.node].metrics_end = static_cast<std::uint32_t>(owner.accumulators.size());
    }
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const json::exception& error) {
    message_ = error.what();
    return false;
  }

  // -- after an error ----------------------------------------------------------------------------------------------
  [[nodiscard]] const std::string& message() const { return message_; }
  [[nodiscard]] bool is_inside_record() const { return !open_.empty(); }

  // What was read of the records that are still open.
  void emit_open(std::uint32_t error) {
    for (const Frame& frame : frames_) {
      if (frame.record == kNone || frame.node == kNone) continue;
      Plan& owner = plan(frame.record);
      const bool is_node =
          frame.place == Place::Node || frame.place == Place::Candidate || frame.place == Place::Children;
      Node& node = owner.nodes[frame.node];
      if (is_node) node.subtree_end = static_cast<std::uint32_t>(owner.nodes.size());
      if (frame.place == Place::Metadata) node.metadata_end = static_cast<std::uint32_t>(owner.metadata.size());
      if (frame.place == Place::Metrics) node.metrics_end = static_cast<std::uint32_t>(owner.accumulators.size());
    }
    for (Record& record : open_) {
      record.error = error;
      drop_nameless_end(record.plan);
      emit(std::move(record));
    }
    open_.clear();
  }

 private:
  [[nodiscard]] std::uint32_t offset() const { return static_cast<std::uint32_t>(*reached_ - text_.data()); }
  [[nodiscard]] Plan& plan(std::uint32_t record) { return open_[record].plan; }

  // The string that ended with the byte before offset(); it began behind the key.
  [[nodiscard]] JsonString value_range() const {
    const std::size_t quote = text_.find('"', key_end_);
    return {static_cast<std::uint32_t>(quote + 1), offset() - 1};
  }
  [[nodiscard]] JsonString key_range() const {
    std::uint32_t begin = key_end_ - 1;
    while (begin > 0 && !(text_[begin - 1] == '"' && !is_escaped(begin - 1))) --begin;
    return {begin, key_end_ - 1};
  }
  [[nodiscard]] bool is_escaped(std::uint32_t at) const {
    std::uint32_t backslashes = 0;
    while (at > backslashes && text_[at - backslashes - 1] == '\\') ++backslashes;
    return backslashes % 2 == 1;
  }

  void open_record(Frame& frame) {
    if (frame.record != kNone) return;
    frame.record = static_cast<std::uint32_t>(open_.size());
    open_.emplace_back();
  }

  std::uint32_t add_node(std::uint32_t record, std::uint32_t parent) {
    Node node;
    node.parent = parent;
    std::vector<Node>& nodes = plan(record).nodes;
    nodes.push_back(node);
    return static_cast<std::uint32_t>(nodes.size() - 1);
  }

  void start_metadata(Frame& frame) {
    frame.place = Place::Metadata;
    plan(frame.record).nodes[frame.node].metadata_begin =
        static_cast<std::uint32_t>(plan(frame.record).metadata.size());
  }

  void member_string(Frame& frame, std::string_view value) {
    if (frame.node != kNone) {
      Node& node = plan(frame.record).nodes[frame.node];
      if (frame.key == Key::NodeName) node.node_name = value_range();
      if (frame.key == Key::SimpleString) node.simple_string = value_range();
    }
    if (frame.place != Place::Candidate) return;
    if (frame.key == Key::Event) {
      ++result_.events;
      open_record(frame);
      Record& record = open_[frame.record];
      if (value.ends_with("SparkListenerSQLExecutionStart")) record.kind = RecordKind::ExecutionStart;
      if (value.ends_with("SparkListenerSQLAdaptiveExecutionUpdate")) record.kind = RecordKind::AdaptiveUpdate;
      if (value.ends_with("SparkListenerLogStart")) record.kind = RecordKind::LogStart;
    } else if (frame.record != kNone && frame.key == Key::Description) {
      open_[frame.record].description = value_range();
    } else if (frame.record != kNone && frame.key == Key::SparkVersion) {
      open_[frame.record].spark_version = value_range();
    }
  }

  bool number(std::int64_t value) {
    if (frames_.empty()) return true;
    const Frame& frame = frames_.back();
    if (frame.place == Place::Metric && frame.key == Key::AccumulatorId) {
      plan(frame.record).accumulators.push_back(value);
    } else if (frame.place == Place::Candidate && frame.record != kNone && frame.key == Key::ExecutionId) {
      open_[frame.record].execution_id = value;
    }
    return true;
  }

  // Nodes of which not even a name was read say nothing. They can only be the last ones.
  static void drop_nameless_end(Plan& plan) {
    while (!plan.nodes.empty() && !plan.nodes.back().node_name.exists() && !plan.nodes.back().simple_string.exists()) {
      plan.nodes.pop_back();
    }
    const auto size = static_cast<std::uint32_t>(plan.nodes.size());
    for (Node& node : plan.nodes) node.subtree_end = std::min(node.subtree_end, size);
  }

  void emit(Record&& record) {
    // An object with `children` need not be an operator.
    if (record.kind == RecordKind::PlanInfo && !record.plan.nodes.empty()) {
      const Node& root = record.plan.nodes.front();
      if (!root.node_name.exists() && !root.simple_string.exists()) return;
    }
    if (record.plan.nodes.empty() && record.kind != RecordKind::LogStart) return;
    result_.records.push_back(std::move(record));
  }

  std::string_view text_;
  const char* const* reached_;
  Records& result_;
  std::vector<Frame> frames_;
  std::vector<Record> open_;
  std::uint32_t key_end_ = 0;
  JsonString member_;  // the key of a metadata or conf entry
  std::string message_;
};

// `{"Event":"SparkListenerTaskEnd",..`: most lines of an event log hold no plan and need not be parsed.
bool is_other_event(std::string_view line) {
  constexpr std::string_view kHead = R"({"Event":")";
  if (!line.starts_with(kHead)) return false;
  line.remove_prefix(kHead.size());
  const std::string_view event = line.substr(0, line.find('"'));
  return !event.ends_with("SparkListenerSQLExecutionStart") &&
         !event.ends_with("SparkListenerSQLAdaptiveExecutionUpdate") && event != "SparkListenerLogStart";
}

}  // namespace

Records read_records(std::string_view text) {
  Records result;
  std::optional<SyntaxError> first_failure;  // of something that may not even have been meant as JSON
  std::size_t at = 0;
  while ((at = text.find_first_of("{[", at)) != std::string_view::npos) {
    const std::size_t line_end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, line_end - at);
    if (is_other_event(line)) {
      ++result.events;
      const std::size_t last = line.find_last_not_of(" \t\r");
      if (line_end == text.size() && line[last] != '}') {
        result.errors.push_back(
            {static_cast<std::uint32_t>(text.size()), true, "object - unexpected end of input; expected '}'"});
      }
      at = line_end;
      continue;
    }
    const char* reached = text.data() + at;
    Handler handler(text, &reached, result);
    const char* const end = text.data() + text.size();
    const bool is_whole = json::sax_parse(CountingIterator(reached, &reached), CountingIterator(end, &reached),
                                          &handler, json::input_format_t::json, false);
    const auto stop = static_cast<std::size_t>(reached - text.data());
    if (is_whole) {
      at = stop;
      continue;
    }
    SyntaxError error;
    error.message = json_expectation(handler.message());
    error.is_end = is_early_end(error.message);
    error.offset = static_cast<std::uint32_t>(error.is_end || stop == 0 ? stop : stop - 1);
    if (handler.is_inside_record()) {
      const auto index = static_cast<std::uint32_t>(result.errors.size());
      result.errors.push_back(std::move(error));
      handler.emit_open(index);
      // Going on right here would take the rest of this plan for plans of their own: the next one begins a line.
      for (at = std::min(text.find('\n', stop), text.size()); at < text.size();
           at = std::min(text.find('\n', at + 1), text.size())) {
        if (text.substr(at + 1, 1) == "{") break;
      }
    } else {
      if (!first_failure) first_failure = std::move(error);
      at = std::max(stop, at + 1);
    }
  }
  if (result.records.empty() && result.errors.empty() && first_failure) {
    result.errors.push_back(std::move(*first_failure));
  }
  return result;
}

namespace {

unsigned hex_value(std::string_view digits) {
  unsigned value = 0;
  for (const char digit : digits) {
    const int nibble = digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10;
    value = value * 16 + static_cast<unsigned>(nibble);
  }
  return value;
}

void append_utf8(unsigned code, std::string& text) {
  const auto byte = [&](unsigned value) { text.push_back(static_cast<char>(value)); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0U | (code >> 6U));
    byte(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    byte(0xE0U | (code >> 12U));
    byte(0x80U | ((code >> 6U) & 0x3FU));
    byte(0x80U | (code & 0x3FU));
  } else {
    byte(0xF0U | (code >> 18U));
    byte(0x80U | ((code >> 12U) & 0x3FU));
    byte(0x80U | ((code >> 6U) & 0x3FU));
    byte(0x80U | (code & 0x3FU));
  }
}

// Decodes the escape that `rest` begins with (nlohmann has checked it); returns its length.
std::size_t append_escape(std::string_view rest, std::string& text) {
  switch (rest[1]) {
    case 'n': text.push_back('\n'); return 2;
    case 't': text.push_back('\t'); return 2;
    case 'r': text.push_back('\r'); return 2;
    case 'b': text.push_back('\b'); return 2;
    case 'f': text.push_back('\f'); return 2;
    case 'u': break;
    default: text.push_back(rest[1]); return 2;
  }
  unsigned code = hex_value(rest.substr(2, 4));
  std::size_t length = 6;
  if (code >= 0xD800 && code < 0xDC00 && rest.size() >= 12) {
    code = 0x10000 + ((code - 0xD800) << 10U) + (hex_value(rest.substr(8, 4)) - 0xDC00);
    length = 12;
  }
  append_utf8(code, text);
  return length;
}

// The length of the UTF-8 sequence at the front, 0 if there is none.
std::size_t utf8_length(std::string_view rest) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(rest[i]); };
  const unsigned lead = byte(0);
  std::size_t length = 0;
  unsigned low = 0x80;
  unsigned high = 0xBF;
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) length = 2;
  if (lead >= 0xE0 && lead <= 0xEF) length = 3;
  if (lead >= 0xF0 && lead <= 0xF4) length = 4;
  if (length == 0 || rest.size() < length) return 0;
  if (lead == 0xE0) low = 0xA0;
  if (lead == 0xED) high = 0x9F;
  if (lead == 0xF0) low = 0x90;
  if (lead == 0xF4) high = 0x8F;
  if (byte(1) < low || byte(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
  }
  return length;
}

}  // namespace

void append_decoded(std::string_view bytes, JsonString string, std::string& text, OffsetMap& map) {
  const std::string_view raw = bytes.substr(0, string.end);
  std::size_t at = string.begin;
  while (at < raw.size()) {
    const std::size_t escape = std::min(raw.find('\\', at), raw.size());
    map.append(static_cast<std::uint32_t>(text.size()), static_cast<std::uint32_t>(at));
    text.append(raw.substr(at, escape - at));
    at = escape;
    if (at < raw.size()) {
      map.append(static_cast<std::uint32_t>(text.size()), static_cast<std::uint32_t>(at));
      at += append_escape(raw.substr(at), text);
    }
  }
  map.append(static_cast<std::uint32_t>(text.size()), string.end);
}

std::string decoded(std::string_view bytes, JsonString string) {
  std::string text;
  if (!string.exists()) return text;
  const std::string_view raw = bytes.substr(string.begin, string.end - string.begin);
  if (raw.find('\\') == std::string_view::npos) {
    text = raw;
    return text;
  }
  OffsetMap map;
  append_decoded(bytes, string, text, map);
  return text;
}

std::optional<std::string> repaired_utf8(std::string_view bytes) {
  std::optional<std::string> repaired;
  for (std::size_t at = 0; at < bytes.size();) {
    // Eight ASCII bytes at a time: nearly all of a plan.
    std::uint64_t block = 0;
    if (bytes.size() - at >= sizeof block) {
      std::memcpy(&block, bytes.data() + at, sizeof block);
      if ((block & 0x8080808080808080U) == 0) {
        at += sizeof block;
        continue;
      }
    }
    const std::size_t length = utf8_length(bytes.substr(at));
    if (length == 0) {
      if (!repaired) repaired = std::string(bytes);
      (*repaired)[at] = '?';
    }
    at += length == 0 ? 1 : length;
  }
  return repaired;
}

}  // namespace planvet::read::plan_info
