#include "analyzer/read/arguments/items.hpp"

#include <array>
#include <cstdint>

#include "analyzer/plan/characters.hpp"

namespace planvet::read {
namespace {

enum Class : std::uint8_t { kPlain, kOpen, kClose, kLess, kGreater, kComma, kBlank, kDot };

constexpr std::array<Class, 256> kClasses = [] {
  std::array<Class, 256> classes{};
  for (const char c : {'(', '[', '{'}) classes[static_cast<unsigned char>(c)] = kOpen;
  for (const char c : {')', ']', '}'}) classes[static_cast<unsigned char>(c)] = kClose;
  classes['<'] = kLess;
  classes['>'] = kGreater;
  classes[','] = kComma;
  classes[' '] = kBlank;
  classes['.'] = kDot;
  return classes;
}();

Class class_of(char c) { return kClasses[static_cast<unsigned char>(c)]; }

// A bracket of a type, `struct<start: timestamp, end: timestamp>`, where it is no comparison.
bool opens_type(std::string_view before) {
  return before.ends_with("struct") || before.ends_with("array") || before.ends_with("map");
}

// `subquery#7`, `dynamicpruning#918`: what `, [id=#30]` belongs to.
bool ends_in_subquery(std::string_view text) {
  std::size_t at = text.size();
  while (at > 0 && is_digit(text[at - 1])) --at;
  return at > 0 && at < text.size() && text[at - 1] == '#';
}

// "... 12 more fields" at the start of `text`: how many, else 0.
unsigned more_fields(std::string_view text) {
  constexpr std::string_view kDots = "... ";
  if (!text.starts_with(kDots)) return 0;
  std::size_t at = kDots.size();
  unsigned number = 0;
  while (at < text.size() && is_digit(text[at]) && number < 100'000'000U) {
    number = number * 10 + static_cast<unsigned>(text[at] - '0');
    ++at;
  }
  const std::string_view unit = text.substr(at);
  return unit.starts_with(" more fields") || unit.starts_with(" entries") ? number : 0;
}

// Flags that Spark prints behind a join's condition; INSET has no such values worth a list of more than ten.
std::string_view without_trailing_flags(std::string_view text) {
  for (;;) {
    if (text.ends_with(", true")) {
      text.remove_suffix(6);
    } else if (text.ends_with(", false")) {
      text.remove_suffix(7);
    } else {
      return text;
    }
  }
}

// Names may hold a lone bracket (`(#6332`). Where brackets do not match, a list ends at the first "]" that something
// follows as behind a list, a call at the first ")" that a word of Spark's own or an id follows.
std::size_t end_of_unbalanced(std::string_view text) {
  const std::size_t open = text.find_first_of("([");
  if (open == std::string_view::npos) return text.size();
  const bool is_list = text[open] == '[';
  const char closing = is_list ? ']' : ')';
  for (std::size_t at = text.find(closing, open); at != std::string_view::npos; at = text.find(closing, at + 1)) {
    const std::string_view rest = text.substr(at + 1);
    if (rest.empty()) return text.size();
    if (!rest.starts_with(", ")) continue;
    const std::string_view next = rest.substr(2);
    const bool is_word = !next.empty() && next.front() >= 'A' && next.front() <= 'Z';
    if (is_list || is_word || next.starts_with("[plan_id=") || next.starts_with("[id=#")) return at + 1;
  }
  return 0;
}

}  // namespace

std::string_view trim(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

Item ItemScanner::next() {
  Item item;
  const std::string_view text = rest_;
  unsigned depth = 0;
  unsigned types = 0;
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const Class kind = class_of(text[at]);
    if (kind == kPlain) continue;
    if (kind == kOpen) {
      ++depth;
    } else if (kind == kClose) {
      if (depth > 0) --depth;  // RAPIDS closes one too many
    } else if (kind == kLess) {
      if (opens_type(text.substr(0, at))) {
        ++types;
        ++depth;
      }
    } else if (kind == kGreater) {
      if (types > 0 && depth > 0) {
        --types;
        --depth;
      }
    } else if (kind == kDot) {
      if ((at == 0 || text[at - 1] != '.') && more_fields(text.substr(at)) > 0) item.is_truncated = true;
    } else if (depth > 0) {
      continue;
    } else if (kind == kComma) {
      if (at + 1 >= text.size() || text[at + 1] != ' ') continue;
      if (text.substr(at + 2).starts_with("[id=#") && ends_in_subquery(text.substr(0, at))) continue;
      break;
    } else if (text.substr(at).starts_with(" INSET ") && !text.substr(at + 7).starts_with("(")) {
      at = without_trailing_flags(text).size();
      if (text.find("... ", 0) < at) item.is_truncated = true;
      break;
    }
  }
  // Each recovery has read all the rest: a few are names, more are an attack.
  constexpr unsigned kMostRecoveries = 8;
  if (depth > 0 && recoveries_++ < kMostRecoveries) {
    const std::size_t end = end_of_unbalanced(text);
    if (end > 0) {
      depth = 0;
      at = end;
    }
  }
  if (at > text.size()) at = text.size();
  item.text = text.substr(0, at);
  item.is_balanced = depth == 0;
  rest_ = at + 2 <= text.size() ? text.substr(at + 2) : std::string_view{};
  return item;
}

bool has_more_fields(std::string_view text) {
  for (std::size_t at = 0; (at = text.find("... ", at)) != std::string_view::npos; ++at) {
    if (more_fields(text.substr(at)) > 0) return true;
  }
  return false;
}

Cut cut_at_end(std::string_view list) {
  while (!list.empty() && class_of(list.back()) == kClose) list.remove_suffix(1);
  while (list.ends_with('>')) list.remove_suffix(1);  // struct<..>
  if (list.ends_with("...")) return {true, 0};
  if (!list.ends_with(" more fields") && !list.ends_with(" entries")) return {};
  const std::size_t dots = list.rfind("... ");
  if (dots == std::string_view::npos) return {};
  const unsigned missing = more_fields(list.substr(dots));
  return {missing > 0, missing};
}

Completeness completeness_of(std::string_view text) {
  // INSET lists of Spark 4 are cut, in the middle of a condition too.
  const bool is_cut =
      text.ends_with("...") || (text.find(" more fields") != std::string_view::npos && has_more_fields(text));
  return is_cut ? Completeness::Truncated : Completeness::Whole;
}

unsigned count_items(std::string_view list) {
  const std::size_t open = list.find_first_of("[(<{");
  if (open == std::string_view::npos || open + 2 >= list.size()) return 0;
  unsigned depth = 1;
  unsigned commas = 0;
  for (std::size_t at = open + 1; at < list.size() && depth > 0; ++at) {
    const char c = list[at];
    if (class_of(c) == kOpen || c == '<') {
      ++depth;
    } else if (class_of(c) == kClose || c == '>') {
      --depth;
    } else if (c == ',' && depth == 1) {
      ++commas;
    }
  }
  return cut_at_end(list).is_cut ? commas : commas + 1;
}

std::size_t behind_closing(std::string_view text, std::size_t open) {
  const char opening = text[open];
  const char closing = opening == '[' ? ']' : opening == '(' ? ')' : '}';
  std::size_t depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == opening) {
      ++depth;
    } else if (text[at] == closing && --depth == 0) {
      return at + 1;
    }
  }
  return std::string_view::npos;
}

}  // namespace planvet::read
