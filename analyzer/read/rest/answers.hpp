// JSON -> records: what the REST API of a History Server or of a running application says. Nothing is interpreted here.
//
//   /sql, /sql/N       Execution: nodes, edges, planDescription, metrics as text
//   /stages            StageRun, as event logs give them
//   /jobs              JobRun
//   /environment       Spark properties
//   /applications, /version    Spark's version
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/metrics/execution_run.hpp"
#include "analyzer/plan/document.hpp"
#include "analyzer/read/json_tree.hpp"

namespace planvet::read::rest {

enum class Answer : std::uint8_t { None, Sql, Stages, Jobs, Environment, Application };
// By content; the members that tell are never inside of strings, whose quotes are escaped.
[[nodiscard]] Answer answer_of(std::string_view bytes);
[[nodiscard]] std::string_view name(Answer answer);  // "/sql" ...

struct ShownText {
  plan_info::JsonString name;
  plan_info::JsonString value;
};

struct ShownNode {
  std::uint32_t id = 0;
  plan_info::JsonString name;
  std::optional<std::int64_t> codegen_stage;
  std::vector<ShownText> metrics;
};

struct ShownEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

struct Execution {
  std::uint32_t begin = 0;  // where its object stands
  std::optional<std::int64_t> id;
  std::string status;  // RUNNING, COMPLETED, FAILED
  std::string description;
  plan_info::JsonString plan;  // planDescription
  std::optional<std::int64_t> submission_time;
  std::optional<std::int64_t> duration;
  std::optional<std::int64_t> root_execution;
  std::string error;
  std::vector<metrics::JobRun> jobs;
  std::vector<ShownNode> nodes;
  std::vector<ShownEdge> edges;
  std::size_t loose_metrics = 0;  // Spark 3.0 lists metrics without saying whose they are
};

[[nodiscard]] std::vector<Execution> read_executions(const JsonTree& json);
[[nodiscard]] std::vector<metrics::StageRun> read_stages(const JsonTree& json);
[[nodiscard]] std::vector<metrics::JobRun> read_jobs(const JsonTree& json);
[[nodiscard]] std::vector<std::pair<std::string, std::string>> read_spark_properties(const JsonTree& json);
[[nodiscard]] std::optional<SparkVersion> read_version(const JsonTree& json);

// "2018-01-30T15:05:37.433GMT": milliseconds since 1970.
[[nodiscard]] std::optional<std::int64_t> read_date(std::string_view text);

}  // namespace planvet::read::rest
