// Why a number may not be what it seems. Without a reason it is exact.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace planvet::metrics {

enum class Doubt : std::uint8_t {
  RetriedTasks,      // several attempts of a stage were put together: one result for each partition
  SpeculativeTasks,  // two copies of a task succeeded: the first one counts
  LostEvents,        // a stage ended well with fewer task ends than it has tasks
  IncompleteLog,     // the query had not ended when the log did
  SupersededPlan,    // a part of the work was done for a plan that adaptive execution replaced
  CompactedLog,      // a compacted rolling log: what had ended was dropped
  Rounded,           // read from Spark's own text, which has two or three digits: see shown_metric.hpp
};
[[nodiscard]] std::string_view name(Doubt doubt);  // "retried-tasks" ...

// A small set of doubts.
class Trust {
 public:
  void add(Doubt doubt) { bits_ = static_cast<std::uint8_t>(bits_ | bit(doubt)); }
  void add(Trust other) { bits_ = static_cast<std::uint8_t>(bits_ | other.bits_); }
  [[nodiscard]] bool has(Doubt doubt) const { return (bits_ & bit(doubt)) != 0; }
  [[nodiscard]] bool is_exact() const { return bits_ == 0; }
  [[nodiscard]] std::vector<Doubt> doubts() const;
  friend bool operator==(const Trust&, const Trust&) = default;

 private:
  static constexpr unsigned bit(Doubt doubt) { return 1U << static_cast<unsigned>(doubt); }
  std::uint8_t bits_ = 0;
};

}  // namespace planvet::metrics
