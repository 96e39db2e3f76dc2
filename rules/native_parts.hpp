// Where a native engine (Photon, Comet, Gluten, RAPIDS) runs a plan, and where Spark does in the middle of it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/plan/plan_tree.hpp"

namespace planvet::rules {

// The engine's name as people write it: "Comet", "RAPIDS".
[[nodiscard]] std::string_view title(Engine engine);

// Work that a native engine could do and Spark does: joins, filters, aggregates.., and scans. Not what stays with Spark
// in every healthy plan: stages, reads, limits, writes, rows of the query itself, caches.
[[nodiscard]] bool is_spark_work(const PlanNode& node);

struct SparkPart {
  NodeId top = kNoNode;          // its uppermost operator: the next one above is native
  std::vector<NodeId> members;   // Spark's work in it, from above
  std::vector<NodeId> others;    // what stays with Spark anyway, and may be why the rest does: rows of the query itself
  bool is_above_native = false;  // native operators feed it, so that rows cross twice
  Engine engine = Engine::Spark;
};

// The parts that Spark runs below native operators, each with everything down to the next native ones.
[[nodiscard]] std::vector<SparkPart> spark_parts(const PlanTree& plan);

}  // namespace planvet::rules
