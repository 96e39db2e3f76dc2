// What the user wants of the rules: which of them run, how loud they are, and the numbers in them. Made from
// planvet.toml and the command line, which check nothing: rules::check_settings() does.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analyzer/report/rule_info.hpp"

namespace planvet {

struct RuleSettings {
  // Rule names, codes, beginnings of codes ("PV1") or "all". An exact name or code wins over a beginning, the longest
  // beginning over shorter ones, and `ignore` over an equal `select`.
  std::vector<std::string> select;  // empty: all
  std::vector<std::string> ignore;
  std::map<std::string, Severity> severity;                           // by name or code: every finding gets it
  std::map<std::string, std::map<std::string, std::string>> options;  // [rules.<name>] key = value, as text
};

}  // namespace planvet
