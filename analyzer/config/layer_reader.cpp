#include "analyzer/config/layer_reader.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/core.h>

namespace planvet::config {

namespace {

std::string shown(const toml::node& value) {
  const auto* text = value.as_string();
  return text != nullptr ? fmt::format("\"{}\"", text->get()) : std::string(type_word(value));
}

}  // namespace

void LayerReader::read_fail_on(const toml::node& value) {
  const auto* text = value.as_string();
  if (text != nullptr) layer_.settings.fail_on = parse_fail_on(text->get());
  if (!layer_.settings.fail_on)
    objections_.add(
        value.source(),
        fmt::format("'fail-on' is {}: expected \"error\", \"warning\", \"info\" or \"never\"", shown(value)));
}

void LayerReader::read_severities(const toml::table& values) {
  for (const auto& [key, value] : values) {
    const std::string rule(key.str());
    const auto* text = value.as_string();
    const std::optional<Severity> severity = text == nullptr ? std::nullopt : parse_severity(text->get());
    if (severity) {
      layer_.settings.rules.severity[rule] = *severity;
      remember("severity." + rule, key);
    } else {
      objections_.add(value.source(),
                      fmt::format("'{}' is {}: expected \"error\", \"warning\" or \"info\"", rule, shown(value)));
    }
  }
}

void LayerReader::read_rules(const toml::table& values) {
  for (const auto& [key, value] : values) {
    const std::string rule(key.str());
    const toml::table* options = objections_.table(rule, value);
    if (options == nullptr) continue;
    remember("rules." + rule, key);
    auto& texts = layer_.settings.rules.options[rule];
    for (const auto& [name, option] : *options) {
      if (const std::optional<std::string> text = value_text(option)) {
        texts[std::string(name.str())] = *text;
        remember(fmt::format("rules.{}.{}", rule, name.str()), name);
      } else {
        objections_.wrong_type(name.str(), option, "a number, a text, true or false");
      }
    }
  }
}

void LayerReader::read_table_fact(TableFact& fact, ConfigKey key, const toml::key& name, const toml::node& value) {
  if (key == ConfigKey::TableSize) {
    const std::optional<std::string> text = value_text(value);
    fact.size_bytes = text ? parse_size(*text) : std::nullopt;
    if (!fact.size_bytes || *fact.size_bytes < 0 || value.is_boolean())
      objections_.add(value.source(),
                      fmt::format("'size' of {} is no size: expected text such as \"80 GiB\", or bytes", fact.name));
  } else if (key == ConfigKey::TableRows) {
    fact.rows = value.is_number() ? value.value<double>() : std::nullopt;
    if (!fact.rows || !std::isfinite(*fact.rows) || *fact.rows < 0)
      objections_.add(value.source(),
                      fmt::format("'rows' of {} is no number of rows: expected such as 600_000_000", fact.name));
  } else {
    std::vector<std::string>& columns =
        key == ConfigKey::TableBucketColumns ? fact.bucket_columns : fact.partition_columns;
    columns = objections_.texts(name.str(), value, "a list of columns, such as [\"dt\"]", "the name of a column");
  }
}

void LayerReader::read_table(const std::string& name, const toml::table& values) {
  TableFact fact;
  fact.name = name;
  for (const auto& [key, value] : values) {
    const KeyInfo* known = find_key(kTable, key.str());
    if (known == nullptr) {
      objections_.unknown_key(key, fmt::format("table {}", name), kTable);
      continue;
    }
    read_table_fact(fact, known->key, key, value);
    remember(fmt::format("tables.{}.{}", name, key.str()), key);
  }
  layer_.settings.facts.tables.push_back(std::move(fact));
}

// `[tables.db.orders]` without quotes is a table inside a table, and means the same.
void LayerReader::read_tables(const toml::table& values, const std::string& prefix) {
  for (const auto& [key, value] : values) {
    const std::string name = prefix + std::string(key.str());
    const toml::table* content = objections_.table(name, value);
    if (content == nullptr) continue;
    bool has_tables = !content->empty();
    for (const auto& [inner_key, inner] : *content) has_tables = has_tables && inner.is_table();
    if (has_tables) {
      read_tables(*content, name + ".");
    } else {
      read_table(name, *content);
    }
  }
}

void LayerReader::read_conf(const toml::table& values, const std::string& prefix) {
  for (const auto& [key, value] : values) {
    const std::string name = prefix + std::string(key.str());
    if (const toml::table* nested = value.as_table()) {
      read_conf(*nested, name + ".");
    } else if (const std::optional<std::string> text = value_text(value)) {
      if (!name.starts_with("spark.")) {
        objections_.add(key.source(), fmt::format("'{}' is no configuration of Spark: expected a name such as "
                                                  "spark.sql.shuffle.partitions",
                                                  name));
      } else {
        layer_.settings.facts.conf.emplace_back(name, *text);
        remember("conf." + name, key);
      }
    } else {
      objections_.wrong_type(name, value, "a text, a number, true or false");
    }
  }
}

void LayerReader::read_spark(const toml::table& values) {
  for (const auto& [key, value] : values) {
    const KeyInfo* known = find_key(kSpark, key.str());
    if (known == nullptr) {
      objections_.unknown_key(key, "[spark]", kSpark);
    } else if (known->key == ConfigKey::Version) {
      const auto* text = value.as_string();
      if (text != nullptr) layer_.settings.facts.spark_version = parse_spark_version(text->get());
      if (!layer_.settings.facts.spark_version)
        objections_.add(value.source(), "'version' is no version of Spark: expected text such as \"3.5.9\"");
      remember("spark.version", key);
    } else if (const toml::table* conf = objections_.table("conf", value)) {
      read_conf(*conf, "");
    }
  }
}

bool LayerReader::read(ConfigKey key, const toml::key& name, const toml::node& value) {
  constexpr std::string_view kRules = "a list of rules, such as [\"PV1\", \"unpushed-filter\"]";
  constexpr std::string_view kRule = "the name or the code of a rule";
  switch (key) {
    case ConfigKey::Select: layer_.settings.rules.select = objections_.texts(name.str(), value, kRules, kRule); break;
    case ConfigKey::Ignore: layer_.settings.rules.ignore = objections_.texts(name.str(), value, kRules, kRule); break;
    case ConfigKey::FailOn: read_fail_on(value); break;
    case ConfigKey::Severity:
    case ConfigKey::Rules:
    case ConfigKey::Tables:
    case ConfigKey::Spark:
    case ConfigKey::Conf: {
      const toml::table* content = objections_.table(name.str(), value);
      if (content == nullptr) return true;
      if (key == ConfigKey::Severity) read_severities(*content);
      if (key == ConfigKey::Rules) read_rules(*content);
      if (key == ConfigKey::Tables) read_tables(*content, "");
      if (key == ConfigKey::Spark) read_spark(*content);
      if (key == ConfigKey::Conf) read_conf(*content, "");
      break;
    }
    case ConfigKey::Extend:
    case ConfigKey::Exclude:
    case ConfigKey::Baseline:
    case ConfigKey::Version:
    case ConfigKey::Overrides:
    case ConfigKey::Suppress:
    case ConfigKey::OverridePaths:
    case ConfigKey::SuppressPath:
    case ConfigKey::SuppressRule:
    case ConfigKey::SuppressOperator:
    case ConfigKey::SuppressTable:
    case ConfigKey::SuppressReason:
    case ConfigKey::SuppressExpires:
    case ConfigKey::TableSize:
    case ConfigKey::TableRows:
    case ConfigKey::TablePartitionColumns:
    case ConfigKey::TableBucketColumns: return false;
  }
  remember(std::string(name.str()), name);
  return true;
}

}  // namespace planvet::config
