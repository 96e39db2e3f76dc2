// Values of a TOML file, and what is said when one is another than expected.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include "analyzer/config/keys.hpp"
#include "analyzer/config/planvet_toml.hpp"

namespace planvet::config {

[[nodiscard]] Place place_of(const toml::source_region& region);
[[nodiscard]] std::string_view type_word(const toml::node& node);  // "a list"

// A plain value as it would be written on the command line.
[[nodiscard]] std::optional<std::string> value_text(const toml::node& node);

// Takes problems, with their places.
class Objections {
 public:
  explicit Objections(std::vector<ConfigProblem>& problems) : problems_(problems) {}
  void add(const toml::source_region& at, std::string message) {
    problems_.push_back({place_of(at), std::move(message)});
  }
  // `where` names the section: "[spark]", "table db.orders".
  void unknown_key(const toml::key& key, std::string_view where, Section section);
  void wrong_type(std::string_view key, const toml::node& value, std::string_view expected);

  // The value as what is expected; else an objection, and nothing.
  const toml::table* table(std::string_view key, const toml::node& value);
  std::optional<std::string> text(std::string_view key, const toml::node& value, std::string_view expected);
  std::vector<std::string> texts(std::string_view key, const toml::node& value, std::string_view expected_list,
                                 std::string_view expected_item);
  std::vector<std::string> patterns(std::string_view key, const toml::node& value);

 private:
  std::vector<ConfigProblem>& problems_;
};

}  // namespace planvet::config
