#include "tests/support/golden.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "tests/support/files.hpp"

namespace planvet::test {

namespace {

constexpr std::size_t kContextLines = 2;
constexpr std::size_t kMostLinesShown = 120;
// The table of the longest common subsequence is quadratic; beyond this the middle is shown as one replaced block.
constexpr std::size_t kMostTableCells = 4'000'000;

struct Line {
  char mark;
  std::string_view text;
};

std::vector<std::string_view> lines_and_end(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
    if (text.empty()) lines.push_back({});  // so that a missing last newline shows
  }
  return lines;
}

using Lines = std::vector<std::string_view>;

void diff_middle(const Lines& a, const Lines& b, std::size_t begin, std::size_t a_end, std::size_t b_end,
                 std::vector<Line>& out) {
  const std::size_t height = a_end - begin;
  const std::size_t width = b_end - begin;
  if ((height + 1) * (width + 1) > kMostTableCells) {
    for (std::size_t i = begin; i < a_end; ++i) out.push_back({'-', a[i]});
    for (std::size_t j = begin; j < b_end; ++j) out.push_back({'+', b[j]});
    return;
  }
  std::vector<std::size_t> common((height + 1) * (width + 1), 0);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& { return common[i * (width + 1) + j]; };
  for (std::size_t i = height; i-- > 0;)
    for (std::size_t j = width; j-- > 0;)
      at(i, j) = a[begin + i] == b[begin + j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < height || j < width) {
    if (i < height && j < width && a[begin + i] == b[begin + j]) {
      out.push_back({' ', a[begin + i]});
      ++i;
      ++j;
    } else if (j == width || (i < height && at(i + 1, j) >= at(i, j + 1))) {
      out.push_back({'-', a[begin + i++]});
    } else {
      out.push_back({'+', b[begin + j++]});
    }
  }
}

std::vector<Line> diff_lines(const Lines& a, const Lines& b) {
  std::size_t begin = 0;
  while (begin < a.size() && begin < b.size() && a[begin] == b[begin]) ++begin;
  std::size_t a_end = a.size();
  std::size_t b_end = b.size();
  while (a_end > begin && b_end > begin && a[a_end - 1] == b[b_end - 1]) {
    --a_end;
    --b_end;
  }
  std::vector<Line> out;
  for (std::size_t i = 0; i < begin; ++i) out.push_back({' ', a[i]});
  diff_middle(a, b, begin, a_end, b_end, out);
  for (std::size_t i = a_end; i < a.size(); ++i) out.push_back({' ', a[i]});
  return out;
}

}  // namespace

bool updating_goldens() {
  const char* value = std::getenv("UPDATE_GOLDEN");
  return value != nullptr && *value != '\0' && std::string_view(value) != "0";
}

std::string line_diff(std::string_view expected, std::string_view actual) {
  if (expected == actual) return {};
  const std::vector<Line> lines = diff_lines(lines_and_end(expected), lines_and_end(actual));
  std::vector<bool> shown(lines.size(), false);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].mark == ' ') continue;
    const std::size_t first = i < kContextLines ? 0 : i - kContextLines;
    for (std::size_t j = first; j < std::min(lines.size(), i + kContextLines + 1); ++j) shown[j] = true;
  }
  std::string out;
  std::size_t count = 0;
  bool gap = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!shown[i]) {
      gap = true;
      continue;
    }
    if (gap) out += "  ...\n";
    gap = false;
    if (++count > kMostLinesShown) {
      out += "  ... (more differences)\n";
      break;
    }
    out.append(1, lines[i].mark).append(1, ' ').append(lines[i].text).append(1, '\n');
  }
  return out;
}

::testing::AssertionResult matches_golden(std::string_view actual, std::string_view path) {
  const std::filesystem::path file = source_path(path);
  const bool exists = std::filesystem::exists(file);
  if (updating_goldens()) {
    if (!exists || read_file(file) != actual) write_file(file, actual);
    return ::testing::AssertionSuccess();
  }
  if (!exists)
    return ::testing::AssertionFailure() << path << " does not exist (UPDATE_GOLDEN=1 writes it); it would be\n"
                                         << actual;
  const std::string expected = read_file(file);
  if (expected == actual) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << path << " differs (- golden, + now; UPDATE_GOLDEN=1 rewrites it)\n"
                                       << line_diff(expected, actual);
}

}  // namespace planvet::test
