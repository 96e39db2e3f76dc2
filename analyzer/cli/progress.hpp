// How far a long run is: one line on standard error, only on a terminal, only after a second, gone at the end.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <ostream>
#include <thread>

#include "analyzer/cli/options.hpp"
#include "analyzer/io/terminal.hpp"

namespace planvet::cli {

class Progress {
 public:
  Progress(const InputOptions& input, const TerminalOptions& options, std::ostream& err, const io::Terminal& terminal,
           std::size_t count);
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void step() { ++done_; }  // from any thread
  void finish();            // before anybody else writes to standard error

 private:
  void show();

  std::ostream& err_;
  std::size_t count_;
  std::atomic<std::size_t> done_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_finished_ = false;
  std::thread thread_;
};

}  // namespace planvet::cli
