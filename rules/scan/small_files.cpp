#include <algorithm>
#include <cmath>
#include <optional>
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
    {"error-files", "10000", "measured: more files than this, of less than `error-mean` each, are an error"},
    {"error-mean", "1 MiB", "mean size of a file for it"},
};

constexpr double kGoodFile = 128.0 * 1024 * 1024;

// How many files were read or written, and how large they were.
struct Files {
  double count = 0;
  double bytes = 0;
  [[nodiscard]] double mean() const { return bytes / count; }
};

std::optional<Files> files_of(const Measured& log, NodeId node, metrics::MetricKey count, metrics::MetricKey bytes) {
  const auto files = log.quantity(node, count);
  const auto size = log.quantity(node, bytes);
  if (!files || !size || !files->is_at_most || !size->is_at_most || files->value <= 0) return std::nullopt;
  return Files{files->value, size->value};
}

std::optional<Severity> severity_of(const Files& files, const Options& options) {
  if (files.count <= options.number("files") || files.mean() >= options.bytes("mean")) return std::nullopt;
  const bool is_error = files.count > options.number("error-files") && files.mean() < options.bytes("error-mean");
  return is_error ? Severity::Error : Severity::Warning;
}

void add_evidence(const Files& files, Finding& finding) {
  finding.evidence.push_back({"files", files.count, "count", EvidenceSource::Measured});
  finding.evidence.push_back({"files", files.bytes, "bytes", EvidenceSource::Measured});
}

std::string number_of_files(double bytes) {
  const double number = std::max(1.0, std::ceil(bytes / kGoodFile));
  return number == 1 ? std::string("one file") : fmt::format("{:.0f} files", number);
}

// Right below a limit the files that were listed are not all opened.
bool is_limited(const PlanTree& plan, NodeId scan) {
  for (NodeId at = above_structure(plan, scan); at != kNoNode; at = above_structure(plan, at)) {
    const OperatorFamily what = family(plan.node(at).kind);
    if (what == OperatorFamily::Limit && plan.node(at).kind != OperatorKind::TakeOrderedAndProject) return true;
    if (what != OperatorFamily::Project && what != OperatorFamily::Filter) return false;
  }
  return false;
}

void check_read_files(const PlanContext& context, Reporter& reporter, const Scan& scan, const Files& files) {
  const auto severity = severity_of(files, context.options());
  if (!severity || is_limited(context.plan(), scan.id())) return;
  const Attribute* location = scan.find(AttributeKind::Location);
  if (location != nullptr && location->text.find("_delta_log") != std::string_view::npos) return;  // no data of a user
  const std::string_view table = scan.display_name();
  Finding& finding = reporter.report(
      scan.node(), *severity,
      fmt::format("{} files{} are read, of {} on average", count_text(files.count),
                  table.empty() ? std::string() : fmt::format(" of {}", table), format_size(files.mean())));
  const double target = std::max(1.0, std::ceil(files.bytes / kGoodFile));
  finding.fix =
      fmt::format("rewrite them as {} of about 128 MiB: `df.repartition({:.0f}).write.parquet(\"compacted\")`",
                  number_of_files(files.bytes), target);
  add_evidence(files, finding);
  if (const auto time = context.statistics().measured()->total(scan.id(), metrics::MetricKey::MetadataTime)) {
    finding.evidence.push_back({"time to list them", *time, "ms", EvidenceSource::Measured});
  }
}

// What was written small will be read small by every query to come.
void check_written_files(const PlanContext& context, Reporter& reporter, const Measured& log, const PlanNode& node) {
  const auto files = files_of(log, node.id, metrics::MetricKey::WrittenFiles, metrics::MetricKey::WrittenBytes);
  const auto severity = files ? severity_of(*files, context.options()) : std::nullopt;
  if (!severity) return;
  const double partitions = log.total(node.id, metrics::MetricKey::WrittenPartitions).value_or(0);
  Finding& finding = reporter.report(
      node, *severity,
      fmt::format("{} files of {} on average are written{}", count_text(files->count), format_size(files->mean()),
                  partitions > 0 ? fmt::format(" into {} partitions", count_text(partitions)) : std::string()));
  if (partitions > 0 && files->count < 2 * partitions) {
    finding.fix = fmt::format("partition the table by fewer values: {} would do for files of about 128 MiB",
                              number_of_files(files->bytes));
  } else if (partitions > 0) {
    finding.fix =
        "bring the rows of a partition together before the write: repartition by the partition columns, or the hint "
        "`/*+ REBALANCE */` with them";
  } else {
    const double target = std::max(1.0, std::ceil(files->bytes / kGoodFile));
    finding.fix = fmt::format(
        "write {} of about 128 MiB: `.repartition({:.0f})` before the write, or the hint "
        "`/*+ REBALANCE */`",
        number_of_files(files->bytes), target);
  }
  finding.reasons.emplace_back("written");
  add_evidence(*files, finding);
}

void check(const PlanContext& context, Reporter& reporter) {
  const Measured* const log = context.statistics().measured();
  for (const PlanNode& node : context.operators()) {
    if (log != nullptr) check_written_files(context, reporter, *log, node);
    const auto scan = Scan::of(context.plan(), node.id);
    if (!scan || scan->is_streaming() || is_inside(context.plan(), node.id, Link::CachedPlan)) continue;
    if (log != nullptr) {
      const auto files = files_of(*log, node.id, metrics::MetricKey::FilesRead, metrics::MetricKey::FileBytesRead);
      if (files) {
        check_read_files(context, reporter, *scan, *files);
        continue;
      }
    }
    const auto location = ScanLocation::of(*scan);
    if (!location) continue;
    if (!location->are_files()) {
      if (log != nullptr) {
        reporter.skip_without("the number of files that are read", "an event log");
      } else {
        reporter.skip("needs an event log: a plan names folders, not the files in them");
      }
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
                       "need the metrics of an event log. Tables of V2 sources count no files: silent.",
             .needs = "scan metrics, unless the plan names files",
             .options = kOptions},
    .check = check};

}  // namespace planvet::rules
