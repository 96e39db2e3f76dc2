// From paths to documents and reports: reads in several threads, answers in the order of the paths.
#pragma once

#include <functional>
#include <istream>
#include <string>
#include <vector>

#include "analyzer/cli/options.hpp"
#include "analyzer/plan/document.hpp"
#include "analyzer/plan/expression_parser.hpp"
#include "analyzer/report/report.hpp"

namespace planvet::cli {

// What one input gave.
struct InputResult {
  std::vector<DocumentReport> documents;
  std::string path;
  std::string error;        // why there are none
  bool is_skipped = false;  // found in a folder, and no plan: not an error
};

struct Inputs {
  std::vector<InputResult> results;  // by path
  std::vector<InputError> problems;  // folders that could not be read, folders without a plan
};

// Judges one document; called in several threads. `path` is the input's.
using Judge = std::function<DocumentReport(PlanDocument&&, const std::string& path)>;

[[nodiscard]] Inputs read_inputs(const InputOptions& options, std::istream& standard_input, const Judge& judge);

// The whole run as a report, documents by path.
[[nodiscard]] Report make_report(Inputs inputs);

// The readers' expression grammar, for those who may not include it.
[[nodiscard]] ExpressionParser expression_parser();

}  // namespace planvet::cli
