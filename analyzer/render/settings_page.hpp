// `planvet check --show-settings`, and the schema by which editors complete and check planvet.toml.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analyzer/config/shown_settings.hpp"
#include "analyzer/report/rule_info.hpp"

namespace planvet::render {

[[nodiscard]] std::string settings_text(const std::vector<config::ShownSettings>& all);
[[nodiscard]] std::string settings_json(const std::vector<config::ShownSettings>& all);

// JSON Schema, draft 7. Made of the list that the parser uses (config/keys.def) and of the rules.
[[nodiscard]] std::string settings_schema(std::span<const RuleInfo* const> rules);

}  // namespace planvet::render
