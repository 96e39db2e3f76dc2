// Text escaped for HTML or XML, the tags already gone: `(qty#4 &gt; 3)`, `struct&lt;a:int&gt;`, `&nbsp;&nbsp;+- Filter`.
//
// A literal may hold an entity rightly. So one must stand where Spark writes the sign itself, and where `<` is escaped
// no bare one may occur.

#include <cstdint>
#include <string>
#include <string_view>

#include "analyzer/read/repair/characters.hpp"
#include "analyzer/read/repair/damages.hpp"
#include "analyzer/read/repair/line_shape.hpp"

namespace planvet::read {

Entity entity_at(std::string_view text) {
  struct Name {
    std::string_view text;
    std::uint32_t code;
  };
  constexpr Name kNames[] = {{"&lt;", '<'},       {"&gt;", '>'},       {"&amp;", '&'},      {"&quot;", '"'},
                             {"&apos;", '\''},    {"&nbsp;", 0xA0},    {"&ndash;", 0x2013}, {"&mdash;", 0x2014},
                             {"&lsquo;", 0x2018}, {"&rsquo;", 0x2019}, {"&ensp;", 0x2002},  {"&emsp;", 0x2003}};
  for (const Name& name : kNames)
    if (text.starts_with(name.text)) return {name.text.size(), name.code};
  if (!text.starts_with("&#")) return {};
  const bool is_hex = text.size() > 2 && (text[2] == 'x' || text[2] == 'X');
  std::size_t at = is_hex ? 3 : 2;
  const std::size_t first = at;
  std::uint32_t code = 0;
  for (; at < text.size() && at < first + 7; ++at) {
    const char c = text[at];
    const bool is_letter_digit = is_hex && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'));
    if (!is_digit(c) && !is_letter_digit) break;
    code = code * (is_hex ? 16 : 10) + static_cast<std::uint32_t>(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  if (at == first || at >= text.size() || text[at] != ';' || code == 0 || code > 0x10FFFF) return {};
  if (code >= 0xD800 && code < 0xE000) return {};
  return {at + 1, code};
}

namespace {

// ` #12 `, ` #12L `: what stands before an operator.
bool ends_with_attribute(std::string_view text) {
  if (!text.ends_with(' ')) return false;
  text.remove_suffix(1);
  if (text.ends_with('L')) text.remove_suffix(1);
  std::size_t digits = 0;
  while (digits < text.size() && digits < 12 && is_digit(text[text.size() - 1 - digits])) ++digits;
  return digits > 0 && digits < text.size() && text[text.size() - 1 - digits] == '#';
}

bool ends_with_type(std::string_view text) {
  return text.ends_with("struct") || text.ends_with("array") || text.ends_with("map");
}

struct Counts {
  std::size_t misplaced = 0;    // signs that Spark writes itself
  std::size_t line_starts = 0;  // `&gt; ` of quoted mail
  std::size_t blanks = 0;       // `&nbsp;` in indentation
  bool has_bare = false;        // `&` that begins no entity
};

Counts count(std::string_view text) {
  Counts counts;
  for (std::size_t at = 0; (at = text.find('&', at)) != std::string_view::npos;) {
    const std::string_view before = text.substr(0, at);
    const Entity entity = entity_at(text.substr(at, 16));
    if (entity.size == 0) {
      counts.has_bare = true;
      ++at;
      continue;
    }
    const std::string_view after = text.substr(at + entity.size, 64);
    switch (entity.code) {
      case '<':
        if (ends_with_attribute(before) || ends_with_type(before) || after.starts_with("lambda&gt;("))
          ++counts.misplaced;
        break;
      case '>':
        if (ends_with_attribute(before)) ++counts.misplaced;
        if (before.empty() || before.ends_with('\n')) ++counts.line_starts;
        break;
      case '\'':
        if (before.ends_with("+- ") || before.ends_with(":- ")) ++counts.misplaced;
        break;
      case 0xA0:
      case 0x2002:
      case 0x2003:
        // Blanks, bars and more entities up to a connector.
        for (std::size_t next = 0; next < after.size();) {
          const std::string_view rest = after.substr(next);
          if (rest.starts_with("+- ") || rest.starts_with(":- ") || rest.starts_with("+-&nbsp;") ||
              rest.starts_with(":-&nbsp;")) {
            ++counts.blanks;
            break;
          }
          const Entity other = entity_at(rest);
          if (other.size == 0 && rest[0] != ' ' && rest[0] != ':') break;
          next += other.size == 0 ? 1 : other.size;
        }
        break;
      default: break;
    }
    at += entity.size;
  }
  return counts;
}

// Ends of tags may be left over from what the plan stood in.
bool has_bare_bracket(std::string_view text) {
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string_view::npos; ++at)
    if (!text.substr(at).starts_with("</") && !text.substr(at).starts_with("<br")) return true;
  return false;
}

void repair_plan(Rewriter& out, std::size_t begin, std::size_t end) {
  const std::string_view text = out.input().substr(0, end);
  const Counts counts = count(text.substr(begin));
  const bool all =
      (counts.misplaced > 0 || counts.line_starts > 2) && !counts.has_bare && !has_bare_bracket(text.substr(begin));
  if (!all && counts.blanks == 0) return;
  std::string character;
  for (std::size_t at = begin; (at = text.find('&', at)) != std::string_view::npos;) {
    const Entity entity = entity_at(text.substr(at, 16));
    const bool is_blank = entity.code == 0xA0 || entity.code == 0x2002 || entity.code == 0x2003;
    if (entity.size == 0 || (!all && !is_blank)) {
      ++at;
      continue;
    }
    character.clear();
    append_utf8(character, is_blank ? ' ' : entity.code);
    out.replace(at, at + entity.size, character, RepairKind::Entities);
    at += entity.size;
  }
}

}  // namespace

void undo_entities(Rewriter& out) {
  for_each_plan(out.input(), [&](std::size_t begin, std::size_t end) { repair_plan(out, begin, end); });
}

}  // namespace planvet::read
