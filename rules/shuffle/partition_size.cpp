#include <cmath>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "analyzer/facts/facts.hpp"
#include "analyzer/plan/walk.hpp"
#include "analyzer/report/fix_parts.hpp"
#include "rules/exchange_bill.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/shuffle_calls.hpp"
#include "rules/shuffle_read.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"max-mean", "512 MiB", "mean size of a partition from which on it is too large"},
    {"max", "5 GiB", "measured: size of the largest one from which on it is too large"},
    {"min-median", "1 MiB", "median size of a partition below which it is too small"},
    {"min-partitions", "1000", "number of partitions from which on small ones are reported"},
    {"target", "128 MiB", "size of a partition for which a number is proposed"},
};

enum class Read { AsWritten, Merged, Split };

// What AQE made of the partitions: of the read above the shuffle.
Read read_of(const PlanTree& plan, NodeId exchange) {
  for (NodeId at = plan.node(exchange).parent; at != kNoNode; at = plan.node(at).parent) {
    const PlanNode& node = plan.node(at);
    if (node.kind == OperatorKind::AQEShuffleRead) {
      const Attribute* how = plan.find(at, AttributeKind::ShuffleRead);
      return how != nullptr && how->text == "coalesced" ? Read::Merged : Read::Split;
    }
    if (!is_structural(node.kind)) break;
  }
  return Read::AsWritten;
}

// The optimizer's sizes are upper bounds: without column statistics a filter lets everything through and a join makes
// every pair. Only where all rows of a scan come, it is what there is.
bool is_all_of_a_scan(const PlanTree& plan, NodeId exchange) {
  for (NodeId at = plan.input(exchange); at != kNoNode; at = plan.input(at)) {
    switch (family(plan.node(at).kind)) {
      case OperatorFamily::Scan: {
        const Attribute* partitions = plan.find(at, AttributeKind::PartitionFilters);
        return partitions == nullptr || partitions->text == "[]";
      }
      case OperatorFamily::Project:
      case OperatorFamily::Sort:
      case OperatorFamily::Window:
      case OperatorFamily::Exchange: break;
      default:
        if (!is_structural(plan.node(at).kind)) return false;
    }
  }
  return false;
}

std::string fix_of_large(const Exchange& exchange, double bytes, double target) {
  const double number = std::ceil(bytes / target);
  const std::string size = format_size(bytes / number);
  if (exchange.origin_text() != "REPARTITION_BY_NUM") {
    return fmt::format("`SET spark.sql.shuffle.partitions={:.0f}`, for {} each", number, size);
  }
  const Partitioning what = partitioning_of(exchange);
  const std::string columns = what.kind == PartitioningKind::RoundRobin ? std::string() : python_columns(what.keys);
  const std::string_view method = what.kind == PartitioningKind::Range ? "repartitionByRange" : "repartition";
  return fmt::format("{}, for {} each",
                     code(fmt::format(".{}({:.0f}{}{})", method, number, columns.empty() ? "" : ", ", columns)), size);
}

std::string fix_of_small(const Exchange& exchange) {
  const std::string call = adaptive_call(exchange);
  if (exchange.origin_text() == "REPARTITION_BY_NUM") {
    return call.empty() ? std::string("leave out the number: AQE then merges what is small")
                        : fmt::format("leave out the number, so that AQE merges what is small: {}", code(call));
  }
  return "`SET spark.sql.adaptive.enabled=true`, which merges what is small, or lower spark.sql.shuffle.partitions";
}

void report(const PlanContext& context, Reporter& reporter, const Exchange& exchange, bool is_large,
            std::string message, double bytes) {
  Finding& finding = reporter.report(exchange.node(), Severity::Warning, std::move(message));
  finding.fix = is_large ? fix_of_large(exchange, bytes, context.options().bytes("target")) : fix_of_small(exchange);
  finding.reasons.emplace_back(is_large ? "too-large" : "too-small");
}

// True: the log tells how large the partitions were, and what there was to say is said.
bool check_measured(const PlanContext& context, Reporter& reporter, const Exchange& exchange) {
  const auto sizes = partition_sizes(context, exchange.id());
  if (!sizes) return false;
  const Options& options = context.options();
  const double mean = sizes->total / sizes->count;
  const bool is_one_large = sizes->max > options.bytes("max");
  const bool is_large = sizes->count > 1 && (mean > options.bytes("max-mean") || is_one_large);
  const bool is_small = sizes->count >= options.number("min-partitions") && sizes->median < options.bytes("min-median");
  if (!is_large && !is_small) return true;
  report(context, reporter, exchange, is_large,
         is_large ? fmt::format("{:.0f} partitions share {}: {} each, {} the largest", sizes->count,
                                format_size(sizes->total), format_size(mean), format_size(sizes->max))
                  : fmt::format("{:.0f} partitions share {}: a task for every {}, half of them have no more than {}",
                                sizes->count, format_size(sizes->total), format_size(mean), format_size(sizes->median)),
         sizes->total);
  Finding& finding = reporter.findings().back();
  finding.evidence.push_back({"shuffled, compressed", sizes->total, "bytes", EvidenceSource::Measured});
  finding.evidence.push_back({"partitions", sizes->count, "count", EvidenceSource::Measured});
  finding.evidence.push_back({"largest partition", sizes->max, "bytes", EvidenceSource::Measured});
  return true;
}

void check(const PlanContext& context, Reporter& reporter) {
  const PlanTree& plan = context.plan();
  const Options& options = context.options();
  const bool is_unexecuted = is_unexecuted_adaptive(context);
  for (const NodeId id : context.exchanges().shuffles) {
    const auto exchange = Exchange::of(plan, id);
    const auto count = exchange ? exchange->partitions() : std::nullopt;
    if (!count || *count <= 1) continue;  // one partition: one-task-output, single-partition
    if (check_measured(context, reporter, *exchange)) continue;
    const auto bytes = shuffled_bytes(context, id);
    if (!bytes) {
      reporter.skip_without("sizes of shuffles",
                            "a final plan in formatted mode, explain(\"cost\"), or [tables] in planvet.toml");
      continue;
    }
    const auto partitions = static_cast<double>(*count);
    const double mean = bytes->value / partitions;
    const Read read = read_of(plan, id);
    const bool is_certain =
        bytes->is_at_least && (bytes->source != EvidenceSource::Estimated || is_all_of_a_scan(plan, id));
    const bool is_large = is_certain && mean > options.bytes("max-mean") && read != Read::Split;
    // Before the run AQE may still merge them, unless the program named their number.
    const bool may_merge = is_unexecuted && exchange->origin_text() != "REPARTITION_BY_NUM";
    // At most half of the partitions are twice the mean: where that is small, so is the median.
    const bool is_small = bytes->is_at_most && partitions >= options.number("min-partitions") &&
                          2 * mean < options.bytes("min-median") && read == Read::AsWritten && !may_merge;
    if (!is_large && !is_small) continue;

    report(context, reporter, *exchange, is_large,
           is_large
               ? fmt::format("{} partitions share {}: {} each", *count, format_size(bytes->value), format_size(mean))
               : fmt::format("{} partitions share {}{}: a task for every {}", *count,
                             bytes->is_at_least ? "" : "at most ", format_size(bytes->value), format_size(mean)),
           bytes->value);
    Finding& finding = reporter.findings().back();
    finding.evidence.push_back({"shuffled", bytes->value, "bytes", bytes->source});
    finding.evidence.push_back({"partitions", partitions, "count", EvidenceSource::Plan});
  }
}

}  // namespace

extern constinit const Rule kPartitionSize{
    .info = {.code = "PV307",
             .name = "partition-size",
             .severity = Severity::Warning,
             .summary = "The partitions of a shuffle are far too large, or thousands of them tiny.",
             .why = "A partition is one task's work. Beyond some hundred MiB its sort or hash table spills to disk; "
                    "below one MiB starting the task takes longer than running it.",
             .fix = "Choose the number of partitions for about 128 MiB each, or leave it to AQE: it merges small ones.",
             .bad = R"(== Physical Plan ==
AdaptiveSparkPlan (4)
+- == Final Plan ==
   ShuffleQueryStage (3), Statistics(sizeInBytes=80.0 GiB, rowCount=8.00E+8)
   +- Exchange (2)
      +- Scan parquet shop.sales (1)


(1) Scan parquet shop.sales
Output [2]: [id#1L, note#2]
Batched: true
Location: InMemoryFileIndex [file:/lake/sales]
ReadSchema: struct<id:bigint,note:string>

(2) Exchange
Input [2]: [id#1L, note#2]
Arguments: hashpartitioning(id#1L, 100), REPARTITION_BY_COL, [plan_id=11]

(3) ShuffleQueryStage
Output [2]: [id#1L, note#2]
Arguments: 0

(4) AdaptiveSparkPlan
Output [2]: [id#1L, note#2]
Arguments: isFinalPlan=true
)",
             .good = R"(== Physical Plan ==
AdaptiveSparkPlan (4)
+- == Final Plan ==
   ShuffleQueryStage (3), Statistics(sizeInBytes=80.0 GiB, rowCount=8.00E+8)
   +- Exchange (2)
      +- Scan parquet shop.sales (1)


(1) Scan parquet shop.sales
Output [2]: [id#1L, note#2]
Batched: true
Location: InMemoryFileIndex [file:/lake/sales]
ReadSchema: struct<id:bigint,note:string>

(2) Exchange
Input [2]: [id#1L, note#2]
Arguments: hashpartitioning(id#1L, 640), REPARTITION_BY_COL, [plan_id=11]

(3) ShuffleQueryStage
Output [2]: [id#1L, note#2]
Arguments: 0

(4) AdaptiveSparkPlan
Output [2]: [id#1L, note#2]
Arguments: isFinalPlan=true
)",
             .limits =
                 "Without a log only the mean is known: one partition of 5 GiB among small ones is not seen. Sizes "
                 "in plans are of uncompressed rows.",
             .needs = "sizes of shuffles",
             .options = kOptions},
    .check = check};

}  // namespace planvet::rules
