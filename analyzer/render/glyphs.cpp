#include "analyzer/render/glyphs.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace planvet::render {

namespace {

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

// Unicode 15: East Asian Width W and F, merged over small gaps of unassigned code points.
constexpr std::array kWide = {
    Range{0x1100, 0x115F},   Range{0x231A, 0x231B},   Range{0x2329, 0x232A},   Range{0x23E9, 0x23EC},
    Range{0x23F0, 0x23F0},   Range{0x23F3, 0x23F3},   Range{0x25FD, 0x25FE},   Range{0x2614, 0x2615},
    Range{0x2648, 0x2653},   Range{0x267F, 0x267F},   Range{0x2693, 0x2693},   Range{0x26A1, 0x26A1},
    Range{0x26AA, 0x26AB},   Range{0x26BD, 0x26BE},   Range{0x26C4, 0x26C5},   Range{0x26CE, 0x26CE},
    Range{0x26D4, 0x26D4},   Range{0x26EA, 0x26EA},   Range{0x26F2, 0x26F3},   Range{0x26F5, 0x26F5},
    Range{0x26FA, 0x26FA},   Range{0x26FD, 0x26FD},   Range{0x2705, 0x2705},   Range{0x270A, 0x270B},
    Range{0x2728, 0x2728},   Range{0x274C, 0x274C},   Range{0x274E, 0x274E},   Range{0x2753, 0x2755},
    Range{0x2757, 0x2757},   Range{0x2795, 0x2797},   Range{0x27B0, 0x27B0},   Range{0x27BF, 0x27BF},
    Range{0x2B1B, 0x2B1C},   Range{0x2B50, 0x2B50},   Range{0x2B55, 0x2B55},   Range{0x2E80, 0x303E},
    Range{0x3041, 0x33FF},   Range{0x3400, 0x4DBF},   Range{0x4E00, 0xA4CF},   Range{0xA960, 0xA97F},
    Range{0xAC00, 0xD7A3},   Range{0xF900, 0xFAFF},   Range{0xFE10, 0xFE19},   Range{0xFE30, 0xFE6F},
    Range{0xFF01, 0xFF60},   Range{0xFFE0, 0xFFE6},   Range{0x16FE0, 0x18AFF}, Range{0x1AFF0, 0x1B2FF},
    Range{0x1F004, 0x1F004}, Range{0x1F0CF, 0x1F0CF}, Range{0x1F18E, 0x1F18E}, Range{0x1F191, 0x1F19A},
    Range{0x1F200, 0x1F320}, Range{0x1F32D, 0x1F335}, Range{0x1F337, 0x1F37C}, Range{0x1F37E, 0x1F393},
    Range{0x1F3A0, 0x1F3CA}, Range{0x1F3CF, 0x1F3D3}, Range{0x1F3E0, 0x1F3F0}, Range{0x1F3F4, 0x1F3F4},
    Range{0x1F3F8, 0x1F43E}, Range{0x1F440, 0x1F440}, Range{0x1F442, 0x1F4FC}, Range{0x1F4FF, 0x1F53D},
    Range{0x1F54B, 0x1F567}, Range{0x1F57A, 0x1F57A}, Range{0x1F595, 0x1F596}, Range{0x1F5A4, 0x1F5A4},
    Range{0x1F5FB, 0x1F64F}, Range{0x1F680, 0x1F6C5}, Range{0x1F6CC, 0x1F6CC}, Range{0x1F6D0, 0x1F6D2},
    Range{0x1F6D5, 0x1F6DF}, Range{0x1F6EB, 0x1F6EC}, Range{0x1F6F4, 0x1F6FC}, Range{0x1F7E0, 0x1F7F0},
    Range{0x1F90C, 0x1F93A}, Range{0x1F93C, 0x1F945}, Range{0x1F947, 0x1F9FF}, Range{0x1FA70, 0x1FAFF},
    Range{0x20000, 0x3FFFD},
};

// Combining marks, joiners, variation selectors, formatting characters: the blocks that matter in names and literals.
constexpr std::array kZeroWidth = {
    Range{0x0300, 0x036F}, Range{0x0483, 0x0489}, Range{0x0591, 0x05BD}, Range{0x05BF, 0x05C7}, Range{0x0610, 0x061A},
    Range{0x064B, 0x065F}, Range{0x0670, 0x0670}, Range{0x06D6, 0x06DC}, Range{0x06DF, 0x06E4}, Range{0x06E7, 0x06E8},
    Range{0x06EA, 0x06ED}, Range{0x0900, 0x0902}, Range{0x093C, 0x093C}, Range{0x0941, 0x0948}, Range{0x094D, 0x094D},
    Range{0x0E31, 0x0E31}, Range{0x0E34, 0x0E3A}, Range{0x0E47, 0x0E4E}, Range{0x1AB0, 0x1AFF}, Range{0x1DC0, 0x1DFF},
    Range{0x200B, 0x200F}, Range{0x202A, 0x202E}, Range{0x2060, 0x2064}, Range{0x20D0, 0x20F0}, Range{0x302A, 0x302D},
    Range{0x3099, 0x309A}, Range{0xFE00, 0xFE0F}, Range{0xFE20, 0xFE2F}, Range{0xFEFF, 0xFEFF}, Range{0xE0100, 0xE01EF},
};

template <std::size_t N>
bool contains(const std::array<Range, N>& ranges, std::uint32_t code) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), code,
                                      [](std::uint32_t value, const Range& range) { return value < range.first; });
  return after != ranges.begin() && code <= (after - 1)->last;
}

unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

// Length of the escape sequence at the front: CSI (colours), OSC (titles, links), or the two-byte forms.
std::size_t escape_length(std::string_view text) {
  if (text.size() < 2) return 1;
  if (text[1] == '[') {
    std::size_t at = 2;
    while (at < text.size() && byte_at(text, at) >= 0x20 && byte_at(text, at) <= 0x3F) ++at;
    return at < text.size() && byte_at(text, at) >= 0x40 && byte_at(text, at) <= 0x7E ? at + 1 : at;
  }
  if (text[1] == ']') {
    for (std::size_t at = 2; at < text.size(); ++at) {
      if (text[at] == '\x07') return at + 1;
      if (text[at] == '\x1B' && at + 1 < text.size() && text[at + 1] == '\\') return at + 2;
    }
    return 2;
  }
  return byte_at(text, 1) >= 0x40 && byte_at(text, 1) <= 0x5F ? 2 : 1;
}

// Length of the well-formed UTF-8 sequence at the front, 0 if there is none.
std::size_t sequence_length(std::string_view text, std::uint32_t& code) {
  const unsigned lead = byte_at(text, 0);
  std::size_t length = 0;
  std::uint32_t smallest = 0;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2, code = lead & 0x1FU, smallest = 0x80;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3, code = lead & 0x0FU, smallest = 0x800;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4, code = lead & 0x07U, smallest = 0x10000;
  } else {
    return 0;
  }
  if (text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, i) & 0xC0U) != 0x80U) return 0;
    code = (code << 6U) | (byte_at(text, i) & 0x3FU);
  }
  if (code < smallest || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return 0;
  return length;
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  if (byte_at(text, 0) < 0x80) return 1;
  std::uint32_t code = 0;
  return sequence_length(text, code);
}

Glyph first_glyph(std::string_view text) {
  const unsigned lead = byte_at(text, 0);
  if (lead >= 0x20 && lead < 0x7F) return {text.substr(0, 1), text.substr(0, 1), 1};
  if (lead == '\t') return {text.substr(0, 1), "    ", 4};
  if (lead == '\n') return {text.substr(0, 1), " ", 1};
  if (lead == '\r') return {text.substr(0, 1), "", 0};
  if (lead == 0x1B) return {text.substr(0, escape_length(text)), "", 0};
  if (lead < 0x20 || lead == 0x7F) return {text.substr(0, 1), kReplacement, 1};
  std::uint32_t code = 0;
  const std::size_t length = sequence_length(text, code);
  if (length == 0) return {text.substr(0, 1), kReplacement, 1};
  const std::string_view bytes = text.substr(0, length);
  if (code >= 0x80 && code <= 0x9F) return {bytes, kReplacement, 1};  // C1 controls steer some terminals
  // Direction marks would reorder what stands around them.
  if ((code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069)) return {bytes, "", 0};
  if (contains(kZeroWidth, code)) return {bytes, bytes, 0};
  return {bytes, bytes, contains(kWide, code) ? std::size_t{2} : std::size_t{1}};
}

std::size_t display_width(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    columns += glyph.columns;
    text.remove_prefix(glyph.bytes.size());
  }
  return columns;
}

std::string one_line(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    result += text.front() == '\t' ? std::string_view(" ") : glyph.shown;
    text.remove_prefix(glyph.bytes.size());
  }
  return result;
}

std::string cut_to_width(std::string_view text, std::size_t columns, std::string_view ellipsis) {
  const std::size_t room = columns - std::min(columns, display_width(ellipsis));
  std::string result;
  std::size_t kept = 0;  // bytes of the result that still fit before an ellipsis
  std::size_t used = 0;
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    if (used + glyph.columns > columns) {
      result.resize(kept);
      if (columns >= display_width(ellipsis)) result += ellipsis;
      return result;
    }
    used += glyph.columns;
    result += glyph.shown;
    if (used <= room) kept = result.size();
    text.remove_prefix(glyph.bytes.size());
  }
  return result;
}

}  // namespace planvet::render
