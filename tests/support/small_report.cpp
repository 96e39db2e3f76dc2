#include "tests/support/small_report.hpp"

#include <memory>
#include <utility>

namespace planvet::test {

namespace {

constinit const RuleInfo kJoinRule{.code = "PV101",
                                   .name = "nested-loop-join",
                                   .severity = Severity::Warning,
                                   .summary = "Two inputs are joined by comparing every row with every row.",
                                   .why = "The work grows with the product of the inputs.",
                                   .fix = "Add an equality to the condition.",
                                   .bad = "== Physical Plan ==\nBroadcastNestedLoopJoin Inner\n",
                                   .good = "== Physical Plan ==\nSortMergeJoin [a#1], [b#2], Inner\n"};
constinit const RuleInfo kScanRule{.code = "PV201",
                                   .name = "unpushed-filter",
                                   .severity = Severity::Info,
                                   .summary = "A filter does not reach its source.",
                                   .why = "Rows are read and thrown away.",
                                   .fix = "Compare the column itself.",
                                   .bad = {},
                                   .good = {}};
constinit const RuleInfo kUnreadNote{.code = "PV904",
                                     .name = "unreadable-part",
                                     .severity = Severity::Info,
                                     .summary = "A part of the input could not be read.",
                                     .why = "Nobody judges it.",
                                     .fix = "Paste the whole output.",
                                     .bad = {},
                                     .good = {}};
constinit const RuleInfo kFinalNote{.code = "PV905",
                                    .name = "not-final-plan",
                                    .severity = Severity::Info,
                                    .summary = "The plan has not run.",
                                    .why = "Spark may still change it.",
                                    .fix = "Take the plan after the action.",
                                    .bad = {},
                                    .good = {}};

DocumentReport document(const std::string& path, std::string text) {
  DocumentReport report;
  report.document.source = std::make_shared<const Source>(std::make_shared<const SourceBytes>(path, std::move(text)));
  report.document.input = InputKind::ExplainFormatted;
  return report;
}

Span span_of(const DocumentReport& report, std::string_view words) {
  const auto begin = static_cast<std::uint32_t>(report.document.source->text().find(words));
  return {begin, begin + static_cast<std::uint32_t>(words.size())};
}

// On the operator that `words` name.
Finding& add_finding(DocumentReport& report, const RuleInfo& rule, Severity severity, std::string_view words,
                     std::string message) {
  Finding finding;
  finding.rule = &rule;
  finding.severity = severity;
  finding.span = span_of(report, words);
  finding.subject.kind = OperatorKind::BroadcastNestedLoopJoin;
  finding.subject.printed_name = words;
  finding.message = std::move(message);
  finding.fingerprint = "xxh128:" + std::string(31, '0') + std::to_string(report.findings.size() % 10);
  report.findings.push_back(std::move(finding));
  return report.findings.back();
}

constexpr std::string_view kPlan =
    "== Physical Plan ==\n"
    "AdaptiveSparkPlan (4)\n"
    "+- \xC3\xA4 BroadcastNestedLoopJoin Inner BuildRight (3)\n"
    "   :- Scan parquet shop.orders (1)\n"
    "   +- Scan parquet shop.rates (2)\n"
    "      .. gone ..\n";

}  // namespace

std::vector<const RuleInfo*> small_rules() { return {&kJoinRule, &kScanRule, &kUnreadNote, &kFinalNote}; }

Report clean_report() {
  Report report;
  report.inputs = 1;
  report.documents.push_back(document("plans/clean.txt", "== Physical Plan ==\nScan parquet shop.orders (1)\n"));
  return report;
}

Report small_report() {
  Report report = clean_report();
  report.inputs = 5;
  report.skipped_inputs = 1;

  DocumentReport daily = document("plans/daily.txt", std::string(kPlan));
  daily.document.is_complete = false;
  Finding& join = add_finding(daily, kJoinRule, Severity::Error, "BroadcastNestedLoopJoin",
                              "every row of shop.orders is compared with every row of shop.rates");
  join.subject.operator_id = 3;
  join.fix = "orders.join(rates, \"day\")";
  join.reasons = {"range-condition"};
  join.evidence = {{"rows of shop.rates", 2160, "rows", EvidenceSource::Runtime},
                   {"threshold", 10485760, "bytes", EvidenceSource::Plan}};
  join.related.push_back({std::nullopt, span_of(daily, "Scan parquet shop.rates"), "the side that is broadcast"});
  Finding& scan = add_finding(daily, kScanRule, Severity::Warning, "Scan parquet shop.orders",
                              "(upper(channel) = WEB) is not pushed to the scan of shop.orders");
  scan.fix = "spark.conf.set(\"spark.x\", \"1\")\norders.where(\"channel = 'WEB'\")";
  Finding& info = add_finding(daily, kScanRule, Severity::Info, "shop.rates", "shop.rates is read whole");
  info.fix = "read less of it: `SELECT a FROM t WHERE b_c = 'x'`, or ``a `b` c`` for @all";
  add_finding(daily, kScanRule, Severity::Warning, "shop.orders", "known since long").is_baseline = true;
  add_finding(daily, kJoinRule, Severity::Warning, "Inner", "accepted here").suppressed_by =
      "allow line: eleven rates, always";
  daily.notes.push_back({NoteKind::UnreadablePart, span_of(daily, ".. gone .."), "a line could not be read"});
  daily.notes.push_back({NoteKind::NotFinalPlan, span_of(daily, "AdaptiveSparkPlan"), "the plan has not run"});
  daily.allow_problems.push_back({span_of(daily, "(4)"), "nothing to accept here"});
  daily.skipped.push_back({&kScanRule, "needs sizes of join inputs"});
  daily.bill = {.shuffle = 1, .broadcast = 2};
  report.documents.push_back(std::move(daily));

  DocumentReport log = document("logs/app-1", "{\"Event\":\"SparkListenerLogStart\"}\n");
  log.document.input = InputKind::EventLog;
  log.document.title = "query 7: save at App.scala:88";
  log.document.execution_id = 7;
  Finding& run = add_finding(log, kJoinRule, Severity::Warning, "Event", "SortMergeJoin spilled 3 GiB");
  run.subject = {OperatorKind::SortMergeJoin, "SortMergeJoin", 14, FragmentRole::Final, {}, {}};
  report.documents.push_back(std::move(log));

  report.suppression_problems.push_back({{"planvet.toml", 3, 1}, "suppresses nothing"});
  report.stale_entries.push_back(
      {"planvet-baseline.json", "plans/gone.txt", "nested-loop-join", "SortMergeJoin", "xxh128:0", true});
  report.errors.push_back({"plans/missing.txt", "no such file or directory"});
  return report;
}

Report strange_report() {
  Report report;
  report.inputs = 2;
  const std::string operators = "Scan <a href=\"x\">&amp;|`b`\xFF\xC3(\x01\x1B[31m";
  DocumentReport plan = document("pl\xC3\xA4ns/50% #1,a:b\xFF\x01|`x`.txt", "== Physical Plan ==\n" + operators + "\n");
  plan.document.title = "]]> -- @everyone #12 \xFF";
  const std::string hostile =
      "name a|b `c` ``d`` *e* _f_ [g](http://h) {0} <script>alert(\"1\")</script> & ]]> -- @octocat #12 $x$ "
      "::error::no ##[error]no %0A 50%\r\n::set-output name=x::y\ttab \x01\x7F\x1B[31m \xFF\xC3( \xEF\xBF\xBF \\";
  Finding& finding = add_finding(plan, kJoinRule, Severity::Error, operators, hostile);
  finding.fix = hostile + "\n```\nfence\n````\n";
  finding.reasons = {hostile};
  finding.evidence = {{hostile, 0.5, "ratio", EvidenceSource::Estimated}};
  finding.related.push_back({std::nullopt, finding.span, hostile});
  finding.fingerprint.clear();
  Finding again = finding;
  plan.findings.push_back(again);
  Finding longer = again;
  longer.message = std::string(200000, 'x') + "\xC3\xA4";
  plan.findings.push_back(std::move(longer));
  plan.notes.push_back({NoteKind::UnreadablePart, plan.findings.front().span, hostile});
  plan.allow_problems.push_back({plan.findings.front().span, hostile});
  report.documents.push_back(std::move(plan));
  report.errors.push_back({"-", hostile});
  return report;
}

Report large_report(std::size_t of_each) {
  Report report;
  report.inputs = 1;
  DocumentReport plan = document("plans/large.txt", std::string(kPlan));
  for (std::size_t i = 0; i < of_each; ++i) {
    for (const Severity severity : {Severity::Info, Severity::Warning, Severity::Error}) {
      Finding& finding = add_finding(plan, kJoinRule, severity, "BroadcastNestedLoopJoin",
                                     "finding " + std::to_string(i) + " of this severity");
      finding.fix = "do something about it, and then something else that takes more words to say";
    }
  }
  report.documents.push_back(std::move(plan));
  return report;
}

}  // namespace planvet::test
