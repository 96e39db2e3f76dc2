// Ids of accumulators -> positions in a list: open addressing, and one allocation for all of them. A query of a few tasks
// has dozens of metrics, and a node for each would take longer than its tasks.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace planvet::read::eventlog {

class AccumulatorIndex {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  [[nodiscard]] std::uint32_t find(std::int64_t accumulator) const {
    return slots_.empty() ? kNone : slots_[place(accumulator)].position;
  }

  // Where it is, and whether it was put there now: at `position`.
  std::pair<std::uint32_t, bool> insert(std::int64_t accumulator, std::uint32_t position) {
    if (size_ * 2 >= slots_.size()) grow();
    Slot& slot = slots_[place(accumulator)];
    if (slot.position != kNone) return {slot.position, false};
    slot = {accumulator, position};
    ++size_;
    return {position, true};
  }

 private:
  struct Slot {
    std::int64_t accumulator = 0;
    std::uint32_t position = kNone;
  };

  // Its slot, or the free one for it.
  [[nodiscard]] std::size_t place(std::int64_t accumulator) const {
    constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;  // spreads ids that follow each other
    constexpr int kBits = 64;
    const std::size_t mask = slots_.size() - 1;
    const std::uint64_t mixed = static_cast<std::uint64_t>(accumulator) * kGolden;
    std::size_t at = mixed >> static_cast<unsigned>(kBits - std::countr_zero(slots_.size()));
    while (slots_[at].position != kNone && slots_[at].accumulator != accumulator) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    constexpr std::size_t kFirst = 32;
    std::vector<Slot> old(slots_.empty() ? kFirst : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.position != kNone) slots_[place(slot.accumulator)] = slot;
    }
  }

  std::vector<Slot> slots_;  // a power of two of them, half of them free
  std::size_t size_ = 0;
};

}  // namespace planvet::read::eventlog
