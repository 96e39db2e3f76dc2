// From the columns of stages to one summary for each metric, in two ways.
//
//   shown     as the History Server does: the last attempt of every stage, index by index
//   measured  one result for each partition: the last success, over all attempts of stages that compute the same RDD
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analyzer/metrics/summary.hpp"
#include "analyzer/metrics/trust.hpp"
#include "analyzer/read/eventlog/execution.hpp"

namespace planvet::read::eventlog {

struct Measurement {
  metrics::Summary summary;
  metrics::Trust trust;
  std::vector<std::int32_t> stages;  // whose tasks updated it, rising
};
using Measurements = std::unordered_map<std::int64_t, Measurement>;  // by accumulator; absent: nothing updated it

[[nodiscard]] Summaries shown_by_history_server(const Execution& execution);
[[nodiscard]] Measurements measure(const Execution& execution);

}  // namespace planvet::read::eventlog
