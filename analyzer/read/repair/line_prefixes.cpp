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

namespace planvet::read {

namespace {

constexpr std::size_t kLongestPrefix = 300;
constexpr std::size_t kMostStrangers = 8;  // lines in a row without the prefix, as another logger may put between

constexpr int kMostLinesBack = 64;

// A number with its dots and commas, as in times: 12.123, 10,5.
std::size_t number_size(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && is_digit(text[at])) ++at;
  while (at > 0 && at + 1 < text.size() && (text[at] == '.' || text[at] == ',') && is_digit(text[at + 1])) {
    ++at;
    while (at < text.size() && is_digit(text[at])) ++at;
  }
  return at;
}

// Indentation of the tree may follow the prefix directly, so these may be either.
std::size_t tail_size(std::string_view prefix) {
  std::size_t size = 0;
  while (size < prefix.size()) {
    const std::string_view head = prefix.substr(0, prefix.size() - size);
    if (head.ends_with("\u2502")) {
      size += 3;
    } else if (head.back() == ' ' || head.back() == '\t' || head.back() == ':' || head.back() == '|') {
      ++size;
    } else {
      break;
    }
  }
  return size;
}

struct Match {
  std::size_t pattern = 0;  // bytes of the pattern that matched
  std::size_t line = 0;     // bytes of the line that matched
};

class Pattern {
 public:
  explicit Pattern(std::string_view text) : text_(text) {
    const std::size_t first = std::min(text_.find_first_not_of(" \t"), text_.size());
    is_blank_ = first == text_.size();
    core_ = text_.size() - tail_size(text_);
    if (!is_blank_) core_ = std::max(core_, first + 1);
  }

  [[nodiscard]] bool is_blank() const { return is_blank_; }
  [[nodiscard]] bool is_punctuation() const {  // `> `, `# `, `// `
    return std::none_of(text_.begin(), text_.end(), [](char c) { return is_letter(c) || is_digit(c); });
  }
  [[nodiscard]] std::string_view text() const { return text_; }

  [[nodiscard]] Match match(std::string_view line) const {
    Match m;
    while (m.pattern < text_.size() && m.line < line.size()) {
      if (is_digit(text_[m.pattern]) && is_digit(line[m.line])) {
        m.pattern += number_size(text_.substr(m.pattern));
        m.line += number_size(line.substr(m.line));
      } else if (text_[m.pattern] == line[m.line]) {
        ++m.pattern;
        ++m.line;
      } else {
        break;
      }
    }
    return m;
  }
  // Enough of the pattern to be this prefix at all.
  [[nodiscard]] bool accepts(const Match& m) const { return m.pattern >= (is_blank_ ? text_.size() : core_); }
  [[nodiscard]] bool is_whole(const Match& m) const { return m.pattern == text_.size(); }
  void shorten(std::size_t size) { text_ = text_.substr(0, size); }

 private:
  std::string_view text_;
  std::size_t core_ = 0;
  bool is_blank_ = false;
};

// Text of a plan is no prefix, however often it comes.
bool is_plan_text(std::string_view prefix) {
  for (std::size_t at = prefix.find('#'); at != std::string_view::npos; at = prefix.find('#', at + 1))
    if (at + 1 < prefix.size() && is_digit(prefix[at + 1])) return true;
  const LineShape shape = shape_of(prefix);
  return shape == LineShape::Tree || shape == LineShape::BlockHead || prefix.find("): [") != std::string_view::npos ||
         prefix.find("]: [") != std::string_view::npos || prefix.starts_with("Condition : ") ||
         prefix.starts_with("Arguments: ") || prefix.starts_with("PushedFilters: ") || prefix.starts_with("(");
}

LineShape shape_after(std::string_view line, std::size_t size) {
  line = line.substr(std::min(size, line.size()));
  const LineShape shape = shape_of(line);
  if (shape != LineShape::Other) return shape;
  // A tree that is drawn otherwise, or a banner in a cell.
  const Anchor anchor = find_anchor(line.substr(0, 512));
  if (anchor.kind == AnchorKind::Banner && anchor.offset == 0) return LineShape::Banner;
  if (anchor.kind != AnchorKind::OtherConnector) return shape;
  for (std::size_t at = 0; at < anchor.offset;) {
    const std::size_t bar = other_bar(line.substr(at));
    if (bar == 0 && line[at] != ' ' && line[at] != ':') return shape;
    at += std::max<std::size_t>(bar, 1);
  }
  return LineShape::Tree;
}

struct Region {
  std::size_t begin = 0;
  std::size_t end = 0;  // after the last line with the prefix
  std::size_t structural = 0;
  std::size_t matched = 0;  // lines with something behind the prefix
  std::size_t strangers = 0;
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
      }
      begin = next;
    }
  }

 private:
  // Returns where to go on.
  std::size_t try_seed(std::size_t begin, std::size_t end, const Anchor& anchor) {
    Pattern pattern(text_.substr(begin, anchor.offset));
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
  Region extend(Pattern& pattern, std::size_t begin) const {
    Region region{begin, begin};
    std::size_t strangers = 0;
    while (begin < text_.size()) {
      const std::size_t end = line_end(text_, begin);
      const std::string_view line = text_.substr(begin, end - begin);
      const LineShape shape = shape_of(line);
      if (shape == LineShape::Blank) {
        // Blanks that editors trimmed, or the prefix alone.
        if (pattern.is_blank() && pattern.accepts(pattern.match(line))) region.end = std::min(end + 1, text_.size());
      } else if (const Match match = pattern.match(line); pattern.accepts(match)) {
        if (shape == LineShape::Header) {
          // Written for planvet, not by the damage.
        } else if ((is_structural(shape) || shape == LineShape::Banner) && !is_structural(shape_after(line, match.line))) {
          break;  // whole as it is: another plan, which the pattern resembles by accident
        } else {
          Match kept = match;
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
  void extend_back(const Pattern& pattern, Region& region) const {
    for (int lines = 0; lines < kMostLinesBack && region.begin > out_.position(); ++lines) {
      const std::size_t end = region.begin - 1;
      const std::size_t line_break = end == 0 ? std::string_view::npos : text_.rfind('\n', end - 1);
      std::size_t begin = line_break == std::string_view::npos ? 0 : line_break + 1;
      begin = std::max(begin, out_.position());
      const std::string_view line = text_.substr(begin, end - begin);
      const Match match = pattern.match(line);
      if (!pattern.accepts(match) || is_structural(shape_of(line)) || shape_of(line) == LineShape::Header) return;
      if (!pattern.is_whole(match) && match.line < line.size()) return;
      region.begin = begin;
    }
  }

  template <typename Visit>
  void for_each_match(const Pattern& pattern, const Region& region, Visit visit) const {
    for_each_line(text_.substr(region.begin, region.end - region.begin), [&](std::size_t begin, std::size_t end) {
      const std::string_view line = text_.substr(region.begin + begin, end - begin);
      const LineShape shape = shape_of(line);
      if (shape == LineShape::Header) return;
      Match match = pattern.match(line);
      const bool matches = pattern.accepts(match) && (pattern.is_whole(match) || match.line == line.size());
      visit(region.begin + begin, line, matches ? match.line : std::string_view::npos);
    });
  }

  void count(const Pattern& pattern, Region& region) const {
    for_each_match(pattern, region, [&](std::size_t, std::string_view line, std::size_t size) {
      if (size == std::string_view::npos) {
        if (!without_trailing_blanks(line).empty()) ++region.strangers;
        return;
      }
      if (without_trailing_blanks(line.substr(size)).empty()) return;
      ++region.matched;
      const LineShape shape = shape_after(line, size);
      if (is_structural(shape)) ++region.structural;
      if (shape == LineShape::Banner) region.has_banner = true;
      if (shape == LineShape::BlockHead) region.has_block_head = true;
    });
  }

  static bool is_prefix(const Pattern& pattern, const Region& region) {
    if (pattern.text().empty() || region.strangers > region.matched) return false;
    if (pattern.is_blank()) return region.matched >= 2 && (region.has_banner || region.has_block_head);
    return region.structural >= 3 || (region.structural >= 1 && region.has_banner && region.matched >= 2) ||
           (region.strangers == 0 && region.matched >= 2 && region.structural >= (pattern.is_punctuation() ? 1 : 2));
  }

  void cut(const Pattern& pattern, const Region& region) {
    const RepairKind kind = pattern.is_blank() ? RepairKind::Indentation : RepairKind::LinePrefix;
    for_each_match(pattern, region, [&](std::size_t begin, std::string_view line, std::size_t size) {
      if (size != std::string_view::npos && size > 0 && !line.empty()) out_.remove(begin, begin + size, kind);
    });
  }

  // `plan: == Physical Plan ==` above lines that have no such prefix.
  std::size_t try_first_line(std::size_t begin, std::size_t end, std::size_t size) {
    if (leading_blanks(text_.substr(begin, size)) == size) return end + 1;
    std::size_t nonblank = 0;
    std::size_t hanging = 0;
    bool is_plan = false;
    std::size_t next = end + 1;
    for (; next < text_.size() && nonblank < 4; next = line_end(text_, next) + 1) {
      const std::string_view line = text_.substr(next, line_end(text_, next) - next);
      const LineShape shape = shape_of(line);
      if (shape == LineShape::Blank) continue;
      const std::size_t blanks = leading_blanks(line);
      if (blanks >= size) ++hanging;
      if (nonblank == 0 && may_start_node(line[std::min(blanks, line.size() - 1)])) is_plan = true;
      if (is_structural(shape)) is_plan = true;
      ++nonblank;
    }
    if (!is_plan) return end + 1;
    out_.remove(begin, begin + size, RepairKind::FirstLinePrefix);
    if (hanging == 0 || hanging < nonblank) return end + 1;
    // The other lines hang below the first one's text.
    for (next = end + 1; next < text_.size();) {
      const std::size_t line_finish = line_end(text_, next);
      const std::string_view line = text_.substr(next, line_finish - next);
      const std::size_t blanks = leading_blanks(line);
      if (blanks < size && blanks < line.size()) break;
      if (blanks > 0) out_.remove(next, next + std::min(blanks, size), RepairKind::Indentation);
      next = line_finish + 1;
    }
    return next;
  }

  Rewriter& out_;
  std::string_view text_;
};

}  // namespace

void undo_line_prefixes(Rewriter& out) { PrefixFinder(out).run(); }

}  // namespace planvet::read
