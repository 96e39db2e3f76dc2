// Long lines broken at the width of a window or a mail.
//
//   +- FileScan parquet db.t[a#1,b#2] Batched: true, PushedFi         +- FileScan parquet db.t[a#1,b#2] Batched: true,
//   lters: [IsNotNull(a)], ReadSchema: struct<a:int,b:int>            PushedFilters: [IsNotNull(a)], ReadSchema: ..
//
// The lines of a plan are longer than any window, so a width is believed only when no line goes beyond it that could
// have been broken, and when nearly every line that is no tree line, block head or field comes after one that is full
// (or whose next word had no room). A value with line breaks of its own has no reason to keep to a width; where few
// lines speak, they must also break off in the middle of something.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/read/repair/damages.hpp"
#include "analyzer/read/repair/line_shape.hpp"
#include "analyzer/read/repair/prefix_pattern.hpp"

namespace planvet::read {

namespace {

constexpr std::size_t kNarrowest = 40;
constexpr std::size_t kWidest = 1000;
constexpr std::size_t kWidestWindow = 200;
constexpr std::size_t kFewest = 3;  // breaks that speak for themselves, if they differ

std::size_t columns_of(std::string_view line) {
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// The lines of a plan, each as the walk below needs it.
struct Line {
  std::size_t begin = 0;
  std::string_view text;
  bool is_start = false;  // of a new line of the plan, as Spark printed it
  bool is_plan = false;   // part of a tree or a block, not prose
};

class Plan {
 public:
  Plan(std::string_view text, std::size_t begin) : text_(text), begin_(begin) {
    for_each_line(text_.substr(begin_), [&](std::size_t line_begin, std::size_t line_finish) {
      const std::string_view line = text_.substr(begin_ + line_begin, line_finish - line_begin);
      const LineShape shape = shape_of(line);
      if (shape == LineShape::BlockHead) has_blocks_ = true;
      if (prefix_ || shape != LineShape::Other) return;
      const std::string_view head = line.substr(0, kLongestPrefix + 8);
      const Anchor anchor = find_anchor(head);
      if (anchor.offset > 0 && (anchor.kind == AnchorKind::Banner || anchor.kind == AnchorKind::Connector) &&
          !is_tree_indent(head.substr(0, anchor.offset), anchor.kind) && !is_plan_text(head.substr(0, anchor.offset)))
        prefix_ = PrefixPattern(head.substr(0, anchor.offset));
    });
  }

  template <typename Visit>
  void for_each(Visit visit) const {
    LineShape before = LineShape::Blank;
    bool in_plan = false;
    bool is_schema = false;  // of an analyzed plan, which has it above its root
    bool is_hosted = false;  // the line before is the head of a subquery
    for_each_line(text_.substr(begin_), [&](std::size_t line_begin, std::size_t line_finish) {
      Line line{begin_ + line_begin, text_.substr(begin_ + line_begin, line_finish - line_begin)};
      const LineShape shape = shape_in_plan(line.text);
      line.is_start = shape != LineShape::Other;
      if (shape == LineShape::Blank || shape == LineShape::Header) {
        in_plan = false;
      } else if (shape != LineShape::Other) {
        in_plan = true;
      } else if (before == LineShape::Banner) {
        // The root of a tree; below a subquery's head, the rest of its expression has a chance.
        line.is_start = !is_hosted || may_start_node(line.text.front());
        in_plan = true;
      } else if (is_schema && may_start_node(line.text.front())) {
        line.is_start = true;  // the root below the schema
        is_schema = false;
      }
      if (shape != LineShape::Other) is_schema = line.text.starts_with("== Analyzed");
      is_hosted = line.text.starts_with("Subquery:") || (is_hosted && !line.is_start);
      line.is_plan = in_plan;
      const bool opens_tree = shape == LineShape::Tree && line.text.find("+- == ") != std::string_view::npos;
      before = opens_tree || is_hosted ? LineShape::Banner : shape;
      visit(line);
    });
  }

 private:
  [[nodiscard]] LineShape shape_in_plan(std::string_view line) const {
    const LineShape shape = shape_of(line);
    // Where the arguments are on the tree's lines, `Format: Parquet` begins no line.
    if (shape == LineShape::Field && !has_blocks_) return LineShape::Other;
    if (shape != LineShape::Other) return shape;
    if (prefix_ && prefix_->accepts(prefix_->match(line))) return LineShape::Tree;
    const std::string_view head = line.substr(0, kLongestPrefix + 8);
    // Behind whatever: the start of a plan's line is not the rest of another.
    const AnchorKind kind = find_anchor(head).kind;
    if (kind == AnchorKind::Banner) return LineShape::Banner;
    return kind == AnchorKind::None || kind == AnchorKind::BlockHead ? LineShape::Other : LineShape::Tree;
  }

  std::string_view text_;
  std::size_t begin_;
  bool has_blocks_ = false;
  std::optional<PrefixPattern> prefix_;  // of lines that have one, which still waits for its repair
};

// A line of the plan and the one below it, which may be the rest of it.
struct Pair {
  std::string_view before;
  std::string_view after;
  std::size_t columns = 0;         // of `before`
  std::size_t with_next_word = 0;  // columns that it would have with the first word of `after`
  bool is_open = false;            // the value that ends in `before` cannot end there
};

std::size_t first_word(std::string_view line) {
  return columns_of(line.substr(0, std::min(line.find(' '), line.size())));
}

// Bars, connector and marks, which no tool breaks.
std::size_t indentation(std::string_view line) { return std::min(line.find_first_not_of(" :+-*"), line.size()); }

// The last word on a line of at most `width` columns begins somewhere: a longer line has a blank in front of there,
// unless its words are too long.
bool is_breakable(std::string_view line, std::size_t width) {
  const std::size_t begin = indentation(line);
  const std::size_t blank = line.find(' ', begin);
  return blank != std::string_view::npos && columns_of(line.substr(0, blank)) <= width;
}

// Brackets that a value opens and does not close, line by line. `<` opens only types; it compares, too.
class OpenBrackets {
 public:
  void clear() { round_ = angle_ = 0; }
  [[nodiscard]] bool any() const { return round_ > 0 || angle_ > 0; }
  void add(std::string_view line) {
    for (std::size_t at = 0; at < line.size(); ++at) {
      const char c = line[at];
      if (c == '(' || c == '[' || c == '{') ++round_;
      if (c == ')' || c == ']' || c == '}') --round_;
      if (c == '<' && opens_type(line.substr(0, at))) ++angle_;
      if (c == '>' && angle_ > 0) --angle_;
    }
  }

 private:
  static bool opens_type(std::string_view before) {
    return before.ends_with("struct") || before.ends_with("array") || before.ends_with("map");
  }
  int round_ = 0;
  int angle_ = 0;
};

struct Census {
  std::vector<Pair> pairs;
  std::vector<std::string_view> lines;
  std::size_t widest = 0;
};

Census take_census(const Plan& plan) {
  Census census;
  std::string_view before;
  OpenBrackets open;
  bool in_scan = false;  // of files, which ends with its schema
  plan.for_each([&](const Line& line) {
    if (!line.is_plan) {
      before = {};
      return;
    }
    if (line.is_start) {
      open.clear();
      in_scan = false;
    }
    if (!line.is_start && !before.empty()) {
      Pair pair{before, line.text, columns_of(before), 0, in_scan || open.any() || before.ends_with(',')};
      pair.with_next_word = pair.columns + (before.ends_with(' ') ? 0 : 1) + first_word(line.text);
      census.pairs.push_back(pair);
    }
    open.add(line.text);
    in_scan = (in_scan || line.text.find("FileScan ") != std::string_view::npos) &&
              line.text.find("ReadSchema: ") == std::string_view::npos;
    census.lines.push_back(line.text);
    census.widest = std::max(census.widest, columns_of(line.text));
    before = line.text;
  });
  return census;
}

enum class Wrap : std::uint8_t { None, AtWidth, AtBlanks };
struct Wrapping {
  Wrap wrap = Wrap::None;
  std::size_t width = 0;
};

bool is_break(const Wrapping& by, const Pair& pair) {
  if (pair.before.ends_with(" ==")) return false;  // a banner ends its line, whatever stands before it
  if (by.wrap == Wrap::AtWidth) return pair.columns == by.width;
  if (pair.after.front() == ',' || pair.after.front() == ')') return false;  // no blank stood before it
  if (pair.columns > by.width) return !is_breakable(pair.before, by.width);
  return pair.with_next_word > by.width;
}

// What windows and mails are wide.
bool is_usual(std::size_t width) {
  return width % 10 == 0 || width == 72 || width == 76 || width == 78 || width == 79 || width == 132;
}

// Whether the plan's continuations are explained by it.
bool explains(const Census& census, const Wrapping& by) {
  if (by.width < kNarrowest || by.width > kWidest) return false;
  std::size_t breaks = 0;
  std::size_t open = 0;
  std::vector<std::string_view> examples;  // equal lines are one witness
  for (const Pair& pair : census.pairs) {
    if (!is_break(by, pair)) continue;
    ++breaks;
    if (pair.is_open) ++open;
    if (examples.size() < kFewest && std::find(examples.begin(), examples.end(), pair.before) == examples.end())
      examples.push_back(pair.before);
  }
  if (breaks == 0 || (census.pairs.size() - breaks) * 10 > breaks) return false;
  if (examples.size() < kFewest) {
    const bool is_usual_width = by.wrap == Wrap::AtWidth && is_usual(by.width);
    if (by.width > kWidestWindow || (open == 0 && !is_usual_width)) return false;
  }
  if (by.wrap == Wrap::AtWidth) return true;
  return std::none_of(census.lines.begin(), census.lines.end(), [&](std::string_view line) {
    return columns_of(line) > by.width && is_breakable(line, by.width);
  });
}

// The widths that most breaks at blanks agree on: each says that its line has at most so many columns and that the next
// word had no room.
struct Widths {
  std::size_t least = 0;
  std::size_t most = 0;
};
Widths widths_of_blanks(const Census& census) {
  std::array<std::int32_t, kWidest + 2> changes{};
  for (const Pair& pair : census.pairs) {
    if (pair.columns > kWidest) continue;
    ++changes[pair.columns];
    --changes[std::min(pair.with_next_word, kWidest + 1)];
  }
  std::int32_t agreeing = 0;
  std::int32_t most = 0;
  Widths widths;
  for (std::size_t at = 0; at <= kWidest; ++at) {
    agreeing += changes[at];
    if (agreeing > most) {
      most = agreeing;
      widths = {at, at};
    } else if (agreeing == most && widths.most + 1 == at) {
      widths.most = at;
    }
  }
  return widths;
}

bool keeps_blank(const Pair& pair) { return pair.before.ends_with(' ') || pair.after.starts_with(' '); }

bool ends_word(const Pair& pair) {
  constexpr std::string_view kEnds[] = {",", ":", " AND", " OR", " AS", " =", " >", " <", " >=", " <=", " IN"};
  return std::any_of(std::begin(kEnds), std::end(kEnds),
                     [&](std::string_view end) { return pair.before.ends_with(end); });
}

Wrapping wrapping_of(const Census& census) {
  if (census.pairs.empty()) return {};
  const Wrapping at_width{Wrap::AtWidth, census.widest};
  const Widths widths = widths_of_blanks(census);
  Wrapping at_blanks{Wrap::AtBlanks, widths.most};
  const bool is_at_width = explains(census, at_width);
  bool is_at_blanks = explains(census, at_blanks);
  if (!is_at_blanks && widths.least < widths.most) {
    at_blanks.width = widths.least;
    is_at_blanks = explains(census, at_blanks);
  }
  if (is_at_width && is_at_blanks && census.pairs.size() < kFewest) {
    // Lines of words are full only by chance; a few are. A break at the width leaves a blank on one of the lines, and
    // Spark puts one behind nearly every comma.
    const auto& pairs = census.pairs;
    if (std::none_of(pairs.begin(), pairs.end(), keeps_blank) && std::any_of(pairs.begin(), pairs.end(), ends_word))
      return at_blanks;
  }
  if (is_at_width) return at_width;
  return is_at_blanks ? at_blanks : Wrapping{};
}

void repair_plan(Rewriter& out, std::size_t begin, std::size_t end) {
  const std::string_view text = out.input().substr(0, end);
  const Plan plan(text, begin);
  const Census census = take_census(plan);
  const Wrapping wrapping = wrapping_of(census);
  if (wrapping.wrap == Wrap::None) return;
  for (const Pair& pair : census.pairs) {
    if (!is_break(wrapping, pair)) continue;
    const auto at = static_cast<std::size_t>(pair.after.data() - text.data());
    const bool blank = wrapping.wrap == Wrap::AtBlanks && !pair.before.ends_with(' ');
    out.replace(at - 1, at, blank ? " " : "", RepairKind::WrappedLines);
  }
}

}  // namespace

void undo_wrapped_lines(Rewriter& out) {
  for_each_plan(out.input(), [&](std::size_t begin, std::size_t end) { repair_plan(out, begin, end); });
}

}  // namespace planvet::read
