// The list of rules and the page of one, for terminals, web pages and programs.
#pragma once

#include <span>
#include <string>

#include "analyzer/render/style.hpp"
#include "analyzer/report/rule_info.hpp"

namespace planvet::render {

using RuleList = std::span<const RuleInfo* const>;

[[nodiscard]] std::string rule_list_text(RuleList rules, const Style& style);
[[nodiscard]] std::string rule_list_markdown(RuleList rules);
[[nodiscard]] std::string rule_list_json(RuleList rules);

[[nodiscard]] std::string rule_page_text(const RuleInfo& rule, const Style& style);
[[nodiscard]] std::string rule_page_markdown(const RuleInfo& rule);
[[nodiscard]] std::string rule_page_json(const RuleInfo& rule);

}  // namespace planvet::render
