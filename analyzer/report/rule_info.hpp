// What is known of a rule without running it: the one initialiser from which `planvet rule`, SARIF, the rule pages and
// the rule's first test are made.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace planvet {

enum class Severity : std::uint8_t { Info, Warning, Error };
[[nodiscard]] std::string_view name(Severity severity);  // "info", "warning", "error"

// A number (or word) of a rule that the configuration can set: `[rules.<rule>] <name> = value`.
struct RuleOption {
  std::string_view name;           // "max"
  std::string_view default_value;  // as in the configuration: "10", "10 MiB", "true"
  std::string_view description;    // one line
};

struct RuleInfo {
  std::string_view code;                  // "PV103"; never changes meaning
  std::string_view name;                  // "missed-broadcast"; fits "allow <name>"
  Severity severity = Severity::Warning;  // of its usual finding
  std::string_view summary;               // one sentence
  std::string_view why;                   // why it matters
  std::string_view fix;                   // what to do in general
  std::string_view bad;                   // a plan that the rule reports exactly once
  std::string_view good;                  // the same query in better shape: never reported
  std::string_view limits = {};           // what it cannot see; empty: nothing known
  std::string_view needs = {};            // evidence without which it is skipped: "sizes of the join's inputs"
  std::span<const RuleOption> options = {};
  bool needs_event_log = false;  // plans alone, `bad` too, are skipped and counted
};

}  // namespace planvet
