// Who hangs on whom, told by columns and connectors.
//
//   AdaptiveSparkPlan (25)                    name at column 0
//   +- == Final Plan ==                       header at 0: the plan below is a child of AdaptiveSparkPlan
//      Sort (12)                              its root: name at 3, no connector
//      +- InMemoryTableScan (3)               connector at 3, where its parent's name stands
//            +- InMemoryRelation (4)          connector at 9: plans that are arguments stand one level deeper
//   +- == Initial Plan ==                     header at 0: a tree of its own
//
// Spark restarts the depth below every header and indents the headers of an inner adaptive plan by that depth alone, so
// an inner plan can stand left of what it belongs to, and its ancestors' bars are lost:
//
//      +- *(1) Filter (a#1 > Subquery subquery#7, [id=#30])
//         :  +- Subquery subquery#7, [id=#30]
//         :     +- AdaptiveSparkPlan isFinalPlan=true
//               +- == Final Plan ==
//                  HashAggregate(keys=[], functions=[max(b#2)])
//         +- FileScan parquet ..              a child of Filter again
//
// So a stack of open nodes is searched for the nearest one whose column fits exactly and that may still have a child:
// "+-" is the last child of its parent, ":-" is not, a scan has none. Where nothing fits (damaged indentation) the nearest
// node that stands further left is taken.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "analyzer/plan/operator.hpp"
#include "analyzer/read/explain/lines.hpp"

namespace planvet::read::explain {

inline constexpr std::uint32_t kNoItem = UINT32_MAX;

struct TreeItem {
  bool is_header = false;
  AdaptivePart part = AdaptivePart::Final;  // of a header
  char connector = 0;                       // '+', ':' or 0
  std::uint32_t column = 0;                 // of a header: of its connector; else of the name
  OperatorKind kind = OperatorKind::Unknown;
  std::string_view text;  // from the name on
};

// The parent of each item: a node, a header (the root of that header's plan), or kNoItem. A header's parent is its
// AdaptiveSparkPlan.
[[nodiscard]] std::vector<std::uint32_t> assign_parents(std::span<const TreeItem> items);

}  // namespace planvet::read::explain
