#include "analyzer/read/repair/survey.hpp"

#include <array>

#include "analyzer/read/repair/line_shape.hpp"

namespace planvet::read {

namespace {

constexpr std::array<std::uint8_t, 256> kSuspiciousBytes = [] {
  std::array<std::uint8_t, 256> table{};
  for (std::size_t c = 0x80; c < 0x100; ++c) table[c] = kHighByte;
  table['\r'] = kCarriageReturn;
  table['\t'] = kTab;
  table[0x1b] = kEscapeByte;
  table[0] = kZeroByte;
  table['\\'] = kBackslash;
  table['<'] = kAngleBracket;
  table['&'] = kAmpersand;
  return table;
}();

std::uint32_t suspicious_bytes(std::string_view text) {
  const auto at = [&](std::size_t i) { return kSuspiciousBytes[static_cast<unsigned char>(text[i])]; };
  std::uint8_t a = 0;
  std::uint8_t b = 0;
  std::uint8_t c = 0;
  std::uint8_t d = 0;
  std::size_t i = 0;
  for (; i + 4 <= text.size(); i += 4) {
    a |= at(i);
    b |= at(i + 1);
    c |= at(i + 2);
    d |= at(i + 3);
  }
  for (; i < text.size(); ++i) a |= at(i);
  return static_cast<std::uint32_t>(a | b | c | d);
}

std::uint32_t suspicions_of_other(std::string_view line) {
  std::uint32_t found = kNoSuspicion;
  const Anchor anchor = find_anchor(line);
  if (anchor.kind != AnchorKind::None && anchor.offset > 0) found |= kAnchorInside;
  if (anchor.kind == AnchorKind::OtherConnector) found |= kOddConnector | kAnchorInside;
  const std::string_view words = line.substr(leading_blanks(line));
  if (words.empty()) return found;
  switch (words[0]) {
    case '+':
    case '|': found |= kBorder | kOddConnector; break;
    case '\xe2': found |= kBorder | kOddConnector; break;
    case '`':
    case '~':
    case '\'':
    case '{': found |= kFenceLine; break;
    case '"': found |= kFenceLine | kQuotedLine; break;
    case '@':
    case '-': found |= kDiffMark; break;
    case '[': found |= words.starts_with("[Stage ") ? kProgressBar : kNoSuspicion; break;
    default: break;
  }
  if (words.back() == '+' || words.back() == '|') found |= kBorder;
  if (anchor.kind == AnchorKind::Banner && anchor.offset > 0 && line[anchor.offset - 1] == '"') found |= kQuotedLine;
  return found;
}

}  // namespace

std::uint32_t survey(std::string_view text) {
  std::uint32_t found = suspicious_bytes(text);
  std::size_t others = 0;
  std::size_t apart = 0;
  LineShape before = LineShape::Blank;
  LineShape before_blank = LineShape::Blank;
  for_each_line(text, [&](std::size_t begin, std::size_t end) {
    const std::string_view line = text.substr(begin, end - begin);
    const LineShape shape = shape_of(line);
    if (shape == LineShape::Other) {
      found |= suspicions_of_other(line);
      if (before != LineShape::Blank && before != LineShape::Banner) ++others;
    }
    if (before == LineShape::Blank && (before_blank == LineShape::Tree ? shape == LineShape::Tree : before_blank == LineShape::Banner)) ++apart;
    if (shape == LineShape::Blank && before != LineShape::Blank) before_blank = before;
    before = shape;
  });
  if (others > 2) found |= kManyOthers;
  if (apart > 1) found |= kApart;
  return found;
}

}  // namespace planvet::read
