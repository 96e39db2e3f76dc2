// From the columns of stages to one summary for each metric, in two ways.
//
//   shown     as the History Server does: the last attempt of every stage, index by index
//   measured  one result for each partition: the last success, over all attempts of stages that compute the same RDD
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/metrics/summary.hpp"
#include "analyzer/metrics/trust.hpp"
#include "analyzer/read/eventlog/execution.hpp"
#include "analyzer/read/eventlog/one_or_more.hpp"

namespace planvet::read::eventlog {

struct Measurement {
  metrics::Summary summary;
  metrics::Trust trust;
  OneOrMore<std::int32_t> stages;  // whose tasks updated it, each once
};

// Rows are those of Execution::declared. Nothing in one: nothing updated that metric.
struct Measurements {
  std::vector<std::optional<Measurement>> rows;
  bool are_as_shown = true;  // nothing was tried again or came too late: the summaries are also those that are shown
};

[[nodiscard]] Summaries shown_by_history_server(const Execution& execution);
[[nodiscard]] Measurements measure(const Execution& execution);

}  // namespace planvet::read::eventlog
