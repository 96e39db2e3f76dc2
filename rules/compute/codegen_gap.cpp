#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "analyzer/plan/characters.hpp"
#include "analyzer/plan/views.hpp"
#include "analyzer/report/fix_parts.hpp"
#include "rules/column_count.hpp"
#include "rules/input_rows.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"max-fields", "100", "fields up to which Spark fuses operators, where no configuration says otherwise"},
    {"small-rows", "1000", "so few rows need no generated code"},
};

constexpr std::string_view kWholeStage = "spark.sql.codegen.wholeStage";
constexpr std::string_view kMaxFields = "spark.sql.codegen.maxFields";

struct WithoutCode {
  std::string_view function;
  int since_major = 0;  // has code from that version on; 0: in none that was measured
  int since_minor = 0;
};

// Measured on 3.3.4, 3.5.9, 4.1.4 and 4.3.0. `lambdafunction` is transform, filter, exists, forall and aggregate.
constexpr auto kWithoutCode = std::to_array<WithoutCode>({
    {"array_sort"},
    {"from_csv", 4, 1},
    {"from_json"},
    {"get_json_object", 4, 1},
    {"java_method"},
    {"json_array_length", 4, 1},
    {"json_object_keys", 4, 1},
    {"map_filter"},
    {"map_zip_with"},
    {"parse_url", 4, 1},
    {"sentences", 4, 1},
    {"to_csv", 3, 5},
    {"to_json", 4, 1},
    {"transform_values"},
    {"xpath", 4, 1},
    {"xpath_boolean", 4, 1},
    {"xpath_double", 4, 1},
    {"xpath_int", 4, 1},
    {"xpath_long", 4, 1},
    {"xpath_string", 4, 1},
    {"zip_with"},
    {"lambdafunction", 4, 3},
});

bool calls(std::string_view text, std::string_view function) {
  for (std::size_t at = text.find(function); at != std::string_view::npos; at = text.find(function, at + 1)) {
    const std::size_t end = at + function.size();
    if ((at == 0 || !is_word(text[at - 1])) && end < text.size() && text[end] == '(') return true;
  }
  return false;
}

// Operators that Spark fuses when nothing keeps it from that. Left out are those that never have a mark (Window,
// ObjectHashAggregate, Python nodes..), and LocalTableScan and Range, which have none at the root.
bool is_fused(const PlanTree& plan, const PlanNode& node) {
  if (node.engine != Engine::Spark) return false;
  switch (node.kind) {
    case OperatorKind::Project:
    case OperatorKind::Filter:
    case OperatorKind::HashAggregate:
    case OperatorKind::Sort:
    case OperatorKind::SortMergeJoin:
    case OperatorKind::BroadcastHashJoin:
    case OperatorKind::ShuffledHashJoin:
    case OperatorKind::Expand:
    case OperatorKind::Sample:
    case OperatorKind::GlobalLimit:
    case OperatorKind::LocalLimit: return true;
    case OperatorKind::Generate: {
      const Attribute* generator = plan.find(node.id, AttributeKind::Generator);
      return generator != nullptr && generator->text.starts_with("explode");
    }
    default: return false;
  }
}

// The plan as it runs: no adaptive plan that may still change, and not what once filled a cache.
std::vector<bool> settled(const PlanContext& context) {
  const PlanTree& plan = context.plan();
  std::vector<bool> is_settled(plan.size(), false);
  const bool is_known = context.role() == FragmentRole::Final || context.role() == FragmentRole::Only;
  for (const PlanNode& node : plan.nodes()) {
    bool value = node.parent == kNoNode ? is_known : is_settled[index(node.parent)];
    if (node.link == Link::CachedPlan) value = false;
    if (node.kind == OperatorKind::AdaptiveSparkPlan) {
      const Attribute* flag = plan.find(node.id, AttributeKind::IsFinalPlan);
      value = is_known && node.link != Link::CachedPlan && flag != nullptr && flag->text == "true";
    }
    is_settled[index(node.id)] = value;
  }
  return is_settled;
}

std::size_t widest_around(const PlanTree& plan, NodeId id) {
  std::size_t widest = column_count(plan, id).value_or(0);
  for (const NodeId input : plan.inputs(id)) widest = std::max(widest, column_count(plan, input).value_or(0));
  return widest;
}

const WithoutCode* expression_without_code(const PlanContext& context, const PlanNode& node) {
  const PlanTree& plan = context.plan();
  for (const Attribute& attribute : plan.attributes(node.id)) {
    switch (attribute.kind) {
      case AttributeKind::Output:
        if (node.kind != OperatorKind::Project) continue;  // names of columns
        break;
      case AttributeKind::ProjectList:
      case AttributeKind::Condition:
      case AttributeKind::JoinCondition:
      case AttributeKind::LeftKeys:
      case AttributeKind::RightKeys:
      case AttributeKind::GroupingKeys:
      case AttributeKind::Functions:
      case AttributeKind::ResultExpressions:
      case AttributeKind::SortOrder:
      case AttributeKind::Projections:
      case AttributeKind::Generator: break;
      default: continue;
    }
    for (const WithoutCode& expression : kWithoutCode) {
      const bool has_code_here =
          expression.since_major != 0 && context.facts().is_at_least(expression.since_major, expression.since_minor);
      if (!has_code_here && calls(attribute.text, expression.function)) return &expression;
    }
  }
  return nullptr;
}

// Delta's own plans over its log.
bool reads_delta_log(const PlanTree& plan, NodeId id) {
  for (; id != kNoNode; id = plan.input(id)) {
    const PlanNode& node = plan.node(id);
    if (family(node.kind) != OperatorFamily::Scan) continue;
    if (node.printed_name.find("_delta_log") != std::string_view::npos) return true;
    const Attribute* location = plan.find(id, AttributeKind::Location);
    return location != nullptr && location->text.find("_delta_log") != std::string_view::npos;
  }
  return false;
}

struct Gap {
  const PlanNode* node = nullptr;
  const WithoutCode* expression = nullptr;  // null: too many fields
  std::size_t fields = 0;
};

std::string fix_of(const PlanContext& context, const WithoutCode& expression) {
  const std::string_view function = expression.function;
  if (function == "lambdafunction") {
    return "Spark 4.3 has code for it; before, keep the other columns and filters in a step of their own below";
  }
  std::string fix;
  if (expression.since_major != 0 && !context.facts().is_at_least(expression.since_major, expression.since_minor)) {
    fix = fmt::format("Spark {}.{} has code for {}(); before, ", expression.since_major, expression.since_minor,
                      function);
  }
  if (function.find("json") != std::string_view::npos) {
    return fix + "parse the text once where it is written, and store its fields as columns";
  }
  return fix + "compute it once where the data is written, or after the rows were filtered and aggregated";
}

void report_expression(const PlanContext& context, const Gap& gap, Reporter& reporter) {
  const std::string_view function = gap.expression->function;
  Finding& finding =
      reporter.report(*gap.node, Severity::Info,
                      fmt::format("{} runs outside of generated code: {} has none", info(gap.node->kind).name,
                                  function == "lambdafunction"
                                      ? std::string("a higher-order function (transform, filter, exists, aggregate)")
                                      : fmt::format("{}()", function)));
  finding.fix = fix_of(context, *gap.expression);
  finding.reasons.emplace_back("expression");
}

void report_fields(const PlanContext& context, const std::vector<Gap>& gaps, double limit, Reporter& reporter) {
  const PlanTree& plan = context.plan();
  std::size_t widest = 0;
  for (const Gap& gap : gaps) widest = std::max(widest, gap.fields);
  Finding& finding =
      reporter.report(*gaps.front().node, Severity::Info,
                      fmt::format("{} runs outside of generated code: {} fields are more than the {:.0f} of {}",
                                  info(gaps.front().node->kind).name, widest, limit, kMaxFields));
  finding.fix = "select the fields that are needed before, or " + code(fmt::format("SET {}={}", kMaxFields, widest));
  finding.evidence.push_back({"fields", static_cast<double>(widest), "count", EvidenceSource::Plan});
  finding.reasons.emplace_back("fields");
  for (const Gap& gap : gaps) {
    if (gap.node != gaps.front().node)
      finding.related.push_back({gap.node->id, gap.node->name_span, "for the same reason"});
  }
  // Where the scan itself is that wide, it reads row by row for the same reason.
  for (NodeId at = gaps.back().node->id; at != kNoNode; at = plan.input(at)) {
    if (Scan::of(plan, at) && static_cast<double>(column_count(plan, at).value_or(0)) > limit)
      finding.also_about.push_back(at);
  }
}

void check(const PlanContext& context, Reporter& reporter) {
  const PlanTree& plan = context.plan();
  if (!context.document().is_complete || context.document().input == InputKind::ExplainCodegen) return;
  const bool is_switched_off =
      context.facts().is_conf_set(kWholeStage) && context.facts().conf_flag(kWholeStage) == false;
  const auto said = context.facts().is_conf_set(kMaxFields) ? context.facts().conf_number(kMaxFields) : std::nullopt;
  const double limit = said.value_or(context.options().number("max-fields"));
  const std::vector<bool> is_settled = settled(context);

  std::vector<Gap> gaps;
  bool has_marks = false;
  bool is_all_explained = true;
  for (const PlanNode& node : context.operators()) {
    if (!is_settled[index(node.id)]) continue;
    has_marks = has_marks || node.codegen_stage != kNoCodegen;
    if (node.codegen_stage != kNoCodegen || !is_fused(plan, node)) continue;
    Gap gap{&node, expression_without_code(context, node), 0};
    const std::size_t widest = gap.expression == nullptr ? widest_around(plan, node.id) : 0;
    if (static_cast<double>(widest) > limit) gap.fields = widest;
    if (gap.expression == nullptr && gap.fields == 0 && !is_switched_off) {
      is_all_explained = false;
      continue;
    }
    gaps.push_back(gap);
  }
  if (gaps.empty()) return;
  if (is_switched_off) {
    if (has_marks) return;
    Finding& finding = reporter.report(*gaps.front().node, Severity::Info,
                                       fmt::format("no operator runs in generated code: {} is false", kWholeStage));
    finding.fix = code(fmt::format("SET {}=true", kWholeStage));
    finding.reasons.emplace_back("conf");
    return;
  }
  // Without any mark the text may come from where there are none: an adaptive plan that lost its top, another engine.
  if (!has_marks && !is_all_explained) return;
  std::vector<Gap> wide;
  for (const Gap& gap : gaps) {
    const double small = context.options().number("small-rows");
    if (has_at_most(context, plan.input(gap.node->id), small) || is_cut_by_limit(context, gap.node->id, small))
      continue;
    if (gap.expression != nullptr && reads_delta_log(plan, gap.node->id)) continue;
    if (gap.expression != nullptr) {
      report_expression(context, gap, reporter);
    } else {
      wide.push_back(gap);
    }
  }
  if (!wide.empty()) report_fields(context, wide, limit, reporter);
}

}  // namespace

extern constinit const Rule kCodegenGap{
    .info =
        {.code = "PV409",
         .name = "codegen-gap",
         .severity = Severity::Info,
         .summary = "An operator runs outside of whole-stage code generation.",
         .why =
             "Spark fuses neighbouring operators into one generated loop. One expression without code, or more than "
             "100 "
             "fields, takes the whole operator out of it: rows are handed from operator to operator by virtual calls.",
         .fix = "Parse JSON once and store its fields; select fewer columns before; leave spark.sql.codegen.wholeStage "
                "on.",
         .bad = R"(== Physical Plan ==
Project [get_json_object(event#2, $.page) AS page#9]
+- *(1) Filter (isnotnull(id#1L) AND (id#1L > 5))
   +- *(1) ColumnarToRow
      +- FileScan parquet shop.events[id#1L,event#2] Batched: true, DataFilters: [isnotnull(id#1L), (id#1L > 5)], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/events], PartitionFilters: [], PushedFilters: [IsNotNull(id), GreaterThan(id,5)], ReadSchema: struct<id:bigint,event:string>
)",
         .good = R"(== Physical Plan ==
*(1) Project [page#2]
+- *(1) Filter (isnotnull(id#1L) AND (id#1L > 5))
   +- *(1) ColumnarToRow
      +- FileScan parquet shop.events[id#1L,page#2] Batched: true, DataFilters: [isnotnull(id#1L), (id#1L > 5)], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/events], PartitionFilters: [], PushedFilters: [IsNotNull(id), GreaterThan(id,5)], ReadSchema: struct<id:bigint,page:string>
)",
         .limits =
             "Speaks only where the cause is in the plan: an expression that has no code, a field count, the "
             "configuration. Adaptive plans show the marks after they ran. Leaves of structs count for Spark, and "
             "are not printed.",
         .needs = "a plan after it ran, or without AQE",
         .options = kOptions},
    .check = check};

}  // namespace planvet::rules
