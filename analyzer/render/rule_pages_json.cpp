#include <nlohmann/json.hpp>

#include "analyzer/render/json.hpp"
#include "analyzer/render/rule_pages.hpp"

namespace planvet::render {

namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(std::string_view text) { return text.empty() ? Json(nullptr) : Json(text); }

Json rule_json(const RuleInfo& rule) {
  Json json;
  json["code"] = rule.code;
  json["name"] = rule.name;
  json["severity"] = name(rule.severity);
  json["summary"] = rule.summary;
  json["why"] = text_or_null(rule.why);
  json["fix"] = text_or_null(rule.fix);
  json["bad"] = text_or_null(rule.bad);
  json["good"] = text_or_null(rule.good);
  json["limits"] = text_or_null(rule.limits);
  json["needs"] = text_or_null(rule.needs);
  Json options = Json::array();
  for (const RuleOption& option : rule.options) {
    Json entry;
    entry["option"] = option.name;
    entry["default"] = option.default_value;
    entry["description"] = option.description;
    options.push_back(std::move(entry));
  }
  json["options"] = std::move(options);
  return json;
}

}  // namespace

std::string rule_list_json(RuleList rules) {
  Json list = Json::array();
  for (const RuleInfo* rule : rules) list.push_back(rule_json(*rule));
  Json json;
  json["schema_version"] = kSchemaVersion;
  json["rules"] = std::move(list);
  return json.dump(2) + '\n';
}

std::string rule_page_json(const RuleInfo& rule) {
  Json json = rule_json(rule);
  return json.dump(2) + '\n';
}

}  // namespace planvet::render
