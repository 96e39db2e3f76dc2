// The order in which Scala goes through a set of ints. The History Server keeps the stages of a query in one, and of equal
// values it names the task of the stage that comes first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace planvet::read::eventlog {

enum class Scala : std::uint8_t {
  V2_12,  // Spark 3, as it is released
  V2_13,  // Spark 4
};

inline constexpr std::size_t kLargestListedSet = 4;  // Set.Set4 is the last one that is no hash set

// `inserted`: each once, in the order in which they came. Sets of up to four keep that order.
[[nodiscard]] std::vector<std::int32_t> in_set_order(std::vector<std::int32_t> inserted, Scala scala);

}  // namespace planvet::read::eventlog
