#include "rules/application.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "analyzer/report/finding_order.hpp"
#include "rules/rule.hpp"
#include "rules/run_rules.hpp"

namespace planvet::rules {
namespace {

struct Reader {
  DocumentReport* report;
  CacheRead* read;
};
using Readers = std::vector<Reader>;  // of one cache, in the order of the queries

// Jobs of RDDs that come later may read what they like.
bool may_be_read_by_rdds(const Readers& readers, const ApplicationRun& run) {
  return run.last_job_of_no_query && std::any_of(readers.begin(), readers.end(), [&](const Reader& reader) {
           return !reader.read->first_job || *reader.read->first_job <= *run.last_job_of_no_query;
         });
}

std::string queries_text(const Readers& readers) {
  constexpr std::size_t kMost = 5;
  std::vector<std::int64_t> numbers;
  for (const Reader& reader : readers) {
    const std::int64_t number = reader.report->document.execution_id.value_or(-1);
    if (numbers.empty() || numbers.back() != number) numbers.push_back(number);
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(numbers.size(), kMost); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : (i + 1 == numbers.size() ? " and " : ", "), numbers[i]);
  return numbers.size() > kMost ? fmt::format("{} and {} more", text, numbers.size() - kMost) : text;
}

std::size_t query_count(const Readers& readers) {
  std::set<const DocumentReport*> queries;
  for (const Reader& reader : readers) queries.insert(reader.report);
  return queries.size();
}

bool is_read_once(const Readers& readers) { return readers.size() == 1 && readers.front().read->reads_columns; }

bool has_one_filter(const Readers& readers) {
  const CacheRead& first = *readers.front().read;
  return first.is_source_pushable && query_count(readers) > 1 &&
         std::all_of(readers.begin(), readers.end(),
                     [&](const Reader& reader) { return reader.read->filter == first.filter; });
}

void report(const Readers& readers, const RuleSettings& settings) {
  CacheRead& first = *readers.front().read;
  Finding finding = first.finding;
  const bool is_once = readers.size() == 1;
  finding.message =
      is_once
          ? fmt::format(
                "no other query of the application reads {}, and this one once: filling the cache gained "
                "nothing",
                first.what)
          : fmt::format("queries {} read {}, each with the filter {}: the cache is filled with rows that nobody reads",
                        queries_text(readers), first.what, first.filter);
  finding.fix = is_once ? "do not cache what is read once: leave out `df.cache()`"
                        : "filter before the cache is filled: `df.where(condition).cache()`";
  finding.evidence.push_back(
      {"queries that read it", static_cast<double>(query_count(readers)), "count", EvidenceSource::Measured});
  if (const auto severity = severity_of(*finding.rule, settings)) finding.severity = *severity;
  std::vector<Finding>& findings = readers.front().report->findings;
  findings.push_back(std::move(finding));
  put_in_order(findings);
}

}  // namespace

void judge_application(std::span<DocumentReport> queries, const ApplicationRun& run, const RuleSettings& settings) {
  std::map<std::string_view, Readers> caches;
  for (DocumentReport& query : queries) {
    for (CacheRead& read : query.cache_reads) caches[read.cache].push_back({&query, &read});
  }
  for (const auto& [cache, readers] : caches) {
    const RuleInfo& rule = *readers.front().read->finding.rule;
    if (!run.is_whole || may_be_read_by_rdds(readers, run)) continue;
    for (const Reader& reader : readers)
      std::erase_if(reader.report->skipped, [&](const SkippedRule& skipped) { return skipped.rule == &rule; });
    const bool is_nested =
        std::any_of(readers.begin(), readers.end(), [](const Reader& reader) { return reader.read->is_nested; });
    if (is_nested || !is_enabled(rule, settings)) continue;
    if (is_read_once(readers) || has_one_filter(readers)) {
      Finding& finding = readers.front().read->finding;
      finding.reasons = {is_read_once(readers) ? "read-once" : "same-filter"};
      report(readers, settings);
    }
  }
}

}  // namespace planvet::rules
