// How far a long run is: one line on standard error, only on a terminal, only after a second, gone at the end.
//
//   planvet: 12 of 340 files                          many inputs
//   planvet: 34 % of 1.2 GiB, 210 MiB/s, 4 s left     large ones
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <ostream>
#include <string>
#include <thread>

#include "analyzer/cli/options.hpp"
#include "analyzer/io/terminal.hpp"

namespace planvet::cli {

class Progress {
 public:
  Progress(const InputOptions& input, const TerminalOptions& options, std::ostream& err, const io::Terminal& terminal,
           std::size_t count);
  // Bytes that somebody else counts, asked for from a thread of its own. `total` 0: not known, of standard input.
  Progress(const InputOptions& input, const TerminalOptions& options, std::ostream& err, const io::Terminal& terminal,
           std::function<std::uint64_t()> bytes, std::uint64_t total);
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void step() { ++done_; }  // from any thread
  void hide();              // before anybody else writes on the terminal
  void show_again();        // when that is done: after a second without an end
  void finish();

 private:
  void run();
  void write_line(std::chrono::steady_clock::time_point now);
  void erase_line();
  [[nodiscard]] std::string line(double seconds) const;

  std::ostream& err_;
  std::size_t count_ = 0;
  std::atomic<std::size_t> done_{0};
  std::function<std::uint64_t()> bytes_;  // nothing: files are counted
  std::uint64_t total_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_finished_ = false;
  bool is_hidden_ = false;
  std::size_t width_ = 0;  // of what stands there
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point quiet_until_;
  std::thread thread_;
};

}  // namespace planvet::cli
