#include <fmt/core.h>

#include "rules/exchange_bill.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"
#include "rules/rule.hpp"

namespace planvet::rules {
namespace {

constexpr RuleOption kOptions[] = {{"max", "10", "shuffle exchanges that a query may have"}};

void check(const PlanContext& context, Reporter& reporter) {
  const double max = context.options().number("max");
  const ExchangeBill bill = exchange_bill(context);
  if (bill.shuffle <= max) return;
  Finding& finding = reporter.report(context.plan().node(NodeId{0}), Severity::Warning,
                                     fmt::format("the query shuffles {} times, its budget is {}", bill.shuffle, max));
  finding.evidence.push_back({"shuffle exchanges", static_cast<double>(bill.shuffle), "count", EvidenceSource::Plan});
}

}  // namespace

extern constinit const Rule kExchangeCount{
    .info = {.code = "PV301",
             .name = "exchange-count",
             .severity = Severity::Warning,
             .summary = "The query shuffles more often than its budget allows.",
             .why = "Every shuffle writes, sends and reads its whole input.",
             .fix = "Aggregate before joining, join tables on the same key one after another, broadcast small sides.",
             .bad = {},
             .good = {},
             .options = kOptions},
    .check = check};

}  // namespace planvet::rules
