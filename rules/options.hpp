// The numbers of one rule: the user's where given, else the defaults of its RuleInfo. Asking for an option that the
// rule does not list is a bug of the rule, and asserts.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "analyzer/report/rule_info.hpp"

namespace planvet::rules {

class Options {
 public:
  using Values = std::map<std::string, std::string>;

  Options() = default;
  Options(const RuleInfo& rule, const Values* values) : rule_(&rule), values_(values) {}

  [[nodiscard]] std::string_view text(std::string_view name) const;
  [[nodiscard]] double number(std::string_view name) const;
  [[nodiscard]] double bytes(std::string_view name) const;  // "10 MiB"

 private:
  const RuleInfo* rule_ = nullptr;
  const Values* values_ = nullptr;
};

// Is this value good for that option, judged by the form of its default? Empty: yes; else what was expected.
[[nodiscard]] std::string_view expected_form(const RuleOption& option, std::string_view value);

}  // namespace planvet::rules
