#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

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
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"min-size", "64 MiB", "compressed size from which on a partition can be called skewed"},
    {"factor", "5", "how many times the median it has to be, where no configuration says otherwise"},
};

constexpr std::string_view kAdaptiveKey = "spark.sql.adaptive.enabled";
constexpr std::string_view kSkewKey = "spark.sql.adaptive.skewJoin.enabled";
constexpr std::string_view kThresholdKey = "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes";
constexpr std::string_view kFactorKey = "spark.sql.adaptive.skewJoin.skewedPartitionFactor";
constexpr std::string_view kForceKey = "spark.sql.adaptive.forceOptimizeSkewedJoin";
constexpr double kDefaultThreshold = 256.0 * 1024 * 1024;

// Who works on the partitions of a shuffle.
struct Consumer {
  NodeId node = kNoNode;
  std::optional<Side> side;    // of a join
  bool has_aggregate = false;  // between the shuffle and the join
};

Consumer consumer_of(const PlanTree& plan, NodeId exchange) {
  Consumer consumer;
  NodeId below = exchange;
  for (NodeId at = plan.node(exchange).parent; at != kNoNode; at = plan.node(at).parent) {
    const PlanNode& node = plan.node(at);
    const OperatorFamily what = family(node.kind);
    if (what == OperatorFamily::Join) {
      consumer.node = at;
      consumer.side = plan.input(at, 0) == below ? Side::Left : Side::Right;
      return consumer;
    }
    if (what == OperatorFamily::Exchange) break;
    const bool makes_keys = what == OperatorFamily::Aggregate || what == OperatorFamily::Window;
    if (makes_keys && consumer.node == kNoNode) consumer.node = at;
    consumer.has_aggregate = consumer.has_aggregate || makes_keys;
    below = at;
  }
  return consumer;
}

// The side of a join whose partitions AQE may split, by its type.
bool may_be_split(JoinType type, Side side) {
  switch (type) {
    case JoinType::Inner:
    case JoinType::Cross: return true;
    case JoinType::LeftOuter:
    case JoinType::LeftSemi:
    case JoinType::LeftAnti:
    case JoinType::Existence:
    case JoinType::LeftSingle: return side == Side::Left;
    case JoinType::RightOuter: return side == Side::Right;
    default: return false;
  }
}

// An operator above that relies on where the join leaves its rows: splitting would cost it a shuffle.
NodeId relies_on_join(const PlanTree& plan, NodeId join) {
  for (NodeId at = plan.node(join).parent; at != kNoNode; at = plan.node(at).parent) {
    const OperatorKind kind = plan.node(at).kind;
    const OperatorFamily what = family(kind);
    if (what == OperatorFamily::Exchange || what == OperatorFamily::Write || what == OperatorFamily::Limit)
      return kNoNode;
    if (what == OperatorFamily::Window || kind == OperatorKind::SortMergeJoin || kind == OperatorKind::ShuffledHashJoin)
      return at;
    if (what == OperatorFamily::Aggregate) {
      // A partial one takes rows wherever they are: its shuffle stands above it.
      const Attribute* functions = plan.find(at, AttributeKind::Functions);
      const bool is_partial = functions != nullptr && functions->text.find("partial_") != std::string_view::npos;
      const NodeId above = above_structure(plan, at);
      const bool is_before_shuffle = above != kNoNode && family(plan.node(above).kind) == OperatorFamily::Exchange;
      if (is_before_shuffle) return kNoNode;
      // Both halves without a shuffle between them: the join's partitioning serves.
      if (!is_partial || (above != kNoNode && family(plan.node(above).kind) == OperatorFamily::Aggregate)) return at;
    }
  }
  return kNoNode;
}

struct Reason {
  std::string_view slug;
  std::string because;
  std::string fix;
};

Reason reason_of(const PlanContext& context, const Exchange& exchange, const Consumer& consumer, double max) {
  const PlanTree& plan = context.plan();
  const DocumentFacts& facts = context.facts();
  const std::string find = hot_keys(plan, exchange);
  constexpr std::string_view kJunk = "; if they are junk (NULL, '', 0, -1), filter them before the shuffle";
  if (exchange.is_users()) {
    return {"user-repartition",
            fmt::format("the query asks for this shuffle ({}), which AQE leaves as it is", exchange.origin_text()),
            "drop the repartition before the join or aggregate, or repartition by more columns; " + find};
  }
  const auto join = consumer.node == kNoNode ? std::nullopt : Join::of(plan, consumer.node);
  if (!consumer.side || consumer.has_aggregate || !join) {
    const bool is_window = consumer.node != kNoNode && family(plan.node(consumer.node).kind) == OperatorFamily::Window;
    return {is_window ? "window" : "aggregate",
            fmt::format("AQE splits partitions of joins only, and here {} needs a key's rows in one place",
                        is_window ? "a window" : "an aggregate"),
            find + std::string(kJunk) +
                (is_window ? "; else add a column to PARTITION BY"
                           : "; else aggregate by the key and a salt first, then by the key")};
  }
  if (!facts.conf_flag(kAdaptiveKey).value_or(true)) {
    return {"adaptive-off", fmt::format("{} is false", kAdaptiveKey), fmt::format("`SET {}=true`", kAdaptiveKey)};
  }
  if (facts.is_conf_set(kSkewKey) && facts.conf_flag(kSkewKey) == false) {
    return {"skew-join-off", fmt::format("{} is false", kSkewKey), fmt::format("`SET {}=true`", kSkewKey)};
  }
  if (join->node().kind == OperatorKind::BroadcastHashJoin) {
    return {"broadcast-join", "AQE does not split the side that a broadcast join streams",
            "let it be read without a shuffle: what is broadcast needs none"};
  }
  if (!may_be_split(join->type(), *consumer.side)) {
    return {"join-type",
            fmt::format("AQE cannot split the {} side of a {} join", name(*consumer.side), join->type_text()),
            find + std::string(kJunk) +
                "; else join the hot keys apart from the others and put both together by "
                "UNION ALL"};
  }
  const Measured* const log = context.statistics().measured();
  if (log != nullptr && log->tasks(exchange.id()) == 1) {
    return {"one-map-task", "one task wrote the shuffle, and a partition is split between map tasks only",
            "read the source by several tasks: lower `spark.sql.files.maxPartitionBytes`, no coalesce(1), no gzip"};
  }
  const double threshold = facts.conf_bytes(kThresholdKey).value_or(kDefaultThreshold);
  if (max < threshold) {
    return {"below-threshold", fmt::format("AQE's threshold is {}", format_size(threshold)),
            fmt::format("`SET {}={:.0f}`", kThresholdKey, std::max(1.0, max / 2))};
  }
  if (const NodeId above = relies_on_join(plan, consumer.node); above != kNoNode) {
    return {"would-add-shuffle",
            fmt::format("{} above relies on the partitions of the join, and would need a shuffle",
                        plan.node(above).printed_name),
            fmt::format("`SET {}=true`, for one more shuffle", kForceKey)};
  }
  return {"unknown", "nothing in the log tells why", find + std::string(kJunk)};
}

void check(const PlanContext& context, Reporter& reporter) {
  const PlanTree& plan = context.plan();
  if (context.exchanges().shuffles.empty()) return;
  if (context.statistics().measured() == nullptr) {
    reporter.skip("needs an event log");
    return;
  }
  for (const NodeId id : context.exchanges().shuffles) {
    const auto exchange = Exchange::of(plan, id);
    if (!exchange || !exchange->partitioning().starts_with("hashpartitioning(")) continue;
    const NodeId read = shuffle_read_above(plan, id);
    const Attribute* how = read == kNoNode ? nullptr : plan.find(read, AttributeKind::ShuffleRead);
    if (how != nullptr && how->text.find("skewed") != std::string_view::npos) continue;  // PV501's
    if (how != nullptr && how->text == "local") continue;  // read by map task: no key is in one place
    const auto sizes = partition_sizes(context, id);
    if (!sizes || sizes->count < 2) continue;
    const double factor = context.facts().is_conf_set(kFactorKey)
                              ? context.facts().conf_number(kFactorKey).value_or(context.options().number("factor"))
                              : context.options().number("factor");
    if (sizes->max < context.options().bytes("min-size") || sizes->max < factor * sizes->median) continue;

    const Consumer consumer = consumer_of(plan, id);
    const Reason reason = reason_of(context, *exchange, consumer, sizes->max);
    Finding& finding = reporter.report(
        plan.node(id), Severity::Warning,
        fmt::format("one partition of {} {} has {}, half of the {:.0f} have no more than {}, and AQE did not split it: "
                    "{}",
                    input_text(plan, id), partitioning_text(partitioning_of(*exchange)), format_size(sizes->max),
                    sizes->count, format_size(sizes->median), reason.because));
    finding.fix = reason.fix;
    finding.reasons.emplace_back(reason.slug);
    if (consumer.node != kNoNode) finding.also_about.push_back(consumer.node);
    finding.saves = {id};
    finding.evidence.push_back({"largest partition", sizes->max, "bytes", EvidenceSource::Measured});
    finding.evidence.push_back({"median partition", sizes->median, "bytes", EvidenceSource::Measured});
    finding.evidence.push_back({"partitions", sizes->count, "count", EvidenceSource::Measured});
  }
}

}  // namespace

extern constinit const Rule kSkewNotSplit{
    .info = {.code = "PV503",
             .name = "skew-not-split",
             .severity = Severity::Warning,
             .summary = "One partition of a shuffle is many times the others, and AQE did not split it.",
             .why = "The stage takes as long as its largest partition, whatever the cluster has. AQE splits skewed "
                    "partitions of joins only, of the side that the type of the join allows, above a threshold, and "
                    "not where an operator above relies on the join's partitions.",
             .fix = "By the reason that the finding names: lower the threshold, force the split, drop the "
                    "repartition; where AQE cannot help, filter junk keys, add a salt, or join hot keys apart.",
             .bad = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=true
+- == Final Plan ==
   *(2) HashAggregate(keys=[store#2], functions=[max(note#3)])
   +- AQEShuffleRead coalesced
      +- ShuffleQueryStage 0
         +- Exchange hashpartitioning(store#2, 200), ENSURE_REQUIREMENTS, [plan_id=20]
            +- *(1) ColumnarToRow
               +- FileScan parquet shop.sales[store#2,note#3] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<store:int,note:int>
)",
             .good = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=true
+- == Final Plan ==
   *(5) SortMergeJoin(skew=true) [store#2], [store#11], Inner
   :- *(3) Sort [store#2 ASC NULLS FIRST], false, 0
   :  +- AQEShuffleRead coalesced and skewed
   :     +- ShuffleQueryStage 0
   :        +- Exchange hashpartitioning(store#2, 200), ENSURE_REQUIREMENTS, [plan_id=20]
   :           +- *(1) ColumnarToRow
   :              +- FileScan parquet shop.sales[store#2] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<store:int>
   +- *(4) Sort [store#11 ASC NULLS FIRST], false, 0
      +- AQEShuffleRead coalesced and skewed
         +- ShuffleQueryStage 1
            +- Exchange hashpartitioning(store#11, 200), ENSURE_REQUIREMENTS, [plan_id=21]
               +- *(2) ColumnarToRow
                  +- FileScan parquet shop.visit[store#11] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/visit], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<store:int>
)",
             .limits = "Sizes are those after AQE merged small partitions: the skew before was larger. Without AQE's "
                       "numbers a partition's size is its rows at the mean size of a row.",
             .needs = "an event log",
             .options = kOptions,
             .needs_event_log = true},
    .check = check};

}  // namespace planvet::rules
