#include <set>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "analyzer/facts/facts.hpp"
#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"
#include "analyzer/report/fix_parts.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/scan_location.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"large", "1 GiB", "text of this size or more is a warning"},
    {"small", "10 MiB", "text known to be at most this large is silent"},
};

bool is_text_source(ScanSource source) {
  return source == ScanSource::Csv || source == ScanSource::Json || source == ScanSource::Xml ||
         source == ScanSource::Text;
}

// A query whose only work is to load text into a table has to read it.
bool is_plain_load(const PlanContext& context) {
  bool is_write = false;
  for (const PlanNode& node : context.operators()) {
    const OperatorFamily what = family(node.kind);
    if (what == OperatorFamily::Join || what == OperatorFamily::Aggregate) return false;
    is_write = is_write || what == OperatorFamily::Write;
  }
  return is_write;
}

std::string fix_text(const Scan& scan) {
  const std::string table = sql_table(scan.plan(), scan.id());
  if (!table.empty()) {
    const std::string copy = fmt::format("{}_parquet", short_name(scan.table()));
    return "keep it as Parquet: " +
           code(fmt::format("CREATE TABLE {} USING parquet AS SELECT * FROM {}", sql_column(copy), table));
  }
  const std::string_view name = scan.display_name();
  const std::string_view stem = name.substr(0, name.find('.'));  // events of events.json.gz
  return fmt::format("write it once as Parquet and read that: `df.write.parquet(\"{}_parquet\")`",
                     stem.empty() ? std::string_view("data") : stem);
}

void check(const PlanContext& context, Reporter& reporter) {
  std::set<std::string_view> seen;  // one finding a table
  for (const PlanNode& node : context.operators()) {
    const auto scan = Scan::of(context.plan(), node.id);
    if (!scan || scan->is_streaming() || !is_text_source(scan->source())) continue;
    if (node.kind != OperatorKind::FileSourceScan && node.kind != OperatorKind::BatchScan) continue;
    if (is_inside(context.plan(), node.id, Link::CachedPlan)) continue;  // parsed when the cache was filled
    const Attribute* place = scan->find(AttributeKind::Location);
    const std::string_view identity = scan->table().empty() && place != nullptr ? place->text : scan->table();
    if (!identity.empty() && !seen.insert(identity).second) continue;
    const auto size = context.statistics().table_bytes(node.id);
    if (size && size->bytes.value <= context.options().bytes("small")) continue;

    const auto location = ScanLocation::of(*scan);
    const bool is_gzip = location && location->is_gzip();
    const bool is_large = size && size->bytes.value >= context.options().bytes("large") && !is_plain_load(context);
    const std::string_view table = scan->display_name();
    std::string message = fmt::format(
        "{}{} of {} is parsed line by line{}: {}", size ? format_size(size->bytes.value) + " of " : "",
        name(scan->source()), table.empty() ? std::string_view("files") : table,
        is_gzip ? ", by one task a file, as gzip cannot be split" : "",
        scan->source() == ScanSource::Text ? "nothing can be skipped" : "no column and no row can be skipped");
    Finding& finding = reporter.report(node, is_large ? Severity::Warning : Severity::Info, std::move(message));
    finding.fix = fix_text(*scan);
    if (is_gzip) finding.reasons.emplace_back("gzip");
    if (size) finding.evidence.push_back({"table", size->bytes.value, "bytes", size->bytes.source});
  }
}

}  // namespace

extern constinit const Rule kTextFormatScan{
    .info = {.code = "PV207",
             .name = "text-format-scan",
             .severity = Severity::Info,
             .summary = "A query reads CSV, JSON, XML or plain text.",
             .why = "Text has no columns and no statistics: every byte of every line is read and parsed each time, "
                    "whatever the query needs. A gzip file is read by one task, however large.",
             .fix = "Convert it once to Parquet, and query that.",
             .bad = R"(== Physical Plan ==
*(1) Filter (isnotnull(qty#2) AND (qty#2 > 5))
+- FileScan csv shop.returns[id#1L,qty#2] Batched: false, DataFilters: [isnotnull(qty#2), (qty#2 > 5)], Format: CSV, Location: InMemoryFileIndex(1 paths)[file:/lake/returns], PartitionFilters: [], PushedFilters: [IsNotNull(qty), GreaterThan(qty,5)], ReadSchema: struct<id:bigint,qty:int>
)",
             .good = R"(== Physical Plan ==
*(1) Filter (isnotnull(qty#2) AND (qty#2 > 5))
+- *(1) ColumnarToRow
   +- FileScan parquet shop.returns[id#1L,qty#2] Batched: true, DataFilters: [isnotnull(qty#2), (qty#2 > 5)], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/returns], PartitionFilters: [], PushedFilters: [IsNotNull(qty), GreaterThan(qty,5)], ReadSchema: struct<id:bigint,qty:int>
)",
             .limits =
                 "Compression shows only where a file is named, not a folder, and `multiLine` never. A plain load "
                 "(a write above, no join, no aggregate) stays info whatever its size.",
             .options = kOptions},
    .check = check};

}  // namespace planvet::rules
