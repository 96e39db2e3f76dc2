#include "analyzer/render/measured_columns.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include <fmt/core.h>

#include "analyzer/render/quantity.hpp"

namespace planvet::render {

namespace {

using metrics::Doubt;
using metrics::MeasuredMetric;
using metrics::MetricKey;
using metrics::MetricType;
using metrics::MetricUnit;
using metrics::Summary;

// A task that has so many times what the median has is worth a look, if it is worth anything at all.
constexpr double kSkewFactor = 3;
constexpr double kFewRows = 1000;
constexpr double kFewBytes = 256 * 1024;
constexpr double kShortTime = 200;
constexpr double kShortestTime = 0.5;  // that rounds to a millisecond
// An operator that takes so much of the time of its stages' tasks is.
constexpr double kLoudShare = 0.25;

constexpr std::array kRowKeys = {MetricKey::OutputRows,  MetricKey::ShuffleRecordsWritten, MetricKey::RecordsRead,
                                 MetricKey::UpdatedRows, MetricKey::InsertedRows,          MetricKey::DeletedRows,
                                 MetricKey::InputRows};
constexpr std::array kByteKeys = {MetricKey::FileBytesRead, MetricKey::ShuffleBytesWritten, MetricKey::WrittenBytes,
                                  MetricKey::DataSize,      MetricKey::BuildSideSize,       MetricKey::PythonBytesSent,
                                  MetricKey::StateMemory,   MetricKey::RemoteBytesRead,     MetricKey::LocalBytesRead};

constexpr std::array kOwnTimes = {MetricKey::ScanTime,         MetricKey::MetadataTime,   MetricKey::PruningTime,
                                  MetricKey::SortTime,         MetricKey::BuildTime,      MetricKey::BroadcastTime,
                                  MetricKey::ShuffleWriteTime, MetricKey::FetchWaitTime,  MetricKey::TaskCommitTime,
                                  MetricKey::JobCommitTime,    MetricKey::PythonStartTime};
constexpr std::array kTimesWithInput = {MetricKey::AggregationTime, MetricKey::HashMapTime, MetricKey::CollectTime,
                                        MetricKey::PythonRunTime};

bool has_total(const MeasuredMetric& metric) {
  const bool is_sum = metric.metric.type != MetricType::Average && metric.metric.type != MetricType::Custom;
  return is_sum || !metric.summary.has_spread();
}

double total_of(const MeasuredMetric& metric) { return in_unit(metric.metric.type, metric.summary.total); }

std::string value_text(MetricUnit unit, double value) {
  switch (unit) {
    case MetricUnit::Bytes: return format_quantity(value, "bytes");
    case MetricUnit::Milliseconds: return format_quantity(value, "ms");
    case MetricUnit::Rows:
    case MetricUnit::Count: return format_count(value);
  }
  return format_count(value);
}

std::string with_unit(MetricUnit unit, double value) {
  return unit == MetricUnit::Rows ? format_quantity(value, "rows") : value_text(unit, value);
}

// "48k": three digits are enough to see that one is far from another.
std::string short_number(double value) {
  constexpr std::array<std::string_view, 5> kUnits = {"", "k", "M", "G", "T"};
  std::size_t power = 0;
  while (std::fabs(value) >= 999.5 && power + 1 < kUnits.size()) {
    value /= 1000;
    ++power;
  }
  const bool has_fraction = value != std::floor(value) && std::fabs(value) < 9.95;
  return fmt::format("{:.{}f}{}", value, has_fraction ? 1 : 0, kUnits[power]);
}

// Least, median and largest in the unit of the largest: "0.1/0.2/3.4 s".
std::string spread_text(MetricUnit unit, double least, double median, double largest) {
  std::string suffix;
  double divisor = 1;
  if (unit == MetricUnit::Bytes) {
    constexpr std::array<std::string_view, 6> kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    std::size_t power = 0;
    while (largest / divisor >= 1024 && power + 1 < kUnits.size()) {
      divisor *= 1024;
      ++power;
    }
    suffix = ' ' + std::string(kUnits[power]);
  } else if (unit == MetricUnit::Milliseconds) {
    const bool is_minutes = largest >= 120'000;
    const bool is_seconds = largest >= 1000;
    divisor = is_minutes ? 60'000 : is_seconds ? 1000 : 1;
    suffix = is_minutes ? " min" : is_seconds ? " s" : " ms";
  } else if (unit == MetricUnit::Rows) {
    suffix = " rows";
  }
  return fmt::format("{}/{}/{}{}", short_number(least / divisor), short_number(median / divisor),
                     short_number(largest / divisor), suffix);
}

double negligible(MetricUnit unit) {
  switch (unit) {
    case MetricUnit::Bytes: return kFewBytes;
    case MetricUnit::Milliseconds: return kShortTime;
    case MetricUnit::Rows:
    case MetricUnit::Count: return kFewRows;
  }
  return kFewRows;
}

bool is_skewed(const MeasuredMetric& metric) {
  const Summary& summary = metric.summary;
  if (!summary.has_spread() || !summary.max_task) return false;
  const double median = in_unit(metric.metric.type, summary.median);
  const double max = in_unit(metric.metric.type, summary.max);
  return max >= kSkewFactor * median && max - median >= negligible(metric.metric.unit);
}

// "time in aggregation build" goes from the first row that the operator asks for to the last.
TimeScope scope_of(const metrics::Metric& metric) {
  if (std::ranges::find(kOwnTimes, metric.key) != kOwnTimes.end()) return TimeScope::Own;
  if (std::ranges::find(kTimesWithInput, metric.key) != kTimesWithInput.end()) return TimeScope::WithInput;
  return metric.name.find("cumulative") != std::string::npos ? TimeScope::WithInput : TimeScope::Unknown;
}

// Why a number may not be what it seems; empty: it is. What holds for the whole log is said once for the page.
std::string doubt_text(const MeasuredMetric& metric) {
  const metrics::Trust& trust = metric.trust;
  std::string value;
  if (metric.history_server && has_total(metric)) {
    const MetricUnit unit = metric.metric.unit;
    const double shown = in_unit(metric.metric.type, metric.history_server->total);
    if (shown != total_of(metric)) {
      const std::string ours = with_unit(unit, total_of(metric));
      const std::string theirs = value_text(unit, shown);
      value = ours + "; the Spark UI shows " + theirs + ": ";
    }
  }
  std::string why;
  const auto add = [&](Doubt doubt, std::string_view text) {
    if (!trust.has(doubt)) return;
    if (!why.empty()) why += "; ";
    why += text;
  };
  // Without an accumulator it is Spark's own text, which is all that the REST API gives.
  add(Doubt::RetriedTasks, metric.accumulator < 0 ? "a stage of it ran again, and Spark counts only the last attempt"
                                                  : "tasks of it ran again, and one result for each partition counts");
  add(Doubt::SpeculativeTasks, "two copies of a task succeeded, and the first one counts");
  add(Doubt::LostEvents, "the log lacks ends of tasks, so it is too low");
  if (why.empty() && !value.empty()) why = "it counts otherwise";
  return why.empty() ? std::string() : value + why;
}

class RowMaker {
 public:
  RowMaker(const DrawnNode& drawn, const metrics::TreeMetrics& measured, const StageRegion& region,
           Footnotes& footnotes, std::vector<TimeMetric>& time_metrics)
      : drawn_(drawn), measured_(measured), region_(region), footnotes_(footnotes), time_metrics_(time_metrics) {}

  MeasuredRow make() {
    const MeasuredMetric* const rows = first_of(kRowKeys);
    const MeasuredMetric* const bytes = first_of(kByteKeys);
    const MeasuredMetric* const time = longest();
    const MeasuredMetric* const pipeline = find_folded(MetricKey::StageDuration);
    put(Column::Rows, rows);
    put(Column::Bytes, bytes);
    put(Column::Time, time);
    put(Column::Pipeline, pipeline);
    put(Column::Spill, find(MetricKey::SpillSize));
    put_peak(find(MetricKey::PeakMemory));
    if (time != nullptr) {
      const TimeScope scope = scope_of(time->metric);
      if (std::ranges::find(time_metrics_, time->metric.name, &TimeMetric::name) == time_metrics_.end())
        time_metrics_.push_back({time->metric.name, scope});
      const auto of_stages = static_cast<double>(region_.totals.run_time_ms);
      row_[Column::Time].is_loud =
          scope == TimeScope::Own && total_of(*time) >= kShortTime && total_of(*time) >= kLoudShare * of_stages;
    }
    row_[Column::Spill].is_loud = true;
    // Of two times the pipeline's: nobody could tell them apart.
    const bool has_pipeline = !row_[Column::Pipeline].text.empty();
    for (const MeasuredMetric* metric : {rows, bytes, has_pipeline ? pipeline : time}) {
      if (metric == nullptr || !is_skewed(*metric)) continue;
      const MetricType type = metric->metric.type;
      const Summary& summary = metric->summary;
      row_[Column::Spread] = {spread_text(metric->metric.unit, in_unit(type, summary.min),
                                          in_unit(type, summary.median), in_unit(type, summary.max)),
                              0, true};
      break;
    }
    return std::move(row_);
  }

 private:
  [[nodiscard]] const MeasuredMetric* find(MetricKey key) const { return measured_.find(drawn_.node, key); }

  [[nodiscard]] const MeasuredMetric* find_folded(MetricKey key) const {
    if (const MeasuredMetric* const own = find(key)) return own;  // where nothing is folded
    for (const NodeId node : drawn_.folded)
      if (const MeasuredMetric* const metric = measured_.find(node, key)) return metric;
    return nullptr;
  }

  [[nodiscard]] const MeasuredMetric* first_of(std::span<const MetricKey> keys) const {
    for (const MetricKey key : keys) {
      const MeasuredMetric* const metric = find(key);
      if (metric != nullptr && has_total(*metric)) return metric;
    }
    return nullptr;
  }

  [[nodiscard]] const MeasuredMetric* longest() const {
    const MeasuredMetric* found = nullptr;
    for (const MeasuredMetric& metric : measured_.of(drawn_.node)) {
      if (metric.metric.unit != MetricUnit::Milliseconds || metric.metric.key == MetricKey::StageDuration ||
          !has_total(metric) || total_of(metric) < kShortestTime)
        continue;
      if (found == nullptr || total_of(metric) > total_of(*found)) found = &metric;
    }
    return found;
  }

  void put(Column column, const MeasuredMetric* metric) {
    if (metric == nullptr || !has_total(*metric)) return;
    const double value = total_of(*metric);
    // Nothing spilled, no byte, no time worth a millisecond: a blank says that better. No row is news.
    const double least = metric->metric.unit == MetricUnit::Milliseconds ? kShortestTime : 1;
    if (column != Column::Rows && value < least) return;
    row_[column].text = value_text(metric->metric.unit, value);
    add_doubt(column, *metric);
  }

  // Of several tasks the sum says nothing: they take their memory one after the other, on many machines.
  void put_peak(const MeasuredMetric* metric) {
    if (metric == nullptr) return;
    const Summary& summary = metric->summary;
    const std::int64_t most = summary.has_spread() ? summary.max : summary.total;
    if (most <= 0) return;
    row_[Column::Peak].text = value_text(metric->metric.unit, in_unit(metric->metric.type, most));
  }

  void add_doubt(Column column, const MeasuredMetric& metric) {
    std::string text = doubt_text(metric);
    if (!text.empty()) row_[column].footnote = footnotes_.add(std::move(text));
  }

  const DrawnNode& drawn_;
  const metrics::TreeMetrics& measured_;
  const StageRegion& region_;
  Footnotes& footnotes_;
  std::vector<TimeMetric>& time_metrics_;
  MeasuredRow row_;
};

}  // namespace

std::string_view heading(Column column) {
  switch (column) {
    case Column::Rows: return "rows";
    case Column::Bytes: return "bytes";
    case Column::Time: return "time";
    case Column::Pipeline: return "pipeline";
    case Column::Spill: return "spill";
    case Column::Peak: return "peak";
    case Column::Spread: return "tasks min/med/max";
  }
  return "";
}

std::size_t Footnotes::add(std::string text) {
  const auto [known, is_new] = numbers_.try_emplace(text, texts_.size() + 1);
  if (is_new) texts_.push_back(std::move(text));
  return known->second;
}

MeasuredColumns measured_columns(const Drawing& drawing, const metrics::TreeMetrics& measured,
                                 const StageRegions& regions, Footnotes& footnotes) {
  MeasuredColumns columns;
  for (const DrawnNode& drawn : drawing.nodes) {
    const StageRegion& region = regions.regions[regions.of_node[index(drawn.node)]];
    columns.rows.push_back(RowMaker(drawn, measured, region, footnotes, columns.time_metrics).make());
  }
  return columns;
}

bool has_column(const MeasuredColumns& columns, Column column) {
  return std::ranges::any_of(columns.rows, [&](const MeasuredRow& row) { return !row[column].text.empty(); });
}

std::string measured_text(const metrics::Metric& metric, std::int64_t stored) {
  return value_text(metric.unit, in_unit(metric.type, stored));
}

}  // namespace planvet::render
