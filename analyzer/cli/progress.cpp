#include "analyzer/cli/progress.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "analyzer/facts/facts.hpp"
#include "analyzer/render/quantity.hpp"

namespace planvet::cli {

namespace {

constexpr std::chrono::milliseconds kPatience{1000};
constexpr std::chrono::milliseconds kBetween{100};

bool is_wanted(const InputOptions& input, const TerminalOptions& options, const io::Terminal& terminal) {
  return input.progress && options.verbosity != render::Verbosity::Quiet && terminal.error_is_terminal &&
         terminal.environment("TERM") != "dumb";
}

}  // namespace

Progress::Progress(const InputOptions& input, const TerminalOptions& options, std::ostream& err,
                   const io::Terminal& terminal, std::size_t count)
    : err_(err), count_(count) {
  // Nobody waits for one file, and who pastes a plan writes on this terminal.
  if (count > 1 && !terminal.input_is_terminal && is_wanted(input, options, terminal))
    thread_ = std::thread([this] { run(); });
}

Progress::Progress(const InputOptions& input, const TerminalOptions& options, std::ostream& err,
                   const io::Terminal& terminal, std::function<std::uint64_t()> bytes, std::uint64_t total)
    : err_(err), bytes_(std::move(bytes)), total_(total) {
  if (is_wanted(input, options, terminal)) thread_ = std::thread([this] { run(); });
}

std::string Progress::line(double seconds) const {
  if (!bytes_) return fmt::format("planvet: {} of {} files", done_.load(), count_);
  const auto done = static_cast<double>(bytes_());
  const double rate = done / std::max(seconds, 0.001);
  if (total_ == 0) return fmt::format("planvet: {} read, {}/s", format_size(done), format_size(rate));
  const auto total = static_cast<double>(total_);
  std::string text = fmt::format("planvet: {:.0f} % of {}, {}/s", std::min(100.0, 100 * done / total),
                                 format_size(total), format_size(rate));
  if (rate > 0 && done < total) text += ", " + render::format_quantity(1000 * (total - done) / rate, "ms") + " left";
  return text;
}

void Progress::run() {
  std::unique_lock lock(mutex_);
  quiet_until_ = begin_ + kPatience;
  while (!changed_.wait_for(lock, kBetween, [this] { return is_finished_; })) {
    const auto now = std::chrono::steady_clock::now();
    if (!is_hidden_ && now >= quiet_until_) write_line(now);
  }
  erase_line();
}

void Progress::write_line(std::chrono::steady_clock::time_point now) {
  std::string text = line(std::chrono::duration<double>(now - begin_).count());
  const std::size_t shown = text.size();
  if (shown < width_) text.append(width_ - shown, ' ');  // the end of a longer line before
  width_ = shown;
  err_ << '\r' << text << std::flush;
}

void Progress::erase_line() {
  if (width_ > 0) err_ << '\r' << std::string(width_, ' ') << '\r' << std::flush;
  width_ = 0;
}

void Progress::hide() {
  if (!thread_.joinable()) return;
  const std::lock_guard lock(mutex_);
  is_hidden_ = true;
  erase_line();
}

void Progress::show_again() {
  if (!thread_.joinable()) return;
  const std::lock_guard lock(mutex_);
  if (!std::exchange(is_hidden_, false)) return;
  quiet_until_ = std::chrono::steady_clock::now() + kPatience;
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
