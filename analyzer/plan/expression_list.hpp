#pragma once

// The items of a printed list, without reading them: `[a#1, f(b#2, c#3)]` -> `a#1` and `f(b#2, c#3)`.
// Commas count at depth 0 only, with or without a blank behind them (scans print `[a#1,b#2]`).

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace planvet {

struct ItemList {
  std::vector<std::string_view> items;  // views of the input, blanks at the ends kept only where names have them
  std::uint64_t missing = 0;            // 12 of `... 12 more fields`
  bool is_truncated = false;            // `... 12 more fields`, or a value cut with a bare `...`
  bool is_balanced = true;              // false: the last item is the unreadable rest
  bool has_expected_count = true;       // false: no way of splitting gives the expected number
};

inline constexpr std::size_t kAnyCount = static_cast<std::size_t>(-1);

// `text` is `[a, b]`, `List(a, b)`, `(a, b)`, `{a, b}` or `a, b`; `[]` and empty text have no items.
// With the n of `Output [n]:` items are joined again where names contain commas: `x,y#303L` is one column.
ItemList split_list(std::string_view text, std::size_t expected_count = kAnyCount);

}  // namespace planvet
