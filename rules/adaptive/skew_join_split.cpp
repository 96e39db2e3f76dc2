#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "analyzer/facts/facts.hpp"
#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"
#include "analyzer/report/fix_parts.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/shuffle_read.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"factor", "5", "measured: how many times the median partition the largest one still has to be for a warning"},
    {"min-size", "256 MiB", "and how large it has to be, compressed"},
};

// `AQEShuffleRead coalesced and skewed` between the join and its shuffle; kNoNode where none is.
NodeId skewed_read(const PlanTree& plan, NodeId side) {
  for (NodeId at = side; at != kNoNode; at = plan.input(at)) {
    const PlanNode& node = plan.node(at);
    if (node.kind == OperatorKind::AQEShuffleRead) {
      const Attribute* how = plan.find(at, AttributeKind::ShuffleRead);
      return how != nullptr && how->text.find("skewed") != std::string_view::npos ? at : kNoNode;
    }
    const OperatorFamily what = family(node.kind);
    if (what != OperatorFamily::Sort && what != OperatorFamily::Project && what != OperatorFamily::Filter &&
        !is_structural(node.kind)) {
      return kNoNode;
    }
  }
  return kNoNode;
}

// The shuffle of a side, and how large its partitions are now.
struct Split {
  std::optional<double> partitions;  // that were skewed
  std::optional<double> splits;      // that they became
  std::optional<std::int32_t> map_tasks;
  std::optional<PartitionSizes> sizes;
};

Split split_of(const PlanContext& context, NodeId read) {
  Split split;
  const Measured* const log = context.statistics().measured();
  if (log == nullptr || read == kNoNode) return split;
  split.partitions = log->total(read, metrics::MetricKey::SkewedPartitions);
  split.splits = log->total(read, metrics::MetricKey::SkewedPartitionSplits);
  const NodeId exchange = below_structure(context.plan(), read);
  if (exchange == kNoNode || context.plan().node(exchange).kind != OperatorKind::ShuffleExchange) return split;
  split.map_tasks = log->tasks(exchange);
  split.sizes = partition_sizes(context, exchange);
  return split;
}

std::string fix_text(const Join& join, Side side) {
  const ItemList keys = join.keys(side);
  const std::string_view table = only_table(join.plan(), join.input(side));
  std::string columns;
  for (const std::string_view key : keys.items) columns += (columns.empty() ? "" : ", ") + sql_key(key);
  const bool is_known = !columns.empty() && !keys.is_truncated && columns.find("...") == std::string::npos;
  const std::string query = fmt::format("SELECT {0}, count(*) FROM {1} GROUP BY {0} ORDER BY count(*) DESC LIMIT 10",
                                        columns, sql_table(table));
  return fmt::format(
      "find the hot keys: {}; if they are junk (NULL, '', 0, -1, 'unknown'), filter them before the join",
      is_known && !table.empty() ? code(query) : "count the rows of each join key on that side, most frequent first");
}

void check(const PlanContext& context, Reporter& reporter) {
  const PlanTree& plan = context.plan();
  for (const PlanNode& node : context.operators()) {
    if (node.kind != OperatorKind::SortMergeJoin && node.kind != OperatorKind::ShuffledHashJoin) continue;
    const auto join = Join::of(plan, node.id);
    if (!join) continue;
    const NodeId left_read = skewed_read(plan, join->input(Side::Left));
    const NodeId right_read = skewed_read(plan, join->input(Side::Right));
    const bool is_left = left_read != kNoNode;
    const bool is_right = right_read != kNoNode;
    if (!join->is_skew_join() && !is_left && !is_right) continue;

    const Side hot = is_right && !is_left ? Side::Right : Side::Left;
    std::string where;
    if (is_left != is_right) where = fmt::format(" of {}", side_text(*join, hot));
    if (is_left && is_right) where = " of both sides";
    const Split split = split_of(context, hot == Side::Left ? left_read : right_read);
    const bool is_counted_split = split.partitions && split.splits;
    const bool is_still_skewed = split.sizes &&
                                 split.sizes->max >= context.options().number("factor") * split.sizes->median &&
                                 split.sizes->max >= context.options().bytes("min-size");
    std::string message =
        fmt::format("AQE split skewed partitions{} to join on {}", where, plain_list(join->keys(hot)));
    if (is_counted_split) message += fmt::format(": {:.0f} became {:.0f}", *split.partitions, *split.splits);
    if (is_still_skewed) {
      message += fmt::format("; the largest part still has {}, {} is the median", format_size(split.sizes->max),
                             format_size(split.sizes->median));
    }
    Finding& finding = reporter.report(node, is_still_skewed ? Severity::Warning : Severity::Info, std::move(message));
    finding.fix = fix_text(*join, hot);
    if (is_still_skewed && split.map_tasks) {
      finding.fix += fmt::format(
          "; a partition is split into no more parts than its shuffle has map tasks, {} here: write it by more of them",
          *split.map_tasks);
    }
    if (is_counted_split) {
      finding.evidence.push_back({"skewed partitions", *split.partitions, "count", EvidenceSource::Measured});
      finding.evidence.push_back({"parts of them", *split.splits, "count", EvidenceSource::Measured});
    }
    if (const auto size = context.statistics().bytes(join->input(hot))) {
      finding.evidence.push_back({fmt::format("{} side", name(hot)), size->value, "bytes", size->source});
    }
  }
}

}  // namespace

extern constinit const Rule kSkewJoinSplit{
    .info =
        {.code = "PV501",
         .name = "skew-join-split",
         .severity = Severity::Info,
         .summary = "AQE found a join with hot keys and split their partitions.",
         .why =
             "The join runs, but the data is skewed: the other side's partition is read once for each split, and the "
             "next operator on the same key is not split. A partition can be split into at most as many parts as "
             "the shuffle had map tasks.",
         .fix = "Find the hot keys. Filter junk values before the join, broadcast the other side, or salt the key. If "
                "tasks are still uneven, give the shuffle more map tasks.",
         .bad = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=true
+- == Final Plan ==
   *(3) SortMergeJoin(skew=true) [product_id#2], [product_id#11], Inner
   :- *(1) Sort [product_id#2 ASC NULLS FIRST], false, 0
   :  +- AQEShuffleRead coalesced and skewed
   :     +- ShuffleQueryStage 0
   :        +- Exchange hashpartitioning(product_id#2, 200), ENSURE_REQUIREMENTS, [plan_id=10]
   :           +- FileScan parquet shop.sales[id#1L,product_id#2] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint,product_id:int>
   +- *(2) Sort [product_id#11 ASC NULLS FIRST], false, 0
      +- AQEShuffleRead coalesced
         +- ShuffleQueryStage 1
            +- Exchange hashpartitioning(product_id#11, 200), ENSURE_REQUIREMENTS, [plan_id=11]
               +- FileScan parquet shop.product[product_id#11,name#12] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/product], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<product_id:int,name:string>
)",
         .good = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=true
+- == Final Plan ==
   AQEShuffleRead skewed
   +- ShuffleQueryStage 0
      +- Exchange hashpartitioning(product_id#2, 200), REBALANCE_PARTITIONS_BY_COL, [plan_id=10]
         +- FileScan parquet shop.sales[id#1L,product_id#2] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint,product_id:int>
)",
         .limits =
             "How many partitions became how many is in the event log only. `AQEShuffleRead skewed` without a join "
             "is REBALANCE doing its job: silent.",
         .options = kOptions},
    .check = check};

}  // namespace planvet::rules
