// A plan text through reader and rules, as the program runs them, and the answer as text:
//
//   PV103 missed-broadcast warning 5:6 SortMergeJoin (10) [no-statistics]
//     message: SortMergeJoin shuffles ..
//     fix: ..
//     evidence: right side 3250585 bytes (runtime)
//     saves at most 4000 ms
//     related 14:1: ..
//   note PV905 1:1: ..
//   skipped PV103 missed-broadcast: needs ..
//   bill: 2 shuffles, 1 broadcast
//
// Lines above the plan say what is known beside it:
//
//   -- test: table shop.sales size=80 GiB; rows=1e9; partition-columns=dt,hour
//   -- test: option exchange-count max=3
//
// and what was measured of it: tests/support/measured_text.hpp.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "analyzer/facts/facts.hpp"
#include "analyzer/read/explain_text.hpp"
#include "analyzer/read/expression_reader.hpp"
#include "rules/run_rules.hpp"
#include "tests/support/measured_text.hpp"

namespace planvet::test {

struct KnownBeside {
  Facts facts;
  RuleSettings settings;
};

inline std::string_view take_word(std::string_view& rest, std::string_view separator) {
  const std::size_t end = rest.find(separator);
  const std::string_view word = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + separator.size());
  return word;
}

inline KnownBeside known_beside(std::string_view text) {
  KnownBeside known;
  while (!text.empty()) {
    std::string_view line = take_word(text, "\n");
    if (line.starts_with("-- test: table ")) {
      line.remove_prefix(15);
      TableFact table;
      table.name = take_word(line, " ");
      while (!line.empty()) {
        std::string_view value = take_word(line, "; ");
        const std::string_view key = take_word(value, "=");
        if (key == "size") table.size_bytes = parse_size(value);
        if (key == "rows") table.rows = std::stod(std::string(value));
        while (key == "partition-columns" && !value.empty()) {
          table.partition_columns.emplace_back(take_word(value, ","));
        }
        while (key == "bucket-columns" && !value.empty()) table.bucket_columns.emplace_back(take_word(value, ","));
      }
      known.facts.tables.push_back(table);
    } else if (line.starts_with("-- test: option ")) {
      line.remove_prefix(16);
      const std::string rule(take_word(line, " "));
      const std::string key(take_word(line, "="));
      known.settings.options[rule][key] = line;
    }
  }
  return known;
}

inline constexpr ExpressionParser kParser{parse_expression, parse_pushed_filters};

inline std::vector<DocumentReport> lint(std::string_view text, const KnownBeside& known) {
  const auto bytes = std::make_shared<const SourceBytes>("plan.txt", std::string(text));
  std::vector<DocumentReport> reports;
  const auto measured = measured_text(text);
  read::kExplainText.read(bytes, [&](PlanDocument&& document) {
    if (measured != nullptr) {
      document.metrics = measured;
      document.input = InputKind::EventLog;
    }
    reports.push_back(rules::run_rules(std::move(document), known.facts, known.settings, kParser));
  });
  return reports;
}

inline std::vector<DocumentReport> lint(std::string_view text) { return lint(text, known_beside(text)); }

inline std::string place(const DocumentReport& report, Span span) {
  const Position position = report.document.source->position(span.begin);
  return fmt::format("{}:{}", position.line, position.column);
}

inline std::string dump(const DocumentReport& report) {
  std::string out;
  for (const Finding& finding : report.findings) {
    out += fmt::format("{} {} {} {} {}", finding.rule->code, finding.rule->name, name(finding.severity),
                       place(report, finding.span), finding.subject.printed_name);
    if (finding.subject.operator_id) out += fmt::format(" ({})", *finding.subject.operator_id);
    std::string reasons;
    for (const std::string& reason : finding.reasons) reasons += (reasons.empty() ? "" : " ") + reason;
    if (!reasons.empty()) out += fmt::format(" [{}]", reasons);
    if (finding.suppressed_by) out += fmt::format(" suppressed by {}", *finding.suppressed_by);
    out += fmt::format("\n  message: {}\n  fix: {}\n", finding.message, finding.fix);
    for (const Evidence& evidence : finding.evidence) {
      out += fmt::format("  evidence: {} {:.0f} {} ({})\n", evidence.what, evidence.value, evidence.unit,
                         name(evidence.source));
    }
    if (finding.saving_upper_bound_ms)
      out += fmt::format("  saves at most {:.0f} ms\n", *finding.saving_upper_bound_ms);
    for (const RelatedPlace& related : finding.related) {
      out += fmt::format("  related {}: {}\n", place(report, related.span), related.message);
    }
  }
  for (const Note& note : report.notes) {
    out += fmt::format("note {} {}: {}\n", code(note.kind), place(report, note.span), note.message);
  }
  for (const SkippedRule& skipped : report.skipped) {
    out += fmt::format("skipped {} {}: {}\n", skipped.rule->code, skipped.rule->name, skipped.reason);
  }
  out +=
      fmt::format("bill: {} shuffle, {} broadcast, {} reused, {} in cached plans, {} asked for\n", report.bill.shuffle,
                  report.bill.broadcast, report.bill.reused, report.bill.in_cached_plans, report.bill.user_requested);
  return out;
}

inline std::string dump(const std::vector<DocumentReport>& reports) {
  std::string out;
  for (const DocumentReport& report : reports) out += dump(report);
  return out;
}

}  // namespace planvet::test
