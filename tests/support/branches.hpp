// Goes on in a copy of this process, to see what follows from here, and in this one as if nothing had been:
//
//   Branches branches({.cpu_seconds = 5, .memory_bytes = 64 << 20});
//   while (read_a_piece()) {
//     if (!branches.begin("cut here")) continue;
//     EXPECT_TRUE(...);        // in the copy
//     branches.end();          // its failures are failures of the test; so is a crash, or more than it may take
//   }
//   branches.join();
//
// A log that is cut at 200 places is read once, not 200 times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <sys/types.h>

namespace planvet::test {

struct BranchLimits {
  unsigned cpu_seconds = 10;       // of each copy
  std::uint64_t memory_bytes = 0;  // resident, more than this process had when the branches began
};

class Branches {
 public:
  explicit Branches(const BranchLimits& limits);
  ~Branches();
  Branches(const Branches&) = delete;
  Branches& operator=(const Branches&) = delete;

  // True in the copy.
  [[nodiscard]] bool begin(const std::string& place);
  [[noreturn]] void end() const;  // the copy
  void join();
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  struct Copy {
    pid_t process = 0;
    std::string place;
  };
  void await_oldest();

  BranchLimits limits_;
  std::uint64_t memory_at_first_;
  std::deque<Copy> running_;
  std::vector<std::string> failures_;
  std::size_t count_ = 0;
};

}  // namespace planvet::test
