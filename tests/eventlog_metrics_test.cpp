// Metric values by Spark's rules: numbers as texts, summaries, names and keys.
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "analyzer/metrics/metric.hpp"
#include "analyzer/metrics/overlay.hpp"
#include "analyzer/metrics/spark_number.hpp"
#include "analyzer/metrics/summary.hpp"
#include "analyzer/metrics/trust.hpp"

namespace planvet::metrics {
namespace {

constexpr std::int64_t kKiB = 1024;
constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

struct Printed {
  std::int64_t value;
  const char* text;
};

TEST(SparkNumbers, Counts) {
  for (const auto& [value, text] :
       {Printed{0, "0"}, Printed{999, "999"}, Printed{1000, "1,000"}, Printed{60000, "60,000"},
        Printed{-1234567, "-1,234,567"}, Printed{kLargest, "9,223,372,036,854,775,807"}}) {
    EXPECT_EQ(spark_count(value), text);
  }
}

TEST(SparkNumbers, Averages) {
  for (const auto& [value, text] :
       {Printed{0, "0"}, Printed{10, "1"}, Printed{11, "1.1"}, Printed{12345678, "1,234,567.8"}, Printed{-5, "-0.5"}}) {
    EXPECT_EQ(spark_tenths(value), text);
  }
}

// Seen: '0.0 B', '1325.0 B', '1406.3 KiB', '2.7 MiB'. A unit begins at two of it; rounding is half up, and exact.
TEST(SparkNumbers, Sizes) {
  for (const auto& [value, text] :
       {Printed{0, "0.0 B"}, Printed{1325, "1325.0 B"}, Printed{2047, "2047.0 B"}, Printed{2048, "2.0 KiB"},
        Printed{2099, "2.0 KiB"}, Printed{2100, "2.1 KiB"}, Printed{1440000, "1406.3 KiB"},
        Printed{2048 * kKiB - 1, "2048.0 KiB"}, Printed{2048 * kKiB, "2.0 MiB"}, Printed{2831155, "2.7 MiB"},
        Printed{std::int64_t{1} << 60U, "1024.0 PiB"}, Printed{kLargest, "8.0 EiB"}, Printed{-1, "-1.0 B"}}) {
    EXPECT_EQ(spark_size(value), text) << value;
  }
}

// Floats are printed by their shortest digits and rounded half up: 1250 ms is 1.3 s.
TEST(SparkNumbers, Durations) {
  for (const auto& [value, text] :
       {Printed{0, "0 ms"}, Printed{999, "999 ms"}, Printed{1000, "1.0 s"}, Printed{1250, "1.3 s"},
        Printed{1249, "1.2 s"}, Printed{59999, "60.0 s"}, Printed{60000, "1.0 m"}, Printed{3599999, "60.0 m"},
        Printed{3600000, "1.00 h"}, Printed{4500000, "1.25 h"}, Printed{-5, "-5 ms"}}) {
    EXPECT_EQ(spark_duration(value), text) << value;
  }
}

struct SummaryCase {
  MetricType type;
  std::vector<std::int64_t> values;
  const char* text;
};

TEST(Summaries, AreTextsOfSpark) {
  const TaskPlace place{2, 0, 3};
  for (SummaryCase row : {
           SummaryCase{MetricType::Sum, {20000, 40000, 0}, "60,000"},
           SummaryCase{MetricType::Sum, {-1}, "-1"},
           SummaryCase{MetricType::Timing, {13}, "13 ms"},
           // The median of two is the larger one; below zero is not set.
           SummaryCase{MetricType::Timing,
                       {483, 439, -1},
                       "total (min, med, max (stageId: taskId))\n922 ms (439 ms, 483 ms, 483 ms (stage 2.0: task 3))"},
           SummaryCase{MetricType::NsTiming,
                       {1999999, 0},
                       "total (min, med, max (stageId: taskId))\n1 ms (0 ms, 1 ms, 1 ms (stage 2.0: task 3))"},
           SummaryCase{MetricType::Size, {-1, -1}, "0.0 B"},
           SummaryCase{
               MetricType::Size,
               {0, 1024, 4096},
               "total (min, med, max (stageId: taskId))\n5.0 KiB (0.0 B, 1024.0 B, 4.0 KiB (stage 2.0: task 3))"},
           // Averages leave out zeros, and have no total.
           SummaryCase{MetricType::Average, {11, 0}, "1.1"},
           SummaryCase{MetricType::Average,
                       {10, 12, 0},
                       "(min, med, max (stageId: taskId)):\n(1, 1.2, 1.2 (stage 2.0: task 3))"},
           SummaryCase{MetricType::Custom, {5}, "N/A"},
       }) {
    EXPECT_EQ(spark_text(row.type, summarize(row.type, row.values, place)), row.text);
  }
  std::vector<std::int64_t> of_driver{1, 2};
  EXPECT_EQ(spark_text(MetricType::Timing, summarize(MetricType::Timing, of_driver, std::nullopt)),
            "total (min, med, max (stageId: taskId))\n3 ms (1 ms, 2 ms, 2 ms (driver))");
}

// Tasks that said nothing take no room: as many values of 0 come out the same.
TEST(Summaries, ZerosThatAreOnlyCounted) {
  const std::vector<std::vector<std::int64_t>> values{{5}, {-7}, {0}, {3, 9, 1}, {-3, -9, 4}, {-1, 2, -2, 8, 0}};
  for (const MetricType type :
       {MetricType::Sum, MetricType::Size, MetricType::Timing, MetricType::NsTiming, MetricType::Average}) {
    for (const std::vector<std::int64_t>& some : values) {
      for (const std::size_t zeros : {1U, 2U, 3U, 4U, 9U}) {
        std::vector<std::int64_t> counted = some;
        std::vector<std::int64_t> listed = some;
        listed.resize(some.size() + zeros);
        const std::optional<TaskPlace> place;
        EXPECT_EQ(summarize(type, counted, place, zeros), summarize(type, listed, place)) << zeros;
      }
    }
  }
}

TEST(Summaries, WrapAroundAsJavasDo) {
  std::vector<std::int64_t> values{kLargest, 1};
  EXPECT_EQ(summarize(MetricType::Sum, values, std::nullopt).total, std::numeric_limits<std::int64_t>::min());
}

TEST(MetricNames, HaveKeysAndUnits) {
  const Metric rows = make_metric("number of output rows", "sum");
  EXPECT_EQ(rows.key, MetricKey::OutputRows);
  EXPECT_EQ(json_key(rows), "output_rows");
  EXPECT_EQ(name(rows.unit), "rows");
  const Metric written = make_metric("shuffle write time", "nsTiming");
  EXPECT_EQ(written.key, MetricKey::ShuffleWriteTime);
  EXPECT_EQ(in_unit(written.type, 1500000), 1.5);
  // The unit is in the name, the type is a sum.
  EXPECT_EQ(make_metric("data size (bytes)", "sum").unit, MetricUnit::Bytes);
  EXPECT_EQ(make_metric("time to collect (ms)", "sum").unit, MetricUnit::Milliseconds);
  // What is not listed.
  const Metric other = make_metric("Number of row groups pruned by bloom filters", "sum");
  EXPECT_EQ(other.key, MetricKey::Other);
  EXPECT_EQ(json_key(other), "number_of_row_groups_pruned_by_bloom_filters");
  EXPECT_EQ(make_metric("some size", "size").unit, MetricUnit::Bytes);
  // The type's unit wins over the list's.
  EXPECT_EQ(make_metric("data size", "timing").key, MetricKey::Other);
  EXPECT_EQ(make_metric("x", "v2Custom_org.apache.X").type, MetricType::Custom);
}

TEST(MetricNames, AreListedOnce) {
  std::set<std::string> seen;
#define PLANVET_METRIC(key, json_key, unit, names) EXPECT_TRUE(seen.insert(json_key).second) << json_key;
#include "analyzer/metrics/metrics.def"
}

TEST(Overlays, AreAskedByNode) {
  TreeMetrics overlay;
  MeasuredMetric rows;
  rows.metric = make_metric("number of output rows", "sum");
  const std::vector<std::int32_t> stages{4, 7};
  overlay.add(NodeId{2}, {rows}, stages);
  EXPECT_TRUE(overlay.of(NodeId{1}).empty());
  EXPECT_EQ(overlay.of(NodeId{2}).size(), 1U);
  EXPECT_EQ(overlay.stages(NodeId{2}).size(), 2U);
  EXPECT_NE(overlay.find(NodeId{2}, MetricKey::OutputRows), nullptr);
  EXPECT_EQ(overlay.find(NodeId{2}, MetricKey::SpillSize), nullptr);
}

TEST(Trusts, AreSetsOfReasons) {
  Trust trust;
  EXPECT_TRUE(trust.is_exact());
  trust.add(Doubt::IncompleteLog);
  trust.add(Doubt::RetriedTasks);
  ASSERT_EQ(trust.doubts().size(), 2U);
  EXPECT_EQ(name(trust.doubts()[0]), "retried-tasks");
  EXPECT_EQ(name(trust.doubts()[1]), "incomplete-log");
}

}  // namespace
}  // namespace planvet::metrics
