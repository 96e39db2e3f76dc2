#include "tests/support/branches.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string_view>
#include <unistd.h>
#include <utility>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "tests/support/sanitizer.hpp"

namespace planvet::test {
namespace {

// A core computes one while another is copied.
constexpr std::size_t kMostRunning = 2;
constexpr unsigned kSanitizerFactor = 20;

// A line of /proc/self/status: "RssAnon", what is resident and of no file, or "VmHWM", the most that ever was resident.
std::uint64_t memory(std::string_view name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name)) return std::stoull(line.substr(name.size() + 1)) * 1024;
  }
  return 0;
}

}  // namespace

Branches::Branches(const BranchLimits& limits) : limits_(limits), memory_at_first_(memory("RssAnon")) {
  EXPECT_GT(memory_at_first_, 0U);
}

Branches::~Branches() { join(); }

bool Branches::begin(const std::string& place) {
  while (running_.size() >= kMostRunning) await_oldest();
  std::fflush(nullptr);
  ++count_;
  const pid_t process = fork();
  if (process > 0) running_.push_back({process, place});
  if (process < 0) failures_.push_back(place + ": fork failed: " + std::strerror(errno));
  if (process != 0) return false;
  running_.clear();
  const rlim_t seconds = limits_.cpu_seconds * (kIsSanitized ? kSanitizerFactor : 1);
  const rlimit limit{seconds, seconds};
  setrlimit(RLIMIT_CPU, &limit);
  return true;
}

void Branches::end() const {
  // The high water mark of a copy begins with what it was copied from, but for pages of the program that it did not use.
  const std::uint64_t peak = memory("VmHWM");
  if (!kIsSanitized && limits_.memory_bytes > 0) {
    EXPECT_LT(peak - std::min(peak, memory_at_first_), limits_.memory_bytes);
  }
  std::fflush(nullptr);
  _exit(testing::Test::HasFailure() ? 1 : 0);
}

// Failures of this process are seen by copies that begin behind them: all are told at the end.
void Branches::join() {
  while (!running_.empty()) await_oldest();
  for (const std::string& failure : failures_) ADD_FAILURE() << failure;
  failures_.clear();
}

void Branches::await_oldest() {
  const Copy copy = std::move(running_.front());
  running_.pop_front();
  int status = 0;
  if (waitpid(copy.process, &status, 0) != copy.process) {
    failures_.push_back(copy.place + ": lost");
  } else if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    failures_.push_back(copy.place + ": ended by signal " + std::to_string(signal) +
                        (signal == SIGXCPU || signal == SIGKILL ? ", it took too long" : ""));
  } else if (WEXITSTATUS(status) != 0) {
    failures_.push_back(copy.place + ": see above");
  }
}

}  // namespace planvet::test
