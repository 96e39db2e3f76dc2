#include "analyzer/config/planvet_toml.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/core.h>
#include <toml++/toml.h>

#include "analyzer/config/layer_reader.hpp"
#include "analyzer/report/nearest_name.hpp"

namespace planvet::config {

namespace {

class Reader {
 public:
  explicit Reader(ConfigFile& file) : file_(file), objections_(file.problems) {}
  void read(const toml::table& root);

 private:
  // The tables of `[[name]]`.
  std::vector<const toml::table*> tables_of(const toml::key& key, const toml::node& value);
  void read_override(const toml::table& values);
  void read_suppression(const toml::table& values);
  void read_suppression_value(Suppression& suppression, ConfigKey key, const toml::key& name, const toml::node& value);
  void require(const toml::table& values, std::string_view where, Section section);

  ConfigFile& file_;
  Objections objections_;
};

std::vector<const toml::table*> Reader::tables_of(const toml::key& key, const toml::node& value) {
  std::vector<const toml::table*> tables;
  const std::string expected = fmt::format("tables: [[{}]]", key.str());
  const toml::array* list = value.as_array();
  if (list == nullptr) {
    objections_.wrong_type(key.str(), value, expected);
    return tables;
  }
  for (const toml::node& item : *list) {
    if (item.is_table()) {
      tables.push_back(item.as_table());
    } else {
      objections_.wrong_type(key.str(), item, expected);
    }
  }
  return tables;
}

void Reader::require(const toml::table& values, std::string_view where, Section section) {
  for (const KeyInfo& key : key_table()) {
    if ((key.sections & section) == 0 || !is_required(key.shape) || values.contains(key.name)) continue;
    objections_.add(values.source(), fmt::format("{} has no '{}': {}", where, key.name, key.description));
  }
}

void Reader::read_override(const toml::table& values) {
  Override override;
  LayerReader reader(override, objections_);
  for (const auto& [key, value] : values) {
    const KeyInfo* known = find_key(kOverride, key.str());
    if (known == nullptr) {
      objections_.unknown_key(key, "[[overrides]]", kOverride);
    } else if (!reader.read(known->key, key, value)) {
      override.paths = objections_.patterns(key.str(), value);
    }
  }
  require(values, "[[overrides]]", kOverride);
  file_.overrides.push_back(std::move(override));
}

void Reader::read_suppression_value(Suppression& suppression, ConfigKey key, const toml::key& name,
                                    const toml::node& value) {
  if (key == ConfigKey::SuppressPath) suppression.paths.patterns = objections_.patterns(name.str(), value);
  if (key == ConfigKey::SuppressRule)
    suppression.rule = objections_.text("rule", value, "the name or the code of a rule").value_or("");
  if (key == ConfigKey::SuppressTable)
    suppression.table = objections_.text("table", value, "the name of a table").value_or("");
  if (key == ConfigKey::SuppressReason)
    suppression.reason = objections_.text("reason", value, "text that says why this is accepted").value_or("");
  if (key == ConfigKey::SuppressOperator) {
    const std::string kind = objections_.text("operator", value, "an operator, such as SortMergeJoin").value_or("");
    std::vector<std::string_view> names;
    for (const OperatorInfo& known : operator_table()) {
      names.push_back(known.name);
      if (known.name == kind) suppression.operator_kind = known.kind;
    }
    if (!kind.empty() && !suppression.operator_kind)
      objections_.add(value.source(), fmt::format("unknown operator '{}'{}", kind, did_you_mean(kind, names)));
  }
  if (key == ConfigKey::SuppressExpires) {
    if (const auto* date = value.as_date()) {
      suppression.expires = Date{date->get().year, date->get().month, date->get().day};
    } else if (const auto* text = value.as_string()) {
      suppression.expires = parse_date(text->get());
    }
    if (!suppression.expires) objections_.add(value.source(), "'expires' is no day: expected such as 2026-12-31");
  }
}

void Reader::read_suppression(const toml::table& values) {
  Suppression suppression;
  const Place place = place_of(values.source());
  suppression.place = {{}, place.line, place.column};
  for (const auto& [key, value] : values) {
    if (const KeyInfo* known = find_key(kSuppression, key.str())) {
      read_suppression_value(suppression, known->key, key, value);
    } else {
      objections_.unknown_key(key, "[[suppress]]", kSuppression);
    }
  }
  require(values, "[[suppress]]", kSuppression);
  file_.settings.suppressions.push_back(std::move(suppression));
}

void Reader::read(const toml::table& root) {
  LayerReader layer(file_, objections_);
  for (const auto& [key, value] : root) {
    const KeyInfo* known = find_key(kTop, key.str());
    if (known == nullptr) {
      objections_.unknown_key(key, "", kTop);
      continue;
    }
    if (layer.read(known->key, key, value)) continue;
    file_.places[std::string(key.str())] = place_of(key.source());
    if (known->key == ConfigKey::Extend)
      file_.extend = objections_.text("extend", value, "the path of another planvet.toml").value_or("");
    if (known->key == ConfigKey::Baseline)
      file_.settings.baseline = objections_.text("baseline", value, "the path of a file").value_or("");
    if (known->key == ConfigKey::Exclude) file_.settings.exclude = {{{}, objections_.patterns("exclude", value)}};
    if (known->key == ConfigKey::Overrides)
      for (const toml::table* values : tables_of(key, value)) read_override(*values);
    if (known->key == ConfigKey::Suppress)
      for (const toml::table* values : tables_of(key, value)) read_suppression(*values);
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
