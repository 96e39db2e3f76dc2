// TaskStart and TaskEnd: nine tenths of every event log, so nothing is allocated for them.
#pragma once

#include <memory>
#include <string_view>

#include "analyzer/read/eventlog/events.hpp"

namespace planvet::read::eventlog {

class TaskEventParser {
 public:
  TaskEventParser();
  ~TaskEventParser();

  // Lines have kPadding bytes behind them. False: not well-formed.
  [[nodiscard]] bool parse(std::string_view line, TaskEnd& event);
  [[nodiscard]] static bool parse(std::string_view line, TaskStart& event);
  // By the JSON parser alone: for what is not as usual, and it must always give the same.
  [[nodiscard]] bool parse_any(std::string_view line, TaskEnd& event);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace planvet::read::eventlog
