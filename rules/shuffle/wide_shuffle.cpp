#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "analyzer/facts/facts.hpp"
#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"
#include "rules/column_count.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/scan_filter.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"columns", "50", "a shuffle of so many columns or more is reported"},
    {"large", "1 GiB", "and is a warning, where it is known to carry so much"},
};

// What is written must have every column; so must what a user repartitions as the last step, before a write that this
// text does not show.
bool is_for_a_write(const PlanTree& plan, const Exchange& exchange) {
  for (NodeId above = above_structure(plan, exchange.id());; above = above_structure(plan, above)) {
    if (above == kNoNode) return exchange.is_users();
    const OperatorFamily what = family(plan.node(above).kind);
    if (what == OperatorFamily::Write || what == OperatorFamily::Command) return true;
    if (what != OperatorFamily::Project && what != OperatorFamily::Sort) return false;
  }
}

std::optional<Quantity> bytes_of(const PlanContext& context, NodeId exchange) {
  const NodeId above = context.plan().node(exchange).parent;
  const bool is_stage = above != kNoNode && family(context.plan().node(above).kind) == OperatorFamily::QueryStage;
  if (const auto bytes = context.statistics().bytes(is_stage ? above : exchange)) return bytes;
  // Cost mode cuts lists of so many columns, and with them what tells whose statistics they are; the table has a name.
  bool is_filtered = false;
  for (NodeId at = context.plan().input(exchange); at != kNoNode; at = context.plan().input(at)) {
    const PlanNode& node = context.plan().node(at);
    if (family(node.kind) == OperatorFamily::Scan) {
      const auto table = context.statistics().table_bytes(at);
      if (!table) return std::nullopt;
      return Quantity{table->bytes.value * table->column_share, table->bytes.source, true, !is_filtered};
    }
    if (node.kind == OperatorKind::Filter) {
      const Attribute* condition = context.plan().find(at, AttributeKind::Condition);
      is_filtered = is_filtered || condition == nullptr || !has_null_tests_only(condition->text);
    } else if (node.kind != OperatorKind::Sort && !is_structural(node.kind)) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

// The struct columns of the scans below, by how many fields they carry: "st (12 fields)".
std::string widest_structs(const PlanTree& plan, NodeId exchange) {
  struct Struct {
    std::string_view name;
    std::ptrdiff_t fields;
  };
  std::vector<Struct> structs;
  for (const PlanNode& node : plan.subtree(exchange)) {
    const auto scan = Scan::of(plan, node.id);
    const auto schema = scan ? scan->read_schema() : std::nullopt;
    if (!schema) continue;
    for (const SchemaField& field : *schema) {
      if (field.type.find("struct<") == std::string_view::npos) continue;
      structs.push_back({field.name, std::count(field.type.begin(), field.type.end(), ':')});
    }
  }
  std::stable_sort(structs.begin(), structs.end(),
                   [](const Struct& a, const Struct& b) { return a.fields > b.fields; });
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(structs.size(), 3); ++i) {
    text += fmt::format("{}{} ({} fields)", text.empty() ? "" : ", ", structs[i].name, structs[i].fields);
  }
  return text;
}

void check(const PlanContext& context, Reporter& reporter) {
  const PlanTree& plan = context.plan();
  for (const NodeId id : context.exchanges().shuffles) {
    const auto exchange = Exchange::of(plan, id);
    if (!exchange) continue;
    const auto columns = column_count(plan, id);
    if (!columns || static_cast<double>(*columns) < context.options().number("columns")) continue;
    if (is_for_a_write(plan, *exchange)) continue;
    const NodeId below = below_structure(plan, plan.input(id));
    if (below == kNoNode || family(plan.node(below).kind) == OperatorFamily::Aggregate)
      continue;  // buffers, no columns

    const auto size = bytes_of(context, id);
    const bool is_large = size && size->is_at_least && size->value >= context.options().bytes("large");
    const std::string_view table = only_table(plan, id);
    Finding& finding = reporter.report(
        exchange->node(), is_large ? Severity::Warning : Severity::Info,
        fmt::format("the shuffle carries {} columns{}{}", *columns, table.empty() ? "" : fmt::format(" of {}", table),
                    size ? fmt::format(", {}{}", size->is_at_least ? "" : "at most ", format_size(size->value)) : ""));
    const std::string structs = widest_structs(plan, id);
    finding.fix = fmt::format("select the columns that are needed before the join, aggregate or sort that shuffles{}",
                              structs.empty() ? "" : fmt::format("; the widest are {}", structs));
    finding.evidence.push_back({"columns", static_cast<double>(*columns), "count", EvidenceSource::Plan});
    if (size) finding.evidence.push_back({"shuffle", size->value, "bytes", size->source});
  }
}

}  // namespace

extern constinit const Rule kWideShuffle{
    .info = {.code = "PV206",
             .name = "wide-shuffle",
             .severity = Severity::Info,
             .summary = "A shuffle carries dozens of columns.",
             .why =
                 "Rows are shuffled uncompressed and whole: a column that nothing above needs is serialised, written, "
                 "sent, read and sorted with the others.",
             .fix = "Select the columns that are needed before the join, aggregate or sort that shuffles.",
             .bad = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- Sort [c0#1 ASC NULLS FIRST], true, 0
   +- Exchange rangepartitioning(c0#1 ASC NULLS FIRST, 200), ENSURE_REQUIREMENTS, [plan_id=10]
      +- FileScan parquet shop.wide[c0#1,c1#2,c2#3,... 61 more fields] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/wide], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<c0:int,c1:int,c2:int,c3:int,c4:int,c5:int,c6:int,c7:int,c8:int,c9:int,c10:int,c11:in...
)",
             .good = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- Sort [c0#1 ASC NULLS FIRST], true, 0
   +- Exchange rangepartitioning(c0#1 ASC NULLS FIRST, 200), ENSURE_REQUIREMENTS, [plan_id=10]
      +- FileScan parquet shop.wide[c0#1,c1#2,c2#3] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/wide], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<c0:int,c1:int,c2:int>
)",
             .limits = "Whether the columns are needed above is not judged: a query that returns them all is info too. "
                       "Shuffles of a write, or asked for as the last step, are silent.",
             .options = kOptions},
    .check = check};

}  // namespace planvet::rules
