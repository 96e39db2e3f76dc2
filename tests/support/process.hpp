#pragma once

// The planvet executable as its users run it: arguments, standard input, limits; what it printed and how it ended.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace planvet::test {

struct ProcessLimits {
  double seconds = 60;  // it is ended after that
  // Address space; under address sanitizer, which reserves terabytes, what is resident beside its own overhead.
  std::optional<std::uint64_t> memory_bytes;
  bool as_nobody = false;              // root can read everything: run as another user
  std::optional<std::string> program;  // another executable than the one of this build
};

struct ProcessResult {
  int exit_status = -1;  // -1: did not end by itself
  int signal = 0;
  bool timed_out = false;
  double seconds = 0;
  std::uint64_t peak_memory_bytes = 0;  // resident; looked at every 20 ms
  bool is_over_memory = false;          // under address sanitizer: more than ProcessLimits::memory_bytes allow
  std::string out;
  std::string error;
};

// Runs `planvet ARGUMENTS...` in the source tree's root.
ProcessResult run_planvet(const std::vector<std::string>& arguments, std::string_view input = {},
                          const ProcessLimits& limits = {});

// A folder that is removed with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] std::string path(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  std::string path_;
};

}  // namespace planvet::test
