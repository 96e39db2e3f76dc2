// The same text before each line, as loggers, containers, mail quoting and comments put it, or only before the first.
//
//   24/11/05 10:11:12 INFO App: == Physical Plan ==
//   24/11/05 10:11:12 INFO App: *(1) Project [a#1]
//   24/11/05 10:11:13 INFO App: +- *(1) Filter ...
//   `------- prefix -----------'`- the plan, with its own indentation
//
// No kind of prefix is known by name. A line in which a banner, connector or block head stands behind other text seeds a
// pattern; numbers in it match any number; blanks and bars at its end are given back as far as the other lines need
// them. The prefix is cut off when the lines behind it make a plan.

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "analyzer/read/repair/damages.hpp"
#include "analyzer/read/repair/line_shape.hpp"
#include "analyzer/read/repair/prefix_pattern.hpp"

namespace planvet::read {

namespace {

constexpr std::size_t kMostStrangers = 8;  // lines in a row without the prefix, as another logger may put between

constexpr int kMostLinesBack = 64;

LineShape shape_after(std::string_view line, std::size_t size) {
  line = line.substr(std::min(size, line.size()));
  const LineShape shape = shape_of(line);
  if (shape != LineShape::Other) return shape;
  // A tree that is drawn otherwise, or one inside another damage.
  const std::string_view window = line.substr(0, kLongestPrefix + 200);
  switch (const Anchor anchor = find_anchor(window); anchor.kind) {
    case AnchorKind::Banner: return is_plan_text(line.substr(0, anchor.offset)) ? shape : LineShape::Banner;
    case AnchorKind::Connector:
    case AnchorKind::OtherConnector: return is_plan_text(line.substr(0, anchor.offset)) ? shape : LineShape::Tree;
    default: return shape;
  }
}

struct Region {
  std::size_t begin = 0;
  std::size_t end = 0;  // after the last line with the prefix
  std::size_t structural = 0;
  std::size_t matched = 0;  // lines with something behind the prefix
  std::size_t strangers = 0;
  std::size_t right_bars = 0;
  bool has_banner = false;
  bool has_block_head = false;
};

class PrefixFinder {
 public:
  explicit PrefixFinder(Rewriter& out) : out_(out), text_(out.input()) {}

  void run() {
    std::size_t begin = 0;
    while (begin < text_.size()) {
      const std::size_t end = line_end(text_, begin);
      std::size_t next = end + 1;
      const std::string_view line = text_.substr(begin, end - begin);
      const LineShape shape = shape_of(line);
      if (shape == LineShape::Other) {
        const Anchor anchor = find_anchor(line);
        if (anchor.kind != AnchorKind::None && anchor.offset > 0 && anchor.offset <= kLongestPrefix &&
            !is_plan_text(line.substr(0, anchor.offset)))
          next = std::max(next, try_seed(begin, end, anchor));
        if (const std::size_t root = anchor.kind == AnchorKind::None ? logged_root(line, end) : 0; root > 0)
          out_.remove(begin, begin + root, RepairKind::FirstLinePrefix);
      } else if (shape == LineShape::Banner && is_indented_below(end)) {
        // Marked with the mouse from the first letter on, the first line lost its indentation.
        next = std::max(next, unindent(end + 1, look_below(end).indent));
      }
      begin = next;
    }
  }

 private:
  // `.. INFO App: AdaptiveSparkPlan isFinalPlan=true` above `+- ..`: a logged plan without a banner. Returns the bytes
  // before the operator, 0 when this is no such line.
  [[nodiscard]] std::size_t logged_root(std::string_view line, std::size_t end) const {
    line = line.substr(0, kLongestPrefix);
    if (end + 1 >= text_.size() || (text_[end + 1] != '+' && text_[end + 1] != ':')) return 0;
    if (shape_of(text_.substr(end + 1, line_end(text_, end + 1) - end - 1)) != LineShape::Tree) return 0;
    for (const std::string_view level : {"INFO", "WARN", "DEBUG", "ERROR", "TRACE"}) {
      const std::size_t at = line.find(level);
      if (at == std::string_view::npos || line.substr(0, at).find_first_of("0123456789") == std::string_view::npos)
        continue;
      const std::size_t colon = std::min(line.find(": ", at), line.size());
      const std::size_t dash = std::min(line.find(" - ", at), line.size());
      const std::size_t root = std::min(colon + 2, dash + 3);
      if (root < line.size() && may_start_node(line[root])) return root;
    }
    return 0;
  }

  // Returns where to go on.
  std::size_t try_seed(std::size_t begin, std::size_t end, const Anchor& anchor) {
    PrefixPattern pattern(text_.substr(begin, anchor.offset));
    if (is_tree_indent(pattern.text(), anchor.kind)) return end + 1;
    if (pattern.is_blank() && anchor.kind != AnchorKind::Banner && anchor.kind != AnchorKind::BlockHead) return end + 1;
    Region region = extend(pattern, begin);
    if (!pattern.is_blank()) extend_back(pattern, region);
    count(pattern, region);
    if (is_prefix(pattern, region)) {
      cut(pattern, region);
      return region.end;
    }
    if (anchor.kind == AnchorKind::Banner && region.matched <= 1) return try_first_line(begin, end, anchor.offset);
    return region.matched > 1 ? region.end : end + 1;
  }

  // Follows the lines from the seed on, shortening the pattern to what they share.
  Region extend(PrefixPattern& pattern, std::size_t begin) const {
    Region region{begin, begin};
    std::size_t strangers = 0;
    while (begin < text_.size()) {
      const std::size_t end = line_end(text_, begin);
      const std::string_view line = text_.substr(begin, end - begin);
      const LineShape shape = shape_of(line);
      if (shape == LineShape::Blank) {
        // Blanks that editors trimmed, or the prefix alone.
        if (pattern.is_blank() && pattern.accepts(pattern.match(line))) region.end = std::min(end + 1, text_.size());
      } else if (const PrefixMatch match = pattern.match(line); pattern.accepts(match)) {
        if (shape == LineShape::Header) {
          // Written for planvet, not by the damage.
        } else if ((is_structural(shape) || shape == LineShape::Banner) &&
                   !is_structural(shape_after(line, match.line))) {
          break;  // whole as it is: another plan, which the pattern resembles by accident
        } else {
          PrefixMatch kept = match;
          if (match.line < line.size() || pattern.is_whole(match)) {
            const Anchor anchor = find_anchor(line.substr(0, kLongestPrefix + 8));
            if (anchor.kind != AnchorKind::None && anchor.kind != AnchorKind::BlockHead && kept.line > anchor.offset)
              kept.pattern -= std::min(kept.pattern, kept.line - anchor.offset);
            if (kept.pattern < pattern.text().size()) pattern.shorten(kept.pattern);
            if (pattern.text().empty()) break;
          }
          region.end = std::min(end + 1, text_.size());
          strangers = 0;
        }
      } else {
        if (pattern.is_blank() || is_structural(shape) || ++strangers > kMostStrangers) break;
      }
      begin = end + 1;
    }
    return region;
  }

  // The root of a tree has no anchor: it stands before the seed when there is no banner.
  void extend_back(const PrefixPattern& pattern, Region& region) const {
    for (int lines = 0; lines < kMostLinesBack && region.begin > out_.position(); ++lines) {
      const std::size_t end = region.begin - 1;
      const std::size_t line_break = end == 0 ? std::string_view::npos : text_.rfind('\n', end - 1);
      std::size_t begin = line_break == std::string_view::npos ? 0 : line_break + 1;
      begin = std::max(begin, out_.position());
      const std::string_view line = text_.substr(begin, end - begin);
      const PrefixMatch match = pattern.match(line);
      if (!pattern.accepts(match) || is_structural(shape_of(line)) || shape_of(line) == LineShape::Header) return;
      if (!pattern.is_whole(match) && match.line < line.size()) return;
      region.begin = begin;
    }
  }

  template <typename Visit>
  void for_each_match(const PrefixPattern& pattern, const Region& region, Visit visit) const {
    for_each_line(text_.substr(region.begin, region.end - region.begin), [&](std::size_t begin, std::size_t end) {
      const std::string_view line = text_.substr(region.begin + begin, end - begin);
      const LineShape shape = shape_of(line);
      if (shape == LineShape::Header) return;
      PrefixMatch match = pattern.match(line);
      const bool matches = pattern.accepts(match) && (pattern.is_whole(match) || match.line == line.size());
      visit(region.begin + begin, line, matches ? match.line : std::string_view::npos);
    });
  }

  void count(const PrefixPattern& pattern, Region& region) const {
    for_each_match(pattern, region, [&](std::size_t, std::string_view line, std::size_t size) {
      if (size == std::string_view::npos) {
        if (!without_trailing_blanks(line).empty()) ++region.strangers;
        return;
      }
      if (without_trailing_blanks(line.substr(size)).empty()) return;
      ++region.matched;
      // Two on the left: the right one belongs to the inner.
      if (right_bar(line) != std::string_view::npos && other_bar(line.substr(size)) == 0) ++region.right_bars;
      const LineShape shape = shape_after(line, size);
      if (is_structural(shape)) ++region.structural;
      if (shape == LineShape::Banner) region.has_banner = true;
      if (shape == LineShape::BlockHead) region.has_block_head = true;
    });
  }

  static bool is_prefix(const PrefixPattern& pattern, const Region& region) {
    if (pattern.text().empty() || region.strangers > region.matched) return false;
    if (pattern.is_blank()) return region.matched >= 2 && (region.has_banner || region.has_block_head);
    return region.structural >= 3 || (region.structural >= 1 && region.has_banner && region.matched >= 2) ||
           (region.strangers == 0 && region.matched >= 2 && region.structural >= (pattern.is_punctuation() ? 1 : 2));
  }

  void cut(const PrefixPattern& pattern, const Region& region) {
    const RepairKind kind = pattern.is_blank() ? RepairKind::Indentation : RepairKind::LinePrefix;
    const bool bars = pattern.ends_with_bar() && region.right_bars * 10 > region.matched * 8;
    for_each_match(pattern, region, [&](std::size_t begin, std::string_view line, std::size_t size) {
      if (size == std::string_view::npos || size == 0 || line.empty()) return;
      out_.remove(begin, begin + size, kind);
      const std::size_t bar = bars ? right_bar(line) : std::string_view::npos;
      if (bar == std::string_view::npos || bar < size) return;
      const std::size_t text = std::max(without_trailing_blanks(line.substr(0, bar)).size(), size);
      out_.remove(begin + text, begin + line.size(), RepairKind::TableBorder);
    });
  }

  // `plan: == Physical Plan ==` above lines that have no such prefix. They may all be indented below it.
  std::size_t try_first_line(std::size_t begin, std::size_t end, std::size_t size) {
    const Below below = look_below(end);
    if (!below.is_plan) return end + 1;
    const std::size_t blanks = leading_blanks(text_.substr(begin, size));
    if (blanks == size) {
      // Only blanks: the other lines have fewer, or another pattern would have found them all.
      if (below.indent < size) out_.remove(begin, begin + size, RepairKind::Indentation);
    } else {
      out_.remove(begin, begin + size, RepairKind::FirstLinePrefix);
    }
    return unindent(end + 1, below.indent);
  }

  // The lines after a banner: whether they are a plan, and how far all of them are indented.
  struct Below {
    bool is_plan = false;
    std::size_t indent = 0;
  };
  [[nodiscard]] Below look_below(std::size_t end) const {
    Below below;
    int lines = 0;
    for (std::size_t next = end + 1; next < text_.size() && lines < 4; next = line_end(text_, next) + 1) {
      const std::string_view line = text_.substr(next, line_end(text_, next) - next);
      const LineShape shape = shape_of(line);
      if (shape == LineShape::Blank) continue;
      const std::size_t blanks = leading_blanks(line);
      if (lines == 0) below.indent = blanks;
      if (lines == 1 && blanks < below.indent) below.indent = 0;
      if (is_structural(shape) || (lines == 0 && may_start_node(line[blanks]))) below.is_plan = true;
      ++lines;
    }
    return below;
  }

  // A root stands at column 1. A line of the schema may begin with a blank, but then not all lines do.
  [[nodiscard]] bool is_indented_below(std::size_t end) const {
    if (end + 1 >= text_.size() || text_[end + 1] != ' ') return false;
    const Below below = look_below(end);
    const std::size_t second = line_end(text_, end + 1) + 1;
    return below.is_plan && below.indent > 0 && second < text_.size() &&
           shape_of(text_.substr(second, line_end(text_, second) - second)) == LineShape::Tree;
  }

  std::size_t unindent(std::size_t next, std::size_t indent) {
    if (indent == 0) return next;
    while (next < text_.size()) {
      const std::size_t end = line_end(text_, next);
      const std::string_view line = text_.substr(next, end - next);
      const std::size_t blanks = leading_blanks(line);
      if (blanks < indent && blanks < line.size()) break;
      if (blanks > 0) out_.remove(next, next + std::min(blanks, indent), RepairKind::Indentation);
      next = end + 1;
    }
    return next;
  }

  Rewriter& out_;
  std::string_view text_;
};

}  // namespace

void undo_line_prefixes(Rewriter& out) { PrefixFinder(out).run(); }

}  // namespace planvet::read
