#include "analyzer/render/tree_layout.hpp"

#include <algorithm>
#include <utility>

namespace planvet::render {

namespace {

struct Connectors {
  std::string_view chain_first;  // an operator that has its input right below
  std::string_view chain_middle;
  std::string_view chain_last;  // a leaf below another operator
  std::string_view alone;       // a leaf that begins its own branch
  std::string_view branch;      // what leads to a branch
  std::string_view last_branch;
  std::string_view bar;       // beside a branch when more follows
  std::string_view straight;  // the same without the blank behind it
};
constexpr Connectors kBoxes = {"┬", "│", "└", "─", "├─", "└─", "│ ", "│"};
constexpr Connectors kAscii = {"+", "|", "`", "-", "|-", "`-", "| ", "|"};

// The only input of an operator stands right below it; everything else is a branch.
bool continues_chain(const Drawing& drawing, const DrawnNode& parent) {
  if (parent.children.empty()) return false;
  if (drawing.nodes[parent.children.back()].link != Link::Child) return false;
  return std::ranges::count_if(parent.children,
                               [&](std::uint32_t number) { return drawing.nodes[number].link == Link::Child; }) == 1;
}

}  // namespace

std::string_view detail_separator(const Style& style) { return style.unicode ? " · " : "; "; }

std::vector<TreePlace> lay_out(const Drawing& drawing, bool unicode, std::size_t width) {
  struct Begin {
    std::string below;  // the bars of its own column's left side
    bool begins_branch = true;
  };
  const Connectors& connectors = unicode ? kBoxes : kAscii;
  std::vector<Begin> begins(drawing.nodes.size());
  std::vector<TreePlace> places(drawing.nodes.size());
  // Bars deeper than the width are never seen: they need not grow with the plan.
  const std::size_t deepest = 2 * width;
  for (std::uint32_t number = 0; number < drawing.nodes.size(); ++number) {
    const DrawnNode& drawn = drawing.nodes[number];
    const Begin begin = std::move(begins[number]);
    TreePlace& place = places[number];
    const bool has_chain = continues_chain(drawing, drawn);
    const bool goes_on = !drawn.children.empty();
    if (begin.begins_branch) {
      place.connector = goes_on ? connectors.chain_first : connectors.alone;
    } else {
      place.connector = goes_on ? connectors.chain_middle : connectors.chain_last;
    }
    place.below = begin.below + std::string(goes_on ? connectors.straight : std::string_view());
    for (std::size_t i = 0; i < drawn.children.size(); ++i) {
      const std::uint32_t child = drawn.children[i];
      places[child].above = begin.below + std::string(connectors.straight);
      if (has_chain && i + 1 == drawn.children.size()) {
        places[child].before = begin.below;
        begins[child] = {begin.below, false};
        continue;
      }
      const bool is_last = i + 1 == drawn.children.size();
      places[child].before = begin.below + std::string(is_last ? connectors.last_branch : connectors.branch);
      begins[child].below = begin.below.size() > deepest
                                ? begin.below
                                : begin.below + std::string(is_last ? std::string_view("  ") : connectors.bar);
      begins[child].begins_branch = true;
    }
  }
  return places;
}

}  // namespace planvet::render
