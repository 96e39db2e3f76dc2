#include "analyzer/read/eventlog/execution_document.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <span>
#include <unordered_set>

#include "analyzer/metrics/overlay.hpp"
#include "analyzer/read/eventlog/line_reader.hpp"
#include "analyzer/read/eventlog/measure.hpp"
#include "analyzer/read/plan_info_json_tree.hpp"

namespace planvet::read::eventlog {
namespace {

using metrics::MeasuredMetric;
using plan_info::Plan;
using plan_info::TreeReader;

// Puts what was measured on the nodes of trees.
class Overlay {
 public:
  Overlay(const Execution& execution, metrics::Trust trust)
      : execution_(execution),
        trust_(trust),
        measured_(measure(execution)),
        shown_(execution.shown_at_end ? *execution.shown_at_end : shown_by_history_server(execution)) {}

  [[nodiscard]] metrics::TreeMetrics of_tree(const PlanTree& tree, const TreeReader& reader, const Plan& plan) {
    metrics::TreeMetrics overlay;
    const std::vector<std::uint32_t> plan_nodes = reader.plan_nodes(tree);
    for (std::uint32_t at = 0; at < plan_nodes.size(); ++at) {
      const plan_info::Node& info = plan.nodes[plan_nodes[at]];
      std::vector<MeasuredMetric> metrics;
      std::vector<std::int32_t> stages;
      for (std::uint32_t row = info.metrics_begin; row < info.metrics_end; ++row) {
        const std::int64_t accumulator = plan.accumulators[row];
        placed_.insert(accumulator);
        const auto found = measured_.find(accumulator);
        if (found == measured_.end()) continue;
        metrics.push_back(measured(accumulator, found->second));
        stages.insert(stages.end(), found->second.stages.begin(), found->second.stages.end());
      }
      if (metrics.empty()) continue;
      std::sort(stages.begin(), stages.end());
      stages.erase(std::unique(stages.begin(), stages.end()), stages.end());
      overlay.add(NodeId{at}, std::move(metrics), stages);
    }
    return overlay;
  }

  // What no tree that came before took, in the order of declaration.
  [[nodiscard]] std::vector<MeasuredMetric> superseded() const {
    std::vector<std::int64_t> rest;
    for (const auto& [accumulator, measurement] : measured_) {
      const bool had_node = execution_.declared.at(accumulator).by == DeclaredBy::Plan;
      if (had_node && !placed_.contains(accumulator)) rest.push_back(accumulator);
    }
    std::sort(rest.begin(), rest.end(), [&](std::int64_t a, std::int64_t b) {
      return execution_.declared.at(a).number < execution_.declared.at(b).number;
    });
    std::vector<MeasuredMetric> metrics;
    for (const std::int64_t accumulator : rest) {
      metrics.push_back(measured(accumulator, measured_.at(accumulator)));
      metrics.back().trust.add(metrics::Doubt::SupersededPlan);
    }
    return metrics;
  }

 private:
  [[nodiscard]] MeasuredMetric measured(std::int64_t accumulator, const Measurement& measurement) const {
    MeasuredMetric metric;
    metric.metric = execution_.declared.at(accumulator).metric;
    metric.accumulator = accumulator;
    metric.summary = measurement.summary;
    metric.trust = measurement.trust;
    metric.trust.add(trust_);
    const auto shown = shown_.find(accumulator);
    metric.is_in_history_server = shown != shown_.end();
    if (metric.is_in_history_server && !(shown->second == measurement.summary)) metric.history_server = shown->second;
    return metric;
  }

  const Execution& execution_;
  metrics::Trust trust_;
  Measurements measured_;
  Summaries shown_;
  std::unordered_set<std::int64_t> placed_;
};

metrics::ExecutionRun run_of(const Execution& execution) {
  metrics::ExecutionRun run = execution.run;
  for (const std::shared_ptr<Stage>& stage : execution.stages) {
    for (const std::unique_ptr<StageAttempt>& attempt : stage->attempts) {
      if (attempt->run().submission_time || attempt->has_task_ends()) run.stages.push_back(attempt->finished_run());
    }
  }
  std::stable_sort(run.stages.begin(), run.stages.end(), [](const metrics::StageRun& a, const metrics::StageRun& b) {
    return a.stage != b.stage ? a.stage < b.stage : a.attempt < b.attempt;
  });
  std::sort(run.jobs.begin(), run.jobs.end(),
            [](const metrics::JobRun& a, const metrics::JobRun& b) { return a.job < b.job; });
  return run;
}

void describe(const Execution& execution, const LogFacts& facts, PlanDocument& document) {
  document.input = InputKind::EventLog;
  document.execution_id = execution.run.execution;
  document.spark_version = facts.spark_version;
  document.title = "query " + std::to_string(execution.run.execution);
  std::string description = execution.run.description;
  std::replace_if(
      description.begin(), description.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  if (!description.empty()) document.title += ": " + description;
  document.conf = facts.conf;  // the session's own come behind: the last one wins
  document.conf.insert(document.conf.end(), execution.conf.begin(), execution.conf.end());
}

void add_note(NoteKind kind, std::string message, PlanDocument& document) {
  document.is_complete = false;
  document.notes.push_back({kind, {}, std::move(message)});
}

// An adaptive query that was updated runs already, even if no stage of it is done.
FragmentRole role_of(const TreeReader& reader, const Execution& execution) {
  const bool is_updated = !execution.last_plan.empty();
  return reader.role() == FragmentRole::Only && is_updated ? FragmentRole::Current : reader.role();
}

}  // namespace

PlanDocument make_document(const Execution& execution, bool is_whole, const LogFacts& facts, PlanEventParser& parser) {
  PlanDocument document;
  describe(execution, facts, document);

  // Both plans in one text, the one to judge first, with the room that their parser needs.
  std::string json(execution.last_plan.json());
  const std::size_t first_begin = json.size();
  json += execution.first_plan.json();
  const std::size_t first_end = json.size();
  json.append(kPadding, ' ');
  std::vector<std::string_view> texts;
  if (!execution.last_plan.empty()) texts.push_back(std::string_view(json).substr(0, first_begin));
  if (!execution.first_plan.empty()) {
    texts.push_back(std::string_view(json).substr(first_begin, first_end - first_begin));
  }

  plan_info::TextWriter writer(json);
  std::deque<Plan> plans;
  std::deque<TreeReader> readers;  // a reader keeps views of its plan
  bool is_broken = false;
  for (const std::string_view text : texts) {
    Plan plan;
    is_broken |= !parser.parse_plan(json, text, plan);
    if (plan.nodes.empty()) continue;
    plans.push_back(std::move(plan));
    readers.emplace_back(json, plans.back()).write_text(writer);
  }
  auto bytes = std::make_shared<const SourceBytes>(facts.path, std::move(writer).take_text());
  auto source = std::make_shared<const Source>(std::move(bytes));
  document.source = source;

  metrics::Trust trust;
  if (!is_whole) trust.add(metrics::Doubt::IncompleteLog);
  if (facts.is_compacted) trust.add(metrics::Doubt::CompactedLog);
  Overlay overlay(execution, trust);
  auto measured = std::make_shared<metrics::DocumentMetrics>();
  for (std::size_t i = 0; i < readers.size(); ++i) {
    TreeReader& reader = readers[i];
    reader.build(*source, i == 0);
    if (i == 0) {
      measured->judged = overlay.of_tree(reader.tree(), reader, plans[i]);
      document.optimized_out = std::move(reader.optimized_out());
      for (const PlanTree& tree : document.optimized_out) {
        measured->optimized_out.push_back(overlay.of_tree(tree, reader, plans[i]));
      }
      std::copy(reader.notes().begin(), reader.notes().end(), std::back_inserter(document.notes));
    }
    document.fragments.push_back(
        {i == 0 ? role_of(reader, execution) : FragmentRole::Initial, std::move(reader.tree())});
  }
  measured->superseded = overlay.superseded();
  measured->run = run_of(execution);
  document.metrics = std::move(measured);

  if (!execution.has_start) {
    add_note(NoteKind::IncompleteLog, "the log does not hold the start of this query: its plan may be missing",
             document);
  } else if (is_broken) {
    add_note(NoteKind::UnreadablePart, "the plan of this query is not well-formed JSON", document);
  }
  if (!is_whole) {
    add_note(NoteKind::IncompleteLog,
             "the log ends before this query does: numbers are those of the tasks that had ended by then", document);
  }
  return document;
}

}  // namespace planvet::read::eventlog
