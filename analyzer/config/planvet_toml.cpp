#include "analyzer/config/planvet_toml.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include <fmt/core.h>
#include <toml++/toml.h>

#include "analyzer/report/nearest_name.hpp"

namespace planvet::config {

namespace {

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

// A plain value as it would be written on the command line.
std::optional<std::string> value_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  return std::nullopt;
}

constexpr std::array<std::string_view, 8> kTopKeys = {"select", "ignore", "fail-on", "severity",
                                                      "rules",  "tables", "spark",   "conf"};
constexpr std::array<std::string_view, 3> kTableKeys = {"size", "rows", "partition-columns"};
constexpr std::array<std::string_view, 2> kSparkKeys = {"version", "conf"};

class Reader {
 public:
  explicit Reader(ConfigFile& file) : file_(file) {}
  void read(const toml::table& root);

 private:
  void object(const toml::node& at, std::string message) {
    file_.problems.push_back({place_of(at.source()), std::move(message)});
  }
  void object_to_key(const toml::key& key, std::string message) {
    file_.problems.push_back({place_of(key.source()), std::move(message)});
  }
  void unknown_key(const toml::key& key, std::string_view where, std::span<const std::string_view> known) {
    object_to_key(key, fmt::format("unknown key '{}'{}{}", key.str(), where.empty() ? "" : fmt::format(" in {}", where),
                                   did_you_mean(key.str(), known)));
  }
  void wrong_type(std::string_view key, const toml::node& value, std::string_view expected) {
    object(value, fmt::format("'{}' is {}: expected {}", key, type_word(value), expected));
  }
  const toml::table* table(std::string_view key, const toml::node& value) {
    const toml::table* result = value.as_table();
    if (result == nullptr) wrong_type(key, value, "a table");
    return result;
  }
  void remember(const std::string& name, const toml::key& key) { file_.places[name] = place_of(key.source()); }

  void read_names(const toml::key& key, const toml::node& value, std::vector<std::string>& names);
  void read_fail_on(const toml::node& value);
  void read_severity(const toml::table& values);
  void read_rules(const toml::table& values);
  void read_tables(const toml::table& values, const std::string& prefix);
  void read_table_fact(const std::string& name, const toml::table& values);
  void read_spark(const toml::table& values);
  void read_conf(const toml::table& values, const std::string& prefix);

  ConfigFile& file_;
};

void Reader::read_names(const toml::key& key, const toml::node& value, std::vector<std::string>& names) {
  remember(std::string(key.str()), key);
  const toml::array* list = value.as_array();
  if (list == nullptr) return wrong_type(key.str(), value, "a list of rules, such as [\"PV1\", \"unpushed-filter\"]");
  for (const toml::node& item : *list) {
    if (const auto* text = item.as_string()) {
      names.push_back(text->get());
    } else {
      wrong_type(key.str(), item, "the name or the code of a rule");
    }
  }
}

void Reader::read_fail_on(const toml::node& value) {
  const auto* text = value.as_string();
  if (text != nullptr) file_.settings.fail_on = parse_fail_on(text->get());
  if (!file_.settings.fail_on)
    object(value, fmt::format("'fail-on' is {}: expected \"error\", \"warning\", \"info\" or \"never\"",
                              text != nullptr ? fmt::format("\"{}\"", text->get()) : std::string(type_word(value))));
}

void Reader::read_severity(const toml::table& values) {
  for (const auto& [key, value] : values) {
    const auto* text = value.as_string();
    const std::optional<Severity> severity = text == nullptr ? std::nullopt : parse_severity(text->get());
    if (severity) {
      file_.settings.rules.severity[std::string(key.str())] = *severity;
    } else {
      object(value, fmt::format("'{}' is {}: expected \"error\", \"warning\" or \"info\"", key.str(),
                                text != nullptr ? fmt::format("\"{}\"", text->get()) : std::string(type_word(value))));
    }
  }
}

void Reader::read_rules(const toml::table& values) {
  for (const auto& [key, value] : values) {
    const std::string rule(key.str());
    const toml::table* options = table(rule, value);
    if (options == nullptr) continue;
    remember("rules." + rule, key);
    auto& texts = file_.settings.rules.options[rule];
    for (const auto& [name, option] : *options) {
      if (const std::optional<std::string> text = value_text(option)) {
        texts[std::string(name.str())] = *text;
      } else {
        wrong_type(name.str(), option, "a number, a text, true or false");
      }
    }
  }
}

void Reader::read_table_fact(const std::string& name, const toml::table& values) {
  TableFact fact;
  fact.name = name;
  for (const auto& [key, value] : values) {
    if (key.str() == "size") {
      const std::optional<std::string> text = value_text(value);
      fact.size_bytes = text ? parse_size(*text) : std::nullopt;
      if (!fact.size_bytes || *fact.size_bytes < 0 || value.is_boolean())
        object(value, fmt::format("'size' of {} is no size: expected text such as \"80 GiB\", or bytes", name));
    } else if (key.str() == "rows") {
      fact.rows = value.is_number() ? value.value<double>() : std::nullopt;
      if (!fact.rows || !std::isfinite(*fact.rows) || *fact.rows < 0)
        object(value, fmt::format("'rows' of {} is no number of rows: expected such as 600_000_000", name));
    } else if (key.str() == "partition-columns") {
      const toml::array* list = value.as_array();
      if (list == nullptr) {
        wrong_type(key.str(), value, "a list of columns, such as [\"dt\"]");
        continue;
      }
      for (const toml::node& item : *list) {
        if (const auto* text = item.as_string()) {
          fact.partition_columns.push_back(text->get());
        } else {
          wrong_type(key.str(), item, "the name of a column");
        }
      }
    } else {
      unknown_key(key, fmt::format("table {}", name), kTableKeys);
    }
  }
  file_.settings.facts.tables.push_back(std::move(fact));
}

// `[tables.db.orders]` without quotes is a table inside a table, and means the same.
void Reader::read_tables(const toml::table& values, const std::string& prefix) {
  for (const auto& [key, value] : values) {
    const std::string name = prefix + std::string(key.str());
    const toml::table* content = table(name, value);
    if (content == nullptr) continue;
    bool has_tables = !content->empty();
    for (const auto& [inner_key, inner] : *content) has_tables = has_tables && inner.is_table();
    if (has_tables) {
      read_tables(*content, name + ".");
    } else {
      read_table_fact(name, *content);
    }
  }
}

void Reader::read_conf(const toml::table& values, const std::string& prefix) {
  for (const auto& [key, value] : values) {
    const std::string name = prefix + std::string(key.str());
    if (const toml::table* nested = value.as_table()) {
      read_conf(*nested, name + ".");
    } else if (const std::optional<std::string> text = value_text(value)) {
      if (!name.starts_with("spark.")) {
        object_to_key(key, fmt::format("'{}' is no configuration of Spark: expected a name such as "
                                       "spark.sql.shuffle.partitions",
                                       name));
      } else {
        file_.settings.facts.conf.emplace_back(name, *text);
      }
    } else {
      wrong_type(name, value, "a text, a number, true or false");
    }
  }
}

void Reader::read_spark(const toml::table& values) {
  for (const auto& [key, value] : values) {
    if (key.str() == "version") {
      const auto* text = value.as_string();
      if (text != nullptr) file_.settings.facts.spark_version = parse_spark_version(text->get());
      if (!file_.settings.facts.spark_version)
        object(value, "'version' is no version of Spark: expected text such as \"3.5.9\"");
    } else if (key.str() == "conf") {
      if (const toml::table* conf = table("conf", value)) read_conf(*conf, "");
    } else {
      unknown_key(key, "[spark]", kSparkKeys);
    }
  }
}

void Reader::read(const toml::table& root) {
  for (const auto& [key, value] : root) {
    const std::string_view name = key.str();
    if (name == "select") {
      read_names(key, value, file_.settings.rules.select);
    } else if (name == "ignore") {
      read_names(key, value, file_.settings.rules.ignore);
    } else if (name == "fail-on") {
      read_fail_on(value);
    } else if (name == "severity" || name == "rules" || name == "tables" || name == "spark" || name == "conf") {
      const toml::table* content = table(name, value);
      if (content == nullptr) continue;
      remember(std::string(name), key);
      if (name == "severity") read_severity(*content);
      if (name == "rules") read_rules(*content);
      if (name == "tables") read_tables(*content, "");
      if (name == "spark") read_spark(*content);
      if (name == "conf") read_conf(*content, "");
    } else {
      unknown_key(key, "", kTopKeys);
    }
  }
}

}  // namespace

ConfigFile parse_planvet_toml(std::string_view text) {
  ConfigFile file;
  try {
    Reader(file).read(toml::parse(text));
  } catch (const toml::parse_error& error) {
    file.problems.push_back({place_of(error.source()), std::string(error.description())});
  }
  std::ranges::sort(file.problems, [](const ConfigProblem& a, const ConfigProblem& b) {
    return a.place.line != b.place.line ? a.place.line < b.place.line : a.place.column < b.place.column;
  });
  return file;
}

}  // namespace planvet::config
