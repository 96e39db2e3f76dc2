// The keys of planvet.toml: all of it comes from keys.def.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace planvet::config {

enum class ConfigKey : std::uint8_t {
#define PLANVET_KEY(key, name, sections, shape, description) key,
#include "analyzer/config/keys.def"
};

// What stands behind the equals sign.
enum class ValueShape : std::uint8_t {
  Rules,       // a list of names, codes or beginnings of codes
  FailOn,      // "error", "warning", "info", "never"
  Severities,  // rule = "error"
  RuleOptions,
  Tables,
  SparkFacts,
  Conf,
  Version,
  Overrides,
  Suppressions,
  Path,
  Patterns,
  RequiredPatterns,  // one text, or a list
  RequiredRule,
  Operator,
  Text,
  RequiredText,
  Texts,
  Date,
  Size,
  RowCount,
};

enum Section : unsigned {
  kTop = 1U,
  kOverride = 2U,
  kSuppression = 4U,
  kTable = 8U,
  kSpark = 16U,
};

struct KeyInfo {
  ConfigKey key;
  std::string_view name;
  unsigned sections;
  ValueShape shape;
  std::string_view description;
};

[[nodiscard]] std::span<const KeyInfo> key_table();
[[nodiscard]] const KeyInfo* find_key(Section section, std::string_view name);
[[nodiscard]] std::vector<std::string_view> key_names(Section section);
[[nodiscard]] bool is_required(ValueShape shape);

}  // namespace planvet::config
