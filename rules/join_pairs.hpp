// What a join without an equality has to compare: how many pairs of rows, and why there is no equality.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/plan/views.hpp"
#include "analyzer/report/finding.hpp"
#include "rules/plan_context.hpp"
#include "rules/reporter.hpp"

namespace planvet::rules {

// Thresholds that PV101 and PV102 share, as options of both.
struct PairLimits {
  double small_rows;  // a side with so few rows is no problem
  double warning_pairs;
  double error_pairs;
};

struct PairVerdict {
  Severity severity = Severity::Warning;
  std::vector<Evidence> evidence;  // the rows of both sides, where known
  std::string numbers;             // "40,000 x 1,500 rows: 60.0 million pairs"; empty where unknown
};

// Nothing: harmless, because a side is a handful of rows or the pairs are few.
[[nodiscard]] std::optional<PairVerdict> judge_pairs(const PlanContext& context, const Join& join,
                                                     const PairLimits& limits);

// Would something be harmless that this text does not show? The kind of the join, or the keys of an aggregate (one row if
// it has none) on a side.
[[nodiscard]] bool lacks_details(const PlanContext& context, const Join& join);
inline constexpr std::string_view kLacksDetails = "needs the details of the operators, which this text leaves out";

enum class PairingCause : std::uint8_t {
  NoCondition,
  UdfCondition,         // the condition is a Python UDF in a Filter above
  OrAcrossKeys,         // a.k = b.k OR a.l = b.l
  FunctionOfBothSides,  // abs(a.x - b.x) = 0, startswith(a.s, b.s)
  NotEqual,
  RangeOnly,
  Hint,     // there is an equality, so a hint asked for this join
  Unknown,  // cut or unreadable
};
[[nodiscard]] std::string_view slug(PairingCause cause);  // "or-across-keys"

struct PairingCauses {
  std::vector<PairingCause> all;  // the first is the one that is named
  std::string because;            // "sales.qty > promotion.low has ranges and no equality"
  std::string fix;
};

[[nodiscard]] PairingCauses pairing_causes(const PlanContext& context, const Join& join);

inline constexpr RuleOption kPairOptions[] = {
    {"small-rows", "1000", "a side with at most so many rows is no problem"},
    {"warning-pairs", "1000000", "pairs of rows from which on it is a warning, where the rows of both sides are known"},
    {"error-pairs", "1000000000", "measured pairs of rows from which on it is an error"},
};

// The check of the rules about joins that pair everything, with kPairOptions: "every <unit> of sales <verb> every <unit>
// of promotion: .."
void check_pairs(const PlanContext& context, Reporter& reporter, OperatorKind kind, std::string_view unit,
                 std::string_view verb);

}  // namespace planvet::rules
