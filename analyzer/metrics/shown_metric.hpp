// Spark's own text of a metric, back to numbers: what the SQL pages and the REST API show.
//
//   "total (min, med, max (stageId: taskId))\n922 ms (439 ms, 483 ms, 483 ms (stage 2.0: task 3))"   -> timing, 922
//   "60,000" -> sum     "1.1" -> average     "1406.3 KiB" -> size
//
// Spark writes few digits: counts, bytes below 2048 and times below a second are whole, other values may be off by half
// of their last digit (a tenth of a KiB, of a second; a hundredth of an hour) and are marked as rounded. A metric type
// is not shown: nanoseconds come as milliseconds.
#pragma once

#include <optional>
#include <string_view>

#include "analyzer/metrics/overlay.hpp"

namespace planvet::metrics {

// Nothing where the text has no number: "N/A", and what a connector's own class wrote. The accumulator is not known: -1.
[[nodiscard]] std::optional<MeasuredMetric> read_shown_metric(std::string_view name, std::string_view text);

}  // namespace planvet::metrics
