// Numbers that look random and depend on nothing but the seed: tests choose places with it, the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>

namespace planvet::test {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::size_t below(std::size_t bound) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state_ >> 33U) % bound;
  }

 private:
  std::uint64_t state_;
};

}  // namespace planvet::test
