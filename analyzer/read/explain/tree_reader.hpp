// The lines of one printed tree become nodes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "analyzer/plan/plan_tree.hpp"
#include "analyzer/read/explain/lines.hpp"
#include "analyzer/read/explain/passage.hpp"

namespace planvet::read::explain {

struct PrintedNode {
  PlanBuilder::Handle handle = PlanBuilder::kNone;
  std::uint32_t id = kNoId;
  std::uint32_t part = 0;  // index into PrintedTree::parts
};

// One plan of an adaptive query, or the tree itself (part 0).
struct PrintedPart {
  AdaptivePart part = AdaptivePart::Final;
  bool is_adaptive = false;                       // part 0 is not
  PlanBuilder::Handle host = PlanBuilder::kNone;  // its AdaptiveSparkPlan
  std::uint32_t outer = 0;                        // the part that `host` stands in
  // An initial plan that no final or current one stands beside (Databricks before execution) is the plan itself.
  bool is_alone = false;
  [[nodiscard]] bool is_superseded() const { return is_adaptive && part == AdaptivePart::Initial && !is_alone; }
};

struct PrintedTree {
  bool is_formatted = false;       // operator ids in brackets, arguments in detail blocks
  std::vector<PrintedNode> nodes;  // as printed
  std::vector<PrintedPart> parts;
  std::vector<PlanBuilder::Handle> roots;  // without parent in part 0 or in a final part: one, but for damaged text
  std::vector<PlanBuilder::Handle> initial_roots;  // of the initial parts
  std::vector<Span> gaps;                          // operators that stand deeper than their parent's inputs do
  std::vector<Span> cuts;                          // operators whose line breaks off
  std::vector<Span> strays;                        // lines inside the tree that are no operators
  std::size_t wrong_inputs = 0;                    // operators with more or fewer inputs than their kind has
  std::size_t next_line = 0;                       // the first line that does not belong to it
};

// `first` is the root's line, or the first line with a connector where the root is lost. `is_logical` sections print the
// same shape with other names.
[[nodiscard]] PrintedTree read_tree(const Passage& passage, std::size_t first, bool is_logical);

}  // namespace planvet::read::explain
