#include "analyzer/render/json.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "analyzer/metrics/overlay.hpp"
#include "analyzer/plan/expression_list.hpp"
#include "analyzer/plan/quantity.hpp"
#include "analyzer/render/annotate.hpp"
#include "analyzer/render/findings.hpp"
#include "analyzer/render/place.hpp"
#include "analyzer/render/query_list.hpp"
#include "analyzer/render/renderer.hpp"
#include "analyzer/version.hpp"

namespace planvet::render {

namespace {

using Json = nlohmann::ordered_json;  // fields stand in the order of interface.md

std::string written(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';  // plans may hold any bytes
}

template <typename Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json text_or_null(std::string_view text) { return text.empty() ? Json(nullptr) : Json(text); }

// A whole number where it is one: 3145728, not 3145728.0.
Json number(double value) {
  constexpr double kLargestExact = 9007199254740992.0;
  if (!std::isfinite(value)) return nullptr;
  if (value == std::floor(value) && std::fabs(value) <= kLargestExact) return static_cast<std::int64_t>(value);
  return value;
}

Json list_items(const Attribute& attribute) {
  Json items = Json::array();
  const std::size_t expected = attribute.is_whole() && attribute.count > 0 ? attribute.count : kAnyCount;
  for (const std::string_view item : split_list(attribute.text, expected).items) items.push_back(std::string(item));
  return items;
}

Json integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? Json(value) : Json(nullptr);
}

Json attribute_value(const Attribute& attribute) {
  switch (info(attribute.kind).shape) {
    case AttributeShape::ExpressionList:
    case AttributeShape::PredicateList: return list_items(attribute);
    case AttributeShape::Integer: return integer(attribute.text);
    case AttributeShape::Flag:
      if (attribute.text == "true" || attribute.text == "false") return attribute.text == "true";
      return nullptr;
    case AttributeShape::Bytes: return or_null(parse_printed_size(attribute.text));
    case AttributeShape::Rows: return or_null(parse_printed_rows(attribute.text));
    case AttributeShape::Text:
    case AttributeShape::Word:
    case AttributeShape::Expression:
    case AttributeShape::Schema: return std::string(attribute.text);
  }
  return nullptr;
}

void set_position(Json& object, const std::optional<Position>& position) {
  object["line"] = position ? Json(position->line) : Json(nullptr);
  object["column"] = position ? Json(position->column) : Json(nullptr);
  object["plan_line"] = position ? or_null(position->plan_line) : Json(nullptr);
}

void set_position(Json& object, const PlanDocument& document, Span span) {
  const std::optional<Place> place = place_of(document, span);
  set_position(object, place ? std::optional(place->begin) : std::nullopt);
}

Json node_json(const PlanTree& tree, const PlanNode& node, BeginFinder& find_begin) {
  Json json;
  json["id"] = index(node.id);
  json["parent"] = node.parent == kNoNode ? Json(nullptr) : Json(index(node.parent));
  json["link"] = name(node.link);
  json["kind"] = info(node.kind).name;
  json["engine"] = name(node.engine);
  json["printed_name"] = std::string(node.printed_name);
  json["operator_id"] = or_null(node.operator_id);
  json["codegen_stage"] = node.codegen_stage > 0 ? Json(node.codegen_stage) : Json(nullptr);
  json["is_codegen"] = node.codegen_stage != kNoCodegen;
  json["is_logical"] = node.is_logical;
  json["reuses"] = node.reuses == kNoNode ? Json(nullptr) : Json(index(node.reuses));
  set_position(json, find_begin(node.name_span.begin));
  Json incomplete = Json::array();
  Json attributes = Json::object();
  for (const Attribute& attribute : tree.attributes(node.id)) {
    const std::string key(info(attribute.kind).json_name);
    if (!attribute.is_whole()) incomplete.push_back(key);
    if (attribute.kind == AttributeKind::Other) {
      attributes[key][std::string(attribute.label)] = std::string(attribute.text);
    } else {
      attributes[key] = attribute_value(attribute);
    }
  }
  json["incomplete_attributes"] = std::move(incomplete);
  json["attributes"] = std::move(attributes);
  return json;
}

Json max_at_json(const metrics::Summary& summary) {
  if (!summary.has_spread()) return nullptr;
  if (!summary.max_task) return "driver";
  Json json;
  json["stage"] = summary.max_task->stage;
  json["attempt"] = summary.max_task->attempt;
  json["task"] = summary.max_task->task;
  return json;
}

// Averages of several tasks have no total, and only its own class knows what several values of a custom metric make.
Json total_json(const metrics::Metric& metric, const metrics::Summary& summary) {
  const bool has_total = metric.type != metrics::MetricType::Average && metric.type != metrics::MetricType::Custom;
  if (!has_total && summary.has_spread()) return nullptr;
  return number(metrics::in_unit(metric.type, summary.total));
}

Json metric_json(const metrics::MeasuredMetric& measured) {
  const metrics::Metric& metric = measured.metric;
  const metrics::Summary& summary = measured.summary;
  const auto of_spread = [&](std::int64_t value) {
    return summary.has_spread() ? number(metrics::in_unit(metric.type, value)) : Json(nullptr);
  };
  Json json;
  json["name"] = metric.name;
  json["key"] = metrics::json_key(metric);
  json["type"] = metric.type_name;
  json["unit"] = metrics::name(metric.unit);
  json["value"] = total_json(metric, summary);
  json["min"] = of_spread(summary.min);
  json["median"] = of_spread(summary.median);
  json["max"] = of_spread(summary.max);
  json["max_at"] = max_at_json(summary);
  const bool shows_other = measured.history_server && measured.history_server->total != summary.total;
  json["history_server_value"] = shows_other ? total_json(metric, *measured.history_server) : Json(nullptr);
  Json trust = Json::array();
  for (const metrics::Doubt doubt : measured.trust.doubts()) trust.push_back(metrics::name(doubt));
  json["trust"] = std::move(trust);
  return json;
}

Json metrics_json(std::span<const metrics::MeasuredMetric> metrics) {
  Json json = Json::array();
  for (const metrics::MeasuredMetric& metric : metrics) json.push_back(metric_json(metric));
  return json;
}

void add_measured(Json& json, const metrics::TreeMetrics& overlay, NodeId node) {
  json["metrics"] = metrics_json(overlay.of(node));
  json["stages"] = Json::array();
  for (const std::int32_t stage : overlay.stages(node)) json["stages"].push_back(stage);
}

Json stage_run_json(const metrics::StageRun& stage) {
  Json json;
  json["stage"] = stage.stage;
  json["attempt"] = stage.attempt;
  json["name"] = stage.name;
  json["tasks"] = stage.tasks;
  json["succeeded_tasks"] = stage.succeeded;
  json["failed_tasks"] = stage.failed;
  json["killed_tasks"] = stage.killed;
  json["submission_time_ms"] = or_null(stage.submission_time);
  json["completion_time_ms"] = or_null(stage.completion_time);
  json["failure"] = text_or_null(stage.failure);
  // Over all of its task ends, failed ones too.
  const metrics::TaskTotals& totals = stage.totals;
  json["run_time_ms"] = totals.run_time_ms;
  json["cpu_time_ns"] = totals.cpu_time_ns;
  json["gc_time_ms"] = totals.gc_time_ms;
  json["input_bytes"] = totals.input_bytes;
  json["input_records"] = totals.input_records;
  json["output_bytes"] = totals.output_bytes;
  json["output_records"] = totals.output_records;
  json["shuffle_read_bytes"] = metrics::saturating_add(totals.remote_bytes_read, totals.local_bytes_read);
  json["shuffle_read_records"] = totals.shuffle_records_read;
  json["shuffle_written_bytes"] = totals.shuffle_bytes_written;
  json["shuffle_written_records"] = totals.shuffle_records_written;
  json["memory_spilled_bytes"] = totals.memory_spilled;
  json["disk_spilled_bytes"] = totals.disk_spilled;
  return json;
}

std::string_view name_of(metrics::JobResult result) {
  switch (result) {
    case metrics::JobResult::Running: return "running";
    case metrics::JobResult::Succeeded: return "succeeded";
    case metrics::JobResult::Failed: return "failed";
  }
  return "running";
}

Json run_json(const metrics::ExecutionRun& run, const QuerySummary& summary) {
  Json json;
  json["status"] = name(summary.status);
  json["submission_time_ms"] = or_null(run.submission_time);
  json["completion_time_ms"] = or_null(run.completion_time);
  json["duration_ms"] = or_null(summary.duration_ms);
  json["without_stage_ms"] = or_null(summary.idle_ms);
  json["part_of"] = or_null(summary.part_of);
  json["error"] = text_or_null(run.error);
  json["plan_updates"] = run.plan_updates;
  Json jobs = Json::array();
  for (const metrics::JobRun& job : run.jobs) {
    Json entry;
    entry["job"] = job.job;
    entry["result"] = name_of(job.result);
    entry["submission_time_ms"] = or_null(job.submission_time);
    entry["completion_time_ms"] = or_null(job.completion_time);
    entry["stages"] = job.stages;
    jobs.push_back(std::move(entry));
  }
  json["jobs"] = std::move(jobs);
  Json stages = Json::array();
  for (const metrics::StageRun& stage : run.stages) stages.push_back(stage_run_json(stage));
  json["stages"] = std::move(stages);
  return json;
}

Json note_json(const PlanDocument& document, const Note& note) {
  Json json;
  json["code"] = code(note.kind);
  json["rule"] = name(note.kind);
  json["path"] = document.source->path();
  set_position(json, document, note.span);
  json["message"] = note.message;
  return json;
}

Json notes_json(const PlanDocument& document, const std::vector<Note>& notes) {
  Json json = Json::array();
  for (const Note& note : notes) json.push_back(note_json(document, note));
  return json;
}

enum class Measured : std::uint8_t { No, Yes };

Json document_json(const PlanDocument& document, FragmentChoice choice, Measured measured) {
  Json json;
  json["source"] = document.source->path();
  json["input"] = name(document.input);
  json["title"] = text_or_null(document.title);
  json["execution_id"] = or_null(document.execution_id);
  json["spark_version"] = nullptr;
  if (document.spark_version) {
    const SparkVersion& version = *document.spark_version;
    json["spark_version"] = fmt::format("{}.{}.{}", version.major, version.minor, version.patch);
  }
  json["is_complete"] = document.is_complete;
  Json fragments = Json::array();
  for (const Fragment* fragment : chosen_fragments(document, choice)) {
    Json nodes = Json::array();
    BeginFinder find_begin(document);
    const bool has_metrics =
        measured == Measured::Yes && document.metrics != nullptr && fragment->role != FragmentRole::Initial;
    for (const PlanNode& node : fragment->tree.nodes()) {
      nodes.push_back(node_json(fragment->tree, node, find_begin));
      if (has_metrics) add_measured(nodes.back(), document.metrics->judged, node.id);
    }
    Json entry;
    entry["role"] = name(fragment->role);
    entry["nodes"] = std::move(nodes);
    fragments.push_back(std::move(entry));
  }
  json["fragments"] = std::move(fragments);
  json["notes"] = notes_json(document, document.notes);
  return json;
}

// What annotate knows besides: trees that adaptive execution took out, what replaced operators counted, the run.
void add_run(Json& json, const PlanDocument& document, const QuerySummary& summary) {
  const metrics::DocumentMetrics* const measured = document.metrics.get();
  Json optimized_out = Json::array();
  for (std::size_t i = 0; i < document.optimized_out.size(); ++i) {
    const PlanTree& tree = document.optimized_out[i];
    Json nodes = Json::array();
    BeginFinder find_begin(document);
    for (const PlanNode& node : tree.nodes()) {
      nodes.push_back(node_json(tree, node, find_begin));
      if (measured != nullptr && i < measured->optimized_out.size())
        add_measured(nodes.back(), measured->optimized_out[i], node.id);
    }
    optimized_out.push_back(std::move(nodes));
  }
  json["optimized_out"] = std::move(optimized_out);
  json["superseded_metrics"] = measured == nullptr ? Json::array() : metrics_json(measured->superseded);
  json["run"] = measured == nullptr ? Json(nullptr) : run_json(measured->run, summary);
}

std::string documents_json(std::span<const PlanDocument* const> documents, FragmentChoice choice, Measured measured) {
  Json list = Json::array();
  for (const PlanDocument* document : documents) list.push_back(document_json(*document, choice, measured));
  Json json;
  json["schema_version"] = kSchemaVersion;
  json["documents"] = std::move(list);
  return written(json);
}

Json evidence_json(const std::vector<Evidence>& evidence) {
  Json json = Json::array();
  for (const Evidence& item : evidence) {
    Json entry;
    entry["what"] = item.what;
    const bool is_whole = item.unit == "bytes" || item.unit == "rows" || item.unit == "count";
    entry["value"] = number(is_whole ? std::round(item.value) : item.value);
    entry["unit"] = item.unit;
    entry["source"] = name(item.source);
    json.push_back(std::move(entry));
  }
  return json;
}

Json related_json(const PlanDocument& document, const std::vector<RelatedPlace>& places) {
  Json json = Json::array();
  for (const RelatedPlace& place : places) {
    Json entry;
    entry["path"] = document.source->path();
    entry["line"] = nullptr;
    entry["column"] = nullptr;
    entry["plan_line"] = nullptr;
    if (!place.span.empty()) set_position(entry, document, place.span);
    entry["node"] = place.node ? Json(index(*place.node)) : Json(nullptr);
    entry["message"] = place.message;
    json.push_back(std::move(entry));
  }
  return json;
}

Json finding_json(const DocumentReport& report, std::size_t document_index, const Finding& finding) {
  const PlanDocument& document = report.document;
  const std::optional<Place> place = place_of(document, finding.span);
  Json json;
  json["code"] = finding.rule->code;
  json["rule"] = finding.rule->name;
  json["severity"] = name(finding.severity);
  json["path"] = document.source->path();
  set_position(json, document, finding.span);
  json["end_line"] = place ? Json(place->end.line) : Json(nullptr);
  json["end_column"] = place ? Json(place->end.column) : Json(nullptr);
  json["document"] = document_index;
  json["node"] = index(finding.node);
  json["execution_id"] = or_null(document.execution_id);
  json["fragment"] = name(finding.subject.fragment);
  json["operator"]["kind"] = info(finding.subject.kind).name;
  json["operator"]["printed_name"] = finding.subject.printed_name;
  json["operator"]["operator_id"] = or_null(finding.subject.operator_id);
  json["message"] = finding.message;
  json["fix"] = text_or_null(finding.fix);
  json["url"] = text_or_null(rule_url(finding.rule->name));
  json["evidence"] = evidence_json(finding.evidence);
  json["reasons"] = finding.reasons;
  json["saving_upper_bound_ms"] =
      finding.saving_upper_bound_ms ? number(*finding.saving_upper_bound_ms) : Json(nullptr);
  json["related"] = related_json(document, finding.related);
  json["fingerprint"] = text_or_null(finding.fingerprint);
  json["is_baseline"] = finding.is_baseline;
  json["suppressed_by"] = or_null(finding.suppressed_by);
  return json;
}

// One entry for each rule that found something, most findings first.
Json statistics_json(const Report& report) {
  struct Row {
    const RuleInfo* rule;
    Totals totals;
  };
  std::vector<Row> rows;
  for (const DocumentReport& document : report.documents) {
    for (const Finding& finding : document.findings) {
      auto row = std::ranges::find(rows, finding.rule, &Row::rule);
      if (row == rows.end()) row = rows.insert(rows.end(), Row{finding.rule, {}});
      add(row->totals, finding);
    }
  }
  std::ranges::sort(rows, [](const Row& a, const Row& b) {
    return a.totals.active() != b.totals.active() ? a.totals.active() > b.totals.active() : a.rule->code < b.rule->code;
  });
  Json json = Json::array();
  for (const Row& row : rows) {
    Json entry;
    entry["code"] = row.rule->code;
    entry["rule"] = row.rule->name;
    entry["count"] = row.totals.active();
    entry["errors"] = row.totals.errors;
    entry["warnings"] = row.totals.warnings;
    entry["infos"] = row.totals.infos;
    entry["suppressed"] = row.totals.suppressed;
    entry["baseline"] = row.totals.baseline;
    json.push_back(std::move(entry));
  }
  return json;
}

// One entry for each rule and reason, with the number of documents that it holds for.
Json skipped_json(const Report& report) {
  struct Entry {
    const SkippedRule* skipped;
    std::size_t documents;
  };
  std::vector<Entry> entries;
  for (const DocumentReport& document : report.documents) {
    for (const SkippedRule& skipped : document.skipped) {
      bool is_known = false;
      for (Entry& entry : entries) {
        if (entry.skipped->rule != skipped.rule || entry.skipped->reason != skipped.reason) continue;
        ++entry.documents;
        is_known = true;
      }
      if (!is_known) entries.push_back({&skipped, 1});
    }
  }
  Json json = Json::array();
  for (const Entry& entry : entries) {
    Json item;
    item["rule"] = entry.skipped->rule->name;
    item["reason"] = entry.skipped->reason;
    item["documents"] = entry.documents;
    json.push_back(std::move(item));
  }
  return json;
}

Json unreadable_json(const InputError& error) {
  Json json;
  json["path"] = error.path;
  json["message"] = error.message;
  return json;
}

Json bill_json(const DocumentReport& report, std::size_t document_index) {
  Json json;
  json["path"] = report.document.source->path();
  json["document"] = document_index;
  json["execution_id"] = or_null(report.document.execution_id);
  json["shuffle"] = report.bill.shuffle;
  json["broadcast"] = report.bill.broadcast;
  json["reused"] = report.bill.reused;
  json["in_cached_plans"] = report.bill.in_cached_plans;
  json["user_requested"] = report.bill.user_requested;
  return json;
}

}  // namespace

std::string report_json(const Report& report) {
  Json findings = Json::array();
  Json notes = Json::array();
  Json bills = Json::array();
  for (std::size_t i = 0; i < report.documents.size(); ++i) {
    const DocumentReport& document = report.documents[i];
    for (const Finding& finding : document.findings) findings.push_back(finding_json(document, i, finding));
    for (const Note& note : document.notes) notes.push_back(note_json(document.document, note));
    bills.push_back(bill_json(document, i));
  }
  Json allow_problems = Json::array();
  for (const DocumentReport& document : report.documents) {
    for (const AllowProblem& problem : document.allow_problems) {
      Json entry;
      entry["path"] = document.document.source->path();
      set_position(entry, document.document, problem.span);
      entry["message"] = problem.message;
      allow_problems.push_back(std::move(entry));
    }
  }
  Json suppression_problems = Json::array();
  for (const SuppressionProblem& problem : report.suppression_problems) {
    Json entry;
    entry["path"] = problem.place.file;
    entry["line"] = problem.place.line;
    entry["column"] = problem.place.column;
    entry["message"] = problem.message;
    suppression_problems.push_back(std::move(entry));
  }
  Json stale_entries = Json::array();
  for (const StaleEntry& stale : report.stale_entries) {
    Json entry;
    entry["baseline"] = stale.baseline;
    entry["path"] = stale.path;
    entry["rule"] = stale.rule;
    entry["operator"] = stale.operator_kind;
    entry["fingerprint"] = stale.fingerprint;
    entry["is_file_gone"] = stale.is_file_gone;
    stale_entries.push_back(std::move(entry));
  }
  Json unreadable = Json::array();
  for (const InputError& error : report.errors) unreadable.push_back(unreadable_json(error));

  Json json;
  json["schema_version"] = kSchemaVersion;
  json["planvet_version"] = kVersion;
  json["findings"] = std::move(findings);
  json["notes"] = std::move(notes);
  json["skipped"] = skipped_json(report);
  json["allow_problems"] = std::move(allow_problems);
  json["suppression_problems"] = std::move(suppression_problems);
  json["stale_baseline_entries"] = std::move(stale_entries);
  json["statistics"] = statistics_json(report);
  json["unreadable"] = std::move(unreadable);
  const Totals totals = totals_of(report);
  Json& summary = json["summary"];
  summary["inputs"] = report.inputs;
  summary["skipped_inputs"] = report.skipped_inputs;
  summary["unchanged_inputs"] = report.unchanged_inputs;
  summary["left_out_paths"] = report.left_out_paths;
  summary["documents"] = report.documents.size();
  summary["unreadable_inputs"] = report.errors.size();
  summary["errors"] = totals.errors;
  summary["warnings"] = totals.warnings;
  summary["infos"] = totals.infos;
  summary["suppressed"] = totals.suppressed;
  summary["baseline"] = totals.baseline;
  summary["exchanges"] = std::move(bills);
  return written(json);
}

namespace {

// One object a line, each with its type in front: "finding" and "note" as in the lists of the JSON format, and
// "unreadable" for an input that could not be read.
std::string report_json_lines(const Report& report) {
  std::string out;
  const auto add = [&](std::string_view type, const Json& json) {
    Json line;
    line["type"] = type;
    line.update(json);
    out += line.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
  };
  for (std::size_t i = 0; i < report.documents.size(); ++i) {
    const DocumentReport& document = report.documents[i];
    for (const Finding& finding : document.findings) add("finding", finding_json(document, i, finding));
    for (const Note& note : document.notes) add("note", note_json(document.document, note));
  }
  for (const InputError& error : report.errors) add("unreadable", unreadable_json(error));
  return out;
}

}  // namespace

extern constinit const Renderer kJson{
    .name = "json",
    .description = "all that is known, for programs",
    .is_machine = true,
    .render = [](const Report& report, const RenderOptions&) { return report_json(report); }};

extern constinit const Renderer kJsonLines{
    .name = "jsonl",
    .description = "the same findings, one object a line",
    .is_machine = true,
    .render = [](const Report& report, const RenderOptions&) { return report_json_lines(report); }};

std::string tree_json(std::span<const PlanDocument* const> documents, FragmentChoice choice) {
  return documents_json(documents, choice, Measured::No);
}

std::string annotate_json(std::span<const PlanDocument* const> documents) {
  return documents_json(documents, FragmentChoice::All, Measured::Yes);
}

namespace {

Json summary_json(const QuerySummary& summary) {
  Json json;
  json["source"] = summary.source;
  json["execution_id"] = or_null(summary.execution);
  json["part_of"] = or_null(summary.part_of);
  json["description"] = text_or_null(summary.description);
  json["status"] = name(summary.status);
  json["error"] = text_or_null(summary.error);
  json["duration_ms"] = or_null(summary.duration_ms);
  json["jobs"] = summary.jobs;
  json["stages"] = summary.stages;
  json["tasks"] = summary.tasks;
  json["failed_tasks"] = summary.failed_tasks;
  json["run_time_ms"] = summary.totals.run_time_ms;
  json["input_bytes"] = summary.totals.input_bytes;
  json["shuffle_written_bytes"] = summary.totals.shuffle_bytes_written;
  json["output_bytes"] = summary.totals.output_bytes;
  json["disk_spilled_bytes"] = summary.totals.disk_spilled;
  json["errors"] = summary.findings.errors;
  json["warnings"] = summary.findings.warnings;
  json["infos"] = summary.findings.infos;
  return json;
}

Json application_json(const Application& application) {
  Json json;
  json["source"] = application.source;
  json["id"] = text_or_null(application.id);
  json["name"] = text_or_null(application.name);
  json["spark_version"] = nullptr;
  if (application.spark_version) {
    const SparkVersion& version = *application.spark_version;
    json["spark_version"] = fmt::format("{}.{}.{}", version.major, version.minor, version.patch);
  }
  json["queries"] = application.queries;
  json["has_gaps"] = application.has_gaps;
  json["is_interrupted"] = application.is_interrupted;
  return json;
}

// The same text as of a whole document, though only one query is in memory at a time.
class AnnotateJsonWriter : public AnnotateWriter {
 public:
  std::string begin() override {
    return fmt::format("{{\n  \"schema_version\": {},\n  \"documents\": [", kSchemaVersion);
  }
  void finished(const Application& application, std::span<const QuerySummary> queries) override {
    add_to(applications_, application_json(application));
    for (const QuerySummary& query : queries) add_to(queries_, summary_json(query));
  }
  std::string query(const DocumentReport& report) override {
    Json json = document_json(report.document, FragmentChoice::All, Measured::Yes);
    add_run(json, report.document, summary_of(report));
    Json findings = Json::array();
    for (const Finding& finding : report.findings) findings.push_back(finding_json(report, count_, finding));
    json["findings"] = std::move(findings);
    json["notes"] = notes_json(report.document, report.notes);
    return (count_++ > 0 ? ",\n    " : "\n    ") + nested(json, 4);
  }
  std::string end() override {
    std::string text = count_ > 0 ? "\n  ]" : "]";
    text += ",\n  \"queries\": [" + (queries_.empty() ? "]" : queries_ + "\n  ]");
    text += ",\n  \"applications\": [" + (applications_.empty() ? "]" : applications_ + "\n  ]");
    return text + "\n}\n";
  }

 private:
  // Line breaks of the text are those of its layout: in strings they are escaped.
  [[nodiscard]] static std::string nested(const Json& json, std::size_t indentation) {
    std::string text;
    for (const char letter : json.dump(2, ' ', false, Json::error_handler_t::replace)) {
      text += letter;
      if (letter == '\n') text.append(indentation, ' ');
    }
    return text;
  }

  static void add_to(std::string& list, const Json& json) {
    list += (list.empty() ? "\n    " : ",\n    ") + nested(json, 4);
  }

  std::string queries_;  // thousands of them are a tenth of what they are as Json
  std::string applications_;
  std::size_t count_ = 0;
};

}  // namespace

std::unique_ptr<AnnotateWriter> make_json_writer() { return std::make_unique<AnnotateJsonWriter>(); }

}  // namespace planvet::render
