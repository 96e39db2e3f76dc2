// A document as text that a person reads and a golden pins: fragments, operators with link, kind, engine, id, codegen
// stage and attributes, then the notes with their places.
//
//   explain-formatted, complete
//   final
//     AdaptiveSparkPlan (25)
//       SortMergeJoin (14) *2 {left_keys=[a#1], join_type=Inner}
//   PV904 12:3 "lines of the plan are missing"
#pragma once

#include <string>

#include "analyzer/plan/document.hpp"

namespace planvet::test {

struct DumpOptions {
  bool attributes = true;
};

std::string dump(const PlanDocument& document, DumpOptions options = {});
std::string dump(const PlanTree& tree, DumpOptions options = {});

// All documents that planvet reads from `bytes`, dumped one after the other; "(nothing)" where there are none.
std::string dump_input(std::string bytes, DumpOptions options = {});

}  // namespace planvet::test
