// The end of a task that succeeded, as every Spark since 2.4 writes it: nine tenths of the bytes of an event log. Read
// straight from its text, which takes a third of the time that the JSON parser needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/metrics/execution_run.hpp"
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
  [[nodiscard]] bool read_metrics(CompactJson& json, std::size_t group, metrics::TaskTotals& totals);
  [[nodiscard]] const Key* next_key(CompactJson& json, std::size_t group);

  std::vector<Key> keys_;  // as they stood in the lines before
  std::size_t next_ = 0;
};

}  // namespace planvet::read::eventlog
