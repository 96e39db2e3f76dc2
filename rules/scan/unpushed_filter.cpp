#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/scan_filter.hpp"
#include "rules/unpushed_reason.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"read", "64 MiB", "measured: bytes read from which on it is a warning"},
    {"dropped", "0.9", "and the share of the rows that the filter has to drop for it"},
    {"harmless", "0.1", "measured: a filter that drops no more than this share is silent"},
    {"small", "10 MiB", "a scan that read no more than this is silent"},
};

// What pushing could spare, where it was measured.
struct Effect {
  double read = 0;     // bytes
  double dropped = 0;  // share of the rows
  Quantity in;
  Quantity out;
};

std::optional<Effect> effect_of(const PlanContext& context, const PlanNode& filter, NodeId scan) {
  if (context.statistics().measured() == nullptr) return std::nullopt;
  const auto read = context.statistics().table_bytes(scan);
  const auto in = context.statistics().rows(context.plan().input(filter.id));
  const auto out = context.statistics().rows(filter.id);
  const bool is_known = read && in && out && read->bytes.source == EvidenceSource::Measured &&
                        in->source == EvidenceSource::Measured && out->source == EvidenceSource::Measured;
  if (!is_known || in->value <= 0) return std::nullopt;
  return Effect{read->bytes.value, 1 - out->value / in->value, *in, *out};
}

struct Left {
  ExpressionIndex conjunct;
  Unpushed why;
};

bool mentions_partition_column(const FilteredScan& filtered, const ExpressionTree& tree, ExpressionIndex conjunct) {
  bool is_mentioned = false;
  tree.for_each_attribute(conjunct, [&](ExpressionIndex at) {
    is_mentioned = is_mentioned || filtered.is_partition_column(tree.name(at));
  });
  return is_mentioned;
}

// The conjuncts that the source did not get, and surely not.
std::vector<Left> left_over(const PlanContext& context, const FilteredScan& filtered, const ExpressionTree& tree,
                            Reporter& reporter) {
  std::vector<Left> left;
  for (const ExpressionIndex conjunct : tree.conjuncts(tree.root())) {
    if (is_sparks_own(tree, conjunct) || tree.contains_opaque(conjunct)) continue;
    if (tree.text(conjunct).find("raise_error(") != std::string_view::npos) continue;  // assert_true(): no predicate
    if (tree.is_truncated(conjunct)) {
      reporter.want(filtered.filter(), filtered.condition());
      continue;
    }
    if (is_explode_guard(context.plan(), filtered.filter(), tree, conjunct)) continue;
    if (mentions_partition_column(filtered, tree, conjunct)) continue;  // PV202's
    const Answer pushed = filtered.is_pushed(tree, conjunct);
    if (pushed == Answer::Unknown && filtered.cut_list() != nullptr) {
      reporter.want(filtered.scan().node(), *filtered.cut_list());
    }
    if (pushed != Answer::No) continue;
    left.push_back({conjunct, why_unpushed(filtered, tree, conjunct)});
  }
  return left;
}

void check(const PlanContext& context, Reporter& reporter) {
  for (const PlanNode& node : context.operators()) {
    if (node.kind != OperatorKind::Filter) continue;
    const Attribute* condition = context.plan().find(node.id, AttributeKind::Condition);
    if (condition == nullptr || has_null_tests_only(condition->text)) continue;
    const auto filtered = FilteredScan::of(context, node);
    if (!filtered) continue;
    if (!condition->is_whole()) {
      reporter.want(node, *condition);
      continue;
    }
    const ExpressionTree tree = context.parse(condition->text);
    std::vector<Left> left = left_over(context, *filtered, tree, reporter);
    if (left.empty()) continue;
    // What can be rewritten is named first.
    std::stable_sort(left.begin(), left.end(),
                     [](const Left& a, const Left& b) { return a.why.has_rewrite && !b.why.has_rewrite; });

    const auto effect = effect_of(context, node, filtered->scan().id());
    const Options& options = context.options();
    if (effect && (effect->read <= options.bytes("small") || effect->dropped <= options.number("harmless"))) continue;
    const Left& first = left.front();
    const bool is_hurting = effect
                                ? effect->read >= options.bytes("read") && effect->dropped >= options.number("dropped")
                                : filtered->pushed_count() == 0;
    const bool is_warning = is_hurting && first.why.has_rewrite;
    const ScanSource source = filtered->scan().source();
    const std::string_view table = filtered->scan().display_name();
    Finding& finding = reporter.report_fact(
        node, tree.text(first.conjunct), is_warning ? Severity::Warning : Severity::Info,
        fmt::format("{} is not pushed to {}{}: {}", filtered->readable(tree, first.conjunct),
                    table.empty() ? std::string("the scan") : fmt::format("the scan of {}", table),
                    filtered->pushed_count() == 0 ? ", which reads every row" : "", first.why.because));
    finding.fix = first.why.fix;
    if (source == ScanSource::Csv || source == ScanSource::Json) {
      finding.fix += fmt::format("; on {} this saves parsing, every byte is read all the same", name(source));
    }
    if (effect) {
      finding.evidence.push_back({"read", effect->read, "bytes", EvidenceSource::Measured});
      finding.evidence.push_back({"rows read", effect->in.value, "rows", effect->in.source});
      finding.evidence.push_back({"rows kept", effect->out.value, "rows", effect->out.source});
    }
    for (const Left& one : left) {
      const auto add = [&](UnpushedReason reason) {
        const std::string word(slug(reason));
        if (std::find(finding.reasons.begin(), finding.reasons.end(), word) == finding.reasons.end()) {
          finding.reasons.push_back(word);
        }
      };
      add(one.why.reason);
      if (one.why.side_reason != UnpushedReason::Unknown) add(one.why.side_reason);
      if (one.conjunct == first.conjunct) continue;
      finding.related.push_back(
          {node.id, context.document().source->span_of(tree.text(one.conjunct)),
           fmt::format("neither is {}: {}", filtered->readable(tree, one.conjunct), one.why.because)});
    }
  }
}

}  // namespace

extern constinit const Rule kUnpushedFilter{
    .info =
        {.code = "PV201",
         .name = "unpushed-filter",
         .severity = Severity::Warning,
         .summary = "A filter runs above the scan although the source could have filtered while reading.",
         .why =
             "Parquet, ORC, Iceberg and databases skip files, row groups and rows by predicates that they are given: "
             "a column, compared with a constant. A cast, a function or arithmetic on the column hides it, and "
             "everything is read.",
         .fix =
             "Leave the column alone and put the computation on the constant's side: year(d) = 2024 becomes a range, "
             "cast(code as int) = 5 becomes code = '5', n + 1 = 5 becomes n = 4.",
         .bad = R"(== Physical Plan ==
*(1) Filter (isnotnull(code#2) AND (cast(code#2 as int) = 5))
+- *(1) ColumnarToRow
   +- FileScan parquet shop.sales[id#1L,code#2] Batched: true, DataFilters: [isnotnull(code#2), (cast(code#2 as int) = 5)], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [IsNotNull(code)], ReadSchema: struct<id:bigint,code:string>
)",
         .good = R"(== Physical Plan ==
*(1) Filter (isnotnull(code#2) AND (code#2 = 5))
+- *(1) ColumnarToRow
   +- FileScan parquet shop.sales[id#1L,code#2] Batched: true, DataFilters: [isnotnull(code#2), (code#2 = 5)], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [IsNotNull(code), EqualTo(code,5)], ReadSchema: struct<id:bigint,code:string>
)",
         .limits =
             "A warning needs a rewrite that Spark would push, and a scan that got no other predicate; in an event "
             "log, one that drops most of what was read. The rest is info. Cut lists, in-memory tables, subqueries "
             "and Spark's own predicates are silent.",
         .options = kOptions},
    .check = check};

}  // namespace planvet::rules
