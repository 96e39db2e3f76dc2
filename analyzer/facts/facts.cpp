#include "analyzer/facts/facts.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include <fmt/core.h>

#include "analyzer/plan/characters.hpp"

namespace planvet {
namespace {

constexpr std::array<std::string_view, 7> kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

// The last part of a dotted name without backticks; `rest` becomes what stands before it.
std::string_view take_last_part(std::string_view& rest) {
  const std::size_t dot = rest.rfind('.');
  std::string_view part = dot == std::string_view::npos ? rest : rest.substr(dot + 1);
  rest = dot == std::string_view::npos ? std::string_view{} : rest.substr(0, dot);
  if (part.size() >= 2 && part.front() == '`' && part.back() == '`') part = part.substr(1, part.size() - 2);
  return part;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

}  // namespace

std::optional<SparkVersion> parse_spark_version(std::string_view text) {
  text = trimmed(text);
  std::array<int, 3> parts{};
  std::size_t count = 0;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  while (count < parts.size()) {
    const auto [next, error] = std::from_chars(at, end, parts[count]);
    if (error != std::errc{}) break;
    ++count;
    at = next;
    if (at == end || *at != '.') break;
    ++at;
  }
  // "3.5.0-amzn-1", "3.5.x" and "4.1.0.dev1" go on behind a number; "3.9x" is a slip of the hand, not 3.9.
  if (at != end && count > 0 && at[-1] != '.' && std::isalnum(static_cast<unsigned char>(*at)) != 0)
    return std::nullopt;
  // A Databricks runtime ("13.3.x-photon-scala2.12") counts other things; Spark itself is at 2 to 4.
  if (count < 2 || parts[0] < 1 || parts[0] > 9) return std::nullopt;
  return SparkVersion{parts[0], parts[1], parts[2]};
}

std::optional<double> parse_size(std::string_view text) {
  text = trimmed(text);
  double value = 0;
  const auto [next, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
  std::string_view unit = trimmed(text.substr(static_cast<std::size_t>(next - text.data())));
  if (unit.empty() || equal_ignoring_case(unit, "b")) return value;
  constexpr std::string_view kLetters = "bkmgtpe";
  const std::size_t power = kLetters.find(to_lower(unit.front()));
  if (power == std::string_view::npos || power == 0) return std::nullopt;
  unit.remove_prefix(1);
  if (!unit.empty() && !equal_ignoring_case(unit, "b") && !equal_ignoring_case(unit, "ib")) return std::nullopt;
  return value * std::pow(1024.0, static_cast<double>(power));
}

std::string format_size(double bytes) {
  std::size_t unit = 0;
  while (std::abs(bytes) >= 1024 && unit + 1 < kUnits.size()) {
    bytes /= 1024;
    ++unit;
  }
  if (unit == 0 || bytes == std::floor(bytes)) return fmt::format("{:.0f} {}", bytes, kUnits[unit]);
  // Half up, as Spark does: 8.25 MiB is 8.3 MiB.
  return fmt::format("{:.1f} {}", std::round(bytes * 10) / 10, kUnits[unit]);
}

bool same_table(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return false;
  for (int part = 0; part < 2; ++part) {
    if (!equal_ignoring_case(take_last_part(a), take_last_part(b))) return false;
    if (a.empty() || b.empty()) return true;
  }
  return true;
}

}  // namespace planvet
