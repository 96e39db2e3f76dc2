#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "analyzer/plan/walk.hpp"
#include "analyzer/report/fix_parts.hpp"
#include "rules/input_rows.hpp"
#include "rules/kept_partitioning.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/shuffle_calls.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"small-rows", "1000",
     "a shuffle of at most so many rows is no problem, where the query itself or a log says how many"},
    {"warning", "1 GiB", "bytes of the second shuffle from which on it is a warning"}};

constexpr std::string_view kAllKeysConf = "spark.sql.requireAllClusterKeysForCoPartition";

// Equal values stay equal and different ones different, so that the rows are where the cast wants them.
bool is_one_to_one(std::string_view from, std::string_view to) {
  const auto rank = [](std::string_view type) {
    if (type == "tinyint") return 1;
    if (type == "smallint") return 2;
    if (type == "int") return 3;
    return type == "bigint" ? 4 : 0;
  };
  if (rank(from) != 0 && rank(to) > rank(from)) return true;
  if (rank(from) != 0 && to.starts_with("decimal(") && to.ends_with(",0)")) return true;
  return (from == "float" && to == "double") || (rank(from) != 0 && rank(from) < 4 && to == "double") ||
         (from == "date" && to.starts_with("timestamp"));
}

bool has(const std::vector<PartitionKey>& keys, const PartitionKey& key) {
  return std::any_of(keys.begin(), keys.end(), [&](const PartitionKey& one) { return one.id == key.id; });
}

std::string names_of(const std::vector<PartitionKey>& keys) {
  std::string text;
  for (const PartitionKey& key : keys) text += (text.empty() ? "" : ", ") + key.name;
  return text;
}

// The join that asks for this exchange.
NodeId join_above(const PlanTree& plan, NodeId exchange) {
  NodeId at = above_structure(plan, exchange);
  while (at != kNoNode && family(plan.node(at).kind) == OperatorFamily::Sort) at = above_structure(plan, at);
  return at != kNoNode && family(plan.node(at).kind) == OperatorFamily::Join ? at : kNoNode;
}

struct Reason {
  std::string_view slug;
  std::string because;
  std::string fix;
};

std::optional<Reason> because_of_cast(const PlanContext& context, const KeptPartitioning& kept) {
  std::string casts;
  for (const PartitionKey& key : kept.wanted) {
    if (key.cast_to.empty()) continue;
    const std::string type = type_of_column(context, kept.exchange, key);
    if (!is_one_to_one(type, key.cast_to)) return std::nullopt;
    casts += fmt::format("{}cast({} as {})", casts.empty() ? "" : ", ", sql_column(key.name), key.cast_to);
  }
  if (casts.empty()) return std::nullopt;
  const NodeId maker = above_structure(context.plan(), kept.exchange);
  const bool is_aggregate = maker != kNoNode && family(context.plan().node(maker).kind) == OperatorFamily::Aggregate;
  return Reason{"cast", fmt::format("{} is another key to Spark", casts),
                is_aggregate ? fmt::format("group by the cast key below: {}", code("GROUP BY " + casts))
                             : fmt::format("cast the key once, before the first shuffle: {}, or store both sides with "
                                           "one type",
                                           code(casts))};
}

std::optional<Reason> reason_of(const PlanContext& context, NodeId exchange, const KeptPartitioning& kept) {
  const PlanTree& plan = context.plan();
  const bool is_subset =
      std::all_of(kept.made.begin(), kept.made.end(), [&](const PartitionKey& key) { return has(kept.wanted, key); });
  const bool is_plain =
      std::all_of(kept.made.begin(), kept.made.end(), [](const PartitionKey& key) { return key.cast_to.empty(); });
  if (!is_subset || !is_plain) return std::nullopt;  // partitioned by something else, or by more: it has to be
  const bool is_cast =
      std::any_of(kept.wanted.begin(), kept.wanted.end(), [](const PartitionKey& key) { return !key.cast_to.empty(); });
  if (kept.is_union) {
    if (is_cast || context.facts().is_at_least(4, 1)) return std::nullopt;
    return Reason{"union", "before Spark 4.1 a UNION keeps no partitioning",
                  "group once, above the UNION ALL, where the aggregates allow it; or use Spark 4.1, which keeps it"};
  }
  if (is_cast) return because_of_cast(context, kept);
  if (kept.made.size() < kept.wanted.size()) {
    if (join_above(plan, exchange) == kNoNode || context.facts().is_before(3, 3)) return std::nullopt;
    if (context.facts().conf_flag(kAllKeysConf) == false) return std::nullopt;
    return Reason{"join-on-more-keys", "a join wants both sides partitioned by all of its keys",
                  fmt::format("`SET {}=false`, if {} has no hot values", kAllKeysConf, names_of(kept.made))};
  }
  const auto above = Exchange::of(plan, exchange);
  const auto below = Exchange::of(plan, kept.exchange);
  if (!above || !below || !above->partitions() || !below->partitions()) return std::nullopt;
  if (*above->partitions() == *below->partitions()) return std::nullopt;
  return Reason{"partition-count",
                fmt::format("into {} partitions in place of {}", *above->partitions(), *below->partitions()),
                "give both sides of the join the same number of partitions: repartition by the key without a number"};
}

void check(const PlanContext& context, Reporter& reporter) {
  const PlanTree& plan = context.plan();
  for (const NodeId id : context.exchanges().shuffles) {
    const auto exchange = Exchange::of(plan, id);
    if (!exchange || exchange->origin() != ShuffleOrigin::Required) continue;
    const auto kept = kept_partitioning(context, id);
    if (!kept) continue;
    const auto reason = reason_of(context, id, *kept);
    if (!reason) continue;

    if (has_always_at_most(context, id, context.options().number("small-rows"))) continue;
    const auto bytes = shuffled_bytes(context, id);
    const bool is_large = bytes && bytes->is_at_least && bytes->value >= context.options().bytes("warning");
    Finding& finding = reporter.report(
        plan.node(id), is_large ? Severity::Warning : Severity::Info,
        fmt::format("rows that are partitioned by {} already are shuffled again {}: {}", names_of(kept->made),
                    partitioning_text(partitioning_of(*exchange)), reason->because));
    finding.fix = reason->fix;
    finding.reasons.emplace_back(reason->slug);
    finding.also_about.push_back(kept->exchange);
    const NodeId join = join_above(plan, id);
    if (reason->slug == "cast" && join != kNoNode) finding.also_about.push_back(join);  // for the same cast
    finding.related.push_back({kept->exchange, plan.node(kept->exchange).name_span, "the shuffle that would do"});
    if (bytes) finding.evidence.push_back({"shuffled again", bytes->value, "bytes", bytes->source});
  }
}

}  // namespace

extern constinit const Rule kReshuffledKeys{
    .info = {.code = "PV303",
             .name = "reshuffled-keys",
             .severity = Severity::Info,
             .summary = "Rows are shuffled by keys by which, or by some of which, they are partitioned already.",
             .why = "Rows with equal keys stand together already. A cast, another number of partitions, a join on "
                    "further keys or a UNION keeps Spark from seeing it, and all rows travel a second time.",
             .fix = "Group by the key as the join casts it; give both sides one type or one number of partitions; or "
                    "let joins use a part of their keys.",
             .bad = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- SortMergeJoin [store#2, day#3], [store#12, day#13], Inner
   :- Sort [store#2 ASC NULLS FIRST, day#3 ASC NULLS FIRST], false, 0
   :  +- Exchange hashpartitioning(store#2, day#3, 200), ENSURE_REQUIREMENTS, [plan_id=12]
   :     +- FileScan parquet shop.sales[store#2,day#3] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<store:int,day:date>
   +- Sort [store#12 ASC NULLS FIRST, day#13 ASC NULLS FIRST], false, 0
      +- Exchange hashpartitioning(store#12, day#13, 200), ENSURE_REQUIREMENTS, [plan_id=15]
         +- HashAggregate(keys=[store#12], functions=[max(day#14)], output=[store#12, day#13])
            +- Exchange hashpartitioning(store#12, 200), ENSURE_REQUIREMENTS, [plan_id=14]
               +- HashAggregate(keys=[store#12], functions=[partial_max(day#14)])
                  +- FileScan parquet shop.returns[store#12,day#14] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/returns], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<store:int,day:date>
)",
             .good = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- SortMergeJoin [store#2], [store#12], Inner, (day#3 = day#13)
   :- Sort [store#2 ASC NULLS FIRST], false, 0
   :  +- Exchange hashpartitioning(store#2, 200), ENSURE_REQUIREMENTS, [plan_id=12]
   :     +- FileScan parquet shop.sales[store#2,day#3] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<store:int,day:date>
   +- Sort [store#12 ASC NULLS FIRST], false, 0
      +- HashAggregate(keys=[store#12], functions=[max(day#14)], output=[store#12, day#13])
         +- Exchange hashpartitioning(store#12, 200), ENSURE_REQUIREMENTS, [plan_id=14]
            +- HashAggregate(keys=[store#12], functions=[partial_max(day#14)])
               +- FileScan parquet shop.returns[store#12,day#14] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/returns], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<store:int,day:date>
)",
             .limits = "Speaks only where it can name the reason. A shuffle that is needed (the rows are partitioned "
                       "by more keys, a text cast to a number, the side of an outer join that has NULLs) is silent.",
             .options = kOptions},
    .check = check};

}  // namespace planvet::rules
