// Long lines broken at the width of a window or a mail.
//
//   +- FileScan parquet db.t[a#1,b#2] Batched: true, PushedFi
//   lters: [IsNotNull(a)], ReadSchema: struct<a:int,b:int>
//
// The lines of a plan are longer than any window, so a width is believed only when no line of the plan is longer, and
// when nearly every line that is no tree line, block head or field comes after one that is full. A value with line
// breaks of its own has no reason to keep to a width.

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
constexpr std::size_t kFewest = 3;  // full lines, and they must differ

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
    for_each_line(text_.substr(begin_), [&](std::size_t line_begin, std::size_t line_finish) {
      Line line{begin_ + line_begin, text_.substr(begin_ + line_begin, line_finish - line_begin)};
      const LineShape shape = shape_in_plan(line.text);
      line.is_start = shape != LineShape::Other;
      if (shape == LineShape::Blank || shape == LineShape::Header) {
        in_plan = false;
      } else if (shape != LineShape::Other) {
        in_plan = true;
      } else if (before == LineShape::Banner) {
        line.is_start = in_plan = true;  // the root of a tree
      }
      line.is_plan = in_plan;
      before =
          shape == LineShape::Tree && line.text.find("+- == ") != std::string_view::npos ? LineShape::Banner : shape;
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
    return kind == AnchorKind::None || kind == AnchorKind::BlockHead ? LineShape::Other : LineShape::Tree;
  }

  std::string_view text_;
  std::size_t begin_;
  bool has_blocks_ = false;
  std::optional<PrefixPattern> prefix_;  // of lines that have one, which still waits for its repair
};

// What the lines before continuations are like.
struct Census {
  std::array<std::uint32_t, kWidest + 1> full{};  // lines before a continuation, by their width
  std::size_t pairs = 0;
  std::size_t widest_before = 0;
  std::size_t widest = 0;  // of all lines of the plan
};

Census take_census(const Plan& plan) {
  Census census;
  std::size_t before = 0;
  plan.for_each([&](const Line& line) {
    if (!line.is_plan) {
      before = 0;
      return;
    }
    const std::size_t width = columns_of(line.text);
    if (!line.is_start && before > 0) {
      ++census.pairs;
      ++census.full[std::min(before, kWidest)];
      census.widest_before = std::max(census.widest_before, before);
    }
    census.widest = std::max(census.widest, width);
    before = width;
  });
  return census;
}

std::size_t first_word(std::string_view line) {
  return columns_of(line.substr(0, std::min(line.find(' '), line.size())));
}

enum class Wrap : std::uint8_t { None, AtWidth, AtBlanks };

// Whether a break between the two lines is one that this kind of wrapping makes.
bool is_break(Wrap wrap, std::string_view before, std::string_view after, std::size_t width) {
  const std::size_t columns = columns_of(before);
  if (wrap == Wrap::AtWidth) return columns == width;
  const std::size_t blank = before.ends_with(' ') ? 0 : 1;
  return columns <= width && columns + blank + first_word(after) > width;
}

// Whether the plan's continuations are explained by it.
bool explains(const Plan& plan, Wrap wrap, std::size_t width) {
  std::size_t breaks = 0;
  std::size_t others = 0;
  std::vector<std::string_view> examples;  // equal lines are one witness
  std::string_view before;
  plan.for_each([&](const Line& line) {
    if (!line.is_plan) {
      before = {};
      return;
    }
    if (!line.is_start && !before.empty()) {
      if (is_break(wrap, before, line.text, width)) {
        ++breaks;
        if (examples.size() < kFewest && std::find(examples.begin(), examples.end(), before) == examples.end())
          examples.push_back(before);
      } else {
        ++others;
      }
    }
    before = line.text;
  });
  return examples.size() >= kFewest && others * 10 <= breaks;
}

void repair_plan(Rewriter& out, std::size_t begin, std::size_t end) {
  const std::string_view text = out.input().substr(0, end);
  const Plan plan(text, begin);
  const Census census = take_census(plan);
  if (census.pairs < kFewest || census.widest > kWidest || census.widest_before < kNarrowest) return;
  Wrap wrap = Wrap::None;
  const std::size_t width = census.widest;
  if (census.full[width] >= kFewest && explains(plan, Wrap::AtWidth, width)) {
    wrap = Wrap::AtWidth;
  } else if (explains(plan, Wrap::AtBlanks, width)) {
    wrap = Wrap::AtBlanks;
  }
  if (wrap == Wrap::None) return;
  std::string_view before;
  plan.for_each([&](const Line& line) {
    if (!line.is_plan) {
      before = {};
      return;
    }
    if (!line.is_start && !before.empty() && is_break(wrap, before, line.text, width)) {
      const bool blank = wrap == Wrap::AtBlanks && !before.ends_with(' ');
      out.replace(line.begin - 1, line.begin, blank ? " " : "", RepairKind::WrappedLines);
    }
    before = line.text;
  });
}

}  // namespace

void undo_wrapped_lines(Rewriter& out) {
  for_each_plan(out.input(), [&](std::size_t begin, std::size_t end) { repair_plan(out, begin, end); });
}

}  // namespace planvet::read
