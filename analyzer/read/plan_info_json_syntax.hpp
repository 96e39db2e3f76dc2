// JSON -> records: what SparkPlanInfo and the SQL events say, as ranges of the bytes. Nothing is interpreted here.
//
//   {"Event":"..SparkListenerSQLExecutionStart","executionId":7,"description":"save at App.scala:88",
//    "sparkPlanInfo":{"nodeName":"Project","simpleString":"Project [a#1]","children":[..],"metadata":{},"metrics":[..]}}
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/plan/offset_map.hpp"

namespace planvet::read::plan_info {

inline constexpr std::uint32_t kNone = UINT32_MAX;

// The characters of one JSON string between its quotes, escapes included.
struct JsonString {
  std::uint32_t begin = kNone;
  std::uint32_t end = kNone;
  [[nodiscard]] bool exists() const { return begin != kNone; }
};

// One object with `nodeName`. Nodes stand in pre-order of the JSON, so a subtree is a contiguous range.
struct Node {
  JsonString node_name;
  JsonString simple_string;
  std::uint32_t parent = kNone;
  std::uint32_t subtree_end = 0;
  std::uint32_t metrics_begin = 0;  // in Plan::accumulators
  std::uint32_t metrics_end = 0;
  std::uint32_t metadata_begin = 0;  // in Plan::metadata
  std::uint32_t metadata_end = 0;
};

struct Plan {
  std::vector<Node> nodes;
  std::vector<std::int64_t> accumulators;
  std::vector<std::pair<JsonString, JsonString>> metadata;
};

enum class RecordKind : std::uint8_t { PlanInfo, ExecutionStart, AdaptiveUpdate, LogStart };

struct Record {
  RecordKind kind = RecordKind::PlanInfo;
  std::optional<std::int64_t> execution_id;
  JsonString description;
  JsonString spark_version;  // of LogStart
  std::vector<std::pair<JsonString, JsonString>> conf;
  Plan plan;
  std::optional<std::uint32_t> error;  // the index of the error that cut this record
};

struct SyntaxError {
  std::uint32_t offset = 0;
  bool is_end = false;  // the input ends too early, as cut files do
  std::string message;  // what was expected there
};

struct Records {
  std::vector<Record> records;  // in order of their ends
  std::vector<SyntaxError> errors;
  std::size_t events = 0;  // JSON objects that name an event, also those of no interest
};

// Reads every JSON value that stands in the text, whatever is around them. `text` must be valid UTF-8.
[[nodiscard]] Records read_records(std::string_view text);

// Appends what the string says; `map` leads from there to the bytes.
void append_decoded(std::string_view bytes, JsonString string, std::string& text, OffsetMap& map);
[[nodiscard]] std::string decoded(std::string_view bytes, JsonString string);

// The same text with every byte that is no UTF-8 replaced by '?'; nullopt where there is none.
[[nodiscard]] std::optional<std::string> repaired_utf8(std::string_view bytes);

}  // namespace planvet::read::plan_info
