#include "analyzer/cli/log_input.hpp"

#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "analyzer/io/archive.hpp"
#include "analyzer/io/read_ahead.hpp"
#include "analyzer/read/eventlog/codec.hpp"
#include "analyzer/read/eventlog/event_log.hpp"

namespace planvet::cli {

namespace {

using read::eventlog::DecodedSource;

// Enough for two lines at the beginning of any part of a log.
constexpr std::size_t kHead = std::size_t{1} << 18U;

// Most inputs are plans, and most logs have an event in their first bytes.
bool is_log(DecodedSource& source) {
  const std::string_view first = source.peek(read::eventlog::kCodecHead);
  if (first.find("\"Event\"") == std::string_view::npos &&
      source.peek(kHead).find("\n{\"Event\":") == std::string_view::npos) {
    return false;
  }
  return read::looks_like_event_log(source.peek(kHead));
}

std::string broken_lines_text(std::uint64_t lines) {
  if (lines == 0) return {};
  return ", " + std::to_string(lines) + (lines == 1 ? " line" : " lines") + " could not be";
}

// Reads one log, part by part.
class LogInput {
 public:
  LogInput(const std::string& shown_path, const read::DocumentSink& sink, io::ReadWatch* watch)
      : watch_(watch), reader_(shown_path, [this, &sink](PlanDocument&& document) {
          reading_.has_plan = reading_.has_plan || judged_fragment(document) != nullptr;
          sink(std::move(document));
        }) {}
  LogInput(const LogInput&) = delete;
  LogInput& operator=(const LogInput&) = delete;

  void read_part(DecodedSource& part, bool is_compacted) {
    if (part.codec() == read::eventlog::Codec::None) return read(part, is_compacted);
    io::ReadAhead ahead(part);
    read(ahead, is_compacted);
  }
  void fail(const std::string& part, const std::string& why) {
    failures_ += (failures_.empty() ? "" : "; ") + part + " " + why;
    reader_.add_problem("a part of the log could not be read: " + part + " " + why);
  }
  void miss(std::uint64_t part) {
    reader_.add_problem("part " + std::to_string(part) + " of the log is missing: what it says could not be read");
  }
  // Asked where there is more to read.
  [[nodiscard]] bool is_stopped() {
    if (watch_ == nullptr || !watch_->wants_stop()) return false;
    watch_->was_stopped = true;
    return true;
  }

  LogReading finish() && {
    reading_.log = reader_.finish();
    if (!reading_.has_plan) {
      reading_.error =
          "this looks like an event log, but it holds no query with a plan: " +
          (reading_.log.events == 1 ? "1 event was" : std::to_string(reading_.log.events) + " events were") + " read" +
          broken_lines_text(reading_.log.broken_lines) + problems_;
    }
    if (!failures_.empty()) reading_.error = failures_;
    return std::move(reading_);
  }

 private:
  void read(ByteSource& part, bool is_compacted) {
    io::StoppableLines lines(part, watch_);
    reader_.read(lines, is_compacted);
    if (!part.problem().empty()) problems_ += "; " + part.problem();
  }

  io::ReadWatch* watch_;
  LogReading reading_;
  std::string failures_;
  std::string problems_;  // documents have them as notes; told where there is none
  read::EventLogReader reader_;
};

}  // namespace

std::optional<LogReading> read_log_file(const io::InputFile& file, const read::DocumentSink& sink,
                                        io::ReadWatch* watch) {
  return read_log_parts(file, file.path, sink, watch,
                        [](const io::LogPart& part) { return io::open_input(part.path, part.archive); });
}

std::optional<LogReading> read_log_parts(const io::InputFile& file, const std::string& shown_path,
                                         const read::DocumentSink& sink, io::ReadWatch* watch, const PartOpener& open) {
  std::vector<io::LogPart> parts = file.parts;
  if (parts.empty()) parts.push_back({file.path, false, file.archive});
  std::unique_ptr<LogInput> log;
  for (const io::LogPart& part : parts) {
    if (log != nullptr && log->is_stopped()) break;
    auto opened = open(part);
    if (const auto* error = std::get_if<io::ReadError>(&opened)) {
      if (file.parts.empty()) return std::nullopt;
      if (log == nullptr) log = std::make_unique<LogInput>(shown_path, sink, watch);
      log->fail(part.path, error->message);
      continue;
    }
    io::CountedSource counted(*std::get<std::unique_ptr<ByteSource>>(opened), watch);
    DecodedSource source(counted);
    if (log == nullptr) {
      if (file.parts.empty() && !is_log(source)) return std::nullopt;
      log = std::make_unique<LogInput>(shown_path, sink, watch);
    }
    log->read_part(source, part.is_compacted);
  }
  for (const std::uint64_t part : file.missing_parts) log->miss(part);
  return std::move(*log).finish();
}

std::optional<LogReading> read_log_stream(ByteSource& stream, const std::string& shown_path,
                                          const read::DocumentSink& sink, io::ReadWatch* watch,
                                          const std::function<void()>& on_recognised) {
  io::CountedSource counted(stream, watch);
  DecodedSource source(counted);
  if (!is_log(source)) return std::nullopt;
  if (on_recognised) on_recognised();
  LogInput log(shown_path, sink, watch);
  log.read_part(source, false);
  return std::move(log).finish();
}

}  // namespace planvet::cli
