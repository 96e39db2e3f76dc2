#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "analyzer/plan/characters.hpp"
#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"
#include "rules/column_types.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"large-rows", "100000", "so many rows or more are a warning, where known"},
    {"small-rows", "10000", "fewer rows than this are silent, where known"},
};

bool has_item(const Scan& scan, AttributeKind kind) {
  const Attribute* attribute = scan.find(kind);
  return attribute != nullptr && !attribute->text.empty() && attribute->text != "[]";
}

// `(SELECT max(id) FROM t) x`: a query in place of a table that gives few rows.
bool is_small_query(std::string_view printed) {
  const std::string text = lower_case(printed);
  if (text.find("jdbcrelation((") == std::string::npos) return false;
  if (text.find(" limit ") != std::string::npos || text.find("fetch first") != std::string::npos) return true;
  if (text.find("group by") != std::string::npos) return false;
  for (const std::string_view function : {"count(", "max(", "min(", "sum(", "avg("}) {
    if (text.find(function) != std::string::npos) return true;
  }
  return false;
}

// A column to split the table by: a whole number, best one called an id; else a date or a time.
std::string_view partition_column(const std::optional<std::vector<SchemaField>>& schema) {
  std::string_view best;
  int best_rank = 0;
  for (const SchemaField& field : schema.value_or(std::vector<SchemaField>{})) {
    const std::string word = lower_case(field.name);
    const bool is_id = word == "id" || word.ends_with("_id");
    int rank = 0;
    if (is_integer_type(field.type)) rank = is_id ? 3 : 2;
    if (field.type == "date" || field.type.starts_with("timestamp")) rank = 1;
    if (rank <= best_rank) continue;
    best = field.name;
    best_rank = rank;
  }
  return best;
}

std::string fix_text(const Scan& scan) {
  const auto schema = scan.read_schema();
  const std::string_view column = partition_column(schema);
  if (!column.empty()) {
    return fmt::format(
        "read it in parts, between the least and the greatest {0}: "
        "`spark.read.format(\"jdbc\").option(\"partitionColumn\", \"{0}\").option(\"lowerBound\", "
        "1).option(\"upperBound\", 1000000).option(\"numPartitions\", 8).option(\"fetchsize\", 10000)`",
        column);
  }
  std::string_view first = "key";
  if (schema && !schema->empty() && sql_column(schema->front().name) == schema->front().name) {
    first = schema->front().name;
  }
  return fmt::format(
      "read it in parts, one for each predicate: `spark.read.jdbc(url, table, predicates=[\"{0} < 'm'\", "
      "\"{0} >= 'm'\"], properties=properties)`",
      first);
}

void check(const PlanContext& context, Reporter& reporter) {
  for (const PlanNode& node : context.operators()) {
    const auto scan = Scan::of(context.plan(), node.id);
    if (!scan || scan->source() != ScanSource::Jdbc) continue;
    if (node.printed_name.find("[numPartitions=1]") == std::string_view::npos) continue;
    if (has_item(*scan, AttributeKind::PushedAggregates) || has_item(*scan, AttributeKind::PushedLimit) ||
        has_item(*scan, AttributeKind::PushedTopN)) {
      continue;
    }
    if (is_small_query(node.printed_name)) continue;
    if (is_inside(context.plan(), node.id, Link::CachedPlan)) continue;  // read when the cache was filled
    const auto rows = context.statistics().rows(node.id);
    if (rows && rows->value < context.options().number("small-rows")) continue;

    const bool is_large = rows && rows->is_at_least && rows->value >= context.options().number("large-rows");
    const std::string_view table = scan->table();
    const bool is_query = table.starts_with('(') || table.empty();
    Finding& finding = reporter.report(node, is_large ? Severity::Warning : Severity::Info,
                                       fmt::format("{} of the database is read by one task over one connection{}",
                                                   is_query ? std::string("a query") : fmt::format("{}", table),
                                                   rows ? fmt::format(": {} rows", count_text(rows->value)) : ""));
    finding.fix = fix_text(*scan);
    if (rows) finding.evidence.push_back({"table", rows->value, "rows", rows->source});
  }
}

}  // namespace

extern constinit const Rule kSinglePartitionJdbc{
    .info = {.code = "PV209",
             .name = "single-partition-jdbc",
             .severity = Severity::Info,
             .summary = "A table of a database is read by a single task.",
             .why = "Without bounds Spark opens one connection and reads all rows in one task, while the other cores "
                    "wait; what follows runs in that task too, up to the next shuffle.",
             .fix = "Give partitionColumn, lowerBound, upperBound and numPartitions, and raise fetchsize (some drivers "
                    "fetch ten rows at a time).",
             .bad = R"(== Physical Plan ==
*(1) Scan JDBCRelation(SHOP.ORDERS) [numPartitions=1] [ID#1,QTY#2] PushedFilters: [], ReadSchema: struct<ID:int,QTY:int>
)",
             .good = R"(== Physical Plan ==
*(1) Scan JDBCRelation(SHOP.ORDERS) [numPartitions=8] [ID#1,QTY#2] PushedFilters: [], ReadSchema: struct<ID:int,QTY:int>
)",
             .limits = "JDBC tables of a V2 catalog do not print their partitions: silent. A query in place of the "
                       "table that limits or aggregates without keys is silent.",
             .options = kOptions},
    .check = check};

}  // namespace planvet::rules
