#include "analyzer/cli/progress.hpp"

#include <algorithm>
#include <chrono>

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
    thread_ = std::thread([this] { show(); });
}

Progress::Progress(const InputOptions& input, const TerminalOptions& options, std::ostream& err,
                   const io::Terminal& terminal, const std::atomic<std::uint64_t>& bytes, std::uint64_t total)
    : err_(err), bytes_(&bytes), total_(total) {
  if (is_wanted(input, options, terminal)) thread_ = std::thread([this] { show(); });
}

std::string Progress::line(double seconds) const {
  if (bytes_ == nullptr) return fmt::format("planvet: {} of {} files", done_.load(), count_);
  const auto done = static_cast<double>(bytes_->load());
  const double rate = done / std::max(seconds, 0.001);
  if (total_ == 0) return fmt::format("planvet: {} read, {}/s", format_size(done), format_size(rate));
  const auto total = static_cast<double>(total_);
  std::string text = fmt::format("planvet: {:.0f} % of {}, {}/s", std::min(100.0, 100 * done / total),
                                 format_size(total), format_size(rate));
  if (rate > 0 && done < total) text += ", " + render::format_quantity(1000 * (total - done) / rate, "ms") + " left";
  return text;
}

void Progress::show() {
  const auto begin = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  std::size_t width = 0;
  for (auto wait = kPatience; !changed_.wait_for(lock, wait, [this] { return is_finished_; }); wait = kBetween) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    std::string text = line(passed.count());
    const std::size_t shown = text.size();
    if (shown < width) text.append(width - shown, ' ');  // the end of a longer line before
    width = shown;
    err_ << '\r' << text << std::flush;
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
