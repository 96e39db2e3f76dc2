#include "analyzer/plan/quantity.hpp"

#include <charconv>
#include <cmath>

namespace planvet {
namespace {

constexpr double kBeyondInt64 = 9223372036854775808.0;  // 2^63; also what 8.0 EiB is

std::optional<std::int64_t> whole(double value) {
  if (!(value >= 0) || value >= kBeyondInt64) return std::nullopt;
  return static_cast<std::int64_t>(std::llround(value));
}

// The number at the start of `text`, which is moved behind it.
std::optional<double> take_number(std::string_view& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

}  // namespace

std::optional<std::int64_t> parse_printed_size(std::string_view text) {
  const std::optional<double> number = take_number(text);
  if (!number) return std::nullopt;
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  constexpr std::string_view kUnits = "KMGTPE";
  if (text.empty() || text == "B") return whole(*number);
  const std::size_t power = kUnits.find(text.front()) + 1;
  text.remove_prefix(1);
  if (power == 0 || (text != "iB" && text != "B")) return std::nullopt;
  return whole(std::ldexp(*number, static_cast<int>(10 * power)));
}

std::optional<std::int64_t> parse_printed_rows(std::string_view text) {
  const std::optional<double> number = take_number(text);
  if (!number || !text.empty()) return std::nullopt;
  return whole(*number);
}

}  // namespace planvet
