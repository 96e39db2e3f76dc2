#include "analyzer/cli/progress.hpp"

#include <chrono>
#include <string>

#include <fmt/core.h>

namespace planvet::cli {

namespace {

constexpr std::chrono::milliseconds kPatience{1000};
constexpr std::chrono::milliseconds kBetween{100};

}  // namespace

Progress::Progress(const InputOptions& input, const TerminalOptions& options, std::ostream& err,
                   const io::Terminal& terminal, std::size_t count)
    : err_(err), count_(count) {
  // Nobody waits for one file, and who pastes a plan writes on this terminal.
  const bool is_wanted = count > 1 && !terminal.input_is_terminal && input.progress &&
                         options.verbosity != render::Verbosity::Quiet && terminal.error_is_terminal &&
                         terminal.environment("TERM") != "dumb";
  if (is_wanted) thread_ = std::thread([this] { show(); });
}

void Progress::show() {
  std::unique_lock lock(mutex_);
  std::size_t width = 0;
  for (auto wait = kPatience; !changed_.wait_for(lock, wait, [this] { return is_finished_; }); wait = kBetween) {
    const std::string line = fmt::format("planvet: {} of {} files", done_.load(), count_);
    width = line.size();
    err_ << '\r' << line << std::flush;
  }
  if (width > 0) err_ << '\r' << std::string(width, ' ') << '\r' << std::flush;
}

void Progress::finish() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_finished_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

}  // namespace planvet::cli
