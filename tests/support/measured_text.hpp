// What an event log would have measured of a plan text, in lines above it, for rules that judge by that:
//
//   -- test: query 0-90000                            ran so long, in ms, and ended well; `failed`: it did not
//   -- test: stage 2: 8 tasks, 1000-5000              times in ms since the query began; `-`: it has no end
//   -- test: stage 3: 8 tasks, 1000-5000; spilled 600 MiB (1 GiB in memory; by task 0, 9 MiB, 300 MiB), peak 90 MiB, shuffle read 2 GiB
//                                                     `by task`: the least, half of the tasks, the largest
//   -- test: metric 5 sum number of output rows = 1000 (0, 1, 900 of 8)
//   -- test: metric 4 size data size = 3 GiB
//   -- test: stages 5 = 1, 2
//   -- test: doubt 5 retried-tasks
//
// 5 is the number of a node in the order of the print, from 0, of the plan that is judged.
#pragma once

#include <memory>
#include <string_view>

#include "analyzer/metrics/overlay.hpp"
#include "analyzer/plan/document.hpp"

namespace planvet::test {

// Null where no line says anything.
[[nodiscard]] std::shared_ptr<const metrics::DocumentMetrics> measured_text(std::string_view text);

}  // namespace planvet::test
