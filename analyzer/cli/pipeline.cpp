#include "analyzer/cli/pipeline.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/core.h>

#include "analyzer/cli/archive_input.hpp"
#include "analyzer/cli/decoded_input.hpp"
#include "analyzer/cli/log_input.hpp"
#include "analyzer/cli/rest_input.hpp"
#include "analyzer/io/archive.hpp"
#include "analyzer/io/file.hpp"
#include "analyzer/io/paths.hpp"
#include "analyzer/io/stream_source.hpp"
#include "analyzer/io/workers.hpp"
#include "analyzer/read/expression_reader.hpp"
#include "analyzer/read/reader.hpp"

namespace planvet::cli {

namespace {

constexpr std::string_view kWhatIsExpected =
    "paste the output of df.explain(mode=\"formatted\"), or name a file that holds it";

constexpr std::string_view kOtherEvents =
    "these are events of a log in another form than Spark writes them, one a line and nothing around them: their plans "
    "are read, and nothing that was measured";

bool is_blank(std::string_view bytes) { return bytes.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos; }

Reading reading_of(LogReading&& log, const io::InputFile& file, const std::string& path) {
  Reading reading;
  reading.path = path;
  reading.error = std::move(log.error);
  reading.is_skipped = !file.is_named && !log.has_plan && log.log.documents == 0;
  reading.log = std::move(log.log);
  return reading;
}

Reading read_plan_bytes(const std::string& path, std::string bytes, const io::InputFile& file,
                        const read::DocumentSink& sink, io::ReadWatch* watch) {
  const bool is_named = file.is_named;
  Reading reading;
  reading.path = path;
  const bool is_compressed = is_encoded(bytes);
  if (reading.error = decode_in_place(bytes); !reading.error.empty()) {
    reading.is_skipped = !is_named;
    return reading;
  }
  if (is_compressed) {
    // A log that was compressed twice; one that was compressed once has been read by now.
    MemorySource memory(bytes);
    if (std::optional<LogReading> log = read_log_stream(memory, path, sink, watch))
      return reading_of(std::move(*log), file, path);
  }
  if (is_blank(bytes)) {
    reading.is_skipped = !is_named;
    reading.error = "is empty: " + std::string(kWhatIsExpected);
    return reading;
  }
  const read::RestContext beside = rest_context(file, bytes);
  auto source = std::make_shared<const SourceBytes>(path, std::move(bytes));
  bool has_plan = false;
  std::size_t documents = 0;
  const bool holds_events = source->bytes().find("\"SparkListenerTaskEnd\"") != std::string_view::npos;
  const auto take = [&](PlanDocument&& document) {
    // A document without operators says in its notes what it is; it is no plan.
    has_plan = has_plan || judged_fragment(document) != nullptr;
    ++documents;
    if (holds_events) {
      document.is_complete = false;
      document.notes.push_back({NoteKind::IncompleteLog, {}, std::string(kOtherEvents)});
    }
    sink(std::move(document));
  };
  const read::ReadResult read = read::read_input(source, take, &beside);
  if (has_plan) return reading;
  reading.is_skipped = !is_named && documents == 0;
  reading.error =
      !read.error.empty() ? read.error : "holds no operator that could be read: " + std::string(kWhatIsExpected);
  return reading;
}

io::FileBytes read_whole_file(const io::InputFile& file) {
  if (file.archive.empty()) return io::read_file(file.path);
  constexpr std::uint64_t kMost = std::uint64_t{512} << 20U;
  auto opened = io::open_input(file.path, file.archive);
  if (auto* const error = std::get_if<io::ReadError>(&opened)) return std::move(*error);
  return io::read_whole(*std::get<std::unique_ptr<ByteSource>>(opened), kMost);
}

Reading read_standard_input(const io::InputFile& file, const std::string& path, std::istream& standard_input,
                            const read::DocumentSink& sink, io::ReadWatch* watch) {
  io::StreamSource stream(standard_input);
  if (std::optional<LogReading> log = read_log_stream(stream, path, sink, watch, [&] { stream.forget(); }))
    return reading_of(std::move(*log), file, path);
  io::FileBytes rest = io::read_stream(standard_input);
  if (const auto* error = std::get_if<io::ReadError>(&rest)) return {path, error->message, false, std::nullopt};
  std::string bytes = stream.kept() + std::get<std::string>(rest);
  if (std::optional<LogReading> logs = read_archive_bytes(bytes, path, sink, watch)) {
    logs->log.has_several_applications = true;  // as far as anybody knows
    return reading_of(std::move(*logs), file, path);
  }
  return read_plan_bytes(path, std::move(bytes), file, sink, watch);
}

// What can be read but once, as `<(zstdcat app_1)`: as standard input is.
Reading read_pipe(const io::InputFile& file, const read::DocumentSink& sink, io::ReadWatch* watch) {
  errno = 0;
  std::ifstream pipe(file.path, std::ios::binary);
  if (!pipe) return {file.path, io::read_error(errno).message, false, std::nullopt};
  return read_standard_input(file, file.path, pipe, sink, watch);
}

InputResult read_one(const io::InputFile& file, const InputOptions& options, std::istream& standard_input,
                     const Judge& judge) {
  InputResult result;
  const Reading reading = read_documents(file, options, standard_input, [&](PlanDocument&& document) {
    result.documents.push_back(judge(std::move(document), file.path));
  });
  result.path = reading.path;
  result.error = reading.error;
  result.is_skipped = reading.is_skipped;
  result.log = reading.log;
  if (reading.log) {
    // Queries end in any order.
    std::ranges::stable_sort(result.documents, {},
                             [](const DocumentReport& report) { return report.document.execution_id.value_or(-1); });
  }
  return result;
}

// "3 files and folders are left out by .gitignore or exclude": perhaps the plans are among them.
std::string left_out_text(std::uint32_t left_out) {
  if (left_out == 0) return {};
  return fmt::format(" ({} {} left out by .gitignore or exclude)", left_out,
                     left_out == 1 ? "file or folder is" : "files and folders are");
}

}  // namespace

Reading read_documents(const io::InputFile& file, const InputOptions& options, std::istream& standard_input,
                       const read::DocumentSink& sink, io::ReadWatch* watch) {
  if (file.path == "-") {
    const std::string& path = options.stdin_filename.empty() ? file.path : options.stdin_filename;
    return read_standard_input(file, path, standard_input, sink, watch);
  }
  if (file.archive.empty() && file.parts.empty() && io::is_pipe(file.path)) return read_pipe(file, sink, watch);
  if (std::optional<LogReading> log = read_log_file(file, sink, watch))
    return reading_of(std::move(*log), file, file.path);
  io::FileBytes content = read_whole_file(file);
  if (const auto* error = std::get_if<io::ReadError>(&content)) return {file.path, error->message, false, std::nullopt};
  return read_plan_bytes(file.path, std::move(std::get<std::string>(content)), file, sink, watch);
}

InputResult read_bytes(const std::string& path, std::string bytes, const Judge& judge) {
  InputResult result;
  const io::InputFile file{path, false, {}, {}};
  const Reading reading = read_plan_bytes(
      path, std::move(bytes), file,
      [&](PlanDocument&& document) { result.documents.push_back(judge(std::move(document), path)); }, nullptr);
  result.path = reading.path;
  result.error = reading.error;
  result.is_skipped = reading.is_skipped;
  return result;
}

ExpressionParser expression_parser() { return {parse_expression, parse_pushed_filters}; }

Inputs read_inputs(io::InputFiles files, const InputOptions& options, std::istream& standard_input, const Judge& judge,
                   const std::function<void()>& on_file) {
  Inputs inputs;
  inputs.left_out = files.left_out;
  inputs.unchanged = files.unchanged;
  for (io::InputFiles::Problem& problem : files.problems)
    inputs.problems.push_back({std::move(problem.path), std::move(problem.message)});
  inputs.results.resize(files.files.size());
  io::for_each_parallel(files.files.size(), options.jobs, [&](std::size_t i) {
    inputs.results[i] = read_one(files.files[i], options, standard_input, judge);
    if (on_file) on_file();
  });
  // A folder in which nothing was found is a mistake somewhere: say so rather than find nothing.
  for (const std::string& path : options.paths) {
    const bool is_archive =
        std::ranges::any_of(files.files, [&](const io::InputFile& file) { return file.archive == path; });
    if (files.is_partial || path == "-" || (!is_archive && !io::is_directory(path))) continue;
    const auto is_below = [&](const InputResult& result) {
      return result.path == path || io::is_below(result.path, path);
    };
    const bool has_plan = std::ranges::any_of(
        inputs.results, [&](const InputResult& result) { return is_below(result) && !result.documents.empty(); });
    if (has_plan || std::ranges::any_of(inputs.problems, [&](const auto& problem) { return problem.path == path; }))
      continue;
    const auto first = std::ranges::find_if(inputs.results, is_below);
    const bool has_files = first != inputs.results.end();
    if (has_files && is_archive && first->log && std::ranges::count_if(inputs.results, is_below) == 1) {
      inputs.problems.push_back({first->path, first->error});
      continue;
    }
    inputs.problems.push_back({path, has_files ? fmt::format("no file {} holds a plan{}: {}",
                                                             is_archive ? "of this archive" : "below this folder",
                                                             left_out_text(files.left_out), kWhatIsExpected)
                                               : "no files below this folder" + left_out_text(files.left_out)});
  }
  return inputs;
}

Report make_report(Inputs inputs) {
  Report report;
  report.inputs = static_cast<std::uint32_t>(inputs.results.size());
  report.left_out_paths = inputs.left_out;
  report.unchanged_inputs = inputs.unchanged;
  for (InputResult& result : inputs.results) {
    for (DocumentReport& document : result.documents) report.documents.push_back(std::move(document));
    if (result.is_skipped) {
      ++report.skipped_inputs;
    } else if (!result.error.empty()) {
      report.errors.push_back({result.path, result.error});
    }
  }
  for (InputError& problem : inputs.problems) report.errors.push_back(std::move(problem));
  return report;
}

}  // namespace planvet::cli
