// What one reader made of one plan: the operator trees, and everything else that the text said.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/plan/note.hpp"
#include "analyzer/plan/plan_tree.hpp"
#include "analyzer/plan/source.hpp"

namespace planvet::metrics {
struct DocumentMetrics;
}

namespace planvet {

enum class InputKind : std::uint8_t {
  ExplainSimple,
  ExplainExtended,
  ExplainFormatted,
  ExplainCodegen,
  ExplainCost,
  PlanInfoJson,
  SqlRestJson,
  TreeNodeJson,
  EventLog,
};
[[nodiscard]] std::string_view name(InputKind kind);  // "explain-simple" ...

// Which plan a fragment is. An adaptive query that ran prints two: what ran and what was planned.
enum class FragmentRole : std::uint8_t {
  Only,     // there is no other: not adaptive, or not started
  Current,  // `== Current Plan ==`: running
  Final,
  Initial,
};
[[nodiscard]] std::string_view name(FragmentRole role);  // "only" ...

struct Fragment {
  FragmentRole role = FragmentRole::Only;
  PlanTree tree;
};

struct SparkVersion {
  int major = 0;
  int minor = 0;
  int patch = 0;
  friend auto operator<=>(const SparkVersion&, const SparkVersion&) = default;
};

// `-- planvet: allow NAME reason` above a plan.
struct AllowLine {
  std::string rule;  // name or code as written
  std::string reason;
  Span span;
};

struct PlanDocument {
  std::shared_ptr<const Source> source;  // owns what every view below points into
  InputKind input = InputKind::ExplainSimple;
  std::string title;  // "query 7: save at App.scala:88", or of `-- planvet: name`; empty: none
  std::optional<std::int64_t> execution_id;
  std::optional<SparkVersion> spark_version;
  std::optional<SparkVersion> least_spark_version;  // of `-- planvet: spark 3.3.0+`, where the version is not known
  bool is_complete = true;                          // false: something could not be read; notes say what

  std::vector<Fragment> fragments;      // the one to judge first, initial ones after it
  std::vector<PlanTree> logical_plans;  // of extended and cost modes: statistics and hints, never operators
  std::vector<PlanTree> optimized_out;  // "Adaptively Optimized Out Exchanges"
  std::vector<Note> notes;
  std::vector<std::pair<std::string, std::string>> conf;  // `-- planvet: conf k=v`, modifiedConfigs
  std::vector<AllowLine> allows;
  std::vector<std::pair<std::string_view, std::string_view>> explanations;  // title and text of vendor sections
  // What was measured when it ran, beside the trees (analyzer/metrics/overlay.hpp). Null where the input has nothing.
  std::shared_ptr<const metrics::DocumentMetrics> metrics;
};

// The fragments that rules judge and text output shows: final, else current, else only. Usually one; codegen mode
// prints several fused subtrees, and a plan that lost its top several parts. Empty where nothing was read.
[[nodiscard]] std::vector<const Fragment*> judged_fragments(const PlanDocument& document);
// The first of them. Null where nothing was read.
[[nodiscard]] const Fragment* judged_fragment(const PlanDocument& document);

}  // namespace planvet
