#pragma once

// Characters and tokens of Spark's expression text. Names and string literals are unrestricted and unquoted, so most of
// it is scanning by hand: up to a column's id, a bracket, a comma, or a word that goes on.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "grammar/pegtl.hpp"

namespace planvet::grammar {

enum class character : std::uint8_t {
  other,
  word,   // letters, digits, _ and all of UTF-8
  open,   // ( [
  close,  // ) ]
  comma,
  blank,
  hash,
};

inline constexpr std::array<character, 256> kCharacters = [] {
  std::array<character, 256> table{};
  for (std::size_t c = 0; c < table.size(); ++c) {
    const bool is_word =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c > 127;
    table[c] = is_word ? character::word : character::other;
  }
  table['('] = table['['] = character::open;
  table[')'] = table[']'] = character::close;
  table[','] = character::comma;
  table[' '] = character::blank;
  table['#'] = character::hash;
  return table;
}();

inline character class_of(char c) { return kCharacters[static_cast<unsigned char>(c)]; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool starts_with(const char* at, const char* end, std::string_view word) {
  return std::string_view(at, static_cast<std::size_t>(end - at)).starts_with(word);
}

// `#12`, `#12L`, `#12-T600000ms`, `#x` (Spark's own tests), with nothing glued behind: in `tag#1#305` only `#305`.
struct id_token {
  const char* end = nullptr;  // null: no id here
  std::uint64_t number = 0;
  bool has_number = false;
  bool is_long = false;
};

inline id_token read_id(const char* at, const char* end) {
  id_token id;
  const char* p = at + 1;  // behind '#'
  if (p < end && *p == 'x') {
    ++p;
  } else {
    while (p < end && is_digit(*p)) {
      if (id.number > 0xFFFFFFFFFFFFULL) return {};
      id.number = id.number * 10 + static_cast<std::uint64_t>(*p++ - '0');
      id.has_number = true;
    }
    if (!id.has_number) return {};
  }
  if (p < end && *p == 'L') {
    id.is_long = true;
    ++p;
  }
  if (starts_with(p, end, "-T")) {
    const char* q = p + 2;
    while (q < end && is_digit(*q)) ++q;
    if (q > p + 2 && starts_with(q, end, "ms")) p = q + 2;
  }
  if (p < end && (class_of(*p) == character::word || *p == '#')) return {};
  id.end = p;
  return id;
}

// [B@1f2e: a byte array as Java prints it. Its bracket has no partner.
inline bool is_byte_array(const char* at, const char* end) { return starts_with(at, end, "[B@"); }

// Behind the bracket that closes the one at `at`; null without. Round and square are one kind: `[1,2)` is a range.
inline const char* skip_brackets(const char* at, const char* end) {
  std::size_t depth = 0;
  for (; at < end; ++at) {
    const character c = class_of(*at);
    if (c == character::open && !is_byte_array(at, end)) ++depth;
    if (c == character::close && --depth == 0) return at + 1;
  }
  return nullptr;
}

// clang-format off
struct digits : peg::plus< peg::digit > {};
struct separator : peg::seq< peg::one< ',' >, peg::opt< peg::one< ' ' > > > {};
// clang-format on

}  // namespace planvet::grammar
