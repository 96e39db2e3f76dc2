#include "rules/saving.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "analyzer/facts/measured.hpp"
#include "analyzer/metrics/trust.hpp"

namespace planvet::rules {
namespace {

using metrics::Doubt;
using metrics::MetricKey;

double driver_ms(const Measured& log, NodeId node) {
  double sum = 0;
  for (const MetricKey key : {MetricKey::MetadataTime, MetricKey::PruningTime, MetricKey::BuildTime,
                              MetricKey::BroadcastTime, MetricKey::JobCommitTime}) {
    sum += log.total(node, key).value_or(0);
  }
  return sum;
}

std::optional<double> saving_of(const Measured& log, const Finding& finding) {
  const auto duration = log.run().duration();
  if (!duration || !log.run().completion_time || *duration < 0) return std::nullopt;
  std::vector<std::int32_t> stages;
  double driver = 0;
  std::vector<NodeId> nodes = saved_nodes(finding);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  for (const NodeId node : nodes) {
    const std::vector<std::int32_t> more = log.stages(node);
    stages.insert(stages.end(), more.begin(), more.end());
    driver += driver_ms(log, node);
  }
  const auto wall = log.wall_ms(stages);
  if (!wall) return std::nullopt;
  return std::min(*wall + driver, static_cast<double>(*duration));
}

std::string_view text(Doubt doubt, InputKind input) {
  switch (doubt) {
    case Doubt::RetriedTasks:
      return input == InputKind::SqlRestJson ? "a stage ran again, Spark counts its last attempt alone"
                                             : "tasks were tried again, each partition counts once";
    case Doubt::SpeculativeTasks: return "two copies of a task ended, the first one counts";
    case Doubt::LostEvents: return "the log lost events: numbers are lower bounds";
    case Doubt::IncompleteLog: return "the log ends before the query: numbers are lower bounds";
    case Doubt::SupersededPlan: return "a part of the work was done for a plan that was replaced";
    case Doubt::CompactedLog: return "the log was compacted: numbers are lower bounds";
    case Doubt::Rounded: return "numbers are rounded, as Spark shows them";
  }
  return {};
}

// Of the plan that was measured: others of the document have no numbers.
std::optional<Measured> measurements(const PlanDocument& document, std::span<const Finding> findings) {
  if (document.metrics == nullptr || document.fragments.empty() || findings.empty()) return std::nullopt;
  return Measured(*document.metrics, document.fragments.front().tree);
}

}  // namespace

std::vector<NodeId> saved_nodes(const Finding& finding) {
  if (!finding.saves.empty()) return finding.saves;
  std::vector<NodeId> nodes = finding.also_about;
  nodes.push_back(finding.node);
  return nodes;
}

void set_savings(const PlanDocument& document, std::span<Finding> findings) {
  const auto log = measurements(document, findings);
  if (!log) return;
  for (Finding& finding : findings) {
    if (finding.fragment == 0) finding.saving_upper_bound_ms = saving_of(*log, finding);
  }
}

std::vector<NodeId> up_to_root(const PlanTree& plan, NodeId node) {
  std::vector<NodeId> nodes;
  for (NodeId at = node; at != kNoNode; at = plan.node(at).parent) nodes.push_back(at);
  return nodes;
}

void say_doubts(const PlanDocument& document, std::span<Finding> findings) {
  const auto log = measurements(document, findings);
  if (!log) return;
  for (Finding& finding : findings) {
    const bool is_measured =
        std::any_of(finding.evidence.begin(), finding.evidence.end(),
                    [](const Evidence& evidence) { return evidence.source == EvidenceSource::Measured; });
    if (!is_measured || finding.fragment != 0) continue;
    metrics::Trust trust;
    for (const NodeId node : saved_nodes(finding)) trust.add(log->trust(node));
    trust.add(log->trust(finding.node));
    std::string doubts;
    for (const Doubt doubt : trust.doubts())
      doubts += fmt::format("{}{}", doubts.empty() ? "" : "; ", text(doubt, document.input));
    if (!doubts.empty()) finding.message += fmt::format(" ({})", doubts);
  }
}

}  // namespace planvet::rules
