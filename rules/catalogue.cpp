#include <array>

#include "rules/rule.hpp"

namespace planvet::rules {

#define PLANVET_RULE(name) extern constinit const Rule k##name;
#include "rules/rules.def"

namespace {

constinit const std::array kRules = {
#define PLANVET_RULE(name) &k##name,
#include "rules/rules.def"
};

}  // namespace

std::span<const Rule* const> catalogue() { return kRules; }

const Rule* find_rule(std::string_view name_or_code) {
  for (const Rule* rule : kRules) {
    if (rule->info.name == name_or_code || rule->info.code == name_or_code) return rule;
  }
  return nullptr;
}

const RuleInfo* find_info(std::string_view name_or_code) {
  if (const Rule* rule = find_rule(name_or_code)) return &rule->info;
  for (const RuleInfo& note : note_catalogue()) {
    if (note.name == name_or_code || note.code == name_or_code) return &note;
  }
  return nullptr;
}

std::vector<const RuleInfo*> all_infos() {
  std::vector<const RuleInfo*> infos;
  for (const Rule* rule : kRules) infos.push_back(&rule->info);
  for (const RuleInfo& note : note_catalogue()) infos.push_back(&note);
  return infos;
}

}  // namespace planvet::rules
