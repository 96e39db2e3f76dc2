#include "analyzer/read/eventlog/execution_document.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <optional>

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
      : declared_(execution.declared),
        trust_(trust),
        measured_(measure(execution)),
        shown_(execution.shown_at_end),
        is_placed_(declared_.size()) {
    if (!shown_ && !measured_.are_as_shown) shown_ = shown_by_history_server(execution);
  }

  [[nodiscard]] metrics::TreeMetrics of_tree(const PlanTree& tree, const TreeReader& reader, const Plan& plan) {
    metrics::TreeMetrics overlay;
    const std::vector<std::uint32_t> plan_nodes = reader.plan_nodes(tree);
    std::vector<MeasuredMetric> metrics;
    std::vector<std::int32_t> stages;
    const auto updated = static_cast<std::size_t>(
        std::count_if(measured_.rows.begin(), measured_.rows.end(), [](const auto& row) { return row.has_value(); }));
    overlay.reserve(plan_nodes.size(), std::min(updated, plan.accumulators.size()));
    for (std::uint32_t at = 0; at < plan_nodes.size(); ++at) {
      const plan_info::Node& info = plan.nodes[plan_nodes[at]];
      metrics.clear();
      stages.clear();
      for (std::uint32_t row = info.metrics_begin; row < info.metrics_end; ++row) {
        const auto number = declared_.find(plan.accumulators[row]);
        if (!number) continue;
        is_placed_[*number] = true;
        const std::optional<Measurement>& found = measured_.rows[*number];
        if (!found) continue;
        metrics.push_back(measured(*number, *found));
        found->stages.for_each([&](std::int32_t stage) { stages.push_back(stage); });
      }
      if (metrics.empty()) continue;
      std::sort(stages.begin(), stages.end());
      stages.erase(std::unique(stages.begin(), stages.end()), stages.end());
      overlay.take(NodeId{at}, metrics, stages);
    }
    return overlay;
  }

  // What no tree that came before took, in the order of declaration.
  [[nodiscard]] std::vector<MeasuredMetric> superseded() const {
    std::vector<MeasuredMetric> metrics;
    for (std::size_t number = 0; number < declared_.size(); ++number) {
      const bool had_node = declared_[number].by == DeclaredBy::Plan;
      if (!measured_.rows[number] || !had_node || is_placed_[number]) continue;
      metrics.push_back(measured(number, *measured_.rows[number]));
      metrics.back().trust.add(metrics::Doubt::SupersededPlan);
    }
    return metrics;
  }

 private:
  [[nodiscard]] MeasuredMetric measured(std::size_t number, const Measurement& measurement) const {
    MeasuredMetric metric;
    metric.metric = *declared_[number].metric;
    metric.accumulator = declared_[number].accumulator;
    metric.summary = measurement.summary;
    metric.trust = measurement.trust;
    metric.trust.add(trust_);
    if (!shown_) return metric;
    const std::optional<metrics::Summary> shown = number < shown_->size() ? (*shown_)[number] : std::nullopt;
    metric.is_in_history_server = shown.has_value();
    if (shown && !(*shown == measurement.summary)) metric.history_server = shown;
    return metric;
  }

  const DeclaredMetrics& declared_;
  metrics::Trust trust_;
  Measurements measured_;
  std::optional<Summaries> shown_;  // nothing: what was measured
  std::vector<bool> is_placed_;     // of declared ones
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

// Spark drops events where it cannot write them fast enough.
void note_lost_tasks(const Execution& execution, PlanDocument& document) {
  std::int64_t tasks = 0;
  std::size_t stages = 0;
  for (const std::shared_ptr<Stage>& stage : execution.stages) {
    for (const std::unique_ptr<StageAttempt>& attempt : stage->attempts) {
      if (!attempt->has_lost_ends()) continue;
      tasks += attempt->run().tasks - static_cast<std::int64_t>(attempt->done());
      ++stages;
    }
  }
  if (stages == 0) return;
  add_note(NoteKind::IncompleteLog,
           std::to_string(tasks) + (tasks == 1 ? " task of " : " tasks of ") + std::to_string(stages) +
               (stages == 1 ? " stage that was done has" : " stages that were done have") +
               " no end in the log: events are missing, and what these tasks did is not counted",
           document);
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
  std::string both;
  std::vector<std::string_view> texts;
  if (execution.last_plan.empty() || execution.first_plan.empty()) {
    const PlanText& only = execution.last_plan.empty() ? execution.first_plan : execution.last_plan;
    if (!only.empty()) texts.push_back(only.json());
  } else {
    const std::size_t first_begin = execution.last_plan.json().size();
    both.reserve(first_begin + execution.first_plan.json().size() + kPadding);
    both.append(execution.last_plan.json()).append(execution.first_plan.json());
    const std::size_t first_end = both.size();
    both.append(kPadding, ' ');
    texts.push_back(std::string_view(both).substr(0, first_begin));
    texts.push_back(std::string_view(both).substr(first_begin, first_end - first_begin));
  }
  const std::string_view json = texts.size() == 1 ? texts.front() : std::string_view(both);

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
  note_lost_tasks(execution, document);
  if (!is_whole) {
    add_note(NoteKind::IncompleteLog,
             "the log ends before this query does: numbers are those of the tasks that had ended by then", document);
  }
  return document;
}

}  // namespace planvet::read::eventlog
