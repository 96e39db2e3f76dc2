// Which queries of an input are shown. Reports that are not are gone as soon as that is known: applications that stream
// have thousands of queries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "analyzer/cli/options.hpp"
#include "analyzer/render/query_summary.hpp"
#include "analyzer/report/report.hpp"

namespace planvet::cli {

class AnnotateSelection {
 public:
  using Show = std::function<void(const DocumentReport&)>;

  // `is_whole`: without a choice, every query is shown; else the slowest.
  AnnotateSelection(const AnnotateOptions& options, bool is_whole, Show show);

  // In the order in which queries end. Those that are shown whatever comes are shown soon: in order of their numbers,
  // as far as a few of them can be held back for that.
  void add(DocumentReport&& report);
  void finish();

  // Of the list: those that --failed and --sql leave, by number.
  [[nodiscard]] std::vector<render::QuerySummary> summaries();
  // Shown right away, before the list can be known?
  [[nodiscard]] bool is_streaming() const { return !slowest_; }
  [[nodiscard]] std::size_t queries() const { return queries_; }
  [[nodiscard]] std::size_t failed() const { return failed_; }
  [[nodiscard]] std::size_t running() const { return running_; }
  [[nodiscard]] std::size_t shown() const { return shown_; }
  // Numbers that --sql names and no query has.
  [[nodiscard]] std::vector<std::int64_t> missing() const;
  // The least and the largest number of a query; nothing where there is none.
  [[nodiscard]] std::optional<std::pair<std::int64_t, std::int64_t>> numbers() const { return numbers_; }

 private:
  using Number = std::pair<std::int64_t, std::size_t>;  // of the query, and in order of arrival

  [[nodiscard]] bool wants(const render::QuerySummary& summary) const;
  void show_first();

  const AnnotateOptions& options_;
  Show show_;
  bool shows_none_ = false;
  std::optional<std::size_t> slowest_;
  std::map<Number, DocumentReport> kept_;
  std::map<std::pair<std::int64_t, Number>, Number> by_duration_;  // of the kept ones, the shortest first
  std::vector<render::QuerySummary> summaries_;
  std::vector<bool> found_;  // of options_.queries
  std::optional<std::pair<std::int64_t, std::int64_t>> numbers_;
  std::size_t arrived_ = 0;
  std::size_t queries_ = 0;
  std::size_t failed_ = 0;
  std::size_t running_ = 0;
  std::size_t shown_ = 0;
};

}  // namespace planvet::cli
