// One fast look at a text: which damages are worth looking for. Clean plan text costs this look and nothing else.
#pragma once

#include <cstdint>
#include <string_view>

namespace planvet::read {

enum Suspicion : std::uint32_t {
  kNoSuspicion = 0,
  // Single bytes, wherever they stand.
  kHighByte = 1U << 0,
  kCarriageReturn = 1U << 1,
  kTab = 1U << 2,
  kEscapeByte = 1U << 3,
  kZeroByte = 1U << 4,
  kBackslash = 1U << 5,
  kAngleBracket = 1U << 6,
  kAmpersand = 1U << 7,
  // Lines.
  kAnchorInside = 1U << 8,  // plan text behind other text
  kOddConnector = 1U << 9,
  kBorder = 1U << 10,
  kFenceLine = 1U << 11,
  kDiffMark = 1U << 12,
  kManyOthers = 1U << 13,  // lines that may be the rest of the line before
  kApart = 1U << 14,       // empty lines inside a tree
  kProgressBar = 1U << 15,
  kQuotedLine = 1U << 16,  // a line that begins, or a banner that is preceded, by a quote
  kMergedLine = 1U << 17,  // text behind a banner
  kLostEscape = 1U << 18,  // `0m`: colours whose first byte is lost
};

[[nodiscard]] std::uint32_t survey(std::string_view text);

}  // namespace planvet::read
