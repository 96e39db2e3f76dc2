#include "rules/wording.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include <fmt/core.h>

#include "analyzer/plan/characters.hpp"
#include "analyzer/plan/expression.hpp"
#include "analyzer/report/fix_parts.hpp"

namespace planvet::rules {
namespace {

// A side of so many operators is no single table's, and machine-made plans have thousands of joins to ask for.
constexpr std::size_t kLargeSide = 400;

}  // namespace

std::string plain(std::string_view expression, std::size_t limit) {
  std::string out;
  out.reserve(expression.size());
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    if (c == '#' && i + 1 < expression.size() && is_digit(expression[i + 1])) {
      while (i + 1 < expression.size() && is_digit(expression[i + 1])) ++i;
      if (i + 1 < expression.size() && expression[i + 1] == 'L') ++i;
      continue;
    }
    out.push_back(c == '\n' || c == '\r' || c == '\t' ? ' ' : c);
  }
  if (out.size() > limit && limit > 8) {
    // Not inside a UTF-8 sequence.
    std::size_t head = limit / 2 - 2;
    while (head > 0 && (static_cast<unsigned char>(out[head]) & 0xC0U) == 0x80U) --head;
    std::size_t tail = out.size() - (limit - head - 3);
    while (tail < out.size() && (static_cast<unsigned char>(out[tail]) & 0xC0U) == 0x80U) ++tail;
    out = out.substr(0, head) + "..." + out.substr(tail);
  }
  return out;
}

std::string plain_list(const ItemList& items, std::size_t shown) {
  std::string out;
  const std::size_t total = items.items.size() + items.missing;
  const std::size_t count = std::min(items.items.size(), shown);
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) out += ", ";
    out += plain(items.items[i], 60);
  }
  if (total > count) out += fmt::format(" and {} more", total - count);
  return out;
}

std::string count_text(double count) {
  if (count >= 1e12) return fmt::format("{:.1f} trillion", count / 1e12);
  if (count >= 1e9) return fmt::format("{:.1f} billion", count / 1e9);
  if (count >= 1e7) return fmt::format("{:.1f} million", count / 1e6);
  std::string digits = fmt::format("{:.0f}", count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

namespace {

std::optional<Scan> only_scan(const PlanTree& plan, NodeId id) {
  if (id == kNoNode || plan.subtree(id).size() > kLargeSide) return std::nullopt;
  std::optional<Scan> only;
  std::vector<NodeId> open{id};  // the side, and what reused exchanges in it read
  while (!open.empty()) {
    const NodeId top = open.back();
    open.pop_back();
    for (NodeId at = top; at < plan.node(top).subtree_end;) {
      const PlanNode& node = plan.node(at);
      if (at != top && node.link != Link::Child) {
        at = node.subtree_end;
        continue;
      }
      if (node.kind == OperatorKind::ReusedExchange) {
        if (node.reuses == kNoNode || open.size() > 8) return std::nullopt;
        open.push_back(node.reuses);
      }
      if (const auto scan = Scan::of(plan, at)) {
        if (only) return std::nullopt;
        only = scan;
      }
      at = next(at);
    }
  }
  return only;
}

}  // namespace

std::string_view only_table(const PlanTree& plan, NodeId id) {
  const auto scan = only_scan(plan, id);
  return scan ? scan->display_name() : std::string_view{};
}

std::string sql_table(const PlanTree& plan, NodeId id) {
  const auto scan = only_scan(plan, id);
  if (!scan || scan->table().empty()) return {};
  std::string_view rest = scan->display_name();
  std::string quoted;
  while (true) {
    const std::size_t dot = rest.find('.');
    quoted += (quoted.empty() ? "" : ".") + sql_column(rest.substr(0, dot));
    if (dot == std::string_view::npos) return quoted;
    rest.remove_prefix(dot + 1);
  }
}

bool can_be_analyzed(const PlanTree& plan, NodeId id) {
  const auto scan = only_scan(plan, id);
  return scan && !scan->is_v2() && scan->source() != ScanSource::Jdbc;
}

std::string side_text(const Join& join, Side side) {
  const std::string_view table = only_table(join.plan(), join.input(side));
  return table.empty() ? fmt::format("the {} side", name(side)) : std::string(table);
}

std::string_view short_name(std::string_view table) {
  const std::size_t dot = table.rfind('.');
  return dot == std::string_view::npos ? table : table.substr(dot + 1);
}

std::string sql_column(std::string_view name) {
  const bool is_word = !name.empty() && !is_digit(name.front()) && std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  });
  if (is_word) return std::string(name);
  std::string quoted = "`";
  for (const char c : name) {
    if (c == '`') quoted.push_back('`');
    quoted.push_back(c);
  }
  quoted.push_back('`');
  return quoted;
}

std::string in_prose(std::string_view column) {
  return column.find('`') == std::string_view::npos ? std::string(column) : code(column);
}

std::string sql_table(std::string_view table) {
  std::string out;
  while (true) {
    const std::size_t dot = table.find('.');
    out += sql_column(table.substr(0, dot));
    if (dot == std::string_view::npos) return out;
    out += '.';
    table.remove_prefix(dot + 1);
  }
}

std::string sql_key(std::string_view printed) {
  const AttributeText column = read_attribute_text(printed);
  return column.expr_id == kNoExprId ? plain(printed, 60) : sql_column(column.name);
}

}  // namespace planvet::rules
