// The exchanges of one plan, each looked at once.
#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/plan/ids.hpp"

namespace planvet::rules {

struct CountedExchanges {
  std::vector<NodeId> shuffles;  // that run once for the query, in the order of the print
  std::vector<NodeId> broadcasts;
  std::vector<NodeId> expected_reuses;  // printed in full by an unexecuted adaptive plan that will reuse another
  std::vector<NodeId> read_again;       // those of both that something reads once more, as far as the text tells
  std::uint32_t reused = 0;             // ReusedExchange nodes, and those that an unexecuted adaptive plan will reuse
  std::uint32_t in_cached_plans = 0;
};

}  // namespace planvet::rules
