#include "analyzer/metrics/spark_number.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <string_view>

namespace planvet::metrics {
namespace {

// Java formats a float by the shortest decimal digits of its value as a double, rounded half up there: 1.25 is "1.3".
std::string fixed(double value, std::size_t decimals) {
  std::array<char, 64> digits{};
  const auto [end, error] =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed);
  static_cast<void>(error);  // 64 digits hold what 63 bits of milliseconds can be
  std::string text(digits.data(), end);
  std::size_t point = text.find('.');
  if (point == std::string::npos) {
    point = text.size();
    text.push_back('.');
  }
  const std::size_t wanted = point + 1 + decimals;
  if (text.size() <= wanted) {
    text.append(wanted - text.size(), '0');
    return text;
  }
  const bool rounds_up = text[wanted] >= '5';
  text.resize(wanted);
  for (std::size_t at = wanted; rounds_up;) {
    if (at == 0) {
      text.insert(0, 1, '1');
      break;
    }
    --at;
    if (text[at] == '.') continue;
    if (text[at] != '9') {
      ++text[at];
      break;
    }
    text[at] = '0';
  }
  return text;
}

}  // namespace

std::string spark_count(std::int64_t value) {
  const std::uint64_t magnitude = value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  std::string text = std::to_string(magnitude);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
  return value < 0 ? '-' + text : text;
}

std::string spark_tenths(std::int64_t tenths) {
  const std::int64_t rest = tenths % 10;
  std::string text = spark_count(tenths / 10);
  if (rest == 0) return text;
  if (tenths < 0 && tenths / 10 == 0) text.insert(0, 1, '-');
  text.push_back('.');
  text.push_back(static_cast<char>('0' + (rest < 0 ? -rest : rest)));
  return text;
}

std::string spark_size(std::int64_t bytes) {
  constexpr std::array<std::string_view, 7> kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t power = 0;
  while (power + 1 < kUnits.size() && bytes >> (10 * (power + 1)) >= 2) ++power;
  // Exact decimals, rounded half up. A value below 2 ZiB / 2^10 times ten fits: the unit has taken 10 bits or more.
  const std::int64_t unit = std::int64_t{1} << (10 * power);
  const std::int64_t whole = bytes / unit;
  const std::int64_t rest = bytes % unit;
  // rest * 10 / unit, half up, without overflow: shift both down where the unit is large.
  const std::int64_t scale = power >= 5 ? std::int64_t{1} << 10U : 1;
  std::int64_t tenths = whole * 10 + ((rest / scale) * 20 + unit / scale) / (2 * (unit / scale));
  if (bytes < 0) tenths = bytes * 10;
  std::string text = std::to_string(tenths / 10);
  text.push_back('.');
  text.push_back(static_cast<char>('0' + (tenths < 0 ? 0 : tenths % 10)));
  text.push_back(' ');
  text += kUnits[power];
  return text;
}

std::string spark_duration(std::int64_t value) {
  constexpr std::int64_t kSecond = 1000;
  constexpr std::int64_t kMinute = 60 * kSecond;
  constexpr std::int64_t kHour = 60 * kMinute;
  if (value < kSecond) return std::to_string(value) + " ms";
  const auto ratio = [&](std::int64_t unit) {
    return static_cast<double>(static_cast<float>(value) / static_cast<float>(unit));
  };
  if (value < kMinute) return fixed(ratio(kSecond), 1) + " s";
  if (value < kHour) return fixed(ratio(kMinute), 1) + " m";
  return fixed(ratio(kHour), 2) + " h";
}

}  // namespace planvet::metrics
