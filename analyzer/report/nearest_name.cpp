#include "analyzer/report/nearest_name.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace planvet {

namespace {

// What is longer is no misspelt name; the distance costs the product of both lengths.
constexpr std::size_t kLongestName = 200;

// Letters to insert, to leave out, to change, or to swap with the next one.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before;  // two rows up
  std::vector<std::size_t> last(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::vector<std::size_t> row(b.size() + 1, i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::move(last);
    last = std::move(row);
  }
  return last[b.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view wrong, std::span<const std::string_view> names) {
  if (wrong.empty() || wrong.size() > kLongestName) return {};
  std::string_view nearest;
  std::size_t best = wrong.size() / 2 + 1;
  for (const std::string_view name : names) {
    // Half a name is that name: "missed" is "missed-broadcast".
    const std::size_t distance = name.starts_with(wrong) ? 1 : edit_distance(wrong, name);
    if (distance >= best) continue;
    best = distance;
    nearest = name;
  }
  if (!nearest.empty()) return nearest;
  // Last, a name with more behind it: "maximum" is "max"; but "SortMergeJion" above was no "Sort".
  for (const std::string_view name : names) {
    if (wrong.starts_with(name) && name.size() > nearest.size()) nearest = name;
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
