// `planvet annotate PLAN --metrics LOG`: plans that have no metrics get those of the query of a log that matches.
#pragma once

#include <string>
#include <vector>

#include "analyzer/cli/command.hpp"
#include "analyzer/cli/options.hpp"
#include "analyzer/io/paths.hpp"
#include "analyzer/io/watched_source.hpp"
#include "analyzer/plan/document.hpp"

namespace planvet::cli {

struct MetricsResult {
  std::vector<std::string> remarks;  // for each plan that needed metrics: whose they are, or that there are none
  std::vector<std::string> errors;   // of the metrics' input
  bool all_found = true;
};

// Reads the log once for all plans; of its queries only the best match of each plan is kept.
[[nodiscard]] MetricsResult add_metrics(std::vector<PlanDocument>& plans, const io::InputFiles& metrics,
                                        const InputOptions& options, std::istream& standard_input,
                                        io::ReadWatch* watch);

}  // namespace planvet::cli
