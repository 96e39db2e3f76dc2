// Tabs in the indentation of a tree. How wide they are is what makes the tree a tree.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/read/repair/damages.hpp"
#include "analyzer/read/repair/line_shape.hpp"

namespace planvet::read {

namespace {

// Bytes of blanks, bars and tabs before whatever comes; `has_tab` says whether the repair concerns this line.
struct Indent {
  std::size_t size = 0;
  bool has_tab = false;
  bool is_tree = false;
  bool tab_behind = false;  // the connector's own blank is one
};

Indent indent_of(std::string_view line) {
  Indent indent;
  for (; indent.size < line.size(); ++indent.size) {
    const std::string_view rest = line.substr(indent.size);
    if (rest.size() > 3 && (rest[0] == '+' || rest[0] == ':') && rest[1] == '-' &&
        (rest[2] == ' ' || rest[2] == '\t')) {
      indent.is_tree = true;
      if (rest[2] == '\t') indent.has_tab = indent.tab_behind = true;
      return indent;
    }
    if (other_connector(rest).length > 0) {
      indent.is_tree = true;
      return indent;
    }
    const std::size_t bar = other_bar(rest);
    if (rest[0] == '\t') {
      indent.has_tab = true;
    } else if (bar > 1) {
      indent.size += bar - 1;
    } else if (rest[0] != ' ' && rest[0] != ':' && bar == 0) {
      return indent;
    }
  }
  return indent;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

std::string expand(std::string_view text, std::size_t width) {
  std::string result;
  std::size_t column = 0;
  for (const char c : text) {
    if (c == '\t') {
      const std::size_t blanks = width - column % width;
      result.append(blanks, ' ');
      column += blanks;
    } else {
      result += c;
      column += is_continuation(c) ? 0U : 1U;
    }
  }
  return result;
}

// How many connectors stand where a tree may have one: below an open level, or one level deeper.
class Fit {
 public:
  explicit Fit(std::size_t width) : width_(width) {}
  void add(std::string_view indent) {
    std::size_t column = 0;
    for (const char c : indent)
      column = c == '\t' ? column + width_ - column % width_ : column + (is_continuation(c) ? 0U : 1U);
    while (!levels_.empty() && levels_.back() > column) levels_.pop_back();
    if (levels_.empty() || levels_.back() != column) {
      const std::size_t step = levels_.empty() ? column : column - levels_.back();
      score_ += step == 3 || (levels_.empty() && column % 3 == 0) ? 2U : step == 6 ? 1U : 0U;
      levels_.push_back(column);
    } else {
      score_ += 2;
    }
  }
  [[nodiscard]] std::size_t score() const { return score_; }
  [[nodiscard]] std::size_t width() const { return width_; }

 private:
  std::size_t width_;
  std::size_t score_ = 0;
  std::vector<std::size_t> levels_;
};

constexpr std::size_t kDeepest = 20000;  // bytes of indentation; more is no tree

void repair_plan(Rewriter& out, std::size_t begin, std::size_t end) {
  const std::string_view text = out.input().substr(0, end);
  std::vector<Fit> fits{Fit(8), Fit(4), Fit(3), Fit(2), Fit(1)};
  bool found = false;
  for_each_line(text.substr(begin), [&](std::size_t line_begin, std::size_t line_finish) {
    const std::string_view line = text.substr(begin + line_begin, line_finish - line_begin);
    const Indent indent = indent_of(line);
    if (!indent.is_tree || indent.size > kDeepest) return;
    found = found || indent.has_tab;
    for (Fit& fit : fits) fit.add(line.substr(0, indent.size));
  });
  if (!found) return;
  // Eight, as terminals and unexpand(1) have it, unless another width fits clearly better: a single line proves nothing.
  constexpr std::size_t kMargin = 2;
  const Fit* best = &fits.front();
  for (const Fit& fit : fits) {
    if (fit.score() >= std::max(best->score() + 1, fits.front().score() + kMargin)) best = &fit;
  }
  const std::size_t width = best->width();
  for_each_line(text.substr(begin), [&](std::size_t line_begin, std::size_t line_finish) {
    const std::size_t place = begin + line_begin;
    const std::string_view line = text.substr(place, line_finish - line_begin);
    const Indent indent = indent_of(line);
    if (!indent.has_tab || indent.size > kDeepest) return;
    if (indent.size == line.size()) return;  // nothing but blanks
    const std::string_view blanks = line.substr(0, indent.size);
    if (blanks.find('\t') != std::string_view::npos)
      out.replace(place, place + indent.size, expand(blanks, width), RepairKind::Tabs);
    if (indent.tab_behind) out.replace(place + indent.size + 2, place + indent.size + 3, " ", RepairKind::Tabs);
  });
}

}  // namespace

void undo_tabs(Rewriter& out) {
  for_each_plan(out.input(), [&](std::size_t begin, std::size_t end) { repair_plan(out, begin, end); });
}

}  // namespace planvet::read
