// Classes of ASCII characters, the same in every locale. Bytes of UTF-8 letters belong to none of them.
#pragma once

namespace planvet {

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
[[nodiscard]] constexpr bool is_letter(char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); }
// As Java and Spark print hashes and ids: lower case.
[[nodiscard]] constexpr bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }
// What a name consists of.
[[nodiscard]] constexpr bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }
[[nodiscard]] constexpr char to_lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace planvet
