#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "analyzer/plan/characters.hpp"
#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"
#include "rules/input_rows.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"warning-rows", "10000000", "objects from which on it is a warning"},
    {"small-rows", "1000", "so few objects cost nothing"},
};

// `..$Lambda$4333/0x..@3725c8ce.apply`, `IsEven@629734.call`, in 4.3 inside of invoke(..).
bool is_typed_filter(std::string_view condition) {
  for (std::size_t at = condition.find('@'); at != std::string_view::npos; at = condition.find('@', at + 1)) {
    std::size_t end = at + 1;
    while (end < condition.size() && is_hex(condition[end])) ++end;
    const std::string_view rest = condition.substr(end);
    const bool is_object = at > 0 && std::isalnum(static_cast<unsigned char>(condition[at - 1])) != 0 && end > at + 1;
    if (is_object && (rest.starts_with(".apply") || rest.starts_with(".call"))) return true;
  }
  return false;
}

std::string_view text_of(const PlanTree& plan, const PlanNode& node) {
  for (const AttributeKind kind : {AttributeKind::ObjectFunction, AttributeKind::Condition, AttributeKind::Arguments}) {
    if (const Attribute* attribute = plan.find(node.id, kind)) return attribute->text;
  }
  return {};
}

// The method of Dataset that the operator comes from; empty: it calls no function of the user.
std::string_view method_of(const PlanTree& plan, const PlanNode& node) {
  switch (node.kind) {
    case OperatorKind::MapElements: return "map()";
    case OperatorKind::MapPartitions: return "mapPartitions() or flatMap()";
    case OperatorKind::AppendColumns:
    case OperatorKind::AppendColumnsWithObject: return "groupByKey()";
    case OperatorKind::MapGroups: return "mapGroups()";
    case OperatorKind::CoGroup: return "cogroup()";
    case OperatorKind::Filter: return is_typed_filter(text_of(plan, node)) ? "filter()" : "";
    default: return {};
  }
}

// "TypedFunctions$Twice" of `planvet.TypedFunctions$Twice@5078e4a3`; empty for lambdas.
std::string class_of(std::string_view text) {
  const std::size_t at = text.find('@');
  if (at == std::string_view::npos || text.find("$Lambda") < at) return {};
  std::size_t begin = at;
  while (begin > 0 && (std::isalnum(static_cast<unsigned char>(text[begin - 1])) != 0 || text[begin - 1] == '$' ||
                       text[begin - 1] == '_')) {
    --begin;
  }
  return std::string(text.substr(begin, at - begin));
}

bool is_of_a_library(std::string_view text) {
  for (const std::string_view package :
       {"org.apache.spark.sql.delta.", "org.apache.spark.ml.", "org.apache.spark.sql.execution.", "org.apache.hudi.",
        "org.apache.iceberg.", "io.delta."}) {
    if (text.find(package) != std::string_view::npos) return true;
  }
  return false;
}

struct Chain {
  std::vector<NodeId> typed;  // operators with a function, from above
  NodeId input = kNoNode;     // whose rows become objects
  bool is_of_a_library = false;
  bool has_source = false;  // columns of a table: objects of the program itself have nothing to lose
};

// All typed operators that pass objects or their columns on to each other.
Chain chain_below(const PlanTree& plan, NodeId top) {
  Chain chain;
  std::vector<NodeId> open{top};
  while (!open.empty()) {
    const NodeId at = open.back();
    open.pop_back();
    const PlanNode& node = plan.node(at);
    const OperatorFamily what = family(node.kind);
    if (!method_of(plan, node).empty()) {
      chain.typed.push_back(at);
      chain.is_of_a_library = chain.is_of_a_library || is_of_a_library(text_of(plan, node));
      chain.input = plan.input(at);
    }
    if (node.kind == OperatorKind::DeserializeToObject) chain.input = plan.input(at);
    const bool is_source = what == OperatorFamily::Scan && node.kind != OperatorKind::RDDScan &&
                           node.kind != OperatorKind::ExternalRDDScan;
    if (is_source || what == OperatorFamily::Cache) {
      chain.has_source = true;
      const Attribute* location = plan.find(at, AttributeKind::Location);
      if (location != nullptr && location->text.find("_delta_log") != std::string_view::npos)
        chain.is_of_a_library = true;
      continue;
    }
    // Other operators between only lead to the source.
    const std::vector<NodeId> inputs = plan.inputs(at);
    open.insert(open.end(), inputs.rbegin(), inputs.rend());
  }
  return chain;
}

bool is_below_state(const PlanTree& plan, NodeId node) {
  for (NodeId at = node; at != kNoNode; at = plan.node(at).parent) {
    if (family(plan.node(at).kind) == OperatorFamily::State) return true;
  }
  return false;
}

void check(const PlanContext& context, Reporter& reporter) {
  const PlanTree& plan = context.plan();
  std::vector<bool> is_told(plan.size(), false);
  for (const PlanNode& node : context.operators()) {
    if (is_told[index(node.id)]) continue;
    const std::string_view method = method_of(plan, node);
    if (method.empty()) continue;
    const Chain chain = chain_below(plan, node.id);
    for (const NodeId typed : chain.typed) is_told[index(typed)] = true;
    if (chain.is_of_a_library || !chain.has_source || is_below_state(plan, node.id)) continue;
    const double small = context.options().number("small-rows");
    if (has_at_most(context, chain.input, small) || is_cut_by_limit(context, node.id, small)) continue;

    const auto many = rows_if_at_least(context, chain.input, context.options().number("warning-rows"));
    const std::string_view table = only_table(plan, node.id);
    const std::string name = class_of(text_of(plan, node));
    Finding& finding = reporter.report(
        node, many ? Severity::Warning : Severity::Info,
        fmt::format(
            "{} calls {} for {}{}: every row becomes an object with all fields of its class, and no filter behind "
            "it reaches the source",
            method, name.empty() ? std::string("a typed function") : name,
            many ? count_text(many->value) + " rows" : std::string("all rows"),
            table.empty() ? "" : fmt::format(" of {}", table)));
    finding.fix = node.kind == OperatorKind::Filter
                      ? "write the condition as a column expression in where(), or put such a filter before it"
                      : "filter and select by column expressions before it; where a built-in function does the same, "
                        "withColumn(), groupBy() and agg() need no objects";
    if (many) finding.evidence.push_back(rows_evidence("objects made", *many));
    finding.evidence.push_back(
        {"typed operators", static_cast<double>(chain.typed.size()), "count", EvidenceSource::Plan});
    for (const NodeId typed : chain.typed) {
      if (typed == node.id) continue;
      finding.related.push_back({typed, plan.node(typed).name_span,
                                 fmt::format("{} works on objects as well", method_of(plan, plan.node(typed)))});
    }
  }
}

}  // namespace

extern constinit const Rule kTypedLambda{
    .info =
        {.code = "PV408",
         .name = "typed-lambda",
         .severity = Severity::Info,
         .summary = "A typed Dataset operation makes an object of every row.",
         .why =
             "map(), filter(), flatMap() and groupByKey() with a function take objects: Spark reads every field of the "
             "class, makes an object of each row and a row of each result. It cannot look into the function, so "
             "nothing "
             "behind it is pushed to the source.",
         .fix = "Put filters and projections by column expressions before the typed step, or replace it by them.",
         .bad = R"(== Physical Plan ==
*(1) SerializeFromObject [input[0, java.lang.Long, true].longValue AS value#9L]
+- *(1) MapElements shop.Totals$Twice@5078e4a3, obj#8: java.lang.Long
   +- *(1) DeserializeToObject createexternalrow(id#1L, StructField(id,LongType,true)), obj#7: org.apache.spark.sql.Row
      +- *(1) ColumnarToRow
         +- FileScan parquet shop.sales[id#1L] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint>
)",
         .good = R"(== Physical Plan ==
*(1) Project [(id#1L * 2) AS value#9L]
+- *(1) ColumnarToRow
   +- FileScan parquet shop.sales[id#1L] Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint>
)",
         .limits =
             "as[T] alone leaves no trace and costs nothing. Silent on objects that the program made itself, on typed "
             "state of streams, and on what Delta, Hudi, Iceberg and Spark ML run for themselves.",
         .options = kOptions},
    .check = check};

}  // namespace planvet::rules
