#include "analyzer/cli/log_input.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "analyzer/io/file_source.hpp"
#include "analyzer/io/read_ahead.hpp"
#include "analyzer/read/eventlog/codec.hpp"
#include "analyzer/read/eventlog/event_log.hpp"

namespace planvet::cli {

namespace {

using read::eventlog::DecodedSource;

// Enough for two lines at the beginning of any part of a log.
constexpr std::size_t kHead = std::size_t{1} << 18U;

// Most inputs are plans: a few bytes tell them from logs.
bool is_log(DecodedSource& source) {
  const std::string_view first = source.peek(read::eventlog::kCodecHead);
  if (first.find("{\"Event\"") == std::string_view::npos) return false;
  return read::looks_like_event_log(source.peek(kHead));
}

// Reads one log, part by part.
class LogInput {
 public:
  LogInput(const io::InputFile& file, const std::string& shown_path, const Judge& judge)
      : reader_(shown_path, [this, &file, &judge](PlanDocument&& document) {
          has_plan_ = has_plan_ || judged_fragment(document) != nullptr;
          result_.documents.push_back(judge(std::move(document), file.path));
        }) {
    result_.path = shown_path;
  }
  LogInput(const LogInput&) = delete;
  LogInput& operator=(const LogInput&) = delete;

  void read(ByteSource& part, bool is_compacted) { reader_.read(part, is_compacted); }
  void fail(const std::string& part, const std::string& why) {
    failures_ += (failures_.empty() ? "" : "; ") + part + " " + why;
  }

  InputResult finish(const io::InputFile& file) && {
    const read::EventLogResult log = reader_.finish();
    // Queries end in any order.
    std::ranges::stable_sort(result_.documents, {},
                             [](const DocumentReport& report) { return report.document.execution_id.value_or(-1); });
    if (!has_plan_) {
      result_.is_skipped = !file.is_named && result_.documents.empty() && failures_.empty();
      result_.error = "this looks like an event log, but it holds no query with a plan: " + std::to_string(log.events) +
                      " events were read";
    }
    if (!failures_.empty()) result_.error = failures_;
    return std::move(result_);
  }

 private:
  InputResult result_;
  bool has_plan_ = false;
  std::string failures_;
  read::EventLogReader reader_;
};

}  // namespace

std::optional<InputResult> read_log_file(const io::InputFile& file, const Judge& judge) {
  std::vector<io::LogPart> parts = file.parts;
  if (parts.empty()) parts.push_back({file.path, false});
  std::unique_ptr<LogInput> log;
  for (const io::LogPart& part : parts) {
    auto opened = io::open_file(part.path);
    if (const auto* error = std::get_if<io::ReadError>(&opened)) {
      if (file.parts.empty()) return std::nullopt;
      if (log == nullptr) log = std::make_unique<LogInput>(file, file.path, judge);
      log->fail(part.path, error->message);
      continue;
    }
    DecodedSource source(*std::get<std::unique_ptr<io::FileSource>>(opened));
    if (log == nullptr) {
      if (file.parts.empty() && !is_log(source)) return std::nullopt;
      log = std::make_unique<LogInput>(file, file.path, judge);
    }
    if (source.codec() == read::eventlog::Codec::None) {
      log->read(source, part.is_compacted);
    } else {
      io::ReadAhead ahead(source);
      log->read(ahead, part.is_compacted);
    }
  }
  return std::move(*log).finish(file);
}

std::optional<InputResult> read_log_bytes(std::string_view bytes, const io::InputFile& file,
                                          const std::string& shown_path, const Judge& judge) {
  MemorySource memory(bytes);
  DecodedSource source(memory);
  if (!is_log(source)) return std::nullopt;
  LogInput log(file, shown_path, judge);
  log.read(source, false);
  return std::move(log).finish(file);
}

}  // namespace planvet::cli
