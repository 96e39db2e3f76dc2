// One cause, one finding: what two rules say about one cause becomes one finding with a `related` line.
//
//   PLANVET_PRECEDES("PV402", "PV304")       in rules.def: where both have one cause, PV402 speaks
//
// Two findings of one plan have one cause when they are about one operator: the one they stand on (`node`), or one that
// either lists in `also_about`. So the Exchange below an unpartitioned Window names the Window:
//
//   finding.also_about.push_back(window);    PV304 on the Exchange gives way to PV402 on the Window
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "analyzer/report/finding.hpp"

namespace planvet::rules {

struct Precedence {
  std::string_view winner;
  std::string_view loser;
};
[[nodiscard]] std::span<const Precedence> precedences();  // of rules.def

// A finding that gives way to one that gives way itself becomes a line of the last. The one that stays has the highest
// severity among them: it speaks for all.
void merge_by_precedence(std::vector<Finding>& findings, std::span<const Precedence> precedences);

}  // namespace planvet::rules
