// What an event log measured of a plan's operators, as rules ask for it: rows and bytes that flow out of each, the
// stages that computed it, how long those ran.
//
//   region 0   HashAggregate              stages {5}      operators that run in the same tasks
//                Exchange ------------+
//   region 1       HashAggregate      |   stages {4}      the exchange that writes its rows belongs to it
//                    Scan sales  -----+
//
// Counted are results, one for each partition (analyzer/metrics/overlay.hpp). Where a part of them is missing a number
// is no more than a lower bound: the log ended or lost events, a stage failed or was cancelled. Where an input
// was computed several times the numbers of it are upper bounds: below a sort by range, once to choose the ranges, and
// below a Cartesian product, once for each partition of the other side.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyzer/facts/quantity.hpp"
#include "analyzer/metrics/overlay.hpp"
#include "analyzer/plan/plan_tree.hpp"

namespace planvet {

class Measured {
 public:
  // Both must outlive this. `plan` is the one that `metrics.judged` is of.
  Measured(const metrics::DocumentMetrics& metrics, const PlanTree& plan);

  // One metric of one operator; null: nothing updated it, which is not 0.
  [[nodiscard]] const metrics::MeasuredMetric* find(NodeId node, metrics::MetricKey key) const {
    return metrics_->judged.find(node, key);
  }
  // Its total in base units: rows, bytes, milliseconds.
  [[nodiscard]] std::optional<double> total(NodeId node, metrics::MetricKey key) const;
  // The total as what it proves: a lower bound where results are missing.
  [[nodiscard]] std::optional<Quantity> quantity(NodeId node, metrics::MetricKey key) const;

  // That flow out of this very operator. An exchange is asked for what it wrote: what is read of it counts a partition
  // once for each of its readers.
  [[nodiscard]] std::optional<Quantity> rows(NodeId node) const;
  // Rows of an exchange, uncompressed. Hash tables that are broadcast are pages, no data: nothing.
  [[nodiscard]] std::optional<Quantity> bytes(NodeId node) const;
  // The same of the nearest operators below that change neither, or only lower them.
  [[nodiscard]] std::optional<Quantity> rows_out(NodeId node) const;
  [[nodiscard]] std::optional<Quantity> bytes_out(NodeId node) const;
  // What a scan read: its files, or what its stage read where nothing else reads there and that is less.
  // `counts_pages`: its stage counts all bytes. Spark 4 has the pages of Parquet read by threads that it does not look at:
  // it counts the same few bytes whatever columns are read. Then the files are an upper bound.
  [[nodiscard]] std::optional<Quantity> scan_bytes(NodeId scan, bool counts_pages = true) const;

  // The stages whose tasks ran this operator, rising; of an exchange also those that read it.
  [[nodiscard]] std::vector<std::int32_t> stages(NodeId node) const;
  // As above, without those that only read an exchange.
  [[nodiscard]] const std::vector<std::int32_t>& writing_stages(NodeId node) const;
  // Wall time in which any of these stages ran. Nothing: none ran, or one has no end.
  [[nodiscard]] std::optional<double> wall_ms(std::span<const std::int32_t> stages) const;
  // Tasks of the last attempt of the operator's stage; nothing where several stages run it.
  [[nodiscard]] std::optional<std::int32_t> tasks(NodeId node) const;

  // Why numbers of this operator and those that run with it may not be what they seem.
  [[nodiscard]] metrics::Trust trust(NodeId node) const;
  // It ended well: what did not run then did not have to.
  [[nodiscard]] bool has_succeeded() const { return has_succeeded_; }
  [[nodiscard]] const metrics::ExecutionRun& run() const { return metrics_->run; }

 private:
  struct Region {
    std::vector<std::int32_t> stages;
    std::vector<NodeId> scans;  // and reads of caches: whoever reads bytes
    metrics::Trust trust;
    bool is_complete = true;  // every stage ended well
    bool is_sampled = false;  // for a sort by range: computed twice
    bool has_rows = false;    // some operator put out rows
  };
  void find_regions();
  [[nodiscard]] const Region& region(NodeId node) const { return regions_[region_of_[index(node)]]; }
  [[nodiscard]] std::optional<Quantity> absent_rows(NodeId node) const;
  template <typename Of>
  [[nodiscard]] std::optional<Quantity> below(NodeId node, Of of, bool is_bytes) const;

  const metrics::DocumentMetrics* metrics_;
  const PlanTree* plan_;
  bool has_succeeded_ = false;
  std::vector<std::uint32_t> region_of_;  // by node
  std::vector<Region> regions_;
};

}  // namespace planvet
