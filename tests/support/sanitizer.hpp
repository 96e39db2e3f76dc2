// Whether address sanitizer watches this build: it reserves terabytes of address space, and everything takes longer.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace planvet::test {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kIsSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif
#else
inline constexpr bool kIsSanitized = false;
#endif

// All of them; a third where a sanitizer watches: it looks at what code does, not for whether each plan comes out right.
template <typename Thing>
std::vector<Thing> sampled(std::vector<Thing> things) {
  if (!kIsSanitized) return things;
  std::vector<Thing> some;
  for (std::size_t i = 0; i < things.size(); i += 3) some.push_back(std::move(things[i]));
  return some;
}

}  // namespace planvet::test
