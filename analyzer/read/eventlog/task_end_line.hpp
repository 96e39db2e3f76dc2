// The end of a task that succeeded, as every Spark since 2.4 writes it: nine tenths of the bytes of an event log. Read
// straight from its text, which takes a third of the time that the JSON parser needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/metrics/execution_run.hpp"
#include "analyzer/read/eventlog/accumulator_index.hpp"
#include "analyzer/read/eventlog/compact_json.hpp"
#include "analyzer/read/eventlog/events.hpp"

namespace planvet::read::eventlog {

class TaskEndLine {
 public:
  // `line` has kPadding bytes behind it, `event` is cleared. False: not such a line, or anything about it is unusual;
  // what `event` holds then means nothing.
  [[nodiscard]] bool read(std::string_view line, TaskEnd& event);

 private:
  // A member of "Task Metrics" and what it is for.
  struct Key {
    std::string text;                                    // with its quotes and colon
    std::size_t group = 0;                               // whose member it is: a row of kGroups
    std::size_t opens = 0;                               // the group that it is; 0: none
    std::int64_t metrics::TaskTotals::*total = nullptr;  // null: of no use
  };
  // An accumulable up to its update, which is the same for all tasks of a stage:
  //   {"ID":23,"Name":"duration","Update":"
  struct Head {
    std::size_t begin = 0;  // of its text in head_texts_
    std::size_t size = 0;
    std::int64_t accumulator = -1;
    bool is_quoted = false;
    std::size_t next = 0;  // the one that came behind it the last time; 0: none yet
  };
  [[nodiscard]] bool read_info(CompactJson& json, TaskEnd& event);
  [[nodiscard]] bool read_accumulables(CompactJson& json, std::vector<AccumulatorUpdate>& updates);
  [[nodiscard]] const Head* next_head(CompactJson& json);
  [[nodiscard]] std::string_view text_of(const Head& head) const {
    return {head_texts_.data() + head.begin, head.size};
  }
  [[nodiscard]] bool read_metrics(CompactJson& json, std::size_t group, metrics::TaskTotals& totals);
  [[nodiscard]] const Key* next_key(CompactJson& json, std::size_t group);

  // What was seen in the lines before is compared, not read again.
  std::vector<Key> keys_;  // in their order
  std::size_t next_key_ = 0;
  std::vector<Head> heads_{1};  // the first one stands for the beginning of the list
  std::string head_texts_;
  AccumulatorIndex heads_by_accumulator_;
  std::size_t last_head_ = 0;
};

}  // namespace planvet::read::eventlog
