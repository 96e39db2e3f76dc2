#include "analyzer/facts/document_facts.hpp"

#include <array>
#include <charconv>

#include "analyzer/facts/version_proof.hpp"

namespace planvet {
namespace {

struct ConfDefault {
  std::string_view key;
  SparkVersion since;
  std::string_view value;
};

constexpr auto kDefaults = std::to_array<ConfDefault>({
#define PLANVET_CONF(key, major, minor, value) {key, {major, minor, 0}, value},
#include "analyzer/facts/conf_defaults.def"
});

// The default in `version`; with none, the one of all versions from `least` on, if there is but one.
std::optional<std::string_view> default_of(std::string_view key, std::optional<SparkVersion> version,
                                           std::optional<SparkVersion> least) {
  std::optional<std::string_view> result;
  for (const ConfDefault& row : kDefaults) {
    if (row.key != key) continue;
    if (version) {
      if (row.since <= *version) result = row.value;
      continue;
    }
    if (!result || (least && row.since <= *least)) {
      result = row.value;
    } else {
      return std::nullopt;
    }
  }
  return result;
}

}  // namespace

DocumentFacts::DocumentFacts(const Facts& facts, const PlanDocument& document)
    : facts_(facts),
      document_(document),
      version_(document.spark_version ? document.spark_version : facts.spark_version) {}

std::optional<SparkVersion> DocumentFacts::least_version() const {
  if (version_) return version_;
  if (is_proof_looked_for_) return least_version_;
  is_proof_looked_for_ = true;
  least_version_ = document_.least_spark_version;
  for (const Fragment& fragment : document_.fragments) {
    const std::optional<SparkVersion> proven = planvet::least_version(fragment.tree, *document_.source);
    if (proven && (!least_version_ || *least_version_ < *proven)) least_version_ = proven;
  }
  return least_version_;
}

bool DocumentFacts::is_at_least(int major, int minor) const {
  const auto least = least_version();
  return least && *least >= SparkVersion{major, minor, 0};
}

bool DocumentFacts::is_before(int major, int minor) const {
  return version_ && *version_ < SparkVersion{major, minor, 0};
}

std::optional<ConfValue> DocumentFacts::conf(std::string_view key) const {
  for (const auto* conf : {&document_.conf, &facts_.conf}) {
    for (auto entry = conf->rbegin(); entry != conf->rend(); ++entry) {
      if (entry->first == key) return ConfValue{entry->second, true};
    }
  }
  const auto value = default_of(key, version_, least_version());
  if (!value) return std::nullopt;
  return ConfValue{*value, false};
}

std::optional<bool> DocumentFacts::conf_flag(std::string_view key) const {
  const auto value = conf(key);
  if (!value) return std::nullopt;
  if (value->text == "true") return true;
  if (value->text == "false") return false;
  return std::nullopt;
}

std::optional<double> DocumentFacts::conf_bytes(std::string_view key) const {
  const auto value = conf(key);
  return value ? parse_size(value->text) : std::nullopt;
}

std::optional<double> DocumentFacts::conf_number(std::string_view key) const {
  const auto value = conf(key);
  if (!value) return std::nullopt;
  double number = 0;
  const auto [end, error] = std::from_chars(value->text.data(), value->text.data() + value->text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  return number;
}

bool DocumentFacts::is_conf_set(std::string_view key) const {
  const auto value = conf(key);
  return value && value->is_set;
}

const TableFact* DocumentFacts::table(std::string_view name) const {
  for (const TableFact& table : facts_.tables) {
    if (same_table(table.name, name)) return &table;
  }
  return nullptr;
}

}  // namespace planvet
