// From paths to documents and reports: reads in several threads, answers in the order of the paths.
#pragma once

#include <cstdint>
#include <functional>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/cli/options.hpp"
#include "analyzer/io/paths.hpp"
#include "analyzer/io/watched_source.hpp"
#include "analyzer/plan/document.hpp"
#include "analyzer/plan/expression_parser.hpp"
#include "analyzer/read/eventlog/event_log.hpp"
#include "analyzer/read/reader.hpp"
#include "analyzer/report/report.hpp"

namespace planvet::cli {

// What one input gave.
struct InputResult {
  std::vector<DocumentReport> documents;
  std::string path;
  std::string error;                             // why there are none
  bool is_skipped = false;                       // found in a folder, and no plan: not an error
  std::optional<read::EventLogResult> log = {};  // of an event log, also one without a plan
};

struct Inputs {
  std::vector<InputResult> results;  // by path
  std::vector<InputError> problems;  // folders that could not be read, folders without a plan
  std::uint32_t left_out = 0;        // files and folders that nobody wanted to be looked at
  std::uint32_t unchanged = 0;       // files that did not change since a revision
};

// What became of one input, its documents apart.
struct Reading {
  std::string path;                              // how documents call it
  std::string error;                             // why there are none, or what part of it could not be read
  bool is_skipped = false;                       // found in a folder, and no plan: not an error
  std::optional<read::EventLogResult> log = {};  // of event logs
};

// One input, document by document: the sink may let each go before the next comes. `watch` may be null.
[[nodiscard]] Reading read_documents(const io::InputFile& file, const InputOptions& options,
                                     std::istream& standard_input, const read::DocumentSink& sink,
                                     io::ReadWatch* watch = nullptr);

// Judges one document; called in several threads. `path` is the input's.
using Judge = std::function<DocumentReport(PlanDocument&&, const std::string& path)>;

// `on_file` is called for each file that was read, in several threads.
[[nodiscard]] Inputs read_inputs(io::InputFiles files, const InputOptions& options, std::istream& standard_input,
                                 const Judge& judge, const std::function<void()>& on_file = {});

// Bytes that are in no file. `path` is what they are called.
[[nodiscard]] InputResult read_bytes(const std::string& path, std::string bytes, const Judge& judge);

// The whole run as a report, documents by path.
[[nodiscard]] Report make_report(Inputs inputs);

// The readers' expression grammar, for those who may not include it.
[[nodiscard]] ExpressionParser expression_parser();

}  // namespace planvet::cli
