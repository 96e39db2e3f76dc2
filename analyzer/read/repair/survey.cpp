#include "analyzer/read/repair/survey.hpp"

#include <cstddef>

#include "analyzer/read/repair/line_shape.hpp"

namespace planvet::read {

namespace {

// One loop without branches, which compilers turn into vector code.
std::uint32_t suspicious_bytes(std::string_view text) {
  std::uint8_t high = 0;
  std::uint8_t returns = 0;
  std::uint8_t tabs = 0;
  std::uint8_t escapes = 0;
  std::uint8_t zeros = 0;
  std::uint8_t backslashes = 0;
  std::uint8_t angles = 0;
  std::uint8_t ampersands = 0;
  for (const char c : text) {
    const auto byte = static_cast<std::uint8_t>(c);
    high = static_cast<std::uint8_t>(high | byte);
    returns = static_cast<std::uint8_t>(returns | (byte == '\r'));
    tabs = static_cast<std::uint8_t>(tabs | (byte == '\t'));
    escapes = static_cast<std::uint8_t>(escapes | (byte == 0x1b));
    zeros = static_cast<std::uint8_t>(zeros | (byte == 0));
    backslashes = static_cast<std::uint8_t>(backslashes | (byte == '\\'));
    angles = static_cast<std::uint8_t>(angles | (byte == '<'));
    ampersands = static_cast<std::uint8_t>(ampersands | (byte == '&'));
  }
  std::uint8_t colours = 0;
  for (std::size_t at = 1; at < text.size(); ++at) {
    const char digit = text[at - 1];
    colours = static_cast<std::uint8_t>(colours | ((text[at] == 'm') & (digit >= '0') & (digit <= '9')));
  }
  const auto flag = [](bool found, Suspicion suspicion) { return found ? suspicion : kNoSuspicion; };
  return flag(high >= 0x80, kHighByte) | flag(returns != 0, kCarriageReturn) | flag(tabs != 0, kTab) |
         flag(escapes != 0, kEscapeByte) | flag(zeros != 0, kZeroByte) | flag(backslashes != 0, kBackslash) |
         flag(angles != 0, kAngleBracket) | flag(ampersands != 0, kAmpersand) | flag(colours != 0, kLostEscape);
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
    case '/':
    case '*': found |= words.size() > 1 && (words[1] == '*' || words[1] == '/') ? kFenceLine : kNoSuspicion; break;
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

constexpr std::size_t kNarrowestWrap = 40;

}  // namespace

std::uint32_t survey(std::string_view text) {
  std::uint32_t found = suspicious_bytes(text);
  std::size_t others = 0;
  std::size_t apart = 0;
  std::size_t size_before = 0;
  std::size_t begin_before = 0;
  LineShape before = LineShape::Blank;
  LineShape before_blank = LineShape::Blank;
  for_each_line(text, [&](std::size_t begin, std::size_t end) {
    const std::string_view line = text.substr(begin, end - begin);
    const LineShape shape = shape_of(line);
    if (shape == LineShape::Banner && line.front() == '=' && line.back() != '=') found |= kMergedLine;
    if (shape == LineShape::Other) {
      found |= suspicions_of_other(line);
      if (size_before >= kNarrowestWrap) ++others;
      if (before == LineShape::Banner && line[0] == ' ')
        found |= kAnchorInside;  // below a line that lost its indentation
    }
    // A timestamp above a connector: the root of the tree may stand behind it.
    if (shape == LineShape::Tree && before == LineShape::Other &&
        (is_digit(text[begin_before]) || text[begin_before] == '['))
      found |= kAnchorInside;
    if (before == LineShape::Blank && (before_blank == LineShape::Tree        ? shape == LineShape::Tree
                                       : before_blank == LineShape::Banner    ? shape == LineShape::Other
                                       : before_blank == LineShape::BlockHead ? shape == LineShape::Field
                                                                              : false))
      ++apart;
    if (shape == LineShape::Blank && before != LineShape::Blank) before_blank = before;
    before = shape;
    size_before = end - begin;
    begin_before = begin;
  });
  if (others > 0) found |= kManyOthers;
  if (apart > 1) found |= kApart;
  return found;
}

}  // namespace planvet::read
