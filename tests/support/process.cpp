#include "tests/support/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <poll.h>
#include <string>
#include <string_view>
#include <unistd.h>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "tests/support/files.hpp"
#include "tests/support/sanitizer.hpp"

namespace planvet::test {
namespace {

constexpr unsigned kNobody = 65534;

// What address sanitizer adds: red zones round every block, shadow memory (an eighth), and its own tables. Freed blocks
// that it keeps are bounded by ASAN_OPTIONS below.
constexpr std::uint64_t kSanitizerFactor = 3;
constexpr std::uint64_t kSanitizerBytes = 256ULL * 1024 * 1024;

struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0) ends = {-1, -1};
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_end(std::size_t end) {
    if (ends[end] >= 0) close(ends[end]);
    ends[end] = -1;
  }
};

[[noreturn]] void become_planvet(const std::vector<char*>& arguments, const Pipe& in, const Pipe& out,
                                 const Pipe& error, const ProcessLimits& limits) {
  dup2(in.ends[0], STDIN_FILENO);
  dup2(out.ends[1], STDOUT_FILENO);
  dup2(error.ends[1], STDERR_FILENO);
  if (limits.memory_bytes && !kIsSanitized) {
    const rlimit limit{*limits.memory_bytes, *limits.memory_bytes};
    setrlimit(RLIMIT_AS, &limit);
  }
  if (kIsSanitized) setenv("ASAN_OPTIONS", "quarantine_size_mb=32", 0);
  if (limits.as_nobody && (setgid(kNobody) != 0 || setuid(kNobody) != 0)) _exit(126);
  execv(arguments[0], arguments.data());
  _exit(127);
}

// What the kernel reports at the end counts what the child had of its parent before it became planvet. The high water
// mark of its own memory is there as long as it runs: the last look at it is what counts.
std::optional<std::uint64_t> peak_memory_of(pid_t child) {
  std::ifstream status("/proc/" + std::to_string(child) + "/status");
  for (std::string line; std::getline(status, line);) {
    constexpr std::string_view kMark = "VmHWM:";
    if (line.starts_with(kMark)) return std::stoull(line.substr(kMark.size())) * 1024;
  }
  return std::nullopt;
}

}  // namespace

ProcessResult run_planvet(const std::vector<std::string>& arguments, std::string_view input,
                          const ProcessLimits& limits) {
  ProcessResult result;
  std::vector<std::string> words{limits.program.value_or(program_path().string())};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  Pipe in;
  Pipe out;
  Pipe error;
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  const pid_t child = fork();
  if (child < 0) {
    ADD_FAILURE() << "fork failed";
    return result;
  }
  if (child == 0) become_planvet(argv, in, out, error, limits);
  in.close_end(0);
  out.close_end(1);
  error.close_end(1);
  fcntl(in.ends[1], F_SETFL, O_NONBLOCK);
  const auto old_handler = std::signal(SIGPIPE, SIG_IGN);

  std::uint64_t sampled = 0;
  std::array<char, 65536> buffer{};
  while (out.ends[0] >= 0 || error.ends[0] >= 0) {
    if (input.empty()) in.close_end(1);
    std::array<pollfd, 3> waiting{pollfd{in.ends[1], POLLOUT, 0}, pollfd{out.ends[0], POLLIN, 0},
                                  pollfd{error.ends[0], POLLIN, 0}};
    poll(waiting.data(), waiting.size(), 20);
    sampled = peak_memory_of(child).value_or(sampled);
    if (waiting[0].revents != 0) {
      const ssize_t written = write(in.ends[1], input.data(), input.size());
      if (written > 0) input.remove_prefix(static_cast<std::size_t>(written));
      if (written < 0 && errno != EAGAIN) input = {};
    }
    const auto drain = [&](Pipe& pipe, short events, std::string& to) {
      if (events == 0) return;
      const ssize_t count = ::read(pipe.ends[0], buffer.data(), buffer.size());
      if (count <= 0) {
        pipe.close_end(0);
      } else {
        to.append(buffer.data(), static_cast<std::size_t>(count));
      }
    };
    drain(out, waiting[1].revents, result.out);
    drain(error, waiting[2].revents, result.error);
    if (elapsed() > limits.seconds && !result.timed_out) {
      result.timed_out = true;
      kill(child, SIGKILL);
    }
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  std::signal(SIGPIPE, old_handler);
  result.seconds = elapsed();
  const std::uint64_t reported = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  result.peak_memory_bytes = sampled > 0 ? std::min(sampled, reported) : reported;
  result.is_over_memory = kIsSanitized && limits.memory_bytes &&
                          result.peak_memory_bytes > *limits.memory_bytes * kSanitizerFactor + kSanitizerBytes;
  if (WIFEXITED(status)) result.exit_status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "planvet-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) ADD_FAILURE() << "no temporary folder " << pattern;
  path_ = pattern;
  // Tests run planvet as another user on what is in here.
  std::filesystem::permissions(path_, std::filesystem::perms(0755));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace planvet::test
