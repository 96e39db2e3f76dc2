#include "analyzer/read/rest/sql_rest_json.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

#include <fmt/core.h>

#include "analyzer/metrics/overlay.hpp"
#include "analyzer/metrics/shown_metric.hpp"
#include "analyzer/read/explain_text.hpp"
#include "analyzer/read/json_tree.hpp"
#include "analyzer/read/plan_info_json_tree.hpp"
#include "analyzer/read/rest/answers.hpp"
#include "analyzer/read/rest/graph.hpp"
#include "analyzer/read/rest/weave.hpp"

namespace planvet::read {
namespace {

using namespace rest;
using metrics::MeasuredMetric;

// Stages whose tasks the text of a metric names.
void add_stage(const MeasuredMetric& metric, std::vector<std::int32_t>& stages) {
  if (metric.summary.max_task) stages.push_back(metric.summary.max_task->stage);
}

void sort_unique(std::vector<std::int32_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

class RestReading {
 public:
  RestReading(const std::shared_ptr<const SourceBytes>& bytes, const RestContext& context)
      : bytes_(bytes),
        repaired_(plan_info::repaired_utf8(bytes->bytes())),
        context_(context),
        json_(repaired_ ? std::string_view(*repaired_) : bytes->bytes()) {
    for (const metrics::StageRun& stage : context.stages) {
      if (stage.attempt > 0) retried_.insert(stage.stage);
    }
  }

  void read(const DocumentSink& sink) {
    const std::vector<Execution> executions = read_executions(json_);
    for (std::size_t i = 0; i < executions.size(); ++i) {
      PlanDocument document = make_document(executions[i]);
      if (i + 1 == executions.size()) add_broken_note(document);
      sink(std::move(document));
    }
    if (executions.empty()) sink(without_queries());
  }

 private:
  // The text of a plan as its own reader sees it: nothing where the answer holds none.
  [[nodiscard]] std::optional<PlanDocument> read_text(const Execution& execution) const {
    if (!execution.plan.exists()) return std::nullopt;
    plan_info::TextWriter writer(json_.text());
    writer.append(execution.plan);
    std::optional<PlanDocument> found;
    read_explain_text(std::make_shared<const Source>(std::move(writer).finish(bytes_)), [&](PlanDocument&& document) {
      if (!found && judged_fragment(document) != nullptr) found = std::move(document);
    });
    return found;
  }

  PlanDocument make_document(const Execution& execution) const {
    PlanDocument document;
    describe(execution, document);
    std::optional<PlanDocument> text = read_text(execution);
    const Graph graph = make_graph(json_, execution);

    // The text comes first and keeps its offsets; behind it what only the graph says.
    plan_info::TextWriter writer(json_.text());
    const Span plan = writer.append(execution.plan);
    std::vector<Span> names;
    names.reserve(graph.nodes.size());
    for (const GraphNode& node : graph.nodes) names.push_back(trimmed_span(writer, writer.append(node.shown->name)));
    const Span mark = writer.append_mark(execution.begin);
    auto source = std::make_shared<const Source>(std::move(writer).finish(bytes_));
    document.source = source;

    const Source empty(std::make_shared<const SourceBytes>(std::string(), std::string()));
    const Views views(text ? *text->source : empty, *source, std::move(names));
    auto measured = std::make_shared<metrics::DocumentMetrics>();
    measured->run = run_of(execution);
    if (text) take_text(*text, views, document);
    if (!graph.empty()) {
      const std::size_t without_text = weave_in(graph, text, views, *measured, document);
      note_differences(graph, text, without_text, plan.empty() ? mark : Span{plan.begin, plan.begin}, document);
    } else if (text) {
      document.fragments.clear();
      for (const Fragment& fragment : text->fragments)
        document.fragments.push_back({fragment.role, moved_tree(fragment.tree, views)});
      for (const PlanTree& tree : text->optimized_out) document.optimized_out.push_back(moved_tree(tree, views));
      measured->optimized_out.resize(document.optimized_out.size());
      if (execution.loose_metrics > 0)
        add_note(
            NoteKind::UnreadablePart, mark,
            "the answer lists metrics without the operators that they belong to, as Spark 3.0 does: they could not "
            "be put on the plan",
            document);
    }
    document.metrics = std::move(measured);
    return document;
  }

  static Span trimmed_span(const plan_info::TextWriter& writer, Span span) {
    const std::string_view text = writer.text(span);
    const std::size_t last = text.find_last_not_of(' ');
    return last == std::string_view::npos ? Span{span.begin, span.begin}
                                          : Span{span.begin, span.begin + static_cast<std::uint32_t>(last) + 1};
  }

  void describe(const Execution& execution, PlanDocument& document) const {
    document.input = InputKind::SqlRestJson;
    document.execution_id = execution.id;
    document.spark_version = context_.spark_version;
    document.conf = context_.conf;
    if (execution.id) document.title = "query " + std::to_string(*execution.id);
    std::string description = execution.description;
    std::replace_if(
        description.begin(), description.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    if (!description.empty()) document.title += (document.title.empty() ? "" : ": ") + description;
  }

  // All that the text says beside its first plan.
  static void take_text(PlanDocument& text, const Views& views, PlanDocument& document) {
    document.is_complete = text.is_complete;
    document.notes = std::move(text.notes);  // the text stands at the same offsets
    for (const PlanTree& tree : text.logical_plans) document.logical_plans.push_back(moved_tree(tree, views));
    for (const auto& [title, explanation] : text.explanations)
      document.explanations.emplace_back(views.moved(title), views.moved(explanation));
    if (!document.spark_version) document.least_spark_version = text.least_spark_version;
  }

  // The answer: how many operators the text should have had.
  std::size_t weave_in(const Graph& graph, const std::optional<PlanDocument>& text, const Views& views,
                       metrics::DocumentMetrics& measured, PlanDocument& document) const {
    const Fragment* const judged = text ? judged_fragment(*text) : nullptr;
    const PlanTree none;
    Woven woven = weave(graph, judged != nullptr ? judged->tree : none,
                        text ? text->optimized_out : std::vector<PlanTree>(), views);
    measured.judged = overlay_of(woven.tree, graph);
    document.fragments.push_back({judged != nullptr ? judged->role : FragmentRole::Only, std::move(woven.tree)});
    for (PlanTree& tree : woven.optimized_out) {
      measured.optimized_out.push_back(overlay_of(tree, graph));
      document.optimized_out.push_back(std::move(tree));
    }
    if (!text) return woven.without_text;
    for (const Fragment& fragment : text->fragments) {
      if (&fragment == judged || fragment.tree.empty()) continue;
      document.fragments.push_back({fragment.role, moved_tree(fragment.tree, views)});
    }
    return woven.without_text;
  }

  [[nodiscard]] metrics::TreeMetrics overlay_of(const PlanTree& tree, const Graph& graph) const {
    std::unordered_map<std::uint32_t, const ShownNode*> shown;
    for (const GraphNode& node : graph.nodes) shown.emplace(node.shown->id, node.shown);
    metrics::TreeMetrics overlay;
    for (const PlanNode& node : tree.nodes()) {
      if (!node.operator_id) continue;
      std::vector<MeasuredMetric> found;
      std::vector<std::int32_t> stages;
      for (const ShownText& text : shown.at(*node.operator_id)->metrics) {
        std::optional<MeasuredMetric> metric = metrics::read_shown_metric(plan_info::decoded(json_.text(), text.name),
                                                                          plan_info::decoded(json_.text(), text.value));
        if (!metric) continue;
        const std::size_t before = stages.size();
        add_stage(*metric, stages);
        // Only the last attempt of a stage is shown: numbers may be those of a part of the tasks.
        if (stages.size() > before && retried_.contains(stages.back())) metric->trust.add(metrics::Doubt::RetriedTasks);
        found.push_back(std::move(*metric));
      }
      if (found.empty()) continue;
      sort_unique(stages);
      overlay.add(node.id, std::move(found), stages);
    }
    return overlay;
  }

  // Jobs tell the stages of a query. Without them those that its metrics name are known to be its own.
  [[nodiscard]] metrics::ExecutionRun run_of(const Execution& execution) const {
    metrics::ExecutionRun run;
    run.execution = execution.id.value_or(-1);
    run.root_execution = execution.root_execution;
    run.description = execution.description;
    run.submission_time = execution.submission_time;
    if (execution.submission_time && execution.duration) {
      run.last_event_time = *execution.submission_time + *execution.duration;
      if (execution.status != "RUNNING") run.completion_time = run.last_event_time;
    }
    run.error = execution.error;
    if (run.error.empty() && execution.status == "FAILED") run.error = "FAILED";
    run.jobs = execution.jobs;
    std::set<std::int32_t> stages;
    for (metrics::JobRun& job : run.jobs) {
      const auto known = std::find_if(context_.jobs.begin(), context_.jobs.end(),
                                      [&](const metrics::JobRun& candidate) { return candidate.job == job.job; });
      if (known != context_.jobs.end()) job = *known;
      stages.insert(job.stages.begin(), job.stages.end());
    }
    if (stages.empty()) stages = stages_of_metrics(execution);
    for (const metrics::StageRun& stage : context_.stages) {
      if (stages.contains(stage.stage)) run.stages.push_back(stage);
    }
    return run;
  }

  [[nodiscard]] std::set<std::int32_t> stages_of_metrics(const Execution& execution) const {
    std::set<std::int32_t> stages;
    for (const ShownNode& node : execution.nodes) {
      for (const ShownText& text : node.metrics) {
        const auto metric = metrics::read_shown_metric({}, plan_info::decoded(json_.text(), text.value));
        if (metric && metric->summary.max_task) stages.insert(metric->summary.max_task->stage);
      }
    }
    return stages;
  }

  static void note_differences(const Graph& graph, const std::optional<PlanDocument>& text, std::size_t without_text,
                               Span mark, PlanDocument& document) {
    if (!text) {
      add_note(NoteKind::UnreadablePart, mark,
               "the answer has no planDescription that could be read: what operators do (keys, conditions, columns) is "
               "not known; ask for /sql?details=true&planDescription=true",
               document);
    } else if (without_text > 0) {
      add_note(NoteKind::UnreadablePart, mark,
               fmt::format("{} of {} operators could not be found in planDescription: what they do is not known",
                           without_text, graph.nodes.size()),
               document);
    }
    if (graph.unreachable > 0) {
      add_note(NoteKind::UnreadablePart, mark,
               fmt::format("{} nodes of the answer are connected with no other: they were left out", graph.unreachable),
               document);
    }
  }

  void add_broken_note(PlanDocument& document) const {
    if (const auto& error = json_.error(); error) {
      // Notes stand in the text of a document; the place is told in words.
      const Position position = bytes_->position(error->offset);
      const bool is_end = error->is_end;
      add_note(
          is_end ? NoteKind::TruncatedPlan : NoteKind::UnreadablePart, {},
          fmt::format("the JSON {} in line {}, column {}: while reading {}; what stands behind could not be read",
                      is_end ? "ends too early" : "is not well-formed", position.line, position.column, error->message),
          document);
    }
    if (repaired_) {
      add_note(NoteKind::UnreadablePart, {}, "the JSON is not UTF-8: bytes that could not be read are shown as '?'",
               document);
    }
  }

  // A document of notes, which become the message of an error.
  [[nodiscard]] PlanDocument without_queries() const {
    PlanDocument document;
    document.input = InputKind::SqlRestJson;
    document.source = std::make_shared<const Source>(bytes_);
    const Answer answer = answer_of(bytes_->bytes());
    if (json_.error()) {
      const std::uint32_t at = json_.error()->offset;
      add_note(NoteKind::UnreadablePart, {at, at}, "while reading " + json_.error()->message, document);
    } else if (answer == Answer::Sql || answer == Answer::None) {
      add_note(NoteKind::UnreadablePart, {}, "the answer lists no query", document);
    } else {
      add_note(NoteKind::UnreadablePart, {},
               fmt::format("this is the answer of {}, which holds no plan: give the folder in which it lies together "
                           "with the answer of /sql?details=true&planDescription=true",
                           rest::name(answer)),
               document);
    }
    return document;
  }

  static void add_note(NoteKind kind, Span span, std::string message, PlanDocument& document) {
    document.is_complete = false;
    document.notes.push_back({kind, span, std::move(message)});
  }

  std::shared_ptr<const SourceBytes> bytes_;
  std::optional<std::string> repaired_;
  const RestContext& context_;
  JsonTree json_;
  std::set<std::int32_t> retried_;  // stages of which a later attempt is known
};

bool looks_like(std::string_view bytes) { return answer_of(bytes) != Answer::None; }

void read(const std::shared_ptr<const SourceBytes>& bytes, const DocumentSink& sink) { read_sql_rest(bytes, {}, sink); }

}  // namespace

std::string_view rest_answer(std::string_view bytes) { return name(answer_of(bytes)); }

bool add_rest_answer(std::string_view bytes, RestContext& context) {
  const Answer answer = answer_of(bytes);
  if (answer == Answer::None || answer == Answer::Sql) return false;
  const std::optional<std::string> repaired = plan_info::repaired_utf8(bytes);
  const JsonTree json(repaired ? std::string_view(*repaired) : bytes);
  if (json.error()) return false;
  switch (answer) {
    case Answer::Stages: context.stages = read_stages(json); return true;
    case Answer::Jobs: context.jobs = read_jobs(json); return true;
    case Answer::Environment: context.conf = read_spark_properties(json); return true;
    case Answer::Application: context.spark_version = read_version(json); return context.spark_version.has_value();
    case Answer::None:
    case Answer::Sql: break;
  }
  return false;
}

void read_sql_rest(const std::shared_ptr<const SourceBytes>& bytes, const RestContext& context,
                   const DocumentSink& sink) {
  RestReading(bytes, context).read(sink);
}

const Reader kSqlRestJson{
    "JSON of Spark's REST API",
    "answers of the REST API (`/sql`, with `\"runningJobIds\"` and `\"nodes\"`)",
    looks_like,
    read,
};

}  // namespace planvet::read
