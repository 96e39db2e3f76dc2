// Which queries of an input are shown. Reports that are not are gone as soon as that is known: applications that stream
// have thousands of queries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/cli/options.hpp"
#include "analyzer/render/query_summary.hpp"
#include "analyzer/report/fingerprint.hpp"
#include "analyzer/report/report.hpp"
#include "analyzer/report/rule_settings.hpp"
#include "rules/application.hpp"

namespace planvet::cli {

class AnnotateSelection {
 public:
  using Show = std::function<void(const DocumentReport&)>;

  // `is_whole`: without a choice, every query is shown; else the slowest.
  // `path`: the input's for fingerprints (ProjectPaths).
  AnnotateSelection(const AnnotateOptions& options, bool is_whole, std::string path, Show show);

  // In the order in which queries end. Those that are shown whatever comes are shown soon: in order of their numbers,
  // as far as a few of them can be held back for that.
  void add(DocumentReport&& report);
  // All are there. What is found only by looking at all queries of an application is added to those that nobody saw yet;
  // `accept` marks what is accepted of it.
  void judge_together(const rules::ApplicationRun& run, const RuleSettings& settings,
                      const std::function<void(DocumentReport&)>& accept);
  void finish();

  // Of the list: those that --failed and --sql leave, by number.
  [[nodiscard]] std::vector<render::QuerySummary> summaries();
  // Shown right away, before the list can be known?
  [[nodiscard]] bool is_streaming() const { return !slowest_; }
  [[nodiscard]] std::size_t queries() const { return queries_; }
  [[nodiscard]] std::size_t failed() const { return failed_; }
  [[nodiscard]] std::size_t running() const { return running_; }
  [[nodiscard]] bool has_gaps() const { return has_gaps_; }  // something of a query is lost
  // Numbers that --sql names and no query has.
  [[nodiscard]] std::vector<std::int64_t> missing() const;
  // The least and the largest number of a query; nothing where there is none.
  [[nodiscard]] std::optional<std::pair<std::int64_t, std::int64_t>> numbers() const { return numbers_; }

 private:
  using Number = std::pair<std::int64_t, std::size_t>;  // of the query, and in order of arrival

  // A query that reads caches, without its plan.
  struct CacheReader {
    DocumentReport report;
    std::optional<std::size_t> summary;  // in summaries_; nothing: of no interest, or shown already
  };

  [[nodiscard]] bool wants(const render::QuerySummary& summary) const;
  void show_first();
  void number_findings(const Number& last);

  const AnnotateOptions& options_;
  Show show_;
  bool shows_none_ = false;
  std::optional<std::size_t> slowest_;
  std::map<Number, DocumentReport> kept_;
  std::map<std::pair<std::int64_t, Number>, Number> by_duration_;  // of the kept ones, the shortest first
  std::vector<render::QuerySummary> summaries_;
  std::map<Number, CacheReader> cache_readers_;
  Fingerprints fingerprints_;
  std::map<Number, std::vector<std::string>> contexts_;  // of findings that have no number yet
  bool has_gaps_ = false;
  std::vector<bool> found_;  // of options_.queries
  std::optional<std::pair<std::int64_t, std::int64_t>> numbers_;
  std::size_t arrived_ = 0;
  std::size_t queries_ = 0;
  std::size_t failed_ = 0;
  std::size_t running_ = 0;
};

}  // namespace planvet::cli
