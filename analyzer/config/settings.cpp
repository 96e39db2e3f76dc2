#include "analyzer/config/settings.hpp"

#include <array>
#include <utility>

namespace planvet::config {

namespace {

constexpr std::array kWords = {
    std::pair{std::string_view("error"), FailOn::Error}, std::pair{std::string_view("warning"), FailOn::Warning},
    std::pair{std::string_view("info"), FailOn::Info}, std::pair{std::string_view("never"), FailOn::Never}};

}  // namespace

std::optional<FailOn> parse_fail_on(std::string_view text) {
  for (const auto& [word, value] : kWords)
    if (word == text) return value;
  return std::nullopt;
}

std::string_view name(FailOn fail_on) {
  for (const auto& [word, value] : kWords)
    if (value == fail_on) return word;
  return "warning";
}

bool fails(FailOn fail_on, Severity severity) {
  switch (fail_on) {
    case FailOn::Error: return severity >= Severity::Error;
    case FailOn::Warning: return severity >= Severity::Warning;
    case FailOn::Info: return true;
    case FailOn::Never: return false;
  }
  return false;
}

std::optional<Severity> parse_severity(std::string_view text) {
  for (const Severity severity : {Severity::Info, Severity::Warning, Severity::Error})
    if (name(severity) == text) return severity;
  return std::nullopt;
}

}  // namespace planvet::config
