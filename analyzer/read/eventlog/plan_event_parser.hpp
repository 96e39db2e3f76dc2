// SQL events: executions, the plans that they carry, and the metrics that those declare.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/read/eventlog/events.hpp"
#include "analyzer/read/plan_info_json_syntax.hpp"

namespace planvet::read::eventlog {

// Texts have kPadding bytes behind them. False: not well-formed. Views of events live until the next call.
class PlanEventParser {
 public:
  PlanEventParser();
  ~PlanEventParser();
  // `metrics`: those that the plan declares; as far as they could be read, where the plan is not well-formed.
  [[nodiscard]] bool parse(std::string_view line, ExecutionStart& event, std::vector<MetricDeclaration>& metrics);
  [[nodiscard]] bool parse(std::string_view line, AdaptiveUpdate& event, std::vector<MetricDeclaration>& metrics);
  [[nodiscard]] bool parse(std::string_view line, ExecutionEnd& event);
  [[nodiscard]] bool parse(std::string_view line, AdaptiveMetrics& event);
  [[nodiscard]] bool parse(std::string_view line, DriverUpdates& event);

  // A sparkPlanInfo as its trees are built from it; `plan` is a part of `text`, of which ranges are. False: `into` holds
  // what was read before.
  [[nodiscard]] bool parse_plan(std::string_view text, std::string_view plan, plan_info::Plan& into);

  // By the JSON parser alone: for what is not as usual, and it must always give the same.
  [[nodiscard]] bool parse_any(std::string_view line, ExecutionStart& event, std::vector<MetricDeclaration>& metrics);
  [[nodiscard]] bool parse_any(std::string_view line, AdaptiveUpdate& event, std::vector<MetricDeclaration>& metrics);
  [[nodiscard]] bool parse_any_plan(std::string_view text, std::string_view plan, plan_info::Plan& into);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace planvet::read::eventlog
