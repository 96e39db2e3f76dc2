#include "analyzer/render/annotated_plan.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "analyzer/metrics/overlay.hpp"
#include "analyzer/render/glyphs.hpp"
#include "analyzer/render/place.hpp"
#include "analyzer/render/quantity.hpp"
#include "analyzer/render/style.hpp"

namespace planvet::render {

namespace {

constexpr std::size_t kMostNames = 6;
constexpr std::size_t kMostStages = 4;
constexpr std::size_t kMostSuperseded = 6;
constexpr std::array kTelling = {metrics::MetricKey::OutputRows, metrics::MetricKey::FileBytesRead,
                                 metrics::MetricKey::ShuffleBytesWritten, metrics::MetricKey::SpillSize};
// Less than that of a query's time is not worth a line.
constexpr double kNotableIdle = 0.1;

std::string milliseconds(std::int64_t ms) { return format_quantity(static_cast<double>(ms), "ms"); }

std::string stage_list(const std::vector<std::int32_t>& stages) {
  std::vector<std::string> ids;
  for (const std::int32_t stage : stages) ids.push_back(std::to_string(stage));
  return (stages.size() == 1 ? "stage " : "stages ") + comma_list(ids, kMostStages);
}

// `file:/tmp/lake/db/sales` is `.../db/sales`: room is short beside the numbers, and the end is what tells.
std::string with_short_path(std::string name) {
  const std::size_t begin = name.find(":/");
  if (begin == std::string::npos) return name;
  const std::size_t blank = name.rfind(' ', begin);
  const std::size_t last = name.find_last_of('/');
  if (blank == std::string::npos || last == begin + 1 || name.find(' ', begin) != std::string::npos) return name;
  const std::size_t second_last = name.find_last_of('/', last - 1);
  if (second_last == std::string::npos || second_last <= begin + 2) return name;
  return name.substr(0, blank + 1) + "..." + name.substr(second_last);
}

AnnotatedTree annotated_tree(const PlanTree& tree, const metrics::TreeMetrics& measured,
                             const metrics::ExecutionRun& run, bool verbose, const ExpressionParser& parser,
                             Footnotes& footnotes) {
  AnnotatedTree made;
  made.tree = &tree;
  made.measured = &measured;
  made.drawing = draw(tree, !verbose);
  made.regions = find_regions(tree, measured, run);
  made.columns = measured_columns(made.drawing, measured, made.regions, footnotes);
  const OperatorTextOptions text_options{verbose, parser};
  std::uint32_t last = StageRegion::kNone;  // regions come in the order of their tops
  for (std::uint32_t number = 0; number < made.drawing.nodes.size(); ++number) {
    made.operators.push_back(operator_text(tree, made.drawing, number, text_options));
    OperatorText& text = made.operators.back();
    if (!verbose) text.name = with_short_path(std::move(text.name));
    const std::uint32_t region = made.regions.of_node[index(made.drawing.nodes[number].node)];
    const bool is_new = last == StageRegion::kNone || region > last;
    if (is_new) last = region;
    const bool has_boundary =
        is_new && !made.regions.regions[region].stages.empty() &&
        (made.regions.regions[region].parent == StageRegion::kNone ||
         made.regions.regions[made.regions.regions[region].parent].stages != made.regions.regions[region].stages);
    made.boundaries.push_back(has_boundary ? region : StageRegion::kNone);
  }
  made.findings.resize(made.drawing.nodes.size());
  return made;
}

// Folded nodes are drawn as a part of another one.
std::uint32_t drawn_as(const Drawing& drawing, NodeId node) {
  for (std::uint32_t number = 0; number < drawing.nodes.size(); ++number) {
    const DrawnNode& drawn = drawing.nodes[number];
    if (drawn.node == node || std::ranges::find(drawn.folded, node) != drawn.folded.end()) return number;
  }
  return DrawnNode::kNone;
}

void add_findings(const DocumentReport& report, AnnotatedPlan& plan) {
  for (const Finding& finding : report.findings) {
    if (!is_active(finding)) continue;
    const bool has_fragment = finding.fragment < report.document.fragments.size() && !plan.trees.empty() &&
                              &report.document.fragments[finding.fragment].tree == plan.trees.front().tree;
    const std::uint32_t drawn = has_fragment ? drawn_as(plan.trees.front().drawing, finding.node) : DrawnNode::kNone;
    if (drawn == DrawnNode::kNone) {
      plan.other_findings.push_back(&finding);
    } else {
      plan.trees.front().findings[drawn].push_back(&finding);
    }
  }
}

// One entry for equal ones: `(31), (36) single-partition: broadcast ..`.
void add_fixes(AnnotatedPlan& plan) {
  for (const AnnotatedTree& tree : plan.trees) {
    for (std::uint32_t number = 0; number < tree.findings.size(); ++number) {
      const PlanNode& node = (*tree.tree)[tree.drawing.nodes[number].node];
      for (const Finding* const finding : tree.findings[number]) {
        if (finding->fix.empty()) continue;
        auto known = std::ranges::find_if(plan.fixes, [&](const AnnotatedFix& fix) {
          return fix.rule == finding->rule->name && fix.text == finding->fix;
        });
        if (known == plan.fixes.end())
          known = plan.fixes.insert(plan.fixes.end(), AnnotatedFix{finding->rule->name, finding->fix, {}});
        if (node.operator_id) known->operators.push_back(*node.operator_id);
      }
    }
  }
}

std::string plan_fact(const Fragment& fragment, std::uint32_t updates) {
  std::string text;
  switch (fragment.role) {
    case FragmentRole::Only: return {};
    case FragmentRole::Current: text = "current plan"; break;
    case FragmentRole::Final: text = "final plan"; break;
    case FragmentRole::Initial: text = "initial plan"; break;
  }
  if (updates > 0) text += fmt::format(" after {}", count_of(updates, "adaptive update"));
  return text;
}

void add_time_remark(AnnotatedPlan& plan) {
  std::map<TimeScope, std::vector<std::string>> names;
  for (const AnnotatedTree& tree : plan.trees) {
    for (const TimeMetric& metric : tree.columns.time_metrics) {
      std::vector<std::string>& of_scope = names[metric.scope];
      const std::string shown = one_line(metric.name);
      if (std::ranges::find(of_scope, shown) == of_scope.end()) of_scope.push_back(shown);
    }
  }
  std::string text;
  for (const auto& [scope, of_scope] : names) {
    text += text.empty() ? "time: tasks added up; " : "; ";
    switch (scope) {
      case TimeScope::Own: text += "of the operator alone: "; break;
      case TimeScope::WithInput: text += "with the work below it: "; break;
      case TimeScope::Unknown: text += "as its engine counts: "; break;
    }
    text += comma_list(of_scope, kMostNames);
  }
  if (!text.empty()) plan.remarks.push_back({text + ". Spark times no other operator", Column::Time});
}

void add_remarks(const DocumentReport& report, AnnotatedPlan& plan) {
  const PlanDocument& document = report.document;
  if (document.metrics == nullptr) {
    plan.remarks.push_back({"nothing was measured: this input holds the plan only"});
    return;
  }
  const metrics::DocumentMetrics& measured = *document.metrics;
  bool has_pipeline = false;
  bool has_peak = false;
  for (const AnnotatedTree& tree : plan.trees) {
    has_pipeline = has_pipeline || has_column(tree.columns, Column::Pipeline);
    has_peak = has_peak || has_column(tree.columns, Column::Peak);
  }
  add_time_remark(plan);
  if (has_pipeline)
    plan.remarks.push_back(
        {"pipeline: the generated code *n as a whole, tasks added up, its waiting for input too; none of its operators "
         "is timed alone",
         Column::Pipeline});
  if (has_peak) plan.remarks.push_back({"peak: memory of the task that took most", Column::Peak});
  if (!measured.superseded.empty()) {
    std::vector<std::string> parts;
    for (const metrics::MeasuredMetric& metric : measured.superseded)
      if (std::ranges::find(kTelling, metric.metric.key) != kTelling.end())
        parts.push_back(one_line(metric.metric.name) + ' ' + measured_text(metric.metric, metric.summary.total));
    if (parts.empty()) return;
    plan.remarks.push_back(
        {"adaptive execution replaced operators that had run; they counted: " + comma_list(parts, kMostSuperseded)});
  }
}

// What holds for every number of a log is said once, not at each.
bool is_compacted(const PlanTree& tree, const metrics::TreeMetrics& measured) {
  return std::ranges::any_of(tree.nodes(), [&](const PlanNode& node) {
    return std::ranges::any_of(measured.of(node.id), [](const metrics::MeasuredMetric& metric) {
      return metric.trust.has(metrics::Doubt::CompactedLog);
    });
  });
}

void add_other_stages(const metrics::ExecutionRun& run, AnnotatedPlan& plan) {
  std::vector<std::int32_t> others;
  for (const metrics::StageRun& stage : run.stages) {
    const bool is_nowhere = std::ranges::all_of(plan.trees, [&](const AnnotatedTree& tree) {
      return std::ranges::binary_search(tree.regions.others, stage.stage);
    });
    if (is_nowhere && (others.empty() || others.back() != stage.stage)) others.push_back(stage.stage);
  }
  for (std::size_t i = 0; i < std::min(others.size(), kMostStages); ++i) {
    const StageRegion region = region_of_stages({others[i]}, run);
    std::string text;
    for (const std::string& fact : stage_facts(region)) text += (text.empty() ? "" : ", ") + fact;
    plan.remarks.push_back({text + ": counted nothing for an operator of this plan"});
  }
  if (others.size() > kMostStages)
    plan.remarks.push_back({fmt::format("{} more stages counted nothing either", others.size() - kMostStages)});
}

}  // namespace

std::string fix_text(const AnnotatedFix& fix) {
  std::vector<std::string> operators;
  for (const std::uint32_t id : fix.operators) operators.push_back(fmt::format("({})", id));
  const std::string where = comma_list(operators, kMostNames);
  return fmt::format("{}{}{}: {}", where, where.empty() ? "" : " ", fix.rule, fix.text);
}

std::vector<std::string> stage_facts(const StageRegion& region) {
  std::vector<std::string> facts = {stage_list(region.stages)};
  if (region.is_repeated) {
    facts.emplace_back("as above");
    return facts;
  }
  if (region.wall_ms) facts.push_back(milliseconds(*region.wall_ms));
  if (region.attempts > region.stages.size()) facts.push_back(count_of(region.attempts, "attempt"));
  std::string tasks = count_of(region.tasks, "task");
  if (region.failed_tasks > 0) tasks += fmt::format(", {} failed", region.failed_tasks);
  if (region.killed_tasks > 0) tasks += fmt::format(", {} killed", region.killed_tasks);
  // Answers of the REST API name stages without saying what they did.
  if (region.tasks > 0) facts.push_back(std::move(tasks));
  if (region.totals.run_time_ms > 0 && region.tasks > 1)
    facts.push_back(milliseconds(region.totals.run_time_ms) + " of task time");
  if (region.totals.run_time_ms > 0 && region.totals.gc_time_ms >= region.totals.run_time_ms / 10 &&
      region.totals.gc_time_ms >= 100)
    facts.push_back(fmt::format("{} GC", milliseconds(region.totals.gc_time_ms)));
  if (!region.failure.empty()) facts.emplace_back("failed");
  return facts;
}

double share_of(const StageRegion& region, const QuerySummary& query) {
  if (region.is_repeated || !region.wall_ms || !query.duration_ms || *query.duration_ms <= 0) return 0;
  return std::clamp(static_cast<double>(*region.wall_ms) / static_cast<double>(*query.duration_ms), 0.0, 1.0);
}

AnnotatedPlan annotated_plan(const DocumentReport& report, bool verbose, const ExpressionParser& parser) {
  const PlanDocument& document = report.document;
  AnnotatedPlan plan;
  plan.summary = summary_of(report);
  plan.heading = shown_title(document, 0, 1);
  if (plan.heading.empty()) plan.heading = "plan";

  static const metrics::DocumentMetrics kNothing;
  const metrics::DocumentMetrics& measured = document.metrics == nullptr ? kNothing : *document.metrics;
  Footnotes footnotes;
  const Fragment* const judged = judged_fragment(document);
  if (judged != nullptr)
    plan.trees.push_back(annotated_tree(judged->tree, measured.judged, measured.run, verbose, parser, footnotes));
  for (std::size_t i = 0; i < std::min(document.optimized_out.size(), measured.optimized_out.size()); ++i) {
    if (document.optimized_out[i].empty()) continue;
    plan.trees.push_back(
        annotated_tree(document.optimized_out[i], measured.optimized_out[i], measured.run, verbose, parser, footnotes));
    plan.trees.back().is_optimized_out = true;
  }
  plan.footnotes = footnotes.texts();

  if (const std::string status = status_text(plan.summary); !status.empty()) plan.facts.push_back(status);
  for (std::string& fact : summary_facts(plan.summary)) plan.facts.push_back(std::move(fact));
  if (document.spark_version) {
    const SparkVersion& version = *document.spark_version;
    plan.facts.push_back(fmt::format("Spark {}.{}.{}", version.major, version.minor, version.patch));
  }
  if (judged != nullptr) {
    std::string fact = plan_fact(*judged, measured.run.plan_updates);
    if (!fact.empty()) plan.facts.push_back(std::move(fact));
  }
  if (plan.summary.part_of) plan.facts.push_back(fmt::format("part of query {}", *plan.summary.part_of));

  if (judged != nullptr && is_compacted(judged->tree, measured.judged)) {
    plan.facts.emplace_back("compacted log");
    plan.remarks.push_back(
        {"compacted log: what had ended when Spark compacted it is not in it any more; these numbers "
         "may be too low"});
  }

  add_findings(report, plan);
  add_fixes(plan);
  const auto duration = static_cast<double>(plan.summary.duration_ms.value_or(0));
  if (plan.summary.idle_ms && static_cast<double>(*plan.summary.idle_ms) >= kNotableIdle * duration && duration > 0)
    plan.remarks.push_back(
        {fmt::format("none of its own stages ran for {} of {}: planning, the driver's work, waiting, queries "
                     "that are part of it",
                     milliseconds(*plan.summary.idle_ms), milliseconds(*plan.summary.duration_ms))});
  add_other_stages(measured.run, plan);
  add_remarks(report, plan);
  return plan;
}

}  // namespace planvet::render
