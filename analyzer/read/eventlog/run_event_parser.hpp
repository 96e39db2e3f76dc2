// Events about the application, its jobs and stages.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "analyzer/read/eventlog/events.hpp"

namespace planvet::read::eventlog {

// Lines have kPadding bytes behind them. False: not well-formed. Views of events live until the next call.
class RunEventParser {
 public:
  RunEventParser();
  ~RunEventParser();
  [[nodiscard]] bool parse(std::string_view line, JobStart& event);
  [[nodiscard]] bool parse(std::string_view line, JobEnd& event);
  [[nodiscard]] bool parse(std::string_view line, StageInfo& event);
  [[nodiscard]] bool parse(std::string_view line, Environment& event);
  [[nodiscard]] bool parse(std::string_view line, ApplicationStart& event);
  [[nodiscard]] bool parse(std::string_view line, ApplicationEnd& event);
  [[nodiscard]] bool parse_log_start(std::string_view line, std::string& spark_version);
  // By the JSON parser alone: for what is not as usual, and it must always give the same.
  [[nodiscard]] bool parse_any(std::string_view line, JobStart& event);
  [[nodiscard]] bool parse_any(std::string_view line, StageInfo& event);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace planvet::read::eventlog
