#include "analyzer/plan/expression_list.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "analyzer/plan/characters.hpp"

namespace planvet {

namespace {

enum class Mark : std::uint8_t { None, Open, Close, Comma };

constexpr std::array<Mark, 256> kMarks = [] {
  std::array<Mark, 256> marks{};
  for (const char c : std::string_view("([{")) marks[static_cast<unsigned char>(c)] = Mark::Open;
  for (const char c : std::string_view(")]}")) marks[static_cast<unsigned char>(c)] = Mark::Close;
  marks[','] = Mark::Comma;
  return marks;
}();

Mark mark(char c) { return kMarks[static_cast<unsigned char>(c)]; }

// [B@1f2e: how Java prints a byte array; its bracket has no partner.
bool is_byte_array(std::string_view text, std::size_t at) { return text.compare(at, 3, "[B@") == 0; }

// `#12` somewhere: the item refers to a column.
bool has_expr_id(std::string_view item) {
  for (std::size_t at = item.find('#'); at != std::string_view::npos; at = item.find('#', at + 1))
    if (at + 1 < item.size() && (is_digit(item[at + 1]) || item[at + 1] == 'x')) return true;
  return false;
}

bool ends_with_expr_id(std::string_view item) {
  if (item.ends_with("ms")) return has_expr_id(item);
  if (item.ends_with('L')) item.remove_suffix(1);
  std::size_t digits = item.size();
  while (digits > 0 && is_digit(item[digits - 1])) --digits;
  return digits > 0 && digits < item.size() && item[digits - 1] == '#';
}

// `... 12 more fields`
bool read_missing(std::string_view item, std::uint64_t& missing) {
  if (!item.starts_with("... ") || !item.ends_with(" more fields")) return false;
  item.remove_prefix(4);
  const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), missing);
  return error == std::errc{} && std::string_view(end, item.data() + item.size()) == " more fields";
}

// What the brackets of a list are: `[..]`, `(..)`, `{..}`, `List(..)`.
std::size_t opening_length(std::string_view text) {
  if (text.empty() || is_byte_array(text, 0)) return 0;
  if (mark(text.front()) == Mark::Open) return 1;
  for (const std::string_view word : {"List(", "ArrayBuffer(", "Vector(", "Set(", "Buffer("})
    if (text.starts_with(word)) return word.size();
  return 0;
}

// The place of the bracket that closes the one before `from`; npos without.
std::size_t find_close(std::string_view text, std::size_t from) {
  std::size_t depth = 1;
  for (std::size_t i = from; i < text.size(); ++i) {
    const Mark m = mark(text[i]);
    if (m == Mark::Open && !is_byte_array(text, i)) ++depth;
    if (m == Mark::Close && --depth == 0) return i;
  }
  return std::string_view::npos;
}

struct Separator {
  std::size_t at;
  bool has_blank;
};

// Commas at depth 0; false if a bracket has no partner.
bool find_separators(std::string_view text, std::vector<Separator>& separators) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    switch (mark(text[i])) {
      case Mark::None: break;
      case Mark::Open:
        if (!is_byte_array(text, i)) ++depth;
        break;
      case Mark::Close:
        if (depth == 0) return false;
        --depth;
        break;
      case Mark::Comma:
        if (depth == 0) separators.push_back({i, i + 1 < text.size() && text[i + 1] == ' '});
        break;
    }
  }
  return depth == 0;
}

std::vector<std::string_view> cut(std::string_view text, const std::vector<Separator>& separators, bool blanks_only) {
  std::vector<std::string_view> items;
  std::size_t begin = 0;
  for (const Separator& separator : separators) {
    if (blanks_only && !separator.has_blank) continue;
    items.push_back(text.substr(begin, separator.at - begin));
    begin = separator.at + (separator.has_blank ? 2 : 1);
  }
  items.push_back(text.substr(begin));
  return items;
}

std::string_view joined(std::string_view first, std::string_view last) {
  return {first.data(), static_cast<std::size_t>(last.data() + last.size() - first.data())};
}

bool is_subquery_id(std::string_view before, std::string_view item) {
  return item.starts_with("[id=#") &&
         (before.find("ubquery") != std::string_view::npos || before.find("dynamicpruning#") != std::string_view::npos);
}

// Commas that Spark prints inside one item without brackets: `Subquery subquery#7, [id=#30]` and `a#1 INSET 1, 2, 3`.
void join_known_items(std::vector<std::string_view>& items) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (kept > 0) {
      std::string_view& before = items[kept - 1];
      const bool continues_set = before.find(" INSET ") != std::string_view::npos && !has_expr_id(items[i]) &&
                                 !items[i].ends_with(')') && !items[i].ends_with(']');
      if (is_subquery_id(before, items[i]) || continues_set) {
        before = joined(before, items[i]);
        continue;
      }
    }
    items[kept++] = items[i];
  }
  items.resize(kept);
}

// Names may hold commas, but every column ends with its id: what does not end so goes on behind the comma.
std::vector<std::string_view> join_columns(const std::vector<std::string_view>& items,
                                           bool (*is_whole)(std::string_view)) {
  std::vector<std::string_view> columns;
  bool is_open = false;
  for (const std::string_view item : items) {
    if (is_open) {
      columns.back() = joined(columns.back(), item);
    } else {
      columns.push_back(item);
    }
    is_open = !is_whole(item);
  }
  return columns;
}

bool is_balanced(std::string_view text) {
  std::vector<Separator> ignored;
  return find_separators(text, ignored);
}

bool is_cut(std::string_view item) { return item.ends_with("..."); }

// The items of text whose brackets do not match: whole ones up to the first strange place, then the rest as one.
void split_unbalanced(std::string_view text, ItemList& list) {
  list.is_balanced = false;
  std::size_t depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const Mark m = mark(text[i]);
    if (m == Mark::Open && !is_byte_array(text, i)) ++depth;
    if (m == Mark::Close) {
      if (depth == 0) break;
      --depth;
    }
    if (m == Mark::Comma && depth == 0 && text.compare(i, 2, ", ") == 0) {
      list.items.push_back(text.substr(begin, i - begin));
      begin = i + 2;
    }
  }
  list.items.push_back(text.substr(begin));
}

}  // namespace

ItemList split_list(std::string_view text, std::size_t expected_count) {
  ItemList list;
  std::string_view inside = text;
  if (const std::size_t opening = opening_length(text); opening > 0) {
    const std::size_t close = find_close(text, opening);
    if (close == text.size() - 1) {
      inside = text.substr(opening, text.size() - opening - 1);
    } else if (close == std::string_view::npos) {
      // The closing bracket was cut away, or a name or literal holds a lone bracket.
      inside = text.substr(opening);
      if (mark(inside.empty() ? ' ' : inside.back()) == Mark::Close && expected_count != kAnyCount)
        inside.remove_suffix(1);
      list.is_balanced = false;
    } else if (mark(text.back()) == Mark::Close && !is_balanced(text)) {
      inside = text.substr(opening, text.size() - opening - 1);
    }
  }
  if (inside.empty()) {
    list.has_expected_count = expected_count == kAnyCount || expected_count == 0;
    list.is_truncated = !list.is_balanced;
    return list;
  }

  std::vector<Separator> separators;
  if (find_separators(inside, separators)) {
    const bool any_blank =
        std::any_of(separators.begin(), separators.end(), [](const Separator& one) { return one.has_blank; });
    list.items = cut(inside, separators, any_blank);
    if (!any_blank && list.items.size() > 1 && std::any_of(list.items.begin(), list.items.end(), has_expr_id))
      list.items = join_columns(list.items, has_expr_id);
    join_known_items(list.items);
  } else {
    split_unbalanced(inside, list);
  }

  if (expected_count != kAnyCount && list.items.size() != expected_count) {
    // Commas or lone brackets in names: trust the ids alone.
    std::vector<Separator> all;
    for (std::size_t i = inside.find(", "); i != std::string_view::npos; i = inside.find(", ", i + 1))
      all.push_back({i, true});
    std::vector<std::string_view> columns = join_columns(cut(inside, all, true), ends_with_expr_id);
    if (columns.size() == expected_count && ends_with_expr_id(columns.back())) {
      list.items = std::move(columns);
      list.is_balanced = true;
      return list;
    }
  }

  if (!list.items.empty()) {
    if (read_missing(list.items.back(), list.missing)) {
      list.is_truncated = true;
      list.items.pop_back();
    } else if (is_cut(list.items.back())) {
      // A value cut at 100 characters: what stands before the dots is whole only if its own brackets are.
      list.is_truncated = true;
      std::string_view& last = list.items.back();
      const std::string_view rest = last.substr(0, last.size() - 3);
      if (rest.empty()) {
        list.items.pop_back();
      } else if (rest.back() == ')' && is_balanced(rest)) {
        last = rest;
      }
    }
  }
  list.has_expected_count = expected_count == kAnyCount || list.items.size() == expected_count;
  return list;
}

}  // namespace planvet
