#include "rules/options.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <optional>

#include "analyzer/facts/facts.hpp"

namespace planvet::rules {
namespace {

// "1e9", "1_000", "1000"
std::optional<double> parse_number(std::string_view text) {
  std::string digits{text};
  std::erase(digits, '_');
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size() || digits.empty()) return std::nullopt;
  return value;
}

}  // namespace

std::string_view Options::text(std::string_view name) const {
  assert(rule_ != nullptr);
  if (values_ != nullptr) {
    if (const auto found = values_->find(std::string(name)); found != values_->end()) return found->second;
  }
  for (const RuleOption& option : rule_->options) {
    if (option.name == name) return option.default_value;
  }
  assert(false && "no such option");
  return {};
}

double Options::number(std::string_view name) const { return parse_number(text(name)).value_or(0); }

double Options::bytes(std::string_view name) const { return parse_size(text(name)).value_or(0); }

std::string_view expected_form(const RuleOption& option, std::string_view value) {
  if (parse_number(option.default_value)) {
    const auto number = parse_number(value);
    return number && *number >= 0 ? std::string_view{} : "a number that is not negative";
  }
  if (parse_size(option.default_value)) {
    const auto size = parse_size(value);
    return size && *size >= 0 ? std::string_view{} : "a size, such as \"64 MiB\"";
  }
  return {};
}

}  // namespace planvet::rules
