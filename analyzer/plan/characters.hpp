// Classes of ASCII characters, the same in every locale. Bytes of UTF-8 letters belong to none of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace planvet {

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
[[nodiscard]] constexpr bool is_letter(char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); }
// As Java and Spark print hashes and ids: lower case.
[[nodiscard]] constexpr bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }
// What a name consists of.
[[nodiscard]] constexpr bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }
[[nodiscard]] constexpr char to_lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

[[nodiscard]] inline bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return to_lower(x) == to_lower(y); });
}
[[nodiscard]] inline std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), to_lower);
  return result;
}
// Without the blanks at both ends. Points into `text` also where nothing is left.
[[nodiscard]] inline std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return text.substr(0, 0);
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

}  // namespace planvet
