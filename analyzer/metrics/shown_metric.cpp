#include "analyzer/metrics/shown_metric.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace planvet::metrics {
namespace {

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \n\r\t";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

enum class Measure : std::uint8_t { Count, Decimal, Bytes, Time };

struct Unit {
  std::string_view name;
  Measure measure;
  double factor;  // to bytes or milliseconds
};
constexpr double kKibi = 1024;
constexpr auto kShownUnits = std::to_array<Unit>({
    {"B", Measure::Bytes, 1},
    {"KiB", Measure::Bytes, kKibi},
    {"MiB", Measure::Bytes, kKibi* kKibi},
    {"GiB", Measure::Bytes, kKibi* kKibi* kKibi},
    {"TiB", Measure::Bytes, kKibi* kKibi* kKibi* kKibi},
    {"PiB", Measure::Bytes, kKibi* kKibi* kKibi* kKibi* kKibi},
    {"EiB", Measure::Bytes, kKibi* kKibi* kKibi* kKibi* kKibi* kKibi},
    // Spark 2 wrote 1024 bytes so.
    {"KB", Measure::Bytes, kKibi},
    {"MB", Measure::Bytes, kKibi* kKibi},
    {"GB", Measure::Bytes, kKibi* kKibi* kKibi},
    {"TB", Measure::Bytes, kKibi* kKibi* kKibi* kKibi},
    {"ms", Measure::Time, 1},
    {"s", Measure::Time, 1000},
    {"m", Measure::Time, 60'000},
    {"min", Measure::Time, 60'000},
    {"h", Measure::Time, 3'600'000},
});

struct Quantity {
  Measure measure = Measure::Count;
  std::int64_t value = 0;  // bytes, milliseconds, a count; of a decimal tenths
  bool is_rounded = false;
};

// "1,325.0 B": a number with grouping commas, then perhaps a unit.
std::optional<Quantity> read_quantity(std::string_view text) {
  text = without_blanks(text);
  const std::size_t blank = text.find(' ');
  std::string digits;
  bool has_point = false;
  for (const char c : text.substr(0, blank)) {
    if (c == ',') continue;
    has_point |= c == '.';
    digits.push_back(c);
  }
  if (digits.empty()) return std::nullopt;
  const char* const end = digits.data() + digits.size();
  double number = 0;
  const auto [stop, error] = std::from_chars(digits.data(), end, number, std::chars_format::fixed);
  if (error != std::errc() || stop != end || !std::isfinite(number)) return std::nullopt;

  Quantity quantity;
  double factor = 1;
  if (blank == std::string_view::npos) {
    if (!has_point) {
      const auto [last, failure] = std::from_chars(digits.data(), end, quantity.value);
      if (failure != std::errc() || last != end) return std::nullopt;
      return quantity;
    }
    quantity.measure = Measure::Decimal;
    factor = 10;
  } else {
    const Unit* unit = nullptr;
    for (const Unit& row : kShownUnits) {
      if (row.name == without_blanks(text.substr(blank))) unit = &row;
    }
    if (unit == nullptr) return std::nullopt;
    quantity.measure = unit->measure;
    quantity.is_rounded = unit->factor > 1;
    factor = unit->factor;
  }
  constexpr double kLargest = 9e18;
  const double value = std::round(number * factor);
  if (std::fabs(value) > kLargest) return std::nullopt;
  quantity.value = static_cast<std::int64_t>(value);
  return quantity;
}

// "stage 2.0: task 3"; "driver" has none.
std::optional<TaskPlace> read_place(std::string_view text) {
  constexpr std::string_view kStage = "stage ";
  constexpr std::string_view kTask = ": task ";
  if (!text.starts_with(kStage)) return std::nullopt;
  text.remove_prefix(kStage.size());
  const std::size_t point = text.find('.');
  const std::size_t task = text.find(kTask);
  if (point == std::string_view::npos || task == std::string_view::npos || point > task) return std::nullopt;
  TaskPlace place;
  const auto read = [](std::string_view digits, auto& into) {
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), into);
    return error == std::errc() && stop == digits.data() + digits.size();
  };
  const bool is_whole = read(text.substr(0, point), place.stage) &&
                        read(text.substr(point + 1, task - point - 1), place.attempt) &&
                        read(text.substr(task + kTask.size()), place.task);
  return is_whole ? std::optional(place) : std::nullopt;
}

struct Shown {
  std::optional<Quantity> total;  // an average's spread has none
  std::vector<Quantity> spread;   // least, median, largest; empty: no spread
  std::optional<TaskPlace> place;
};

// "T (a, b, c (place))", "(a, b, c (place))" or "T".
std::optional<Shown> read_values(std::string_view line) {
  Shown shown;
  const std::size_t bracket = line.find('(');
  const std::string_view total = without_blanks(line.substr(0, bracket));
  if (!total.empty()) {
    shown.total = read_quantity(total);
    if (!shown.total) return std::nullopt;
  }
  if (bracket == std::string_view::npos) return shown.total ? std::optional(shown) : std::nullopt;
  if (!line.ends_with(')')) return std::nullopt;
  std::string_view inner = line.substr(bracket + 1, line.size() - bracket - 2);
  if (const std::size_t place = inner.find('('); place != std::string_view::npos) {
    if (!inner.ends_with(')')) return std::nullopt;
    shown.place = read_place(inner.substr(place + 1, inner.size() - place - 2));
    inner = inner.substr(0, place);
  }
  while (!inner.empty()) {
    const std::size_t comma = inner.find(", ");  // groups of digits have no blank behind their comma
    const std::optional<Quantity> value = read_quantity(inner.substr(0, comma));
    if (!value) return std::nullopt;
    shown.spread.push_back(*value);
    inner.remove_prefix(comma == std::string_view::npos ? inner.size() : comma + 2);
  }
  return shown.spread.size() == 3 ? std::optional(shown) : std::nullopt;
}

std::string_view type_name(std::string_view metric, const Shown& shown) {
  const bool is_average = !shown.total || metric.starts_with("avg ");
  switch ((shown.total ? *shown.total : shown.spread.front()).measure) {
    case Measure::Bytes: return "size";
    case Measure::Time: return "timing";
    case Measure::Decimal: return "average";
    case Measure::Count: return is_average ? "average" : "sum";
  }
  return "sum";
}

}  // namespace

std::optional<MeasuredMetric> read_shown_metric(std::string_view name, std::string_view text) {
  text = without_blanks(text);
  // The words above the numbers; Spark 2 has them in the metric's name.
  std::optional<Shown> shown = read_values(without_blanks(text.substr(text.rfind('\n') + 1)));
  if (!shown) return std::nullopt;
  MeasuredMetric measured;
  measured.accumulator = -1;
  measured.metric = make_metric(name, type_name(name, *shown));
  const bool is_average = measured.metric.type == MetricType::Average;
  const auto stored = [&](const Quantity& quantity) {
    constexpr std::int64_t kTenths = 10;
    constexpr std::int64_t kMost = INT64_MAX / kTenths;
    const bool is_whole = is_average && quantity.measure == Measure::Count && std::abs(quantity.value) < kMost;
    return is_whole ? quantity.value * kTenths : quantity.value;
  };
  bool is_rounded = false;
  const auto take = [&](const Quantity& quantity, std::int64_t& into) {
    into = stored(quantity);
    is_rounded |= quantity.is_rounded;
  };
  Summary& summary = measured.summary;
  if (shown->spread.empty()) {
    summary.values = 1;
    take(*shown->total, summary.total);
    summary.min = summary.median = summary.max = summary.total;
  } else {
    summary.values = 2;  // or more
    take(shown->spread[0], summary.min);
    take(shown->spread[1], summary.median);
    take(shown->spread[2], summary.max);
    // What averages add up to is not shown, and says nothing.
    shown->total ? take(*shown->total, summary.total) : take(shown->spread[1], summary.total);
  }
  summary.max_task = shown->place;
  if (is_rounded) measured.trust.add(Doubt::Rounded);
  return measured;
}

}  // namespace planvet::metrics
