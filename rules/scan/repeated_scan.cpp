#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "analyzer/facts/facts.hpp"
#include "analyzer/plan/canonical.hpp"
#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"
#include "analyzer/report/fix_parts.hpp"
#include "rules/cast_rewrite.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/scan_filter.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"large", "1 GiB", "repeats that read so much or more are a warning"},
    {"small", "64 MiB", "repeats known to read at most so much are silent"},
};

constexpr std::size_t kNoLimit = 100000;
constexpr std::size_t kLongestAdvice = 300;
constexpr std::size_t kMostColumns = 12;  // to write down in an advice

struct Read {
  Scan scan;
  const PlanNode* filter = nullptr;  // right above it
  bool is_broadcast = false;         // the side of a join that is small
};

// Scans that run, each once: no repeats that an unexecuted plan will reuse, no plan that once filled a cache.
std::vector<Read> reads_of(const PlanContext& context) {
  const PlanTree& plan = context.plan();
  const auto& reuses = context.exchanges().expected_reuses;
  std::unordered_set<std::uint32_t> operator_ids;  // formatted text prints a subquery once for each of its hosts
  std::vector<Read> reads;
  NodeId skip_until{};
  for (const PlanNode& node : plan.nodes()) {
    if (node.id < skip_until) continue;
    if (node.is_logical || node.link == Link::ReusedSubquery || node.link == Link::CachedPlan ||
        std::find(reuses.begin(), reuses.end(), node.id) != reuses.end()) {
      skip_until = node.subtree_end;
      continue;
    }
    const auto scan = Scan::of(plan, node.id);
    if (!scan || scan->is_streaming()) continue;
    if (node.kind == OperatorKind::RDDScan || node.kind == OperatorKind::ExternalRDDScan) continue;
    if (node.operator_id && !operator_ids.insert(*node.operator_id).second) continue;
    Read read{*scan};
    for (NodeId above = above_structure(plan, node.id); above != kNoNode; above = above_structure(plan, above)) {
      const PlanNode& what = plan.node(above);
      if (what.kind == OperatorKind::Filter && read.filter == nullptr) read.filter = &what;
      read.is_broadcast = what.kind == OperatorKind::BroadcastExchange;
      if (what.kind != OperatorKind::Filter && family(what.kind) != OperatorFamily::Project) break;
    }
    reads.push_back(read);
  }
  return reads;
}

// Table and predicates, null tests left out; nothing where a part is cut or not printed.
std::optional<std::string> identity(const PlanContext& context, const Read& read, Reporter& reporter) {
  const Scan& scan = read.scan;
  std::string key(scan.table());
  if (key.empty()) {
    const Attribute* place = scan.find(AttributeKind::Location);
    if (place == nullptr || !place->is_whole() || place->text.find("...") != std::string_view::npos) {
      return std::nullopt;  // two long paths may differ behind the cut
    }
    key = place->text;
  }
  std::set<std::string> predicates;
  for (const AttributeKind kind : {AttributeKind::PushedFilters, AttributeKind::ScanFilters}) {
    const Attribute* list = scan.find(kind);
    if (list == nullptr) continue;
    if (!list->is_whole()) {
      reporter.want(scan.node(), *list);
      return std::nullopt;
    }
    for (const ExpressionTree& tree : context.parser().pushed_filters(list->text)) {
      if (!tree.empty() && !is_null_test(tree, tree.root())) predicates.emplace(tree.text(tree.root()));
    }
  }
  const auto add = [&](const Attribute* attribute, std::string_view text) {
    const ExpressionTree tree = context.parse(text);
    if (tree.empty()) return false;
    for (const ExpressionIndex conjunct : tree.conjuncts(tree.root())) {
      if (tree.is_truncated(conjunct)) {
        reporter.want(scan.node(), *attribute);
        return false;
      }
      if (!is_null_test(tree, conjunct)) predicates.insert(plain(tree.text(conjunct), kNoLimit));
    }
    return true;
  };
  if (const Attribute* list = scan.find(AttributeKind::PartitionFilters)) {
    if (!list->is_whole()) {
      reporter.want(scan.node(), *list);
      return std::nullopt;
    }
    for (const std::string_view item : split_list(list->text).items) {
      if (!add(list, item)) return std::nullopt;
    }
  }
  if (read.filter != nullptr) {
    const Attribute* condition = context.plan().find(read.filter->id, AttributeKind::Condition);
    if (condition == nullptr || !condition->is_whole() || !add(condition, condition->text)) return std::nullopt;
  }
  for (const std::string& predicate : predicates) key += "\n" + predicate;
  return key;
}

// Equal subqueries of an adaptive plan run once, although each is printed before it runs.
void drop_equal_subqueries(const PlanContext& context, std::vector<const Read*>& group) {
  std::optional<std::vector<std::uint64_t>> hashes;
  std::set<std::uint64_t> seen;
  std::erase_if(group, [&](const Read* read) {
    for (NodeId at = read->scan.id(); at != kNoNode; at = context.plan().node(at).parent) {
      if (context.plan().node(at).link != Link::Subquery) continue;
      if (!hashes) hashes = canonical_hashes(context.plan(), context.parser());
      return !seen.insert((*hashes)[index(at)]).second;
    }
    return false;
  });
}

// The columns of a plan that Spark itself copied, for a Bloom filter or to prune partitions, keep their ids; those of a
// second mention in the query get new ones.
void drop_sparks_own(const PlanContext& context, std::vector<const Read*>& group) {
  const auto ids_of = [&](const Read* read) {
    auto ids = output_ids(context.plan(), read->scan.id()).value_or(std::vector<std::uint64_t>{});
    std::sort(ids.begin(), ids.end());
    return ids;
  };
  std::vector<const Read*> kept;
  for (const Read* read : group) {
    const auto ids = ids_of(read);
    const bool is_copy =
        !ids.empty() && is_inside(context.plan(), read->scan.id(), Link::Subquery) &&
        std::any_of(group.begin(), group.end(), [&](const Read* other) {
          const auto others = ids_of(other);
          return other != read && (std::includes(others.begin(), others.end(), ids.begin(), ids.end()) ||
                                   std::includes(ids.begin(), ids.end(), others.begin(), others.end()));
        });
    if (!is_copy) kept.push_back(read);
  }
  group = std::move(kept);
}

std::vector<std::string_view> column_names(const Scan& scan) {
  std::vector<std::string_view> names;
  for (const std::string_view item : scan.output().items) names.push_back(read_attribute_text(item).name);
  return names;
}

// `(qty#3 > 5)` as `(qty > 5)`, text in quotes; nothing where that is no SQL.
std::optional<std::string> sql_predicate(const ExpressionTree& tree, ExpressionIndex root) {
  for (const ExpressionKind kind : {ExpressionKind::Opaque, ExpressionKind::More, ExpressionKind::InSet,
                                    ExpressionKind::LambdaFunction, ExpressionKind::Interval, ExpressionKind::List}) {
    if (tree.contains(root, kind)) return std::nullopt;
  }
  const std::string_view whole = tree.text(root);
  std::string out;
  std::size_t at = 0;
  tree.for_each(root, [&](ExpressionIndex part) {
    const bool is_column = tree.kind(part) == ExpressionKind::Attribute;
    if (!is_column && tree.kind(part) != ExpressionKind::Literal) return;
    const std::string_view printed = tree.text(part);
    const auto begin = static_cast<std::size_t>(printed.data() - whole.data());
    if (begin < at || begin > whole.size()) return;
    out += whole.substr(at, begin - at);
    const std::string_view name = tree.name(part);
    const bool is_word = is_number(name) || name == "true" || name == "false" || name == "null";
    out += is_column ? sql_column(name) : is_word ? std::string(name) : sql_text(name);
    at = begin + printed.size();
  });
  out += whole.substr(std::min(at, whole.size()));
  if (out.size() > kLongestAdvice || out.find('#') != std::string::npos) return std::nullopt;
  return out;
}

// The predicates of a read as WHERE takes them; empty without any, nothing where they are no SQL.
std::optional<std::string> where_of(const PlanContext& context, const Read& read) {
  std::string where;
  const auto add = [&](std::string_view text) {
    const ExpressionTree tree = context.parse(text);
    if (tree.empty()) return false;
    for (const ExpressionIndex conjunct : tree.conjuncts(tree.root())) {
      if (is_null_test(tree, conjunct)) continue;
      const auto sql = sql_predicate(tree, conjunct);
      if (!sql || tree.contains(conjunct, ExpressionKind::Subquery)) return false;
      where += (where.empty() ? " WHERE " : " AND ") + *sql;
    }
    return true;
  };
  if (const Attribute* list = read.scan.find(AttributeKind::PartitionFilters)) {
    for (const std::string_view item : split_list(list->text).items) {
      if (!add(item)) return std::nullopt;
    }
  }
  if (read.filter != nullptr) {
    const Attribute* condition = context.plan().find(read.filter->id, AttributeKind::Condition);
    if (condition == nullptr || !add(condition->text)) return std::nullopt;
  }
  return where;
}

std::string fix_text(const PlanContext& context, const std::vector<const Read*>& group) {
  constexpr std::string_view kOnce = "a CTE is no cache, Spark plans it again for each use; read once what they share:";
  constexpr std::string_view kOneScan = ", or compute all of it in one scan with conditional aggregates";
  const std::string_view table = group.front()->scan.table();
  std::vector<std::string_view> columns;
  bool is_cut = false;
  for (const Read* read : group) {
    is_cut = is_cut || read->scan.output().is_truncated;
    for (const std::string_view name : column_names(read->scan)) {
      if (std::find(columns.begin(), columns.end(), name) == columns.end()) columns.push_back(name);
    }
  }
  const auto where = where_of(context, *group.front());
  if (table.empty() || !where || is_cut || columns.empty() || columns.size() > kMostColumns) {
    return fmt::format("{} `df.cache()`{}", kOnce, kOneScan);
  }
  std::string list;
  for (const std::string_view column : columns) list += (list.empty() ? "" : ", ") + sql_column(column);
  const std::string statement =
      fmt::format("CACHE TABLE {} AS SELECT {} FROM {}{}", sql_column(fmt::format("{}_once", short_name(table))), list,
                  sql_table(context.plan(), group.front()->scan.id()), *where);
  return fmt::format("{} {}{}", kOnce, code(statement), kOneScan);
}

// All reads but the largest one, where they were measured; else as much each time.
double bytes_read_again(const PlanContext& context, const std::vector<const Read*>& group, const TableBytes& first) {
  if (first.bytes.source != EvidenceSource::Measured) {
    return first.bytes.value * first.column_share * static_cast<double>(group.size() - 1);
  }
  double sum = 0;
  double largest = 0;
  for (const Read* read : group) {
    const auto bytes = context.statistics().table_bytes(read->scan.id());
    if (!bytes) continue;
    sum += bytes->bytes.value;
    largest = std::max(largest, bytes->bytes.value);
  }
  return sum - largest;
}

void check(const PlanContext& context, Reporter& reporter) {
  const std::vector<Read> reads = reads_of(context);
  std::map<std::string, std::vector<const Read*>> by_name;  // predicates are read only where a table comes twice
  for (const Read& read : reads) {
    const Attribute* place = read.scan.find(AttributeKind::Location);
    const std::string_view table = read.scan.table();
    by_name[std::string(table.empty() && place != nullptr ? place->text : table)].push_back(&read);
  }
  for (const auto& [name, same_table] : by_name) {
    if (same_table.size() < 2 || context.is_streaming()) continue;  // a micro-batch is nothing to cache
    std::map<std::string, std::vector<const Read*>> groups;
    for (const Read* read : same_table) {
      if (const auto key = identity(context, *read, reporter)) groups[*key].push_back(read);
    }
    for (auto& [key, group] : groups) {
      if (group.size() > 1) drop_sparks_own(context, group);
      if (group.size() > 1) drop_equal_subqueries(context, group);
      if (group.size() < 2) continue;
      const Read& first = *group.front();
      const auto size = context.statistics().table_bytes(first.scan.id());
      const double repeated = size ? bytes_read_again(context, group, *size) : 0;
      if (size && repeated <= context.options().bytes("small")) continue;
      // A side that Spark broadcasts is small, as far as it knows.
      const auto others =
          std::count_if(group.begin(), group.end(), [](const Read* read) { return !read->is_broadcast; });
      if (!size && others < 2) continue;

      const bool is_large = size && repeated >= context.options().bytes("large");
      const std::string_view table = first.scan.display_name();
      Finding& finding =
          reporter.report(first.scan.node(), is_large ? Severity::Warning : Severity::Info,
                          fmt::format("{} is read {} times with the same filters{}",
                                      table.empty() ? std::string_view("one source") : table, group.size(),
                                      size ? fmt::format(": {} are read again", format_size(repeated)) : ""));
      finding.fix = fix_text(context, group);
      finding.evidence.push_back({"reads", static_cast<double>(group.size()), "count", EvidenceSource::Plan});
      if (size) finding.evidence.push_back({"table", size->bytes.value, "bytes", size->bytes.source});
      for (const Read* read : group) finding.saves.push_back(read->scan.id());
      const std::vector<std::string_view> known = column_names(first.scan);
      for (const Read* read : group) {
        if (read == &first) continue;
        std::string more;
        for (const std::string_view column : column_names(read->scan)) {
          if (std::find(known.begin(), known.end(), column) != known.end()) continue;
          more += fmt::format("{}{}", more.empty() ? ", for " : ", ", column);
        }
        finding.related.push_back({read->scan.id(), read->scan.node().name_span, "read again here" + more});
      }
    }
  }
}

}  // namespace

extern constinit const Rule kRepeatedScan{
    .info = {.code = "PV205",
             .name = "repeated-scan",
             .severity = Severity::Info,
             .summary = "One query reads the same table with the same filters several times.",
             .why = "Spark does not materialise a CTE or a view: each use is planned anew and scans again. Reuse "
                    "happens only where whole shuffles or broadcasts are equal.",
             .fix = "Cache what the uses share or write it to a temporary table, or compute both in one scan with "
                    "conditional aggregates.",
             .bad = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- Union
   :- HashAggregate(keys=[], functions=[count(1)])
   :  +- Exchange SinglePartition, ENSURE_REQUIREMENTS, [plan_id=10]
   :     +- HashAggregate(keys=[], functions=[partial_count(1)])
   :        +- Filter (isnotnull(qty#2) AND (qty#2 > 5))
   :           +- FileScan parquet shop.sales[qty#2] Batched: true, DataFilters: [isnotnull(qty#2), (qty#2 > 5)], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [IsNotNull(qty), GreaterThan(qty,5)], ReadSchema: struct<qty:int>
   +- HashAggregate(keys=[], functions=[sum(amount#12)])
      +- Exchange SinglePartition, ENSURE_REQUIREMENTS, [plan_id=11]
         +- HashAggregate(keys=[], functions=[partial_sum(amount#12)])
            +- Filter (isnotnull(qty#11) AND (qty#11 > 5))
               +- FileScan parquet shop.sales[qty#11,amount#12] Batched: true, DataFilters: [isnotnull(qty#11), (qty#11 > 5)], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [IsNotNull(qty), GreaterThan(qty,5)], ReadSchema: struct<qty:int,amount:double>
)",
             .good = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- HashAggregate(keys=[], functions=[count(1), sum(amount#2)])
   +- Exchange SinglePartition, ENSURE_REQUIREMENTS, [plan_id=10]
      +- HashAggregate(keys=[], functions=[partial_count(1), partial_sum(amount#2)])
         +- Filter (isnotnull(qty#1) AND (qty#1 > 5))
            +- FileScan parquet shop.sales[qty#1,amount#2] Batched: true, DataFilters: [isnotnull(qty#1), (qty#1 > 5)], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [IsNotNull(qty), GreaterThan(qty,5)], ReadSchema: struct<qty:int,amount:double>
)",
             .limits =
                 "Scans below equal exchanges count once in a plan that has not run, as do equal subqueries. Where "
                 "no size is known, sides that are broadcast do not count. A warning needs sizes: an event log, "
                 "explain(\"cost\") or [tables] in planvet.toml.",
             .options = kOptions},
    .check = check};

}  // namespace planvet::rules
