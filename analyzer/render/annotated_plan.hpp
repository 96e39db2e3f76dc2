// One query with what was measured of it, ready to be drawn: every format shows the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/plan/expression_parser.hpp"
#include "analyzer/render/drawing.hpp"
#include "analyzer/render/measured_columns.hpp"
#include "analyzer/render/operator_text.hpp"
#include "analyzer/render/query_summary.hpp"
#include "analyzer/render/stage_regions.hpp"
#include "analyzer/report/report.hpp"

namespace planvet::render {

// One tree of it. What a plan no longer needs (exchanges that adaptive execution took out) is a tree of its own.
struct AnnotatedTree {
  const PlanTree* tree = nullptr;
  const metrics::TreeMetrics* measured = nullptr;
  Drawing drawing;
  StageRegions regions;
  MeasuredColumns columns;
  std::vector<OperatorText> operators;                // by drawn node
  std::vector<std::vector<const Finding*>> findings;  // by drawn node; those that count
  // The region that begins with a drawn node and has a boundary to be shown; StageRegion::kNone elsewhere.
  std::vector<std::uint32_t> boundaries;
  bool is_optimized_out = false;
};

// What to do about findings, apart from them: beside the operators there is little room.
struct AnnotatedFix {
  std::string_view rule;
  std::string text;
  std::vector<std::uint32_t> operators;  // ids
};
[[nodiscard]] std::string fix_text(const AnnotatedFix& fix);

struct Remark {
  std::string text;
  std::optional<Column> about = {};  // of use only where this column is shown
};

struct AnnotatedPlan {
  QuerySummary summary;
  std::string heading;             // "query 37: query 1"
  std::vector<std::string> facts;  // "2.4 s", "3 jobs", ..
  std::vector<AnnotatedTree> trees;
  std::vector<std::string> footnotes;  // by number - 1
  std::vector<AnnotatedFix> fixes;
  std::vector<Remark> remarks;                 // what the numbers mean, what they leave out
  std::vector<const Finding*> other_findings;  // of nodes that are not drawn
};

// The report must outlive it.
[[nodiscard]] AnnotatedPlan annotated_plan(const DocumentReport& report, bool verbose, const ExpressionParser& parser);

// "stage 6", "stages 4, 5": " · 4 tasks", "0.8 s", ..
[[nodiscard]] std::vector<std::string> stage_facts(const StageRegion& region);

// Of the query's time, how much its stages took on the clock; 0 where not known.
[[nodiscard]] double share_of(const StageRegion& region, const QuerySummary& query);

}  // namespace planvet::render
