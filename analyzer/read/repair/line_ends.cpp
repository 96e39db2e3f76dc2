// Carriage returns: CRLF, the lone CR of old editors, and Unicode's own line separators.

#include <string_view>

#include "analyzer/read/repair/damages.hpp"
#include "analyzer/read/repair/line_shape.hpp"

namespace planvet::read {

namespace {

struct Counts {
  std::size_t feeds = 0;       // '\n'
  std::size_t pairs = 0;       // "\r\n"
  std::size_t trees_with = 0;  // tree lines that end in "\r\n"
  std::size_t trees_without = 0;
  std::size_t lone = 0;  // '\r' before anything else
  std::size_t lone_before_plan = 0;
  std::size_t separators_before_plan = 0;  // U+2028, U+2029
};

std::size_t separator_size(std::string_view text) {
  return text.starts_with("\u2028") || text.starts_with("\u2029") ? 3 : 0;
}

// A line of a plan follows. Bounded: a line's shape is seen in its first bytes.
bool plan_follows(std::string_view text) {
  text = text.substr(0, 512);
  return is_structural(shape_of(text.substr(0, text.find_first_of("\r\n\xe2"))));
}

// The next '\n', '\r' or first byte of a separator.
std::size_t next_break(std::string_view text, std::size_t at) {
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\n' || c == '\r' || c == '\xe2') return at;
  }
  return std::string_view::npos;
}

Counts count(std::string_view text) {
  Counts counts;
  std::size_t at = 0;
  std::size_t line = 0;
  while ((at = next_break(text, at)) != std::string_view::npos) {
    if (text[at] == '\n') {
      ++counts.feeds;
      if (shape_of(text.substr(line, at - line)) == LineShape::Tree)
        ++(at > line && text[at - 1] == '\r' ? counts.trees_with : counts.trees_without);
      line = ++at;
    } else if (text[at] != '\r') {
      const std::size_t size = separator_size(text.substr(at));
      if (size != 0 && plan_follows(text.substr(at + size))) ++counts.separators_before_plan;
      ++at;
    } else {
      const std::size_t run = at;
      while (at < text.size() && text[at] == '\r') ++at;
      if (at < text.size() && text[at] == '\n') {
        ++counts.pairs;
      } else {
        counts.lone += at - run;
        if (plan_follows(text.substr(at))) ++counts.lone_before_plan;
      }
    }
  }
  return counts;
}

// Behind prefixes, perhaps.
bool has_plan(std::string_view text) {
  return text.find("+- ") != std::string_view::npos || text.find(" Plan ==") != std::string_view::npos;
}

void repair_plan(Rewriter& out, std::size_t begin, std::size_t end) {
  const std::string_view text = out.input().substr(0, end);
  const Counts counts = count(text.substr(begin));
  // A value may hold any of these; then they are few among many line ends of the other kind.
  const bool pairs = counts.pairs * 2 > counts.feeds || (counts.trees_with > 0 && counts.trees_without == 0);
  const bool lone =
      counts.lone > counts.feeds &&
      (counts.lone_before_plan > 0 || (counts.feeds == 0 && counts.lone > 1 && has_plan(text.substr(begin))));
  const bool separators = counts.separators_before_plan > 1;
  if (!pairs && !lone && !separators) return;
  for (std::size_t at = begin; (at = text.find_first_of("\r\xe2", at)) != std::string_view::npos;) {
    if (text[at] != '\r') {
      const std::size_t size = separators ? separator_size(text.substr(at)) : 0;
      if (size != 0) out.replace(at, at + size, "\n", RepairKind::LineEnds);
      at += size == 0 ? 1 : size;
      continue;
    }
    const std::size_t run = at;
    while (at < text.size() && text[at] == '\r') ++at;
    if (at < text.size() && text[at] == '\n') {
      if (pairs) out.remove(run, at, RepairKind::LineEnds);
    } else if (lone) {
      for (std::size_t one = run; one < at; ++one) out.replace(one, one + 1, "\n", RepairKind::LineEnds);
    }
  }
}

}  // namespace

void undo_line_ends(Rewriter& out) {
  const std::string_view all = out.input();
  if (all.find('\r') == std::string_view::npos && all.find("\u2028") == std::string_view::npos &&
      all.find("\u2029") == std::string_view::npos)
    return;
  for_each_plan(out.input(), [&](std::size_t begin, std::size_t end) { repair_plan(out, begin, end); });
}

}  // namespace planvet::read
