#include "analyzer/report/nearest_name.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace planvet {

namespace {

// What is longer is no misspelt name; the distance costs the product of both lengths.
constexpr std::size_t kLongestName = 200;

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitution});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view wrong, std::span<const std::string_view> names) {
  if (wrong.empty() || wrong.size() > kLongestName) return {};
  std::string_view nearest;
  std::size_t best = wrong.size() / 2 + 1;
  for (const std::string_view name : names) {
    // Half a name is that name: "missed" is "missed-broadcast".
    const bool is_beginning = wrong.starts_with(name) || name.starts_with(wrong);
    const std::size_t distance = is_beginning ? 1 : edit_distance(wrong, name);
    if (distance >= best) continue;
    best = distance;
    nearest = name;
  }
  return nearest;
}

std::string did_you_mean(std::string_view wrong, std::span<const std::string_view> names) {
  const std::string_view nearest = nearest_name(wrong, names);
  if (nearest.empty()) return {};
  std::string text = ": did you mean '";
  text += nearest;
  text += "'?";
  return text;
}

}  // namespace planvet
