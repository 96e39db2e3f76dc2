// The JSON Schema of planvet.toml.
#include <charconv>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <nlohmann/json.hpp>

#include "analyzer/config/keys.hpp"
#include "analyzer/plan/operator.hpp"
#include "analyzer/render/settings_page.hpp"

namespace planvet::render {

namespace {

using Json = nlohmann::ordered_json;
using config::KeyInfo;
using config::ValueShape;

bool is_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

class Schema {
 public:
  explicit Schema(std::span<const RuleInfo* const> rules) : rules_(rules) {}

  [[nodiscard]] Json object(config::Section section) const {
    Json properties = Json::object();
    Json required = Json::array();
    for (const KeyInfo& key : config::key_table()) {
      if ((key.sections & section) == 0) continue;
      Json value = shape(key.shape);
      value["description"] = key.description;
      properties[std::string(key.name)] = std::move(value);
      if (is_required(key.shape)) required.push_back(key.name);
    }
    Json json;
    json["type"] = "object";
    json["additionalProperties"] = false;
    if (!required.empty()) json["required"] = std::move(required);
    json["properties"] = std::move(properties);
    return json;
  }

  [[nodiscard]] Json definitions() const {
    Json names = Json::array();
    Json codes = Json::array();
    for (const RuleInfo* rule : rules_) {
      names.push_back(rule->name);
      codes.push_back(rule->code);
    }
    Json either = Json::array();
    for (const Json* list : {&names, &codes}) either.insert(either.end(), list->begin(), list->end());
    Json json;
    json["rule"] = {{"enum", either}};
    json["rules"] = {{"type", "array"},
                     {"items",
                      {{"anyOf", Json::array({{{"$ref", "#/definitions/rule"}},
                                              {{"enum", Json::array({"all"})}},
                                              {{"type", "string"}, {"pattern", "^PV[0-9]*$"}}})}}}};
    json["patterns"] = {
        {"anyOf", Json::array({{{"type", "string"}}, {{"type", "array"}, {"items", {{"type", "string"}}}}})}};
    return json;
  }

 private:
  [[nodiscard]] Json shape(ValueShape shape) const {
    const Json text = {{"type", "string"}, {"pattern", "\\S"}};
    switch (shape) {
      case ValueShape::Rules: return {{"$ref", "#/definitions/rules"}};
      case ValueShape::FailOn: return {{"enum", Json::array({"error", "warning", "info", "never"})}};
      case ValueShape::Severities: return severities();
      case ValueShape::RuleOptions: return rule_options();
      case ValueShape::Tables:
        // `[tables.db.orders]` without quotes is a table inside a table.
        return {
            {"type", "object"},
            {"additionalProperties",
             {{"anyOf",
               Json::array(
                   {object(config::kTable),
                    {{"type", "object"}, {"minProperties", 1}, {"additionalProperties", {{"type", "object"}}}}})}}}};
      case ValueShape::SparkFacts: return object(config::kSpark);
      // `spark.a = 1` is a table inside a table, `"spark.a" = 1` is not.
      case ValueShape::Conf:
        return {{"type", "object"},
                {"additionalProperties", false},
                {"patternProperties", {{"^spark(\\.|$)", Json::object()}}}};
      case ValueShape::Version: return {{"type", "string"}, {"pattern", "^[0-9]+\\.[0-9]+"}};
      case ValueShape::Overrides: return {{"type", "array"}, {"items", object(config::kOverride)}};
      case ValueShape::Suppressions: return {{"type", "array"}, {"items", object(config::kSuppression)}};
      case ValueShape::Path:
      case ValueShape::Text:
      case ValueShape::RequiredText: return text;
      case ValueShape::Patterns:
      case ValueShape::RequiredPatterns: return {{"$ref", "#/definitions/patterns"}};
      case ValueShape::RequiredRule: return {{"$ref", "#/definitions/rule"}};
      case ValueShape::Operator: return operators();
      case ValueShape::Texts: return {{"type", "array"}, {"items", {{"type", "string"}}}};
      case ValueShape::Date:
        return {{"type", "string"}, {"format", "date"}, {"pattern", "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}};
      case ValueShape::Size: return {{"type", Json::array({"string", "number"})}, {"minimum", 0}};
      case ValueShape::RowCount: return {{"type", "number"}, {"minimum", 0}};
    }
    return {};
  }

  [[nodiscard]] Json severities() const {
    Json properties = Json::object();
    for (const RuleInfo* rule : rules_)
      for (const std::string_view key : {rule->name, rule->code})
        properties[std::string(key)] = {{"enum", Json::array({"error", "warning", "info"})}};
    return {{"type", "object"}, {"additionalProperties", false}, {"properties", std::move(properties)}};
  }

  [[nodiscard]] Json rule_options() const {
    Json properties = Json::object();
    for (const RuleInfo* rule : rules_) {
      Json options = Json::object();
      for (const RuleOption& option : rule->options) {
        Json value;
        value["type"] = is_number(option.default_value) ? Json::array({"number", "string"})
                                                        : Json::array({"string", "number", "boolean"});
        value["default"] = option.default_value;
        value["description"] = option.description;
        options[std::string(option.name)] = std::move(value);
      }
      const Json table = {{"type", "object"}, {"additionalProperties", false}, {"properties", std::move(options)}};
      for (const std::string_view key : {rule->name, rule->code}) properties[std::string(key)] = table;
    }
    return {{"type", "object"}, {"additionalProperties", false}, {"properties", std::move(properties)}};
  }

  [[nodiscard]] static Json operators() {
    Json names = Json::array();
    for (const OperatorInfo& row : operator_table()) names.push_back(row.name);
    return {{"enum", std::move(names)}};
  }

  std::span<const RuleInfo* const> rules_;
};

}  // namespace

std::string settings_schema(std::span<const RuleInfo* const> rules) {
  const Schema schema(rules);
  Json json;
  json["$schema"] = "http://json-schema.org/draft-07/schema#";
  json["title"] = "planvet.toml";
  const Json top = schema.object(config::kTop);
  for (const auto& [key, value] : top.items()) json[key] = value;
  json["definitions"] = schema.definitions();
  return json.dump(2) + '\n';
}

}  // namespace planvet::render
