#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "analyzer/plan/expression.hpp"
#include "analyzer/plan/views.hpp"
#include "analyzer/report/fix_parts.hpp"
#include "rules/cast_rewrite.hpp"
#include "rules/column_types.hpp"
#include "rules/join_sides.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

// In the order of how bad it is.
enum class CastKind { Harmless, Unknown, Widening, Narrowing, Lossy, StringNumber };

std::string_view slug(CastKind kind) {
  constexpr std::array<std::string_view, 6> kSlugs = {"harmless",  "unknown-source", "widening",
                                                      "narrowing", "lossy",          "string-number"};
  return kSlugs[static_cast<std::size_t>(kind)];
}

// One side of `left key = right key`.
struct KeySide {
  ExpressionTree tree;
  ExpressionIndex column = kNoExpression;  // the column that is cast, or that is the key
  std::string name;                        // "sales.code"
  std::string_view bare;                   // "code"
  std::string type;                        // of the column; empty: not known
  std::string target;                      // of the cast; empty: there is none
};

// Past what Spark puts around keys: normalised floats, the two keys of `<=>`.
ExpressionIndex below_wrappers(const ExpressionTree& tree) {
  ExpressionIndex at = tree.root();
  while (at != kNoExpression && tree.kind(at) == ExpressionKind::Call) {
    const std::string_view name = tree.name(at);
    if (name != "coalesce" && name != "isnull" && name != "knownfloatingpointnormalized" &&
        name != "normalizenanandzero") {
      break;
    }
    at = tree.child(at, 0);
  }
  return at;
}

KeySide read_side(const PlanContext& context, const ColumnTypes& types, const JoinSides& sides, std::string_view key) {
  KeySide side;
  side.tree = context.parse(key);
  if (side.tree.empty()) return side;
  ExpressionIndex at = below_wrappers(side.tree);
  if (at == kNoExpression) return side;
  std::string target;
  if (side.tree.kind(at) == ExpressionKind::Cast) target = std::string(side.tree.name(at));
  while (at != kNoExpression && side.tree.kind(at) == ExpressionKind::Cast) at = side.tree.child(at, 0);
  if (at == kNoExpression || !side.tree.is_column(at)) return side;
  const ExpressionIndex attribute = side.tree.column_below_casts(at);
  if (attribute == kNoExpression || side.tree.kind(attribute) != ExpressionKind::Attribute) return side;
  side.column = at;
  side.target = std::move(target);
  side.type = std::string(types.of(side.tree, at));
  side.name = sides.qualified(side.tree, at);
  side.bare = side.tree.name(attribute);
  return side;
}

// Of whole numbers and floats; 0 for others.
int rank_of(std::string_view type) {
  constexpr std::array<std::string_view, 6> kTypes = {"tinyint", "smallint", "int", "bigint", "float", "double"};
  return static_cast<int>(std::find(kTypes.begin(), kTypes.end(), type) - kTypes.begin() + 1) % 7;
}

CastKind kind_of(const KeySide& side) {
  const std::string_view from = side.type;
  const std::string_view to = side.target;
  if (to.empty()) return CastKind::Harmless;
  if (from.empty()) return CastKind::Unknown;
  if ((is_text_type(from) && is_numeric_type(to)) || (is_numeric_type(from) && is_text_type(to))) {
    return CastKind::StringNumber;
  }
  if (is_floating_type(to) && (is_decimal_type(from) || from == "bigint")) return CastKind::Lossy;
  if (to == "float" && from == "int") return CastKind::Lossy;
  if (rank_of(to) > 0 && rank_of(to) < rank_of(from)) return CastKind::Narrowing;  // the query's own cast
  return CastKind::Widening;
}

// Decimals and integers are compared exactly in one decimal type. Where both sides are cast to one, they are no texts:
// Spark compares those as doubles.
bool is_exact(const KeySide& side, bool are_both_cast) {
  if (!is_decimal_type(side.target)) return false;
  return side.type.empty() ? are_both_cast : is_decimal_type(side.type) || is_integer_type(side.type);
}

std::string typed(const KeySide& side) {
  return side.type.empty() ? side.name : fmt::format("{} ({})", side.name, side.type);
}

std::string effect_of(CastKind kind, const PlanContext& context) {
  switch (kind) {
    case CastKind::StringNumber:
      if (context.facts().is_at_least(4, 0)) return "; a text that is no number fails the join";
      if (context.facts().is_before(4, 0)) return "; rows whose text is no number are dropped";
      return "; a text that is no number fails the join in Spark 4 and is dropped before";
    case CastKind::Lossy: return "; values that differ in their last digits become equal";
    default: return "";
  }
}

// The side that should change its type, and into what.
std::string fix_text(CastKind kind, const KeySide& left, const KeySide& right, const std::string& left_table,
                     const std::string& right_table) {
  const auto other_type = [](const KeySide& side) { return side.type.empty() ? side.target : side.type; };
  const auto is_loose = [&](const KeySide& side) {
    if (kind == CastKind::StringNumber) return is_text_type(side.type);
    if (kind == CastKind::Lossy) return is_floating_type(side.type);
    return !side.target.empty();
  };
  const bool is_left = is_loose(left) || (!is_loose(right) && !left.target.empty());
  const KeySide& change = is_left ? left : right;
  const KeySide& keep = is_left ? right : left;
  const std::string& table = is_left ? left_table : right_table;
  std::string type = keep.column == kNoExpression ? change.target : other_type(keep);
  if (type.empty()) type = change.target;
  if (change.bare.empty() || type.empty()) return "store both keys in one type";
  if (kind == CastKind::Lossy && keep.column == kNoExpression) {
    return fmt::format("compare as {}: cast the other side to it, and leave {} alone", change.type, change.name);
  }
  // A field that Spark took out of its struct below the join: the table has no such column.
  constexpr std::string_view kExtracted = "_extract_";
  if (change.bare.starts_with(kExtracted)) {
    return fmt::format("store {} as {}, like the other side: cast it once, where it is written",
                       change.bare.substr(kExtracted.size()), type);
  }
  const std::string column = sql_column(change.bare);
  if (change.tree.kind(change.column) != ExpressionKind::Attribute || table.empty()) {
    return fmt::format("store {} as {}, like the other side: cast it once, where it is written", change.name, type);
  }
  return fmt::format("store {} of {} as {}, once: {}", change.bare, table, type,
                     code(fmt::format("SELECT CAST({} AS {}) AS {} FROM {}", column, type, column, table)));
}

void check(const PlanContext& context, Reporter& reporter) {
  std::optional<ColumnTypes> types;
  for (const PlanNode& node : context.operators()) {
    const auto join = Join::of(context.plan(), node.id);
    if (!join) continue;
    const Attribute* left_list = join->find(AttributeKind::LeftKeys);
    const Attribute* right_list = join->find(AttributeKind::RightKeys);
    if (left_list == nullptr || right_list == nullptr) continue;
    if (left_list->text.find("cast(") == std::string_view::npos &&
        right_list->text.find("cast(") == std::string_view::npos) {
      continue;
    }
    const ItemList left_keys = join->left_keys();
    const ItemList right_keys = join->right_keys();
    if (!left_list->is_whole() || left_keys.is_truncated) reporter.want(node, *left_list);
    if (!right_list->is_whole() || right_keys.is_truncated) reporter.want(node, *right_list);
    if (!types) types.emplace(context);
    const JoinSides sides(context.plan(), *join);
    std::set<std::string> seen;  // `<=>` prints its cast in two keys
    for (std::size_t i = 0; i < std::min(left_keys.items.size(), right_keys.items.size()); ++i) {
      const KeySide left = read_side(context, *types, sides, left_keys.items[i]);
      const KeySide right = read_side(context, *types, sides, right_keys.items[i]);
      const bool is_left_cast = left.column != kNoExpression && !left.target.empty();
      const bool is_right_cast = right.column != kNoExpression && !right.target.empty();
      if (!is_left_cast && !is_right_cast) continue;
      const bool are_both_cast = is_left_cast && is_right_cast;
      if ((!is_left_cast || is_exact(left, are_both_cast)) && (!is_right_cast || is_exact(right, are_both_cast)))
        continue;
      if (!seen.insert(left.name + " " + left.target + " " + right.name + " " + right.target).second) continue;
      const CastKind kind = std::max(is_left_cast ? kind_of(left) : CastKind::Harmless,
                                     is_right_cast ? kind_of(right) : CastKind::Harmless);
      const bool is_warning = kind == CastKind::StringNumber || kind == CastKind::Lossy;
      const KeySide& cast = is_left_cast ? left : right;
      const KeySide& facing = is_left_cast ? right : left;
      const std::string what =
          are_both_cast ? fmt::format("{} and {} are both cast to {}", typed(left), typed(right), cast.target)
                        : fmt::format("{} is cast to {}{}", typed(cast), cast.target,
                                      facing.column == kNoExpression ? "" : fmt::format(" to join {}", typed(facing)));
      Finding& finding = reporter.report_fact(node, is_left_cast ? left_keys.items[i] : right_keys.items[i],
                                              is_warning ? Severity::Warning : Severity::Info,
                                              fmt::format("the key {}{}", what, effect_of(kind, context)));
      finding.fix = fix_text(kind, left, right, sql_table(context.plan(), join->input(Side::Left)),
                             sql_table(context.plan(), join->input(Side::Right)));
      finding.reasons.emplace_back(slug(kind));
    }
  }
}

}  // namespace

extern constinit const Rule kJoinKeyCast{
    .info = {.code = "PV105",
             .name = "join-key-cast",
             .severity = Severity::Warning,
             .summary = "The keys of a join have different types, so that one is cast for every row.",
             .why =
                 "Text against a number: a text that is no number fails the join in Spark 4 and is dropped before. "
                 "decimal or bigint against double, int against float: values that differ become equal, and rows join "
                 "that should not. Whatever the types, buckets and earlier shuffles by the uncast key are of no use.",
             .fix = "Store the key in one type on both sides.",
             .bad = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- SortMergeJoin [cast(code#2 as int)], [item#11], Inner
   :- Sort [cast(code#2 as int) ASC NULLS FIRST], false, 0
   :  +- Exchange hashpartitioning(cast(code#2 as int), 200), ENSURE_REQUIREMENTS, [plan_id=10]
   :     +- ColumnarToRow
   :        +- FileScan parquet shop.sales[id#1L,code#2] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint,code:string>
   +- Sort [item#11 ASC NULLS FIRST], false, 0
      +- Exchange hashpartitioning(item#11, 200), ENSURE_REQUIREMENTS, [plan_id=11]
         +- ColumnarToRow
            +- FileScan parquet shop.item[item#11,name#12] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/item], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<item:int,name:string>
)",
             .good = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- SortMergeJoin [code#2], [item#11], Inner
   :- Sort [code#2 ASC NULLS FIRST], false, 0
   :  +- Exchange hashpartitioning(code#2, 200), ENSURE_REQUIREMENTS, [plan_id=10]
   :     +- ColumnarToRow
   :        +- FileScan parquet shop.sales[id#1L,code#2] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint,code:int>
   +- Sort [item#11 ASC NULLS FIRST], false, 0
      +- Exchange hashpartitioning(item#11, 200), ENSURE_REQUIREMENTS, [plan_id=11]
         +- ColumnarToRow
            +- FileScan parquet shop.item[item#11,name#12] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/item], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<item:int,name:string>
)",
             .limits =
                 "A plan prints the type that a key is cast to, not the one it had: that is read from ReadSchema, or "
                 "is the `L` of a bigint. Iceberg and RDDs have none: info. A cast that a Project hides below the "
                 "join is not seen. Two decimals, or an integer and a decimal, are compared exactly: silent."},
    .check = check};

}  // namespace planvet::rules
