#include "analyzer/render/quantity.hpp"

#include <cmath>

#include <fmt/core.h>

#include "analyzer/facts/facts.hpp"

namespace planvet::render {

namespace {

constexpr double kLargestCounted = 1e15;

std::string format_milliseconds(double ms) {
  if (ms < 1000) return fmt::format("{:.0f} ms", ms);
  const double seconds = ms / 1000;
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  if (seconds < 3600) return fmt::format("{:.1f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

std::string format_count(double value) {
  if (!std::isfinite(value)) return "unknown";
  if (value != std::floor(value)) return fmt::format("{:.4g}", value);
  if (std::fabs(value) >= kLargestCounted) return fmt::format("{:.1e}", value);
  std::string digits = fmt::format("{:.0f}", std::fabs(value));
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return value < 0 ? "-" + digits : digits;
}

std::string format_quantity(double value, std::string_view unit) {
  if (unit == "bytes") return format_size(value);
  if (unit == "rows") return format_count(value) + (value == 1 ? " row" : " rows");
  if (unit == "ms") return format_milliseconds(value);
  if (unit == "ratio") return fmt::format("{:.3g} %", value * 100);
  return format_count(value);
}

}  // namespace planvet::render
