// How far a long run is: one line on standard error, only on a terminal, only after a second, gone at the end.
//
//   planvet: 12 of 340 files                          many inputs
//   planvet: 34 % of 1.2 GiB, 210 MiB/s, 4 s left     large ones
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
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
  // Bytes that somebody else counts. `total` 0: not known, of standard input.
  Progress(const InputOptions& input, const TerminalOptions& options, std::ostream& err, const io::Terminal& terminal,
           const std::atomic<std::uint64_t>& bytes, std::uint64_t total);
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void step() { ++done_; }  // from any thread
  void finish();            // before anybody else writes to standard error

 private:
  void show();
  [[nodiscard]] std::string line(double seconds) const;

  std::ostream& err_;
  std::size_t count_ = 0;
  std::atomic<std::size_t> done_{0};
  const std::atomic<std::uint64_t>* bytes_ = nullptr;  // null: files are counted
  std::uint64_t total_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_finished_ = false;
  std::thread thread_;
};

}  // namespace planvet::cli
