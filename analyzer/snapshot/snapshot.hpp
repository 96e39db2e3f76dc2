// A plan as a file for git: Spark's formatted explain text, each operator once, one line for each fact, and nothing that
// another session would print otherwise. planvet reads it like any other plan.
//
//   -- planvet: name daily_sales
//   == Physical Plan ==
//   AdaptiveSparkPlan (4)
//   +- Exchange (3)
//      +- Filter (2)
//         +- Scan parquet retail.sales (1)
//
//   (1) Scan parquet retail.sales
//   Output [2]: [store_id#1, qty#2]
//   Location: InMemoryFileIndex [.../sales/dt=*]
//   ..
//   (3) Exchange
//   Partitioning: hashpartitioning(store_id#1, 200)
//   Shuffle origin: ENSURE_REQUIREMENTS
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/plan/document.hpp"
#include "analyzer/plan/expression_parser.hpp"

namespace planvet::snapshot {

struct Options {
  ExpressionParser parser;
  bool wants_final = false;  // the plan that ran, of an adaptive one
  bool masks_literals = false;
};

struct Snapshot {
  std::string text;                    // ends in a line break
  bool lacks_plan_before_run = false;  // the plan that ran is all that the input has
};

// Without a header; `name` and the like stand in headers().
[[nodiscard]] Snapshot plan_text(const PlanDocument& document, const Options& options);

// What was said above the plans of one input so far, and so holds for those below too.
struct Said {
  std::optional<SparkVersion> version;
  std::optional<SparkVersion> least_version;
  std::vector<std::pair<std::string, std::string>> conf;
};

// The lines above the plan: "-- planvet: name daily_sales" ..; `notes` are those that its text does not show by itself.
[[nodiscard]] std::string headers(const PlanDocument& document, std::span<const Note> notes, Said& said);

}  // namespace planvet::snapshot
