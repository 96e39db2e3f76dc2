// Answers of the REST API of a History Server or of a running application: /sql and /sql/N give plans with metrics as
// Spark's UI shows them, which is rounded (analyzer/metrics/shown_metric.hpp); /stages, /jobs, /environment and
// /applications, saved beside, say how the queries ran and by which Spark.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/metrics/execution_run.hpp"
#include "analyzer/read/reader.hpp"

namespace planvet::read {

extern const Reader kSqlRestJson;

// What other answers of the same application say.
struct RestContext {
  std::vector<metrics::StageRun> stages;
  std::vector<metrics::JobRun> jobs;
  std::vector<std::pair<std::string, std::string>> conf;
  std::optional<SparkVersion> spark_version;
};

// "/sql", "/stages" ..; empty: none that is known. Looks at the whole text.
[[nodiscard]] std::string_view rest_answer(std::string_view bytes);

// Adds what an answer says that is none of /sql. False: it is no such answer, or broken.
bool add_rest_answer(std::string_view bytes, RestContext& context);

// One document for each query.
void read_sql_rest(const std::shared_ptr<const SourceBytes>& bytes, const RestContext& context,
                   const DocumentSink& sink);

}  // namespace planvet::read
