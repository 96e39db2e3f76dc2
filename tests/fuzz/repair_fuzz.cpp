// Whatever the bytes: places stay in the input and never go back, and a second repair finds nothing to do.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "analyzer/read/repair/repair.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const planvet::read::RepairedText result = planvet::read::repair(bytes);
  if (!result.changed) {
    require(result.text.empty() && result.steps.empty() && result.map.is_identity());
    return 0;
  }
  require(!result.steps.empty());
  std::uint32_t last = 0;
  for (std::size_t at = 0; at <= result.text.size(); ++at) {
    const std::uint32_t original = result.map.original(static_cast<std::uint32_t>(at));
    require(original >= last && original <= size);
    last = original;
  }
  for (const planvet::read::RepairStep& step : result.steps) require(step.offset <= size && step.places > 0);
  require(!planvet::read::repair(result.text).changed);
  return 0;
}
