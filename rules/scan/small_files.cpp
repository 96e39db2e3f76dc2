#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/core.h>

#include "analyzer/facts/facts.hpp"
#include "analyzer/plan/views.hpp"
#include "analyzer/plan/walk.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"
#include "rules/scan_location.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {
    {"paths", "1000", "more file paths than this are reported, where their size is not known"},
    {"files", "100", "more files than this, of less than `mean` each, are a warning"},
    {"mean", "8 MiB", "mean size of a file below which files are small"},
};

constexpr double kGoodFile = 128.0 * 1024 * 1024;

void check(const PlanContext& context, Reporter& reporter) {
  for (const PlanNode& node : context.operators()) {
    const auto scan = Scan::of(context.plan(), node.id);
    if (!scan || scan->is_streaming() || is_inside(context.plan(), node.id, Link::CachedPlan)) continue;
    const auto location = ScanLocation::of(*scan);
    if (!location) continue;
    if (!location->are_files()) {
      reporter.skip("needs an event log: a plan names folders, not the files in them");
      continue;
    }
    const auto files = static_cast<double>(location->paths);
    const auto size = context.statistics().table_bytes(node.id);
    const bool is_small = size && files > context.options().number("files") &&
                          size->bytes.value / files < context.options().bytes("mean");
    if (!is_small && (size || files <= context.options().number("paths"))) continue;

    Finding& finding = reporter.report(
        node, is_small ? Severity::Warning : Severity::Info,
        size ? fmt::format("{} files of {} on average are read one by one", count_text(files),
                           format_size(size->bytes.value / files))
             : fmt::format("{} files are opened one by one; their size is not in the plan", count_text(files)));
    const double target = size ? std::max(1.0, std::ceil(size->bytes.value / kGoodFile)) : 0;
    finding.fix =
        size ? fmt::format("rewrite them as {} of about 128 MiB: `df.repartition({:.0f}).write.parquet(\"compacted\")`",
                           target == 1 ? "one file" : fmt::format("{:.0f} files", target), target)
             : "rewrite them as files of about 128 MiB, with their size / 128 MiB in place of 16: "
               "`df.repartition(16).write.parquet(\"compacted\")`";
    finding.evidence.push_back({"files", files, "count", EvidenceSource::Plan});
    if (size) finding.evidence.push_back({"files", size->bytes.value, "bytes", size->bytes.source});
  }
}

}  // namespace

extern constinit const Rule kSmallFiles{
    .info = {.code = "PV204",
             .name = "small-files",
             .severity = Severity::Info,
             .summary = "A scan opens thousands of files, or files of a few MiB.",
             .why = "Each file costs a listing, an opening and a footer, whatever it holds; object stores take tens of "
                    "milliseconds for each. Compression and row groups do little in small files.",
             .fix = "Compact them into files of about 128 MiB: repartition before writing, OPTIMIZE in Delta, "
                    "rewrite_data_files in Iceberg.",
             .bad = R"(== Physical Plan ==
*(1) Filter (isnotnull(id#1) AND (id#1 > 5))
+- *(1) ColumnarToRow
   +- FileScan parquet [id#1,v#2] Batched: true, DataFilters: [isnotnull(id#1), (id#1 > 5)], Format: Parquet, Location: InMemoryFileIndex(4200 paths)[file:/in/part-0001.parquet, file:/in/part-0002.par..., PartitionFilters: [], PushedFilters: [IsNotNull(id), GreaterThan(id,5)], ReadSchema: struct<id:int,v:string>
)",
             .good = R"(== Physical Plan ==
*(1) Filter (isnotnull(id#1) AND (id#1 > 5))
+- *(1) ColumnarToRow
   +- FileScan parquet [id#1,v#2] Batched: true, DataFilters: [isnotnull(id#1), (id#1 > 5)], Format: Parquet, Location: InMemoryFileIndex(12 paths)[file:/in/part-0001.parquet, file:/in/part-0002.par..., PartitionFilters: [], PushedFilters: [IsNotNull(id), GreaterThan(id,5)], ReadSchema: struct<id:int,v:string>
)",
             .limits = "A plan shows files only where a job names them one by one. Folders, which are the usual case, "
                       "need the metrics of an event log.",
             .needs = "scan metrics, unless the plan names files",
             .options = kOptions},
    .check = check};

}  // namespace planvet::rules
