#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"
#include "analyzer/report/fix_parts.hpp"
#include "rules/input_rows.hpp"
#include "rules/native_parts.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/scan_filter.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"small-rows", "1000", "so few rows may leave the engine"},
};

constexpr std::size_t kMostNames = 4;

std::string_view first_word(std::string_view text) { return text.substr(0, text.find_first_of(" ([")); }

// Comet: `+-  BatchEvalPython [COMET: BatchEvalPython is not supported]`, beside the operator or in a section below.
std::vector<std::string> comet_reasons(const PlanContext& context, const SparkPart& part) {
  std::vector<std::string> reasons;
  const auto add = [&](std::string_view reason) {
    if (reason.ends_with('.')) reason.remove_suffix(1);
    std::string text(reason);
    if (std::find(reasons.begin(), reasons.end(), text) == reasons.end()) reasons.push_back(std::move(text));
  };
  std::vector<NodeId> members = part.members;
  members.insert(members.end(), part.others.begin(), part.others.end());
  for (const NodeId member : members) {
    if (const Attribute* reason = context.plan().find(member, AttributeKind::FallbackReason)) add(reason->text);
  }
  if (!reasons.empty()) return reasons;
  constexpr std::string_view kMark = "[COMET: ";
  for (const auto& [title, text] : context.document().explanations) {
    for (std::size_t at = text.find(kMark); at != std::string_view::npos; at = text.find(kMark, at + 1)) {
      const std::size_t line = text.rfind('\n', at) + 1;  // npos + 1 is 0
      std::string_view name = text.substr(line, at - line);
      name.remove_prefix(std::min(name.find_first_not_of(" :+-"), name.size()));
      const bool is_of_part = std::any_of(members.begin(), members.end(), [&](NodeId member) {
        const std::string_view printed = context.plan().node(member).printed_name;
        return first_word(printed) == first_word(name) && name.find(printed) != std::string_view::npos;
      });
      const std::size_t end = text.find('\n', at);
      std::string_view reason = text.substr(at + kMark.size(), end - at - kMark.size());
      if (const std::size_t close = reason.rfind(']'); close != std::string_view::npos)
        reason = reason.substr(0, close);
      if (is_of_part) add(reason);
    }
  }
  return reasons;
}

// `Unsupported node: CollectLimit 5.` of "== Photon Explanation ==".
std::vector<std::string> photon_reasons(const PlanContext& context, const SparkPart& part) {
  std::vector<std::string> reasons;
  for (const auto& [title, text] : context.document().explanations) {
    for (const NodeId member : part.members) {
      const std::string node =
          fmt::format("Unsupported node: {}", first_word(context.plan().node(member).printed_name));
      const std::size_t at = text.find(node);
      if (at == std::string_view::npos) continue;
      std::string_view line = text.substr(at, text.find('\n', at) - at);
      if (line.ends_with('.')) line.remove_suffix(1);
      reasons.emplace_back(plain(line, 100));
    }
  }
  return reasons;
}

std::string names_of(const PlanTree& plan, const SparkPart& part) {
  std::vector<std::string_view> names;
  for (const NodeId member : part.members) {
    const std::string_view name = family(plan.node(member).kind) == OperatorFamily::Scan
                                      ? plan.node(member).printed_name
                                      : first_word(plan.node(member).printed_name);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i)
    out += (i == 0 ? "" : ", ") + std::string(names[i]);
  if (names.size() > kMostNames) out += fmt::format(" and {} more", names.size() - kMostNames);
  return out;
}

// `spark.comet.exec.filter.enabled` of a reason that says to set it.
std::string_view key_in(std::string_view reason) {
  const std::size_t begin = reason.find("spark.");
  if (begin == std::string_view::npos) return {};
  const std::string_view key = reason.substr(begin, reason.find_first_of(" =,;)", begin) - begin);
  return key.ends_with('.') ? key.substr(0, key.size() - 1) : key;
}

bool is_plain_name(std::string_view table) {
  return !table.empty() && std::all_of(table.begin(), table.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  });
}

std::string fix_text(const PlanContext& context, const SparkPart& part, const std::vector<std::string>& reasons) {
  for (const std::string& reason : reasons) {
    const std::string_view key = key_in(reason);
    if (key.ends_with(".enabled")) return code(fmt::format("SET {}=true", key));
  }
  for (const NodeId member : part.members) {
    const PlanNode& node = context.plan().node(member);
    if (family(node.kind) == OperatorFamily::Python) {
      return fmt::format("replace the Python function by built-in functions, which {} runs itself", title(part.engine));
    }
    const auto scan = Scan::of(context.plan(), member);
    if (!scan) continue;
    const ScanSource source = scan->source();
    const bool is_rows = source == ScanSource::Csv || source == ScanSource::Json || source == ScanSource::Text ||
                         source == ScanSource::Xml || source == ScanSource::Orc || source == ScanSource::Avro;
    if (is_rows && is_plain_name(scan->table())) {
      return fmt::format(
          "store it as Parquet, which {} reads: {}", title(part.engine),
          code(fmt::format("CREATE TABLE {0}_parquet USING parquet AS SELECT * FROM {0}", scan->table())));
    }
    if (is_rows) return fmt::format("store the files as Parquet, which {} reads", title(part.engine));
  }
  switch (part.engine) {
    case Engine::Comet:
      if (!reasons.empty() || context.facts().is_before(4, 0)) break;
      return "let Comet say why: `SET spark.sql.extendedExplainProviders=org.apache.comet.ExtendedExplainInfo`";
    case Engine::Rapids: return "let RAPIDS say why, in the driver's log: `SET spark.rapids.sql.explain=NOT_ON_GPU`";
    case Engine::Photon: return "see == Photon Explanation == below the plan for the node or expression to replace";
    case Engine::Gluten:
    case Engine::Spark: break;
  }
  return fmt::format("replace what {} does not support, or move it behind the last native operator",
                     title(part.engine));
}

// A scan, and the null tests that Spark adds above it: what it costs is the format.
bool is_of_scan(const PlanTree& plan, NodeId id) {
  const PlanNode& node = plan.node(id);
  if (family(node.kind) == OperatorFamily::Scan) return true;
  const Attribute* condition = node.kind == OperatorKind::Filter ? plan.find(id, AttributeKind::Condition) : nullptr;
  return condition != nullptr && has_null_tests_only(condition->text);
}

// A sort by range computes what is below its shuffle twice: what was written counts once.
std::optional<Quantity> rows_out_of(const PlanContext& context, NodeId top) {
  if (const auto rows = rows_if_at_least(context, top, 0)) return rows;
  const NodeId above = above_structure(context.plan(), top);
  const bool is_written = above != kNoNode && context.plan().node(above).kind == OperatorKind::ShuffleExchange;
  return is_written ? rows_if_at_least(context, above, 0) : std::nullopt;
}

void check(const PlanContext& context, Reporter& reporter) {
  const PlanTree& plan = context.plan();
  for (const SparkPart& part : spark_parts(plan)) {
    if (has_at_most(context, part.top, context.options().number("small-rows"))) continue;
    const bool is_scan_only =
        family(plan.node(part.members.back()).kind) == OperatorFamily::Scan &&
        std::all_of(part.members.begin(), part.members.end(), [&](NodeId member) { return is_of_scan(plan, member); });
    const std::vector<std::string> reasons =
        part.engine == Engine::Photon ? photon_reasons(context, part) : comet_reasons(context, part);
    std::string why;
    for (const std::string& reason : reasons) why += (why.empty() ? ": " : "; ") + reason;
    const auto rows = rows_out_of(context, part.top);
    const std::string crossing = rows && rows->source == EvidenceSource::Measured
                                     ? fmt::format("{} rows", count_text(rows->value))
                                     : std::string("rows");
    std::string where;
    if (part.is_above_native) {
      where = fmt::format(", and {} cross over and back", crossing);
    } else if (crossing != "rows") {
      where = fmt::format(", and gives them {}", crossing);
    }
    Finding& finding = reporter.report(
        plan.node(part.top), is_scan_only ? Severity::Info : Severity::Warning,
        fmt::format("Spark runs {} below operators of {}{}{}", names_of(plan, part), title(part.engine), where, why));
    finding.fix = fix_text(context, part, reasons);
    if (rows) finding.evidence.push_back(rows_evidence("rows crossing", *rows));
    finding.evidence.push_back(
        {"operators of Spark", static_cast<double>(part.members.size()), "count", EvidenceSource::Plan});
    finding.reasons.emplace_back(is_scan_only ? "scan" : "operators");
    for (const NodeId member : part.members) {
      if (member != part.top) finding.related.push_back({member, plan.node(member).name_span, "runs in Spark as well"});
    }
  }
}

}  // namespace

extern constinit const Rule kEngineFallback{
    .info =
        {.code = "PV601",
         .name = "engine-fallback",
         .severity = Severity::Warning,
         .summary = "Operators in the middle of a native plan run in Spark.",
         .why = "Photon, Comet, Gluten and RAPIDS work on columns. What they do not support goes back to Spark: "
                "columns are "
                "turned into rows, worked on by the JVM, and turned into columns again for the next native operator.",
         .fix = "Replace the function or format that the engine does not know, switch the operator on, or do it last, "
                "behind "
                "the last native operator.",
         .bad = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- CometSort [k#9], [k#9 ASC NULLS FIRST]
   +- CometColumnarExchange rangepartitioning(k#9 ASC NULLS FIRST, 16), ENSURE_REQUIREMENTS, CometColumnarShuffle, [plan_id=20]
      +- Project [xpath_int(page#2, a/b) AS k#9]
         +- CometNativeScan parquet shop.sales[page#2] Batched: true, DataFilters: [], Format: CometParquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<page:string>
)",
         .good = R"(== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- CometSort [k#9], [k#9 ASC NULLS FIRST]
   +- CometExchange rangepartitioning(k#9 ASC NULLS FIRST, 16), ENSURE_REQUIREMENTS, CometNativeShuffle, [plan_id=20]
      +- CometProject [(store#2 + 1) AS k#9], [k#9]
         +- CometNativeScan parquet shop.sales[store#2] Batched: true, DataFilters: [], Format: CometParquet, Location: InMemoryFileIndex(1 paths)[file:/lake/sales], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<store:int>
)",
         .limits =
             "What Spark does above the last native operator is silent, and so are limits, writes, caches and rows of "
             "the "
             "query itself. A scan alone is info. A plan without any native operator cannot be told from plain Spark.",
         .options = kOptions},
    .check = check};

}  // namespace planvet::rules
