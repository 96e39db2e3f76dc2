// One query of an event log as a document: its trees by the reader of plan JSON, and what was measured beside them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/plan/document.hpp"
#include "analyzer/read/eventlog/execution.hpp"
#include "analyzer/read/eventlog/plan_event_parser.hpp"

namespace planvet::read::eventlog {

// What the log says of the application as a whole.
struct LogFacts {
  std::string path;
  std::optional<SparkVersion> spark_version;
  std::vector<std::pair<std::string, std::string>> conf;  // the application's Spark properties
  bool is_compacted = false;
};

// A document without fragments where the log holds no plan for the query.
[[nodiscard]] PlanDocument make_document(const Execution& execution, bool is_whole, const LogFacts& facts,
                                         PlanEventParser& parser);

}  // namespace planvet::read::eventlog
