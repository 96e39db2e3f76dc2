// `planvet annotate PLAN --metrics LOG`: plans that have no metrics get those of the query of a log that matches.
#pragma once

#include <istream>
#include <span>
#include <string>
#include <vector>

#include "analyzer/cli/options.hpp"
#include "analyzer/io/paths.hpp"
#include "analyzer/io/watched_source.hpp"
#include "analyzer/plan/document.hpp"

namespace planvet::cli {

// A plan that waits for its metrics, and afterwards what is to be said of them.
struct WaitingPlan {
  PlanDocument document;
  std::string remark;  // whose metrics they are, or why there are none; empty: it has its own
  bool is_measured = true;
};

// Reads the log once for all plans; of its queries only the best match of each plan is kept. The answer is what could not
// be read of the log.
[[nodiscard]] std::vector<std::string> add_metrics(std::span<WaitingPlan* const> plans, const io::InputFiles& metrics,
                                                   const InputOptions& options, std::istream& standard_input,
                                                   io::ReadWatch* watch);

}  // namespace planvet::cli
