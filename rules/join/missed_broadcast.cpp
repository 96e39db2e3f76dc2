#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "analyzer/facts/facts.hpp"
#include "analyzer/facts/logical_statistics.hpp"
#include "analyzer/plan/expression.hpp"
#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"
#include "analyzer/report/fix_parts.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"threshold", "10 MiB", "size up to which a side is broadcast, where no configuration says otherwise"},
    {"large", "64 MiB", "size of the other side from which on it is a warning"},
    {"ratio", "10", "how many times larger the other side must be"},
    {"medium-build", "100 MiB", "a side up to this size is worth a broadcast (info) ..."},
    {"medium-other", "10 GiB", "... against so much"},
    {"wide-build", "256 MiB", "and one up to this size (info) ..."},
    {"wide-other", "100 GiB", "... against so much"},
};

constexpr std::string_view kThresholdKey = "spark.sql.autoBroadcastJoinThreshold";
constexpr std::string_view kAdaptiveThresholdKey = "spark.sql.adaptive.autoBroadcastJoinThreshold";
constexpr double kDatabricksThreshold = 30.0 * 1024 * 1024;

struct Threshold {
  double bytes = 0;
  bool is_set = false;
  bool is_off = false;  // -1 or lower: Spark broadcasts nothing by itself
};

Threshold effective_threshold(const PlanContext& context) {
  Threshold threshold;
  threshold.bytes = context.options().bytes("threshold");
  for (const PlanNode& node : context.operators()) {
    if (node.engine == Engine::Photon) {
      threshold.bytes = kDatabricksThreshold;
      break;
    }
  }
  for (const std::string_view key : {kThresholdKey, kAdaptiveThresholdKey}) {
    if (!context.facts().is_conf_set(key)) continue;
    const auto bytes = context.facts().conf_bytes(key);
    if (!bytes) continue;
    threshold.is_set = true;
    threshold.is_off = *bytes <= 0;
    // Judged by the default where broadcasts are switched off: that they are is the reason to name.
    if (*bytes > 0) threshold.bytes = *bytes;
  }
  return threshold;
}

// The shuffle that the join itself needs on this side.
std::optional<Exchange> exchange_below(const PlanTree& plan, NodeId side) {
  NodeId at = below_structure(plan, side);
  while (at != kNoNode) {
    if (const auto exchange = Exchange::of(plan, at)) return exchange;
    const OperatorFamily what = family(plan.node(at).kind);
    if (what != OperatorFamily::Sort && what != OperatorFamily::Project && what != OperatorFamily::Filter) break;
    at = below_structure(plan, plan.input(at));
  }
  return std::nullopt;
}

bool is_shuffled(const PlanTree& plan, NodeId side) {
  if (exchange_below(plan, side)) return true;
  // A reuse of which the text does not say what it reads.
  for (NodeId at = side; at != kNoNode; at = plan.input(at)) {
    if (plan.node(at).kind == OperatorKind::ReusedExchange) return true;
    if (family(plan.node(at).kind) != OperatorFamily::Sort && !is_structural(plan.node(at).kind)) break;
  }
  return false;
}

struct Tier {
  Severity severity = Severity::Info;
  bool fits_threshold = false;
};

// Is a broadcast of `small` worth it against `large`?
std::optional<Tier> tier_of(const Quantity& small, const std::optional<Quantity>& large, const Threshold& threshold,
                            const Options& options) {
  if (small.value <= threshold.bytes) {
    if (!large) return Tier{Severity::Warning, true};
    if (large->value < small.value * options.number("ratio")) return std::nullopt;
    return Tier{large->value >= options.bytes("large") ? Severity::Warning : Severity::Info, true};
  }
  if (!large || !large->is_at_least) return std::nullopt;
  const bool is_medium = small.value <= options.bytes("medium-build") && large->value >= options.bytes("medium-other");
  const bool is_wide = small.value <= options.bytes("wide-build") && large->value >= options.bytes("wide-other");
  if (is_medium || is_wide) return Tier{Severity::Info, false};
  return std::nullopt;
}

struct Why {
  std::string slug;
  std::string text;
};

// What kept Spark from doing it, as far as that can be proved.
Why why_not(const PlanContext& context, const Join& join, Side side, const Quantity& small,
            const Threshold& threshold) {
  const PlanTree& plan = context.plan();
  const ItemList left = join.left_keys();
  const ItemList right = join.right_keys();
  if (!left.items.empty() && !right.items.empty()) {
    const std::string_view hint = join_hint(context.document(), read_attribute_text(left.items.front()).expr_id,
                                            read_attribute_text(right.items.front()).expr_id);
    if (!hint.empty()) return {"join-hint", fmt::format("the query asks for it by a hint ({})", hint)};
  }
  if (threshold.is_off) return {"threshold-off", fmt::format("{} switches broadcasts off", kThresholdKey)};
  if (small.value > threshold.bytes) {
    return {"above-threshold", fmt::format("it is above the threshold of {}", format_size(threshold.bytes))};
  }
  const auto estimate = context.statistics().estimated_bytes(join.input(side));
  if (small.source != EvidenceSource::Estimated && estimate && *estimate > threshold.bytes) {
    return {"estimate-above-threshold", fmt::format("the optimizer estimated {}", format_size(*estimate))};
  }
  if (is_counted(small.source)) {
    const auto rows = context.statistics().rows(join.input(side));
    const auto exchange = exchange_below(plan, join.input(side));
    const auto partitions = exchange ? exchange->partitions() : std::nullopt;
    const auto ratio = context.facts().conf_number("spark.sql.adaptive.nonEmptyPartitionRatioForBroadcastJoin");
    const bool is_inner = join.type() == JoinType::Inner || join.type() == JoinType::Cross;
    if (is_inner && rows && partitions && rows->value < ratio.value_or(0.2) * static_cast<double>(*partitions)) {
      return {"few-non-empty-partitions", fmt::format("its {} rows fill too few of {} partitions for AQE to switch",
                                                      count_text(rows->value), *partitions)};
    }
    if (context.role() == FragmentRole::Only)
      return {"adaptive-off", "without AQE the join is not changed at run time"};
    return {"unknown", "AQE left it so, as with a lower threshold or a join hint"};
  }
  if (small.source == EvidenceSource::Estimated) {
    return {"threshold-off", fmt::format("{} must be lower than that, or a hint asks for the join", kThresholdKey)};
  }
  return {"no-statistics", "Spark does not know its size"};
}

std::string_view python_how(JoinType type) {
  switch (type) {
    case JoinType::LeftOuter: return ", \"left\"";
    case JoinType::RightOuter: return ", \"right\"";
    case JoinType::LeftSemi: return ", \"left_semi\"";
    case JoinType::LeftAnti: return ", \"left_anti\"";
    default: return "";
  }
}

// The column that a key is, below casts; empty where it is more than that.
std::string_view key_column(const PlanContext& context, std::string_view key) {
  const ExpressionTree tree = context.parse(key);
  const ExpressionIndex column = tree.column_below_casts(tree.root());
  if (column == kNoExpression || tree.kind(column) != ExpressionKind::Attribute) return {};
  return tree.name(column);
}

// What Python's join() takes as `on`: "k", ["k", "l"], or a condition.
std::string python_condition(const PlanContext& context, const Join& join, const std::string& left,
                             const std::string& right) {
  const ItemList left_keys = join.left_keys();
  const ItemList right_keys = join.right_keys();
  if (left_keys.items.size() != right_keys.items.size() || left_keys.items.empty()) return "condition";
  if (join.condition() != nullptr) return "condition";  // the keys alone would join more
  std::string names;
  std::string condition;
  bool is_same = true;
  for (std::size_t i = 0; i < left_keys.items.size(); ++i) {
    const std::string_view a = key_column(context, left_keys.items[i]);
    const std::string_view b = key_column(context, right_keys.items[i]);
    if (a.empty() || b.empty() || sql_column(a) != a || sql_column(b) != b) return "condition";
    is_same = is_same && a == b;
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", a);
    const std::string equality = fmt::format("{}[\"{}\"] == {}[\"{}\"]", left, a, right, b);
    condition += condition.empty() ? equality : " & " + equality;
  }
  if (is_same) return left_keys.items.size() == 1 ? names : "[" + names + "]";
  if (left_keys.items.size() == 1) return condition;
  std::string bracketed;
  for (std::size_t at = 0; at < condition.size();) {
    const std::size_t end = std::min(condition.find(" & ", at), condition.size());
    bracketed += fmt::format("{}({})", bracketed.empty() ? "" : " & ", condition.substr(at, end - at));
    at = end + 3;
  }
  return bracketed;
}

std::string fix_text(const PlanContext& context, const Join& join, Side side, const Quantity& small, const Why& why) {
  const PlanTree& plan = context.plan();
  const bool is_same_table =
      short_name(only_table(plan, join.input(Side::Left))) == short_name(only_table(plan, join.input(Side::Right)));
  const auto frame = [&](Side of) {
    const std::string_view table = only_table(plan, join.input(of));
    const bool is_variable = !table.empty() && !is_same_table && sql_column(short_name(table)) == short_name(table);
    return is_variable ? std::string(short_name(table)) : std::string(name(of));
  };
  const std::string build = frame(side);
  const std::string stream = frame(other(side));
  const std::string on = python_condition(context, join, frame(Side::Left), frame(Side::Right));
  std::string fix = side == Side::Right
                        ? fmt::format("{}.join(broadcast({}), {}{})", stream, build, on, python_how(join.type()))
                        : fmt::format("broadcast({}).join({}, {}{})", build, stream, on, python_how(join.type()));
  fix = code(fix);
  const std::string_view table = only_table(plan, join.input(side));
  const std::string hint = code(fmt::format("/*+ BROADCAST({}) */", sql_column(short_name(table))));
  if (join.type() == JoinType::Existence) {
    // EXISTS beside an OR: no method of a DataFrame makes that join.
    fix = table.empty() ? std::string("put a hint BROADCAST into the subquery of the EXISTS")
                        : fmt::format("put the hint {} into the subquery of the EXISTS", hint);
  } else if (is_same_table && !table.empty()) {
    fix += fmt::format(", or a hint BROADCAST with the alias of the {} side", name(side));
  } else if (!table.empty()) {
    fix += fmt::format(", or the hint {}", hint);
  }
  if (why.slug == "no-statistics" && can_be_analyzed(plan, join.input(side))) {
    fix += fmt::format(", or {}", code(fmt::format("ANALYZE TABLE {} COMPUTE STATISTICS", sql_table(table))));
  } else if (why.slug == "threshold-off" || why.slug == "above-threshold" || why.slug == "estimate-above-threshold") {
    const double needed = std::max(small.value, context.options().bytes("threshold"));
    fix += fmt::format(", or `SET {}={:.0f}`", kThresholdKey, needed);
  }
  return fix;
}

void check(const PlanContext& context, Reporter& reporter) {
  std::optional<Threshold> threshold;
  for (const PlanNode& node : context.operators()) {
    if (node.kind != OperatorKind::SortMergeJoin && node.kind != OperatorKind::ShuffledHashJoin) continue;
    const auto join = Join::of(context.plan(), node.id);
    if (!join) continue;
    const JoinType type = join->type();
    if (!can_broadcast(type, Side::Left) && !can_broadcast(type, Side::Right)) continue;
    const bool is_any_side_shuffled =
        is_shuffled(context.plan(), join->input(Side::Left)) || is_shuffled(context.plan(), join->input(Side::Right));
    if (!is_any_side_shuffled) continue;
    if (!threshold) threshold = effective_threshold(context);

    std::optional<Side> best;
    std::optional<Tier> best_tier;
    bool is_size_missing = false;
    std::optional<Quantity> sizes[2];
    for (const Side side : {Side::Left, Side::Right}) {
      const NodeId input = join->input(side);
      if (input != kNoNode) sizes[static_cast<std::size_t>(side)] = context.statistics().bytes(input);
    }
    for (const Side side : {Side::Left, Side::Right}) {
      if (!can_broadcast(type, side)) continue;
      const auto& small = sizes[static_cast<std::size_t>(side)];
      const auto& large = sizes[static_cast<std::size_t>(other(side))];
      if (!small) {
        is_size_missing = true;
        continue;
      }
      if (small->value <= 0) continue;  // nothing came: AQE's business, and no size to go by
      const auto tier = tier_of(*small, large, *threshold, context.options());
      if (!tier) continue;
      const bool is_smaller = !best || small->value < sizes[static_cast<std::size_t>(*best)]->value;
      if (!is_smaller) continue;
      best = side;
      best_tier = tier;
    }
    if (!best) {
      if (is_size_missing) {
        reporter.skip_without("sizes of join inputs",
                              "a final plan in formatted mode, explain(\"cost\"), or [tables] in planvet.toml");
      }
      continue;
    }

    const Quantity& small = *sizes[static_cast<std::size_t>(*best)];
    const auto& large = sizes[static_cast<std::size_t>(other(*best))];
    const Why why = why_not(context, *join, *best, small, *threshold);
    // Where the large side stays where it is anyway, a broadcast saves its sort and the small side's shuffle only.
    const bool is_large_shuffled = is_shuffled(context.plan(), join->input(other(*best)));
    const Severity severity = why.slug == "join-hint" || !is_large_shuffled ? Severity::Info : best_tier->severity;
    const auto rows = context.statistics().rows(join->input(*best));
    const std::string what = rows && rows->is_at_least
                                 ? fmt::format("{} rows ({})", count_text(rows->value), format_size(small.value))
                                 : fmt::format("{}{}", small.is_at_least ? "" : "at most ", format_size(small.value));
    const std::string stream = side_text(*join, other(*best));
    Finding& finding = reporter.report(
        node, severity,
        fmt::format(
            "{} {} {}{} to join {} of {}{}{}",
            node.kind == OperatorKind::SortMergeJoin ? "SortMergeJoin" : "ShuffledHashJoin",
            is_large_shuffled ? "shuffles" : (node.kind == OperatorKind::SortMergeJoin ? "sorts" : "streams"),
            large ? fmt::format("{}{} of ", large->is_at_least ? "" : "at most ", format_size(large->value)) : "",
            stream, what, side_text(*join, *best), why.text.empty() ? "" : ": ", why.text));
    finding.fix = fix_text(context, *join, *best, small, why);
    finding.saves.push_back(node.id);
    for (const Side side : {Side::Left, Side::Right}) {
      const auto exchange = exchange_below(context.plan(), join->input(side));
      if (exchange) finding.saves.push_back(exchange->id());
    }
    finding.evidence.push_back({fmt::format("{} side", name(*best)), small.value, "bytes", small.source});
    if (rows) finding.evidence.push_back({fmt::format("{} side", name(*best)), rows->value, "rows", rows->source});
    if (large) {
      finding.evidence.push_back({fmt::format("{} side", name(other(*best))), large->value, "bytes", large->source});
    }
    finding.evidence.push_back({"broadcast threshold", threshold->bytes, "bytes",
                                threshold->is_set ? EvidenceSource::Declared : EvidenceSource::Plan});
    finding.reasons.push_back(why.slug);
  }
}

}  // namespace

extern constinit const Rule kMissedBroadcast{
    .info = {.code = "PV103",
             .name = "missed-broadcast",
             .severity = Severity::Warning,
             .summary = "Both sides of a join are shuffled although one is small enough to be sent to every executor.",
             .why =
                 "A sort merge join writes, sends, reads and sorts both sides. With a broadcast of the small side the "
                 "large one stays where it is.",
             .fix = "Hint broadcast() on the small side, give Spark statistics (ANALYZE TABLE), or raise "
                    "spark.sql.autoBroadcastJoinThreshold above its size.",
             .bad = R"(== Physical Plan ==
AdaptiveSparkPlan (11)
+- == Final Plan ==
   * SortMergeJoin LeftOuter (10)
   :- * Sort (4)
   :  +- ShuffleQueryStage (3), Statistics(sizeInBytes=8.2 GiB, rowCount=1.20E+8)
   :     +- Exchange (2)
   :        +- Scan parquet shop.sales (1)
   +- * Sort (9)
      +- ShuffleQueryStage (8), Statistics(sizeInBytes=3.1 MiB, rowCount=4.00E+4)
         +- Exchange (7)
            +- Scan parquet shop.store (6)


(1) Scan parquet shop.sales
Output [2]: [id#1L, store_id#2]
Batched: true
Location: InMemoryFileIndex [file:/lake/sales]
ReadSchema: struct<id:bigint,store_id:int>

(2) Exchange
Input [2]: [id#1L, store_id#2]
Arguments: hashpartitioning(store_id#2, 200), ENSURE_REQUIREMENTS, [plan_id=10]

(3) ShuffleQueryStage
Output [2]: [id#1L, store_id#2]
Arguments: 0

(4) Sort [codegen id : 3]
Input [2]: [id#1L, store_id#2]
Arguments: [store_id#2 ASC NULLS FIRST], false, 0

(6) Scan parquet shop.store
Output [2]: [store_id#11, name#12]
Batched: true
Location: InMemoryFileIndex [file:/lake/store]
ReadSchema: struct<store_id:int,name:string>

(7) Exchange
Input [2]: [store_id#11, name#12]
Arguments: hashpartitioning(store_id#11, 200), ENSURE_REQUIREMENTS, [plan_id=11]

(8) ShuffleQueryStage
Output [2]: [store_id#11, name#12]
Arguments: 1

(9) Sort [codegen id : 4]
Input [2]: [store_id#11, name#12]
Arguments: [store_id#11 ASC NULLS FIRST], false, 0

(10) SortMergeJoin [codegen id : 5]
Left keys [1]: [store_id#2]
Right keys [1]: [store_id#11]
Join type: LeftOuter
Join condition: None

(11) AdaptiveSparkPlan
Output [4]: [id#1L, store_id#2, store_id#11, name#12]
Arguments: isFinalPlan=true
)",
             .good = R"(== Physical Plan ==
AdaptiveSparkPlan (6)
+- == Final Plan ==
   * BroadcastHashJoin LeftOuter BuildRight (5)
   :- Scan parquet shop.sales (1)
   +- BroadcastQueryStage (4), Statistics(sizeInBytes=4.0 MiB, rowCount=4.00E+4)
      +- BroadcastExchange (3)
         +- Scan parquet shop.store (2)


(1) Scan parquet shop.sales
Output [2]: [id#1L, store_id#2]
Batched: true
Location: InMemoryFileIndex [file:/lake/sales]
ReadSchema: struct<id:bigint,store_id:int>

(2) Scan parquet shop.store
Output [2]: [store_id#11, name#12]
Batched: true
Location: InMemoryFileIndex [file:/lake/store]
ReadSchema: struct<store_id:int,name:string>

(3) BroadcastExchange
Input [2]: [store_id#11, name#12]
Arguments: HashedRelationBroadcastMode(List(cast(input[0, int, false] as bigint)),false), [plan_id=10]

(4) BroadcastQueryStage
Output [2]: [store_id#11, name#12]
Arguments: 0

(5) BroadcastHashJoin [codegen id : 1]
Left keys [1]: [store_id#2]
Right keys [1]: [store_id#11]
Join type: LeftOuter
Join condition: None

(6) AdaptiveSparkPlan
Output [4]: [id#1L, store_id#2, store_id#11, name#12]
Arguments: isFinalPlan=true
)",
             .limits =
                 "Sizes below a join, an explode or an Expand are not carried up through it. Sizes printed by native "
                 "engines are compressed and not compared. Full outer joins and the preserved side of an outer join "
                 "cannot be broadcast: silent.",
             .needs = "sizes of the join's inputs",
             .options = kOptions},
    .check = check};

}  // namespace planvet::rules
