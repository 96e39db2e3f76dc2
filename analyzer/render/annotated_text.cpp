#include "analyzer/render/annotated_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/core.h>

#include "analyzer/metrics/summary.hpp"
#include "analyzer/render/glyphs.hpp"
#include "analyzer/render/operator_line.hpp"
#include "analyzer/render/query_list.hpp"
#include "analyzer/render/text_line.hpp"
#include "analyzer/render/tree_layout.hpp"

namespace planvet::render {

namespace {

constexpr std::size_t kGap = 2;           // between columns
constexpr std::size_t kSmallestBar = 12;  // with its percentage
constexpr std::size_t kPercent = 6;       // " 100 %"
constexpr std::size_t kLeastForTree = 56;

// What gives way first where the terminal is narrow.
constexpr std::array kDispensable = {Column::Peak, Column::Pipeline, Column::Spread, Column::Bytes};

std::string footnote_mark(std::size_t number, bool unicode) {
  if (number == 0) return {};
  if (!unicode) return fmt::format("[{}]", number);
  constexpr std::array<std::string_view, 10> kDigits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char digit : std::to_string(number)) text += kDigits[static_cast<std::size_t>(digit - '0')];
  return text;
}

// What is as wide in every line of a page.
struct Frame {
  struct Shown {
    Column column;
    std::size_t width = 0;  // of the text
    std::size_t marks = 0;  // of its footnote's mark
  };
  std::vector<Shown> columns;
  std::size_t numbers = 0;  // columns of the terminal in front of the gutter
  std::string left_out;     // columns for which there is no room

  [[nodiscard]] static Frame of(const AnnotatedPlan& plan, const Style& style);
};

Frame Frame::of(const AnnotatedPlan& plan, const Style& style) {
  Frame frame;
  for (std::size_t at = 0; at < kColumns; ++at) {
    const auto column = static_cast<Column>(at);
    Shown shown{column};
    for (const AnnotatedTree& tree : plan.trees) {
      for (const MeasuredRow& row : tree.columns.rows) {
        shown.width = std::max(shown.width, display_width(row[column].text));
        shown.marks = std::max(shown.marks, display_width(footnote_mark(row[column].footnote, style.unicode)));
      }
    }
    if (shown.width == 0) continue;
    shown.width = std::max(shown.width, heading(column).size());
    frame.columns.push_back(shown);
  }
  const auto width_of = [&] {
    std::size_t width = 0;
    for (const Shown& shown : frame.columns) width += shown.width + shown.marks + kGap;
    return width;
  };
  for (const Column column : kDispensable) {
    if (width_of() + kLeastForTree <= style.width) break;
    const auto removed = std::erase_if(frame.columns, [&](const Shown& shown) { return shown.column == column; });
    if (removed > 0) frame.left_out += (frame.left_out.empty() ? "" : ", ") + std::string(heading(column));
  }
  frame.numbers = width_of();
  const bool has_bars =
      plan.summary.duration_ms.value_or(0) > 0 && std::ranges::any_of(plan.trees, [](const AnnotatedTree& tree) {
        return std::ranges::any_of(tree.boundaries, [](std::uint32_t region) { return region != StageRegion::kNone; });
      });
  if (has_bars) frame.numbers = std::max(frame.numbers, kSmallestBar + kGap);
  return frame;
}

class TreePage {
 public:
  TreePage(const AnnotatedPlan& plan, const AnnotatedTree& tree, const Frame& frame, const Style& style)
      : plan_(plan),
        tree_(tree),
        frame_(frame),
        style_(style),
        gutter_(*tree.tree, tree.drawing),
        places_(lay_out(tree.drawing, style.unicode, style.width)) {
    const std::size_t left = frame.numbers + gutter_.width();
    room_ = left < style.width ? (style.width - left) / 2 : 0;
  }

  void append(std::string& out) const {
    for (std::uint32_t number = 0; number < tree_.drawing.nodes.size(); ++number) {
      if (tree_.boundaries[number] != StageRegion::kNone) append_boundary(out, number);
      append_operator(out, number);
      if (style_.is_verbose()) append_metrics(out, number);
      for (const Finding* const finding : tree_.findings[number]) append_finding(out, number, *finding);
    }
  }

 private:
  void end(std::string& out, const TextLine& line) const { out += line.str(style_) + '\n'; }

  void append_boundary(std::string& out, std::uint32_t number) const {
    const StageRegion& region = tree_.regions.regions[tree_.boundaries[number]];
    const double share = share_of(region, plan_.summary);
    TextLine line;
    if (share > 0 && frame_.numbers > kPercent + kGap) {
      const Role role = role_of_share(share);
      line.add(share_bar(share, frame_.numbers - kPercent - kGap, style_), role);
      line.add(fmt::format("{:>{}.0f} %", 100 * share, kPercent - 2),
               share >= 0.2 ? std::optional(role) : std::nullopt);
    }
    line.pad_to(frame_.numbers + gutter_.width());
    add_bars(line, places_[number].above, room_, style_);
    line.add(style_.unicode ? "╌╌ " : "-- ", Role::Frame);
    bool is_first = true;
    for (const std::string& fact : stage_facts(region)) {
      if (!is_first) line.add(detail_separator(style_), Role::Dim);
      line.add(fact, is_first ? Role::Info : fact.find("failed") != std::string::npos ? Role::Error : Role::Dim);
      is_first = false;
    }
    end(out, line);
  }

  void append_operator(std::string& out, std::uint32_t number) const {
    TextLine line;
    const MeasuredRow& row = tree_.columns.rows[number];
    std::size_t begin = 0;
    for (const Frame::Shown& shown : frame_.columns) {
      const Cell& cell = row[shown.column];
      line.pad_to(begin + shown.width - std::min(shown.width, display_width(cell.text)));
      line.add(cell.text, cell.is_loud ? std::optional(Role::Warning) : std::nullopt);
      line.add(footnote_mark(cell.footnote, style_.unicode), Role::Note);
      begin += shown.width + shown.marks + kGap;
    }
    line.pad_to(frame_.numbers);
    line.add(gutter_.of((*tree_.tree)[tree_.drawing.nodes[number].node]), Role::Dim);
    add_operator(line, tree_.operators[number], places_[number], room_, style_);
    end(out, line);
  }

  // Text below an operator, beside the bars that go on.
  void append_below(std::string& out, std::uint32_t number, const std::vector<std::string>& lines,
                    std::string_view mark, std::optional<Role> role) const {
    bool is_first = true;
    for (const std::string& text : lines) {
      TextLine line;
      line.pad_to(frame_.numbers + gutter_.width());
      add_bars(line, places_[number].below, room_, style_);
      line.add("  ");
      if (is_first) {
        line.add(mark, role);
      } else {
        line.pad_to(line.width() + display_width(mark));
      }
      is_first = false;
      line.add(text, mark.empty() ? role : std::nullopt);
      end(out, line);
    }
  }

  [[nodiscard]] std::size_t room_below(std::uint32_t number, std::size_t taken) const {
    const std::size_t left =
        frame_.numbers + gutter_.width() + std::min(room_, display_width(places_[number].below)) + 2 + taken;
    return std::max<std::size_t>(left < style_.width ? style_.width - left : 0, 24);
  }

  void append_finding(std::string& out, std::uint32_t number, const Finding& finding) const {
    const std::string mark = std::string(name(finding.severity)) + ": ";
    const std::string text = fmt::format("{} [{} {}]", finding.message, finding.rule->name, finding.rule->code);
    append_below(out, number, wrapped(text, room_below(number, mark.size())), mark, role_of(finding.severity));
  }

  // Every number that there is, as Spark's UI writes it.
  void append_metrics(std::string& out, std::uint32_t number) const {
    for (const metrics::MeasuredMetric& metric : tree_.measured->of(tree_.drawing.nodes[number].node)) {
      std::string value = metrics::spark_text(metric.metric.type, metric.summary);
      // "total (min, med, max (stageId: taskId))\n922 ms (..)": the first line says what the second one is.
      if (const std::size_t end_of_first = value.find('\n'); end_of_first != std::string::npos)
        value.erase(0, end_of_first + 1);
      append_below(out, number, {one_line(metric.metric.name) + ": " + one_line(value)}, "", Role::Dim);
    }
  }

  const AnnotatedPlan& plan_;
  const AnnotatedTree& tree_;
  const Frame& frame_;
  const Style& style_;
  const Gutter gutter_;
  const std::vector<TreePlace> places_;
  std::size_t room_ = 0;  // for bars
};

void append_table(std::string& out, const AnnotatedPlan& plan, const Frame& frame, const Style& style) {
  if (!frame.columns.empty()) {
    TextLine head;
    std::size_t begin = 0;
    for (const Frame::Shown& shown : frame.columns) {
      head.pad_to(begin + shown.width - heading(shown.column).size());
      head.add(heading(shown.column), Role::Dim);
      begin += shown.width + shown.marks + kGap;
    }
    out += head.str(style) + '\n';
  }
  for (const AnnotatedTree& tree : plan.trees) {
    if (tree.is_optimized_out) out += "not in the final plan any more, though it ran:\n";
    TreePage(plan, tree, frame, style).append(out);
  }
}

void append_wrapped(std::string& out, std::string_view mark, std::optional<Role> role, std::string_view text,
                    const Style& style) {
  const std::size_t indentation = display_width(mark);
  bool is_first = true;
  for (const std::string& line : wrapped(text, style.width - std::min(style.width, indentation))) {
    out += is_first ? (role ? style.paint(*role, mark) : std::string(mark)) : std::string(indentation, ' ');
    out += (role ? line : style.paint(Role::Dim, line)) + '\n';
    is_first = false;
  }
}

// Lines break between facts, not in them.
void append_facts(std::string& out, const AnnotatedPlan& plan, const Style& style) {
  const std::string separator(detail_separator(style));
  std::string line;
  const auto end_line = [&] {
    if (!line.empty()) out += (plan.summary.is_failed() ? style.paint(Role::Error, line) : line) + '\n';
    line.clear();
  };
  for (const std::string& fact : plan.facts) {
    if (!line.empty() && display_width(line) + display_width(separator) + display_width(fact) > style.width) end_line();
    line += (line.empty() ? "" : separator) + fact;
  }
  end_line();
}

}  // namespace

std::string annotated_table(const AnnotatedPlan& plan, const Style& style) {
  std::string out;
  append_table(out, plan, Frame::of(plan, style), style);
  return out;
}

std::string annotated_text(const AnnotatedPlan& plan, const Style& style) {
  std::string out;
  TextLine title;
  title.add(plan.heading, Role::Strong);
  out += title.str(style) + '\n';
  append_facts(out, plan, style);
  if (!plan.summary.error.empty()) append_wrapped(out, "error: ", Role::Error, plan.summary.error, style);
  const Frame frame = Frame::of(plan, style);
  append_table(out, plan, frame, style);
  for (const Finding* const finding : plan.other_findings)
    append_wrapped(out, std::string(name(finding->severity)) + ": ", role_of(finding->severity),
                   fmt::format("{} [{} {}]", finding->message, finding->rule->name, finding->rule->code), style);
  for (std::size_t i = 0; i < plan.footnotes.size(); ++i)
    append_wrapped(out, footnote_mark(i + 1, style.unicode) + " ", Role::Note, plan.footnotes[i], style);
  if (style.is_quiet()) return out;
  for (const AnnotatedFix& fix : plan.fixes) append_wrapped(out, "fix: ", Role::Good, fix_text(fix), style);
  for (const Remark& remark : plan.remarks) {
    const bool is_of_use =
        !remark.about || std::ranges::find(frame.columns, *remark.about, &Frame::Shown::column) != frame.columns.end();
    if (is_of_use) append_wrapped(out, "", std::nullopt, remark.text, style);
  }
  if (!frame.left_out.empty()) append_wrapped(out, "", std::nullopt, no_room_text(frame.left_out), style);
  return out;
}

}  // namespace planvet::render
