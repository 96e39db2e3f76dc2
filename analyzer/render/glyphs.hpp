// Text as a terminal shows it: how many columns it takes, and what cannot be shown at all.
//
// Widths are those of wcwidth(): 2 for East Asian wide letters and emoji, 0 for combining marks, 1 for the rest.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace planvet::render {

// U+FFFD: stands for what is no text.
inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// One code point, one undecodable byte, or one ANSI escape sequence.
struct Glyph {
  std::string_view bytes;   // as they stand in the text
  std::string_view shown;   // what to print for them: nothing for escape sequences, U+FFFD for what is no text
  std::size_t columns = 1;  // of what is shown
};

// Bytes of the well-formed UTF-8 sequence at the front of `text`, which is not empty; 0 if there is none.
[[nodiscard]] std::size_t utf8_length(std::string_view text);

// The glyph that starts at the front of `text`, which is not empty.
[[nodiscard]] Glyph first_glyph(std::string_view text);

[[nodiscard]] std::size_t display_width(std::string_view text);

// As it can be printed on one line: tabs and line breaks are blanks, escape sequences are gone.
[[nodiscard]] std::string one_line(std::string_view text);

// At most `columns` columns; what was cut ends with the ellipsis.
[[nodiscard]] std::string cut_to_width(std::string_view text, std::size_t columns, std::string_view ellipsis);

}  // namespace planvet::render
