#include <optional>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/scan_filter.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"small-rows", "1000", "an RDD of at most so many rows, where known, is no problem"},
};

std::string_view rdd_text(const PlanTree& plan, NodeId id) {
  for (const AttributeKind kind : {AttributeKind::Rdd, AttributeKind::Arguments, AttributeKind::Other}) {
    const Attribute* attribute = plan.find(id, kind);
    if (attribute != nullptr && attribute->text.find("RDD") != std::string_view::npos) return attribute->text;
  }
  return {};
}

// RDDs that are no source of the user's: checkpoints, micro-batches, a table format's own state.
bool is_sparks_own(std::string_view rdd) {
  for (const std::string_view mark : {" at checkpoint at ", " at localCheckpoint at ", "SQLExecutionRDD",
                                      " at start at ", " at foreachBatch at ", "Delta"}) {
    if (rdd.find(mark) != std::string_view::npos) return true;
  }
  return false;
}

// Does anything above do more than pass the rows on?
bool feeds_relations(const PlanTree& plan, NodeId scan) {
  for (NodeId at = above_structure(plan, scan); at != kNoNode; at = above_structure(plan, at)) {
    switch (family(plan.node(at).kind)) {
      case OperatorFamily::Filter:
      case OperatorFamily::Join:
      case OperatorFamily::Aggregate:
      case OperatorFamily::Window:
      case OperatorFamily::Sort: return true;
      case OperatorFamily::Write:
      case OperatorFamily::Command: return false;
      default: break;
    }
  }
  return false;
}

// The rows that came from it, as the first stage above counted them; nothing where something between drops rows.
std::optional<Quantity> rows_of(const PlanContext& context, NodeId scan) {
  const auto counted = context.statistics().rows(scan);
  if (counted && counted->source == EvidenceSource::Measured) return counted;
  const PlanTree& plan = context.plan();
  for (NodeId at = plan.node(scan).parent; at != kNoNode; at = plan.node(at).parent) {
    const PlanNode& node = plan.node(at);
    if (family(node.kind) == OperatorFamily::QueryStage) {
      return context.statistics().rows(at);
    }
    if (node.kind == OperatorKind::Filter) {
      const Attribute* condition = plan.find(at, AttributeKind::Condition);
      if (condition == nullptr || !has_null_tests_only(condition->text)) return std::nullopt;
      continue;
    }
    const OperatorFamily what = family(node.kind);
    const bool keeps_rows = what == OperatorFamily::Project || what == OperatorFamily::Sort ||
                            what == OperatorFamily::Exchange || node.kind == OperatorKind::SerializeFromObject ||
                            is_structural(node.kind);
    if (!keeps_rows) return std::nullopt;
  }
  return std::nullopt;
}

void check(const PlanContext& context, Reporter& reporter) {
  for (const PlanNode& node : context.operators()) {
    if (node.kind != OperatorKind::RDDScan && node.kind != OperatorKind::ExternalRDDScan) continue;
    if (!feeds_relations(context.plan(), node.id)) continue;
    if (is_inside(context.plan(), node.id, Link::CachedPlan)) continue;
    const auto rows = rows_of(context, node.id);
    if (rows && rows->value <= context.options().number("small-rows")) continue;
    if (node.printed_name.find("Delta") != std::string_view::npos) continue;
    const std::string_view rdd = rdd_text(context.plan(), node.id);
    if (rdd.empty()) {
      if (context.document().input == InputKind::EventLog) {
        reporter.skip_without("to know what filled the RDD", "formatted mode");
      } else {
        reporter.skip("needs formatted mode: one line does not tell an RDD from a checkpoint");
      }
      continue;
    }
    if (is_sparks_own(rdd) || context.is_streaming()) continue;

    const std::string_view origin =
        rdd.find("applySchemaToPythonRDD") != std::string_view::npos ? " of Python rows" : "";
    Finding& finding = reporter.report(
        node, Severity::Info,
        fmt::format("an RDD{} feeds the query{}: nothing is pushed into it, and the optimizer knows nothing of it",
                    origin, rows ? fmt::format(" with {} rows", count_text(rows->value)) : ""));
    finding.fix =
        "read the source with `spark.read`, or write the RDD once, `df.write.parquet(\"rows\")`, and read that, "
        "`spark.read.parquet(\"rows\")`";
    if (rows) finding.evidence.push_back({"rows", rows->value, "rows", rows->source});
  }
}

}  // namespace

extern constinit const Rule kRddScan{
    .info =
        {.code = "PV212",
         .name = "rdd-scan",
         .severity = Severity::Info,
         .summary = "A query filters, joins or aggregates rows of an RDD.",
         .why = "An RDD is a black box: every row is converted, no column or predicate is pushed into its source, and "
                "its size is unknown, so that joins with it are planned for the worst.",
         .fix = "Read the source with spark.read. Where rows come from Python, write them once as Parquet.",
         .bad = R"(== Physical Plan ==
* Filter (2)
+- * Scan ExistingRDD (1)


(1) Scan ExistingRDD [codegen id : 1]
Output [2]: [id#1, name#2]
Arguments: [id#1, name#2], MapPartitionsRDD[7] at applySchemaToPythonRDD at NativeMethodAccessorImpl.java:0, ExistingRDD, UnknownPartitioning(0)

(2) Filter [codegen id : 1]
Input [2]: [id#1, name#2]
Condition : (isnotnull(id#1) AND (id#1 > 5))
)",
         .good = R"(== Physical Plan ==
* Filter (2)
+- * Scan ExistingRDD (1)


(1) Scan ExistingRDD [codegen id : 1]
Output [2]: [id#1, name#2]
Arguments: [id#1, name#2], MapPartitionsRDD[7] at localCheckpoint at NativeMethodAccessorImpl.java:0, ExistingRDD, UnknownPartitioning(0)

(2) Filter [codegen id : 1]
Input [2]: [id#1, name#2]
Condition : (isnotnull(id#1) AND (id#1 > 5))
)",
         .limits =
             "Checkpoints, micro-batches and a table format's own state are RDDs too: silent. One-line modes do not "
             "tell them apart and are skipped.",
         .options = kOptions},
    .check = check};

}  // namespace planvet::rules
