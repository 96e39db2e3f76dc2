// The part of planvet.toml that overrides may hold too: rules, severities, tables, Spark.
#pragma once

#include <string>

#include "analyzer/config/toml_values.hpp"

namespace planvet::config {

class LayerReader {
 public:
  LayerReader(Layer& layer, Objections& objections) : layer_(layer), objections_(objections) {}

  // False: a key that is none of a layer's.
  bool read(ConfigKey key, const toml::key& name, const toml::node& value);

 private:
  void remember(const std::string& name, const toml::key& key) { layer_.places[name] = place_of(key.source()); }
  void read_fail_on(const toml::node& value);
  void read_severities(const toml::table& values);
  void read_rules(const toml::table& values);
  void read_tables(const toml::table& values, const std::string& prefix);
  void read_table(const std::string& name, const toml::table& values);
  void read_table_fact(TableFact& fact, ConfigKey key, const toml::key& name, const toml::node& value);
  void read_spark(const toml::table& values);
  void read_conf(const toml::table& values, const std::string& prefix);

  Layer& layer_;
  Objections& objections_;
};

}  // namespace planvet::config
