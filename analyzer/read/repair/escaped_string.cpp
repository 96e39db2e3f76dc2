// A plan on one line, its line breaks written as `\n`: a JSON string, a Python or Scala literal, a row printed by a
// notebook, the value of a tool's export.
//
//   {"plan": "== Physical Plan ==\n*(1) Project [a#1]\n+- ..."}      [Row(plan='== Physical Plan ==\n...')]
//
// The strings that hold plans are all that stays of such a line. Strings inside strings come out one layer a round.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "analyzer/read/repair/characters.hpp"
#include "analyzer/read/repair/damages.hpp"
#include "analyzer/read/repair/line_shape.hpp"

namespace planvet::read {

namespace {

// `\n`, `\\n`, `\r`, ...: bytes of an escaped line end at `text`, 0 when there is none.
std::size_t escaped_feed_size(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && at < 16 && text[at] == '\\') ++at;
  return at > 0 && at < text.size() && (text[at] == 'n' || text[at] == 'r') ? at + 1 : 0;
}

bool tree_line_follows(std::string_view text) {
  std::size_t at = 0;
  text = text.substr(0, 512);
  while (at < text.size() && (text[at] == ' ' || text[at] == ':' || text[at] == '|')) ++at;
  if (at > 0 && text[at - 1] == ':' && text.substr(at).starts_with("- ")) --at;
  text.remove_prefix(at);
  const bool connector = text.starts_with("+- ") || text.starts_with(":- ");
  if (connector) return text.size() > 3 && may_start_node(text[3]);
  return other_connector(text).length > 0;
}

struct Evidence {
  std::size_t first = std::string_view::npos;  // where the plan's text begins, as far as one can see
  bool has_banner = false;
  std::size_t tree_lines = 0;
  [[nodiscard]] bool enough() const { return has_banner || tree_lines > 1; }
};

Evidence evidence_in(std::string_view text) {
  Evidence evidence;
  for (std::size_t at = text.find('\\'); at != std::string_view::npos; at = text.find('\\', at)) {
    const std::size_t size = escaped_feed_size(text.substr(at));
    if (size == 0) {
      while (at < text.size() && text[at] == '\\') ++at;
      continue;
    }
    // `== Physical Plan ==\n`, perhaps with a carriage return between.
    std::string_view before = text.substr(0, at);
    while (before.ends_with("\\r")) before.remove_suffix(2);
    while (before.ends_with('\\')) before.remove_suffix(1);
    for (const std::string_view tag : {"<br>", "<br/>", "<br />"})
      if (before.ends_with(tag)) before.remove_suffix(tag.size());
    if (before.size() > 6 && before.ends_with(" ==")) {
      const std::size_t window = before.size() < 160 ? 0 : before.size() - 160;
      for (std::size_t banner = before.rfind("== ", before.size() - 4);
           banner != std::string_view::npos && banner >= window;
           banner = banner == 0 ? std::string_view::npos : before.rfind("== ", banner - 1)) {
        if (find_anchor(before.substr(banner)).kind != AnchorKind::Banner) continue;
        evidence.has_banner = true;
        if (evidence.first == std::string_view::npos) evidence.first = banner;
        break;
      }
    }
    if (tree_line_follows(text.substr(at + size))) {
      ++evidence.tree_lines;
      if (evidence.first == std::string_view::npos) evidence.first = 0;
    }
    at += size;
  }
  return evidence;
}

int hex_value(std::string_view digits, std::size_t count) {
  if (digits.size() < count) return -1;
  int value = 0;
  for (const char c : digits.substr(0, count)) {
    const int digit = is_digit(c)            ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

// Copies text[begin, end) with its escapes undone.
void unescape(Rewriter& out, std::size_t begin, std::size_t end, char quote) {
  const std::string_view text = out.input().substr(0, end);
  for (std::size_t at = begin; at < end;) {
    const std::size_t next = text.find_first_of(quote == '"' ? "\\\"" : "\\", at);
    if (next == std::string_view::npos || next + 1 >= end) break;
    std::string character;
    std::size_t size = 2;
    const std::string_view rest = text.substr(next + 2);
    if (text[next] == '"') {
      if (text[next + 1] == '"') character = '"';  // doubled, as in CSV
    } else {
      switch (text[next + 1]) {
        case 'n': character = '\n'; break;
        case 't': character = '\t'; break;
        case 'r': character = '\r'; break;
        case '"': character = '"'; break;
        case '\'': character = '\''; break;
        case '`': character = '`'; break;
        case '/': character = '/'; break;
        case '\\': character = '\\'; break;
        case 'x': {
          const int code = hex_value(rest, 2);
          if (code < 0) break;
          append_utf8(character, static_cast<std::uint32_t>(code));
          size = 4;
          break;
        }
        case 'u': {
          const int code = hex_value(rest, 4);
          if (code < 0) break;
          size = 6;
          auto point = static_cast<std::uint32_t>(code);
          const int low =
              rest.substr(std::min<std::size_t>(4, rest.size())).starts_with("\\u") ? hex_value(rest.substr(6), 4) : -1;
          if (code >= 0xD800 && code < 0xDC00 && low >= 0xDC00 && low < 0xE000) {
            point = 0x10000 + ((point - 0xD800) << 10) + (static_cast<std::uint32_t>(low) - 0xDC00);
            size = 12;
          } else if (code >= 0xD800 && code < 0xE000) {
            point = 0xFFFD;
          }
          append_utf8(character, point);
          break;
        }
        default: break;  // not an escape of any language at hand: both characters stay
      }
    }
    if (!character.empty()) out.replace(next, next + size, character, RepairKind::EscapedString);
    at = next + size;
  }
  out.copy_to(end);
}

constexpr std::string_view kBeforeString = " \t=([{,:+-|>";

bool may_precede_string(std::string_view before) {
  if (before.empty()) return true;
  const char c = before.back();
  return kBeforeString.find(c) != std::string_view::npos ||
         // A prefix of a Python or Scala literal: r"", f"", s"".
         (is_letter(c) && (before.size() == 1 ||
                           std::string_view(" \t=([{,:").find(before[before.size() - 2]) != std::string_view::npos));
}

bool may_follow_string(std::string_view rest) {
  return rest.empty() || static_cast<unsigned char>(rest.front()) >= 0x80 ||
         std::string_view(" \t\r\n,:;)]}.<|+").find(rest.front()) != std::string_view::npos;
}

// The end of the string that `quote` opens at `open`: the offset of its closing quote, npos when there is none.
std::size_t closing_quote(std::string_view line, std::size_t open) {
  const char quote = line[open];
  for (std::size_t at = open + 1; at < line.size(); ++at) {
    if (line[at] == '\\') {
      ++at;
    } else if (line[at] == quote) {
      if (may_follow_string(line.substr(at + 1))) return at;
      if (at + 1 < line.size() && line[at + 1] == quote) ++at;
    }
  }
  return std::string_view::npos;
}

// Writes the strings of a line that hold plans, each from the start of a line. False when no string does.
bool extract_strings(Rewriter& out, std::size_t begin, std::size_t end, char quote) {
  const std::string_view line = out.input().substr(begin, end - begin);
  bool found = false;
  std::size_t at = 0;
  while ((at = line.find(quote, at)) != std::string_view::npos) {
    if (!may_precede_string(line.substr(0, at))) {
      ++at;
      continue;
    }
    const std::size_t close = closing_quote(line, at);
    if (close == std::string_view::npos) {
      // Every later string would lack its end too, or overlap this one.
      break;
    }
    if (evidence_in(line.substr(at + 1, close - at - 1)).enough()) {
      out.replace(out.position() > begin ? out.position() : begin, begin + at + 1,
                  out.last_written() == '\n' || !found ? std::string_view() : std::string_view("\n"),
                  RepairKind::EscapedString);
      unescape(out, begin + at + 1, begin + close, quote);
      found = true;
    }
    at = close + 1;
  }
  if (!found) return false;
  // What stood around the strings must not be read as the rest of the last operator.
  const bool more = end + 1 < out.input().size();
  const bool is_whole = out.last_written() == '\n';
  if (!more && is_whole) end = out.input().size();
  out.replace(out.position(), end, more && !is_whole ? "\n" : "", RepairKind::EscapedString);
  return true;
}

// Where a quote of the same depth closes a string inside a string: `\"`. The end of the line when none does.
std::size_t same_quote(std::string_view line, std::size_t at, std::string_view quote) {
  while ((at = line.find(quote, at)) != std::string_view::npos) {
    if (line[at - 1] != '\\') return at;
    at += quote.size();
  }
  return line.size();
}

}  // namespace

void undo_escaped_strings(Rewriter& out) {
  const std::string_view text = out.input();
  for_each_line(text, [&](std::size_t begin, std::size_t end) {
    const std::string_view line = text.substr(begin, end - begin);
    if (std::memchr(line.data(), '\\', line.size()) == nullptr) return;
    const LineShape shape = shape_of(line);
    if (shape == LineShape::Tree || shape == LineShape::BlockHead || shape == LineShape::Field) return;
    const Evidence evidence = evidence_in(line);
    if (!evidence.enough()) return;
    out.copy_to(begin);
    if (extract_strings(out, begin, end, '"') || extract_strings(out, begin, end, '\'')) return;
    std::size_t first = begin + evidence.first;
    // An opening quote whose end is cut off.
    std::size_t quotes = first;
    while (quotes > begin && (text[quotes - 1] == '"' || text[quotes - 1] == '\\')) --quotes;
    std::size_t close = end;
    if (quotes < first) {
      out.replace(quotes, first, quotes > begin ? "\n" : "", RepairKind::EscapedString);
      close = begin + same_quote(line, first - begin, text.substr(quotes, first - quotes));
    }
    unescape(out, first, close, '\0');
    if (close < end) out.remove(close, end, RepairKind::EscapedString);
  });
}

}  // namespace planvet::read
