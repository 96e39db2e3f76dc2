// Damaged paste in, plan text as Spark printed it out.
//
//   24/11/05 10:11:12 INFO App: == Physical Plan ==          == Physical Plan ==
//   24/11/05 10:11:12 INFO App: *(1) Project [a#1]      ->   *(1) Project [a#1]
//   24/11/05 10:11:13 INFO App: └─ *(1) Filter ...           +- *(1) Filter ...
//
// Each damage is one file of this folder. A damage is undone only on evidence that real plan text cannot give, because
// a wrong repair costs more than a missed one: text that Spark printed comes back untouched.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/plan/offset_map.hpp"
#include "analyzer/read/repair/repair_step.hpp"

namespace planvet::read {

struct RepairedText {
  bool changed = false;           // false: the input itself is the text, and nothing was copied
  std::string text;               // empty unless changed
  OffsetMap map;                  // from offsets of `text` to offsets of the input
  std::vector<RepairStep> steps;  // one for each kind, in the order of their first places
};

// Never throws but for lack of memory. Time is linear in the input. repair(repair(x).text) changes nothing.
[[nodiscard]] RepairedText repair(std::string_view bytes);

}  // namespace planvet::read
