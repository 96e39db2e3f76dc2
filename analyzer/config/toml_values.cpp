#include "analyzer/config/toml_values.hpp"

#include <fmt/core.h>

#include "analyzer/report/nearest_name.hpp"

namespace planvet::config {

Place place_of(const toml::source_region& region) {
  return {static_cast<std::uint32_t>(region.begin.line), static_cast<std::uint32_t>(region.begin.column)};
}

std::string_view type_word(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return "a list";
    case toml::node_type::string: return "a text";
    case toml::node_type::integer: return "a whole number";
    case toml::node_type::floating_point: return "a number";
    case toml::node_type::boolean: return "true or false";
    case toml::node_type::date:
    case toml::node_type::time:
    case toml::node_type::date_time: return "a date or time";
    case toml::node_type::none: return "nothing";
  }
  return "nothing";
}

std::optional<std::string> value_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  return std::nullopt;
}

void Objections::unknown_key(const toml::key& key, std::string_view where, Section section) {
  add(key.source(), fmt::format("unknown key '{}'{}{}", key.str(), where.empty() ? "" : fmt::format(" in {}", where),
                                did_you_mean(key.str(), key_names(section))));
}

void Objections::wrong_type(std::string_view key, const toml::node& value, std::string_view expected) {
  add(value.source(), fmt::format("'{}' is {}: expected {}", key, type_word(value), expected));
}

const toml::table* Objections::table(std::string_view key, const toml::node& value) {
  const toml::table* result = value.as_table();
  if (result == nullptr) wrong_type(key, value, "a table");
  return result;
}

std::optional<std::string> Objections::text(std::string_view key, const toml::node& value, std::string_view expected) {
  const auto* text = value.as_string();
  if (text == nullptr) {
    wrong_type(key, value, expected);
    return std::nullopt;
  }
  if (text->get().find_first_not_of(" \t\r\n") == std::string::npos) {
    add(value.source(), fmt::format("'{}' is empty: expected {}", key, expected));
    return std::nullopt;
  }
  return text->get();
}

std::vector<std::string> Objections::texts(std::string_view key, const toml::node& value,
                                           std::string_view expected_list, std::string_view expected_item) {
  std::vector<std::string> result;
  const toml::array* list = value.as_array();
  if (list == nullptr) {
    wrong_type(key, value, expected_list);
    return result;
  }
  for (const toml::node& item : *list) {
    if (const auto* text = item.as_string()) {
      result.push_back(text->get());
    } else {
      wrong_type(key, item, expected_item);
    }
  }
  return result;
}

std::vector<std::string> Objections::patterns(std::string_view key, const toml::node& value) {
  if (const auto* text = value.as_string()) return {text->get()};
  return texts(key, value, "a list of paths, such as [\"nightly/\", \"*.tmp\"]", "a path");
}

}  // namespace planvet::config
