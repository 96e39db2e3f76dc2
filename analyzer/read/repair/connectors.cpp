// Tree connectors that something replaced: box drawing, `|-`, a dash that an editor made longer.
//
//   └─ Filter          +- Filter          |- Scan a      :- Scan a
//      ├─ Scan a   ->     :- Scan a       |  +- B    ->  :  +- B
//      │  └─ B            :  +- B         \- Scan b      +- Scan b

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/read/repair/damages.hpp"
#include "analyzer/read/repair/line_shape.hpp"

namespace planvet::read {

namespace {

// What stands before the name of an operator.
struct Head {
  std::size_t indent = 0;    // bytes before the connector
  std::size_t column = 0;    // of the connector
  OtherConnector connector;  // length 0: Spark's own
  bool is_tree = false;
  bool has_box_bar = false;
};

bool is_no_break_space(std::string_view text) { return text.starts_with("\u00a0"); }

Head head_of(std::string_view line) {
  Head head;
  while (head.indent < line.size()) {
    const std::string_view rest = line.substr(head.indent);
    if (rest.starts_with("+- ") || rest.starts_with(":- ")) {
      head.is_tree = rest.size() > 3;
      return head;
    }
    head.connector = other_connector(rest);
    if (head.connector.length != 0) {
      head.is_tree = true;
      return head;
    }
    const std::size_t bar = other_bar(rest);
    if (bar > 1) head.has_box_bar = true;
    if (rest[0] != ' ' && rest[0] != ':' && bar == 0 && !is_no_break_space(rest)) return {};
    head.indent += bar > 0 ? bar : is_no_break_space(rest) ? 2 : 1;
    ++head.column;
    if (head.column > 4000) return {};
  }
  return {};
}

std::size_t name_offset(const Head& head) {
  return head.indent + (head.connector.length == 0 ? 3 : head.connector.length);
}

struct Counts {
  std::size_t spark = 0;
  std::size_t drawn = 0;  // box drawing and long dashes
  std::size_t ascii = 0;
  std::size_t wide = 0;
  std::size_t bars = 0;
  std::size_t quotes = 0;
};

// Editors turn the mark of an unresolved operator, a plain quote, into a typographic one.
std::size_t typographic_quote(std::string_view text) {
  return text.starts_with("\u2018") || text.starts_with("\u2019") ? 3 : 0;
}

// The indentation with Spark's bars; four columns a level become three when the tree was drawn wide.
std::string spark_indent(std::string_view indent, bool wide, std::vector<std::size_t>& open) {
  std::string result;
  std::size_t column = 0;
  for (std::size_t at = 0; at < indent.size(); ++column) {
    const std::string_view rest = indent.substr(at);
    const std::size_t bar = other_bar(rest);
    // A '|' may belong to something else: it is a bar below a connector that has more children to come.
    bool is_bar = rest[0] == ':' || bar > 1;
    if (bar == 1)
      for (const std::size_t place : open) is_bar = is_bar || place == column;
    if (!wide || column % 4 != 3) result += is_bar ? ':' : bar == 1 ? '|' : ' ';
    at += bar > 0 ? bar : is_no_break_space(rest) ? 2 : 1;
  }
  return result;
}

void repair_plan(Rewriter& out, std::size_t begin, std::size_t end) {
  const std::string_view text = out.input().substr(0, end);
  Counts counts;
  for_each_line(text.substr(begin), [&](std::size_t line_begin, std::size_t line_finish) {
    const Head head = head_of(text.substr(begin + line_begin, line_finish - line_begin));
    if (!head.is_tree) return;
    if (typographic_quote(text.substr(begin + line_begin + name_offset(head))) != 0) ++counts.quotes;
    if (head.connector.length == 0) {
      ++counts.spark;
    } else {
      ++(head.connector.is_ascii ? counts.ascii : counts.drawn);
      if (head.connector.is_wide && head.column % 4 == 0) ++counts.wide;
    }
    if (head.has_box_bar) ++counts.bars;
  });
  const std::size_t others = counts.drawn + counts.ascii;
  if (counts.drawn == 0 && counts.bars < 2 && counts.quotes == 0 && counts.ascii < (counts.spark > 0 ? 1 : 2)) return;
  const bool wide = counts.wide == others && counts.spark == 0;

  std::vector<std::size_t> open;  // columns of connectors with more children to come
  for_each_line(text.substr(begin), [&](std::size_t line_begin, std::size_t line_finish) {
    const std::size_t place = begin + line_begin;
    const std::string_view line = text.substr(place, line_finish - line_begin);
    const Head head = head_of(line);
    if (!head.is_tree) return;
    while (!open.empty() && open.back() >= head.column) open.pop_back();
    const std::string indent = spark_indent(line.substr(0, head.indent), wide, open);
    const bool ends = head.connector.length == 0 ? line[head.indent] == '+' : head.connector.is_last;
    if (!ends) open.push_back(head.column);
    const std::size_t name = place + name_offset(head);
    const std::string spark = indent + (ends ? "+- " : ":- ");
    if (line.substr(0, name - place) != spark) out.replace(place, name, spark, RepairKind::Connectors);
    if (typographic_quote(text.substr(name)) != 0) out.replace(name, name + 3, "'", RepairKind::SmartQuotes);
  });
}

}  // namespace

void undo_connectors(Rewriter& out) {
  for_each_plan(out.input(), [&](std::size_t begin, std::size_t end) { repair_plan(out, begin, end); });
}

}  // namespace planvet::read
