#include "analyzer/read/repair/line_shape.hpp"

#include <array>

namespace planvet::read {

namespace {

// The end of `== Some Words ==` at the start of `text` (two to five signs on each side), 0 when there is none.
std::size_t banner_end(std::string_view text) {
  std::size_t signs = 0;
  while (signs < text.size() && text[signs] == '=') ++signs;
  if (signs < 2 || signs > 5 || signs + 1 >= text.size() || text[signs] != ' ' || !is_letter(text[signs + 1])) return 0;
  std::string_view closing = "======";
  closing = closing.substr(0, signs);
  text = text.substr(0, 200);  // codegen's banners have about 110
  for (std::size_t at = text.find(" ==", signs); at != std::string_view::npos; at = text.find(" ==", at + 1))
    if (text.substr(at + 1).starts_with(closing)) return at + 1 + signs;
  return 0;
}

// `(12) Name`; the id may be unknown.
bool is_block_head(std::string_view line) {
  if (line.size() < 5 || line[0] != '(') return false;
  std::size_t at = 1;
  if (line.starts_with("(unknown")) {
    at = 8;
  } else {
    while (at < line.size() && is_digit(line[at])) ++at;
    if (at == 1) return false;
  }
  return at + 2 < line.size() && line[at] == ')' && line[at + 1] == ' ' && (is_letter(line[at + 2]));
}

constexpr std::array<bool, 256> kKeyBytes = [] {
  std::array<bool, 256> table{};
  for (std::size_t c = 'a'; c <= 'z'; ++c) table[c] = table[c - 'a' + 'A'] = true;
  table[' '] = true;
  return table;
}();

// `Output [3]: `, `Left keys [1]: `, `Condition : `, `Arguments:`: a key of at most 40 letters and blanks.
bool is_field(const char* begin, const char* end) {
  const char* at = begin + 1;
  const char* const limit = end - begin > 40 ? begin + 40 : end;
  while (at < limit && kKeyBytes[static_cast<unsigned char>(*at)]) ++at;
  if (end - at > 2 && *at == '[' && at[-1] == ' ' && is_digit(at[1])) {
    ++at;
    while (at < end && is_digit(*at)) ++at;
    if (at == end || *at != ']') return false;
    ++at;
    if (at < end && *at == ' ') ++at;
  }
  return at < end && *at == ':' && (at + 1 == end || at[1] == ' ');
}

bool is_subquery_line(std::string_view line) {
  return (line.starts_with("Subquery:") || line.starts_with("Subplan:")) && line.size() > 9 &&
         is_digit(line[line.find(':') + 1]);
}

// Bytes of a dash that an editor or a person may write for '-', after the ones of ASCII: ‐ ‑ – — − ─ ━ ╴.
std::size_t long_dash(std::string_view text) {
  for (const std::string_view dash :
       {"\u2010", "\u2011", "\u2012", "\u2013", "\u2014", "\u2212", "\u2500", "\u2501", "\u2574"})
    if (text.starts_with(dash)) return dash.size();
  return 0;
}

// A blank after a connector: one of ASCII, or the non-breaking one that drawing tools like.
std::size_t any_blank(std::string_view text) {
  if (text.starts_with(' ')) return 1;
  return text.starts_with("\u00a0") ? 2 : 0;
}

enum ByteClass : std::uint8_t { kPlain = 0, kDash = 1, kEquals = 2, kBracket = 4, kMultiByte = 8, kPlus = 16 };
constexpr std::array<std::uint8_t, 256> kByteClasses = [] {
  std::array<std::uint8_t, 256> classes{};
  classes['-'] = kDash;
  classes['='] = kEquals;
  classes['('] = kBracket;
  classes['+'] = kPlus;
  classes[':'] = kPlus;
  classes[0xE2] = kMultiByte;
  return classes;
}();

}  // namespace

bool may_start_node(char c) {
  return is_upper(c) || c == '*' || c == '!' || c == '\'' || c == '^' || c == '(' || c == '=';
}

LineShape shape_of(std::string_view line) {
  const char* const begin = line.data();
  const char* const end = begin + line.size();
  const char* at = begin;
  while (at < end && *at == ' ') ++at;
  const char* const first = at;
  while (at < end && (*at == ' ' || (*at == ':' && !(end - at > 1 && at[1] == '-')))) ++at;
  if (end - at > 3 && (*at == '+' || *at == ':') && at[1] == '-' && at[2] == ' ') return LineShape::Tree;
  if (first == end || without_trailing_blanks(std::string_view(first, static_cast<std::size_t>(end - first))).empty())
    return LineShape::Blank;
  if (first != begin) return LineShape::Other;
  if (is_upper(*begin)) {
    if (is_field(begin, end)) return LineShape::Field;
    return *begin == 'S' && is_subquery_line(line) ? LineShape::Banner : LineShape::Other;
  }
  switch (*begin) {
    case '=': return banner_end(line) != 0 ? LineShape::Banner : LineShape::Other;
    case '(': return is_block_head(line) ? LineShape::BlockHead : LineShape::Other;
    case '-': return line.starts_with("-- planvet:") ? LineShape::Header : LineShape::Other;
    default: return LineShape::Other;
  }
}

OtherConnector other_connector(std::string_view text) {
  OtherConnector connector;
  std::size_t at = 0;
  bool box = false;
  if (text.size() < 4) return {};
  switch (text[0]) {
    case '|': connector.is_ascii = true; break;
    case '`':
    case '\\': connector.is_ascii = connector.is_last = true; break;
    case '+': connector.is_last = true; break;
    case ':': break;
    default:
      // └ ┗ ╚ ╰ end a list of children, ├ ┣ ╠ ┝ do not.
      for (const std::string_view corner : {"\u2514", "\u2517", "\u255a", "\u2570"})
        if (text.starts_with(corner)) box = connector.is_last = true;
      for (const std::string_view tee : {"\u251c", "\u2523", "\u2560", "\u251d"})
        if (text.starts_with(tee)) box = true;
      if (!box) return {};
      at = 2;
  }
  ++at;
  std::size_t dashes = 0;
  std::size_t long_dashes = 0;
  for (; at < text.size() && dashes < 4; ++dashes) {
    const std::size_t size = text[at] == '-' ? 1 : long_dash(text.substr(at));
    if (size == 0) break;
    if (size > 1) ++long_dashes;
    at += size;
  }
  if (dashes == 0 || dashes == 4) return {};
  // Spark's own connectors need no repair.
  if ((text[0] == '+' || text[0] == ':') && long_dashes == 0) return {};
  const std::size_t blank = any_blank(text.substr(at));
  if (blank == 0 || at + blank >= text.size()) return {};
  at += blank;
  connector.is_wide = dashes > 1;
  if (!may_start_node(text[at]) && !text.substr(at).starts_with("\u2018")) return {};
  connector.length = at;
  return connector;
}

std::size_t other_bar(std::string_view text) {
  if (text.starts_with('|')) return 1;
  for (const std::string_view bar : {"\u2502", "\u2503", "\u2551", "\u250a", "\u2506", "\u00a6"})
    if (text.starts_with(bar)) return bar.size();
  return 0;
}

std::size_t right_bar(std::string_view line) {
  line = without_trailing_blanks(line);
  if (line.ends_with('|')) return line.size() - 1;
  if (line.size() >= 3 && other_bar(line.substr(line.size() - 3)) == 3) return line.size() - 3;
  return std::string_view::npos;
}

Anchor find_anchor(std::string_view line) {
  for (std::size_t at = 0; at < line.size(); ++at) {
    const std::uint8_t byte_class = kByteClasses[static_cast<unsigned char>(line[at])];
    if (byte_class == kPlain) continue;
    const std::string_view rest = line.substr(at);
    if (byte_class == kDash) {
      if (at == 0 || rest.size() < 3 || rest[1] != ' ' || !may_start_node(rest[2])) continue;
      const char before = line[at - 1];
      if (before == '+' || before == ':') return {AnchorKind::Connector, at - 1};
      if (before == '|' || before == '`' || before == '\\') return {AnchorKind::OtherConnector, at - 1};
    } else if (byte_class == kEquals) {
      if (at > 0 && line[at - 1] == '=') continue;
      const std::size_t end = banner_end(rest);
      if (end == 0 || !is_upper(rest[rest.find(' ') + 1])) continue;
      // Nothing but the end of a table cell may follow.
      std::size_t after = end;
      while (after < rest.size() && (rest[after] == ' ' || rest[after] == '|' || rest[after] == '+' ||
                                     rest[after] == '\r' || rest[after] == '\t'))
        ++after;
      if (rest.substr(after).starts_with("\u2502")) after = rest.size();
      if (after == rest.size()) return {AnchorKind::Banner, at};
    } else if (byte_class == kBracket) {
      if ((at == 0 || line[at - 1] == ' ' || line[at - 1] == '>' || line[at - 1] == '|') && is_block_head(rest))
        return {AnchorKind::BlockHead, at};
    } else if (other_connector(rest).length > 0) {
      return {AnchorKind::OtherConnector, at};
    }
  }
  return {};
}

}  // namespace planvet::read
