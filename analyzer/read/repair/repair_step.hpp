// One thing that was done to a text to make it the plan text that Spark printed.
#pragma once

#include <cstdint>
#include <string_view>

namespace planvet::read {

enum class RepairKind : std::uint8_t {
#define PLANVET_REPAIR(kind, words) kind,
#include "analyzer/read/repair/repairs.def"
#undef PLANVET_REPAIR
};

[[nodiscard]] std::string_view name(RepairKind kind);   // "LineEnds"
[[nodiscard]] std::string_view words(RepairKind kind);  // "carriage returns"

struct RepairStep {
  RepairKind kind{};
  std::uint32_t offset = 0;  // of the first place, in the bytes as given
  std::uint32_t places = 0;  // how often
};

}  // namespace planvet::read
