#include <array>

#include "rules/rule.hpp"

namespace planvet::rules {
namespace {

constinit const std::array kNotes = std::to_array<RuleInfo>({
    {.code = "PV901",
     .name = "truncated-plan",
     .severity = Severity::Info,
     .summary = "A rule wanted an attribute that the text holds only in part.",
     .why =
         "Spark cuts lists at 25 fields (`... 12 more fields`) and metadata at 100 characters. What is cut may be the "
         "filter that was pushed, so the rule stays silent and says so.",
     .fix = "Use df.explain(\"formatted\"), which hardly cuts, or raise spark.sql.debug.maxToStringFields and "
            "spark.sql.maxMetadataStringLength.",
     .bad = {},
     .good = {}},
    {.code = "PV902",
     .name = "incomplete-log",
     .severity = Severity::Info,
     .summary = "The event log is unfinished, compacted, or lost events.",
     .why = "Numbers from it are lower bounds, and a query without an end may still run.",
     .fix = "Read the log again after the application has ended.",
     .bad = {},
     .good = {}},
    {.code = "PV903",
     .name = "unknown-operator",
     .severity = Severity::Info,
     .summary = "An operator that planvet does not know stands in the plan.",
     .why = "It is kept in the tree, but no rule can judge it or see through it.",
     .fix = "Report the operator's name and the Spark version, so that it can be added.",
     .bad = {},
     .good = {}},
    {.code = "PV904",
     .name = "unreadable-part",
     .severity = Severity::Info,
     .summary = "A part of the input looks like a plan and could not be read.",
     .why = "Operators in it are judged by nobody: the plan is not clean, it is unread.",
     .fix = "Paste the whole output of explain, from the `== Physical Plan ==` line on.",
     .bad = {},
     .good = {}},
    {.code = "PV905",
     .name = "not-final-plan",
     .severity = Severity::Info,
     .summary = "The plan is adaptive and has not run.",
     .why = "Spark may still change join types, merge partitions, split skewed ones and reuse exchanges.",
     .fix = "To judge what really runs, take the plan after the query's action, or its event log.",
     .bad = {},
     .good = {}},
});

}  // namespace

std::span<const RuleInfo> note_catalogue() { return kNotes; }

}  // namespace planvet::rules
