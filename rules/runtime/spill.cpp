#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "analyzer/facts/facts.hpp"
#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"
#include "rules/hot_keys.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/shuffle_calls.hpp"
#include "rules/shuffle_read.hpp"

namespace planvet::rules {
namespace {

using metrics::MetricKey;
using metrics::StageRun;

constexpr RuleOption kOptions[] = {
    {"size", "16 MiB", "bytes that a stage spills to disk from which on they are reported"},
    {"warning", "256 MiB", "bytes for a warning"},
    {"warning-share-size", "64 MiB", "bytes for a warning where they are much of what the stage read by shuffle"},
    {"warning-share", "0.1", "that share of the bytes read by shuffle"},
    {"error", "10 GiB", "bytes for an error"},
    {"error-share-size", "1 GiB", "bytes for an error where they are as much as the stage read by shuffle"},
    {"error-share", "1", "that share"},
    {"min-share", "0.02", "share of the query's time that the stage has to run"},
};

// Each makes an operator spill after so many rows, whatever memory there is.
constexpr std::string_view kForcingKeys[] = {
    "spark.shuffle.spill.numElementsForceSpillThreshold",    "spark.sql.windowExec.buffer.spill.threshold",
    "spark.sql.sessionWindow.buffer.spill.threshold",        "spark.sql.sortMergeJoinExec.buffer.spill.threshold",
    "spark.sql.cartesianProductExec.buffer.spill.threshold",
};

// What the stages of one operator spilled. Attempts of a stage all count: each took its time.
struct Spill {
  double disk = 0;
  double memory = 0;
  double shuffle_read = 0;
  const StageRun* worst = nullptr;  // the attempt that spilled most
};

void add(Spill& spill, const StageRun& run) {
  spill.disk += static_cast<double>(run.totals.disk_spilled);
  spill.memory += static_cast<double>(run.totals.memory_spilled);
  spill.shuffle_read +=
      static_cast<double>(run.totals.local_bytes_read) + static_cast<double>(run.totals.remote_bytes_read);
  if (spill.worst == nullptr || run.totals.disk_spilled > spill.worst->totals.disk_spilled) spill.worst = &run;
}

bool runs_in(const std::vector<std::int32_t>& stages, std::int32_t stage) {
  return std::binary_search(stages.begin(), stages.end(), stage);
}

// Who spilled in this stage: the operator that says it spilled most, else the shuffle that the stage writes, which
// sorts its rows and has no such metric.
NodeId spiller_of(const PlanContext& context, const Measured& log, std::int32_t stage) {
  NodeId most = kNoNode;
  double most_bytes = 0;
  NodeId writer = kNoNode;
  for (const PlanNode& node : context.operators()) {
    if (!runs_in(log.writing_stages(node.id), stage)) continue;
    const double bytes = log.total(node.id, MetricKey::SpillSize).value_or(0);
    if (bytes > most_bytes) {
      most = node.id;
      most_bytes = bytes;
    }
    if (node.kind == OperatorKind::ShuffleExchange && writer == kNoNode) writer = node.id;
  }
  return most != kNoNode ? most : writer;
}

// The shuffle that fills the operator's tasks; kNoNode where they read files.
NodeId input_shuffle(const PlanTree& plan, NodeId spiller) {
  for (NodeId at = plan.input(spiller); at != kNoNode; at = plan.input(at)) {
    if (plan.node(at).kind == OperatorKind::ShuffleExchange) return at;
    if (plan.node(at).kind == OperatorKind::BroadcastExchange) return kNoNode;
  }
  return kNoNode;
}

std::optional<Severity> severity_of(const Options& options, const Spill& spill) {
  const auto is_share = [&](std::string_view size, std::string_view share) {
    return spill.disk >= options.bytes(size) && spill.shuffle_read > 0 &&
           spill.disk >= options.number(share) * spill.shuffle_read;
  };
  if (spill.disk < options.bytes("size")) return std::nullopt;
  if (spill.disk >= options.bytes("error") || is_share("error-share-size", "error-share")) return Severity::Error;
  if (spill.disk >= options.bytes("warning") || is_share("warning-share-size", "warning-share"))
    return Severity::Warning;
  return Severity::Info;
}

std::string_view forced_by(const DocumentFacts& facts) {
  for (const std::string_view key : kForcingKeys) {
    if (facts.is_conf_set(key)) return key;
  }
  return {};
}

// Few tasks spilled: half of them hardly anything.
bool is_skewed(const StageRun& run) {
  constexpr std::int64_t kTimes = 5;
  const metrics::Quantiles& disk = run.quantiles.disk_spilled;
  return run.succeeded >= 4 && disk.max / kTimes >= disk.median;
}

// What a task held in memory, and what it spilled, shared so that it would have held all.
std::optional<double> fitting_tasks(const StageRun& run) {
  const auto held = static_cast<double>(run.quantiles.peak_memory.median);
  const auto spilled = static_cast<double>(run.quantiles.memory_spilled.median);
  if (held <= 0 || spilled <= 0 || run.tasks <= 0) return std::nullopt;
  return std::ceil(run.tasks * (held + spilled) / held);
}

std::string fix_of_volume(const PlanContext& context, const Spill& spill, NodeId shuffle) {
  constexpr std::string_view kMemory = ", or more memory for each task: `spark.executor.memory`, fewer executor cores";
  const auto tasks = fitting_tasks(*spill.worst);
  if (shuffle == kNoNode) {
    return "read by more tasks: lower `spark.sql.files.maxPartitionBytes`" + std::string(kMemory);
  }
  const auto exchange = Exchange::of(context.plan(), shuffle);
  if (!tasks || !exchange) return "shuffle into more partitions" + std::string(kMemory);
  const std::string fits = fmt::format(", for {:.0f} tasks whose rows would fit", *tasks);
  if (exchange->is_users() || partitioning_of(*exchange).kind == PartitioningKind::Single) {
    return fmt::format("shuffle into {:.0f} partitions, whose rows would fit{}", *tasks, kMemory);
  }
  const NodeId read = shuffle_read_above(context.plan(), shuffle);
  const Attribute* how = read == kNoNode ? nullptr : context.plan().find(read, AttributeKind::ShuffleRead);
  if (how != nullptr && how->text.find("coalesced") != std::string_view::npos && spill.shuffle_read > 0) {
    // AQE merged partitions up to this size.
    return fmt::format("`SET spark.sql.adaptive.advisoryPartitionSizeInBytes={:.0f}`{}{}",
                       std::max(1.0, std::floor(spill.shuffle_read / *tasks)), fits, kMemory);
  }
  return fmt::format("`SET spark.sql.shuffle.partitions={:.0f}`{}{}", *tasks, fits, kMemory);
}

struct Cause {
  std::string_view name;
  std::string text;
  std::string fix;
};

Cause cause_of(const PlanContext& context, const Spill& spill, NodeId shuffle) {
  const StageRun& run = *spill.worst;
  const auto size = [](std::int64_t bytes) { return format_size(static_cast<double>(bytes)); };
  if (const std::string_view key = forced_by(context.facts()); !key.empty()) {
    return {"forced-by-conf", fmt::format("{} makes it spill after so many rows", key),
            fmt::format("leave {} as it is by default", key)};
  }
  if (is_skewed(run)) {
    const auto exchange = shuffle == kNoNode ? std::nullopt : Exchange::of(context.plan(), shuffle);
    return {"skew",
            fmt::format("few of its tasks did, the largest {} and half of them no more than {}",
                        size(run.quantiles.disk_spilled.max), size(run.quantiles.disk_spilled.median)),
            (exchange ? hot_keys(context.plan(), *exchange) : std::string("look at the rows of the largest task")) +
                "; if they are junk (NULL, '', 0, -1), filter them before; more partitions do not part one key"};
  }
  return {"volume",
          run.succeeded > 1 ? fmt::format("half of its {} tasks spilled {} and more", run.tasks,
                                          size(run.quantiles.disk_spilled.median))
                            : std::string("its one task holds all rows"),
          fix_of_volume(context, spill, shuffle)};
}

void report(const PlanContext& context, Reporter& reporter, NodeId spiller, const Spill& spill, Severity severity) {
  const PlanNode& node = context.plan().node(spiller);
  const NodeId shuffle = input_shuffle(context.plan(), spiller);
  Cause cause = cause_of(context, spill, shuffle);
  const std::string_view did = node.kind == OperatorKind::ShuffleExchange ? "writing" : "in";
  Finding& finding = reporter.report(
      node, severity,
      fmt::format("stage {} spilled {} to disk ({} in memory) {} {}: {}", spill.worst->stage, format_size(spill.disk),
                  format_size(spill.memory), did, node.printed_name, cause.text));
  finding.fix = std::move(cause.fix);
  finding.reasons.emplace_back(cause.name);
  if (shuffle != kNoNode) finding.also_about.push_back(shuffle);
  finding.saves = {spiller};
  finding.evidence.push_back({"spilled to disk", spill.disk, "bytes", EvidenceSource::Measured});
  if (spill.shuffle_read > 0)
    finding.evidence.push_back({"read by shuffle", spill.shuffle_read, "bytes", EvidenceSource::Measured});
}

// It ran long enough to matter; true where nobody knows.
bool matters(const PlanContext& context, const Measured& log, std::int32_t stage) {
  const auto duration = log.run().duration();
  const std::int32_t stages[] = {stage};
  const auto wall = log.wall_ms(stages);
  if (!duration || !wall || *duration <= 0) return true;
  return *wall >= context.options().number("min-share") * static_cast<double>(*duration);
}

void check(const PlanContext& context, Reporter& reporter) {
  const Measured* const log = context.statistics().measured();
  if (log == nullptr) {
    if (!context.exchanges().shuffles.empty()) reporter.skip("needs an event log");
    return;
  }
  if (log->run().stages.empty() && !log->run().jobs.empty()) {
    reporter.skip("needs the stages of the run: an event log, or /stages beside the answer");
    return;
  }
  std::map<std::size_t, Spill> by_operator;
  for (const StageRun& run : log->run().stages) {
    if (run.totals.disk_spilled <= 0 || !matters(context, *log, run.stage)) continue;
    const NodeId spiller = spiller_of(context, *log, run.stage);
    if (spiller != kNoNode) add(by_operator[index(spiller)], run);
  }
  for (const auto& [at, spill] : by_operator) {
    if (const auto severity = severity_of(context.options(), spill))
      report(context, reporter, NodeId{static_cast<std::uint32_t>(at)}, spill, *severity);
  }
}

}  // namespace

extern constinit const Rule kSpill{
    .info = {.code = "PV702",
             .name = "spill",
             .severity = Severity::Warning,
             .summary = "An operator wrote rows to disk that did not fit into its memory.",
             .why =
                 "A sort, an aggregate, a window or the sort of a shuffle that runs out of memory writes what it has "
                 "to disk and merges it later: the rows are serialised, written and read once more. It ends well, "
                 "only slower, and the next larger input may not.",
             .fix = "By the reason that the finding names: more partitions where most tasks spill, the hot keys where "
                    "few do, the default where a setting forces it.",
             .bad = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=true
+- == Final Plan ==
   *(2) Sort [note#3 ASC NULLS FIRST], false, 0
   +- AQEShuffleRead coalesced
      +- ShuffleQueryStage 0
         +- Exchange hashpartitioning(store#2, 20), REPARTITION_BY_COL, [plan_id=20]
            +- *(1) ColumnarToRow
               +- FileScan parquet shop.sales[store#2,note#3] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<store:int,note:string>
)",
             .good = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=true
+- == Final Plan ==
   *(2) Sort [note#3 ASC NULLS FIRST], false, 0
   +- AQEShuffleRead coalesced
      +- ShuffleQueryStage 0
         +- Exchange hashpartitioning(store#2, 2000), REPARTITION_BY_COL, [plan_id=20]
            +- *(1) ColumnarToRow
               +- FileScan parquet shop.sales[store#2,note#3] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<store:int,note:string>
)",
             .limits = "Which operator of a stage spilled is known where it has such a metric; the sort of a shuffle "
                       "has none. Bytes are those of the stage, failed tasks included. The number of partitions is an "
                       "estimate: memory that a task had, and what it spilled. `min-share` is of the query's time.",
             .needs = "an event log",
             .options = kOptions,
             .needs_event_log = true},
    .check = check};

}  // namespace planvet::rules
