// Where a number comes from, best first. It caps the severity of what is built on it.
#pragma once

#include <cstdint>
#include <string_view>

namespace planvet {

enum class EvidenceSource : std::uint8_t {
  Measured,   // task metrics of an event log
  Runtime,    // AQE's statistics of a materialised stage
  Estimated,  // the optimizer's statistics (cost mode)
  Declared,   // the user's configuration: table facts
  Plan,       // the plan text itself
};
[[nodiscard]] std::string_view name(EvidenceSource source);  // "measured" ...

}  // namespace planvet
