#include "analyzer/facts/measured.hpp"

#include <algorithm>
#include <utility>

#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"

namespace planvet {
namespace {

using metrics::Doubt;
using metrics::MeasuredMetric;
using metrics::MetricKey;

void insert_sorted(std::vector<std::int32_t>& into, std::span<const std::int32_t> more) {
  for (const std::int32_t stage : more) {
    const auto place = std::lower_bound(into.begin(), into.end(), stage);
    if (place == into.end() || *place != stage) into.insert(place, stage);
  }
}

bool writes_rows(OperatorKind kind) {
  return kind == OperatorKind::ShuffleExchange || kind == OperatorKind::BroadcastExchange;
}

// Results are missing: what is there is a lower bound.
bool is_partial(const metrics::Trust& trust) {
  return trust.has(Doubt::IncompleteLog) || trust.has(Doubt::LostEvents) || trust.has(Doubt::CompactedLog);
}

bool has_ended_well(const metrics::ExecutionRun& run) {
  if (!run.completion_time || !run.error.empty()) return false;
  return std::all_of(run.jobs.begin(), run.jobs.end(),
                     [](const metrics::JobRun& job) { return job.result == metrics::JobResult::Succeeded; });
}

// The last attempt of the stage ended, and well. Stages that ran for an earlier query are not in the run.
bool is_complete(const metrics::ExecutionRun& run, std::int32_t stage) {
  bool is_ended = false;
  for (const metrics::StageRun& attempt : run.stages) {
    if (attempt.stage == stage) is_ended = attempt.completion_time.has_value() && attempt.failure.empty();
  }
  return is_ended;
}

// Rows that flow in flow out, no more and no fewer.
bool keeps_rows(OperatorKind kind) {
  switch (family(kind)) {
    case OperatorFamily::Project:
    case OperatorFamily::Sort:
    case OperatorFamily::Exchange: return true;
    case OperatorFamily::Window: return kind == OperatorKind::Window;
    case OperatorFamily::Python: return kind == OperatorKind::BatchEvalPython || kind == OperatorKind::ArrowEvalPython;
    default: return is_structural(kind);
  }
}

bool only_drops_rows(OperatorKind kind) {
  switch (family(kind)) {
    case OperatorFamily::Filter:
    case OperatorFamily::Limit:
    case OperatorFamily::Aggregate: return true;
    default: return false;
  }
}

// In the same stages a Cartesian product above computes it again for each partition of its other side.
bool is_repeated(const PlanTree& plan, NodeId id) {
  for (NodeId at = id; plan.node(at).link == Link::Child && !writes_rows(plan.node(at).kind);) {
    at = plan.node(at).parent;
    if (at == kNoNode) break;
    if (plan.node(at).kind == OperatorKind::CartesianProduct) return true;
  }
  return false;
}

}  // namespace

Measured::Measured(const metrics::DocumentMetrics& metrics, const PlanTree& plan)
    : metrics_(&metrics), plan_(&plan), has_succeeded_(has_ended_well(metrics.run)) {
  find_regions();
}

void Measured::find_regions() {
  region_of_.resize(plan_->size());
  regions_.emplace_back();
  for (const PlanNode& node : plan_->nodes()) {
    // A parent stands before its children.
    const bool begins = node.parent != kNoNode && (writes_rows(node.kind) || node.link != Link::Child);
    if (begins) regions_.emplace_back();
    region_of_[index(node.id)] = begins ? static_cast<std::uint32_t>(regions_.size() - 1)
                                        : (node.parent == kNoNode ? 0 : region_of_[index(node.parent)]);
  }
  for (const PlanNode& node : plan_->nodes()) {
    Region& region = regions_[region_of_[index(node.id)]];
    const OperatorFamily what = family(node.kind);
    if (what == OperatorFamily::Scan || what == OperatorFamily::Cache) region.scans.push_back(node.id);
    if (node.kind == OperatorKind::ShuffleExchange) {
      const auto exchange = Exchange::of(*plan_, node.id);
      region.is_sampled = exchange && exchange->partitioning().starts_with("rangepartitioning");
    }
    for (const MeasuredMetric& metric : metrics_->judged.of(node.id)) {
      region.trust.add(metric.trust);
      region.has_rows = region.has_rows || metric.metric.key == MetricKey::OutputRows;
    }
    // Those of an exchange are of its readers too.
    if (!writes_rows(node.kind)) insert_sorted(region.stages, metrics_->judged.stages(node.id));
  }
  // Some operators have no metrics at all: what writes their rows tells the stage, but for the stages that read it.
  for (const PlanNode& node : plan_->nodes()) {
    Region& region = regions_[region_of_[index(node.id)]];
    if (!writes_rows(node.kind) || !region.stages.empty() || node.parent == kNoNode) continue;
    const std::vector<std::int32_t>& above = regions_[region_of_[index(node.parent)]].stages;
    for (const std::int32_t stage : metrics_->judged.stages(node.id)) {
      if (!std::binary_search(above.begin(), above.end(), stage)) region.stages.push_back(stage);
    }
  }
  for (Region& region : regions_) {
    region.is_complete = std::all_of(region.stages.begin(), region.stages.end(),
                                     [&](std::int32_t stage) { return is_complete(metrics_->run, stage); });
  }
}

std::optional<double> Measured::total(NodeId node, MetricKey key) const {
  const MeasuredMetric* const metric = find(node, key);
  if (metric == nullptr) return std::nullopt;
  return metrics::in_unit(metric->metric.type, metric->summary.total);
}

std::optional<Quantity> Measured::quantity(NodeId node, MetricKey key) const {
  const MeasuredMetric* const metric = find(node, key);
  if (metric == nullptr) return std::nullopt;
  const double value = metrics::in_unit(metric->metric.type, metric->summary.total);
  const Region& around = region(node);
  return Quantity{value, EvidenceSource::Measured, around.is_complete && !is_partial(metric->trust), true};
}

std::optional<Quantity> Measured::rows(NodeId node) const {
  const OperatorKind kind = plan_->node(node).kind;
  if (kind == OperatorKind::ShuffleExchange) return quantity(node, MetricKey::ShuffleRecordsWritten);
  if (family(kind) == OperatorFamily::QueryStage || family(kind) == OperatorFamily::ShuffleRead) return std::nullopt;
  auto rows = quantity(node, MetricKey::OutputRows);
  if (!rows) return absent_rows(node);
  if (region(node).is_sampled || is_repeated(*plan_, node)) rows->is_at_least = false;
  return rows;
}

// A Filter that kept nothing has no such metric. It did run where others of its stage put out rows.
std::optional<Quantity> Measured::absent_rows(NodeId node) const {
  const PlanNode& what = plan_->node(node);
  const bool counts = family(what.kind) == OperatorFamily::Filter && what.engine == Engine::Spark;
  const Region& around = region(node);
  if (!counts || !has_succeeded_ || !around.has_rows || !around.is_complete || is_partial(around.trust)) {
    return std::nullopt;
  }
  return Quantity{0, EvidenceSource::Measured, true, true};
}

std::optional<Quantity> Measured::bytes(NodeId node) const {
  const OperatorKind kind = plan_->node(node).kind;
  if (kind == OperatorKind::ShuffleExchange) return quantity(node, MetricKey::DataSize);
  if (kind != OperatorKind::BroadcastExchange) return std::nullopt;
  const Attribute* mode = plan_->find(node, AttributeKind::BroadcastMode);
  if (mode == nullptr || !mode->text.starts_with("Identity")) return std::nullopt;
  return quantity(node, MetricKey::DataSize);
}

template <typename Of>
std::optional<Quantity> Measured::below(NodeId node, Of of, bool is_bytes) const {
  bool is_less = false;  // something above the place where the number stands lets fewer rows or columns through
  for (NodeId at = node; at != kNoNode;) {
    const PlanNode& what = plan_->node(at);
    if (what.kind == OperatorKind::ReusedExchange) {
      if (what.reuses == kNoNode || what.reuses >= at) return std::nullopt;
      at = what.reuses;
      continue;
    }
    if (auto found = of(at)) {
      found->is_at_least = found->is_at_least && !is_less;
      return found;
    }
    if (!keeps_rows(what.kind)) {
      if (!only_drops_rows(what.kind)) return std::nullopt;
      is_less = true;
    }
    const OperatorFamily kind = family(what.kind);
    if (is_bytes && (kind == OperatorFamily::Window || kind == OperatorFamily::Python)) return std::nullopt;
    is_less = is_less || (is_bytes && kind == OperatorFamily::Project);
    at = plan_->input(at);
  }
  return std::nullopt;
}

std::optional<Quantity> Measured::rows_out(NodeId node) const {
  return below(
      node, [this](NodeId at) { return rows(at); }, false);
}

std::optional<Quantity> Measured::bytes_out(NodeId node) const {
  return below(
      node, [this](NodeId at) { return bytes(at); }, true);
}

std::optional<Quantity> Measured::scan_bytes(NodeId scan, bool counts_pages) const {
  std::optional<Quantity> read = quantity(scan, MetricKey::FileBytesRead);
  if (!counts_pages) {
    if (read) read->is_at_least = false;  // columns that the query does not want are not read
    return read;
  }
  const Region& around = region(scan);
  if (around.scans.size() != 1 || around.stages.empty() || around.is_sampled || is_repeated(*plan_, scan)) {
    return read;
  }
  std::int64_t input = 0;
  for (const metrics::StageRun& stage : metrics_->run.stages) {
    if (std::binary_search(around.stages.begin(), around.stages.end(), stage.stage)) input += stage.totals.input_bytes;
  }
  const Quantity of_stage{static_cast<double>(input), EvidenceSource::Measured,
                          around.is_complete && !is_partial(around.trust), true};
  if (input <= 0 || (read && read->value <= of_stage.value)) return read;
  return of_stage;
}

std::vector<std::int32_t> Measured::stages(NodeId node) const {
  std::vector<std::int32_t> all = region(node).stages;
  if (writes_rows(plan_->node(node).kind)) insert_sorted(all, metrics_->judged.stages(node));
  return all;
}

const std::vector<std::int32_t>& Measured::writing_stages(NodeId node) const { return region(node).stages; }

std::optional<double> Measured::wall_ms(std::span<const std::int32_t> stages) const {
  std::vector<std::pair<std::int64_t, std::int64_t>> times;
  for (const metrics::StageRun& run : metrics_->run.stages) {
    if (std::find(stages.begin(), stages.end(), run.stage) == stages.end()) continue;
    const auto begin = run.first_launch_time ? run.first_launch_time : run.submission_time;
    if (!begin || !run.completion_time) return std::nullopt;
    times.emplace_back(*begin, std::max(*begin, *run.completion_time));
  }
  if (times.empty()) return std::nullopt;
  std::sort(times.begin(), times.end());
  std::int64_t sum = 0;
  std::int64_t until = times.front().first;
  for (const auto& [begin, end] : times) {
    if (end <= until) continue;
    sum += end - std::max(begin, until);
    until = end;
  }
  return static_cast<double>(sum);
}

std::optional<std::int32_t> Measured::tasks(NodeId node) const {
  const std::vector<std::int32_t>& stages = writing_stages(node);
  if (stages.size() != 1) return std::nullopt;
  std::optional<std::int32_t> tasks;
  for (const metrics::StageRun& run : metrics_->run.stages) {
    if (run.stage == stages.front() && run.attempt == 0) tasks = run.tasks;
  }
  return tasks;
}

metrics::Trust Measured::trust(NodeId node) const { return region(node).trust; }

}  // namespace planvet
