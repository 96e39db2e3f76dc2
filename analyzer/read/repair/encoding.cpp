// Byte order marks and UTF-16, as Windows editors and PowerShell's `>` write them.

#include <algorithm>
#include <cstdint>
#include <string>

#include "analyzer/read/repair/characters.hpp"
#include "analyzer/read/repair/damages.hpp"

namespace planvet::read {

namespace {

enum class Encoding : std::uint8_t { Bytes, Utf16Little, Utf16Big };

// Without a mark, plan text in UTF-16 has a zero in nearly every pair, always on the same side.
Encoding encoding_of(std::string_view text) {
  if (text.starts_with("\xff\xfe")) return Encoding::Utf16Little;
  if (text.starts_with("\xfe\xff")) return Encoding::Utf16Big;
  const std::string_view sample = text.substr(0, 4096);
  const std::size_t pairs = sample.size() / 2;
  if (pairs < 8) return Encoding::Bytes;
  std::size_t zeros[2] = {0, 0};
  for (std::size_t i = 0; i < pairs * 2; ++i) zeros[i % 2] += sample[i] == '\0' ? 1U : 0U;
  if (zeros[1] * 10 >= pairs * 8 && zeros[0] * 50 <= pairs) return Encoding::Utf16Little;
  if (zeros[0] * 10 >= pairs * 8 && zeros[1] * 50 <= pairs) return Encoding::Utf16Big;
  return Encoding::Bytes;
}

}  // namespace

void append_utf8(std::string& text, std::uint32_t code) {
  const auto byte = [&](std::uint32_t value) { text += static_cast<char>(value); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | code >> 6);
    byte(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    byte(0xE0 | code >> 12);
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  } else {
    byte(0xF0 | code >> 18);
    byte(0x80 | (code >> 12 & 0x3F));
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  }
}

void undo_encoding(Rewriter& out) {
  const std::string_view text = out.input();
  const Encoding encoding = encoding_of(text);
  if (encoding == Encoding::Bytes) {
    if (text.starts_with("\xef\xbb\xbf")) out.remove(0, 3, RepairKind::ByteOrderMark);
    return;
  }
  const bool little = encoding == Encoding::Utf16Little;
  const auto unit = [&](std::size_t at) -> std::uint32_t {
    const std::uint32_t first = static_cast<unsigned char>(text[at]);
    const std::uint32_t second = static_cast<unsigned char>(text[at + 1]);
    return little ? first | second << 8 : first << 8 | second;
  };
  std::string character;
  std::size_t at = 0;
  while (at + 1 < text.size()) {
    std::uint32_t code = unit(at);
    std::size_t size = 2;
    if (code >= 0xD800 && code < 0xE000) {
      const std::uint32_t low = at + 3 < text.size() ? unit(at + 2) : 0U;
      if (code < 0xDC00 && low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        size = 4;
      } else {
        code = 0xFFFD;
      }
    }
    character.clear();
    if (at > 0 || code != 0xFEFF) append_utf8(character, code);
    out.replace(at, at + size, character, RepairKind::Utf16);
    at += size;
  }
  if (at < text.size()) out.remove(at, text.size(), RepairKind::Utf16);  // half a character
}

}  // namespace planvet::read
