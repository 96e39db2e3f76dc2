// The arguments behind an operator's name, one by one, without allocation.
//
//   [a#1, b#2], Inner, BuildRight, (x#3 > y#4), false
//   ^^^^^^^^^^  ^^^^^  ^^^^^^^^^^  ^^^^^^^^^^^  ^^^^^
//
// Only ", " outside of brackets separates. Two things print a comma of their own: a subquery (`subquery#7, [id=#30]` is
// one item) and INSET, whose values stand without brackets and so swallow the rest.
#pragma once

#include <string_view>

#include "analyzer/plan/plan_tree.hpp"

namespace planvet::read {

struct Item {
  std::string_view text;
  bool is_truncated = false;  // "... 12 more fields" somewhere in it
  bool is_balanced = true;    // false: a bracket stays open, the item is all the rest
};

class ItemScanner {
 public:
  explicit ItemScanner(std::string_view text) : rest_(text) {}
  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[nodiscard]] std::string_view rest() const { return rest_; }
  Item next();

 private:
  std::string_view rest_;
  unsigned recoveries_ = 0;
};

// "... 12 more fields" anywhere in it.
[[nodiscard]] bool has_more_fields(std::string_view text);

// A list that Spark cut: where "... 12 more fields" or "... 9 entries" stands, and how many are missing.
struct Cut {
  bool is_cut = false;
  unsigned missing = 0;  // 0: a bare "..."
};
[[nodiscard]] Cut cut_at_end(std::string_view list);

// Of text that is no list: cut at its end, or anywhere in it.
[[nodiscard]] Completeness completeness_of(std::string_view text);

// How many items a bracketed list shows, the "... N more" not counted.
[[nodiscard]] unsigned count_items(std::string_view list);

// Behind the bracket that closes the one at text[open]; npos where none does. Only that kind of bracket counts.
[[nodiscard]] std::size_t behind_closing(std::string_view text, std::size_t open);

[[nodiscard]] std::string_view trim(std::string_view text);

}  // namespace planvet::read
