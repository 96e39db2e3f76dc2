// Where a piece of decoded text came from: output offsets mapped to offsets in the bytes as given.
//
//   bytes   2024 INFO +- Sort&nbsp;[a#1]      segments  {0, 10} {7, 23}
//   text              +- Sort [a#1]           text offset 3 -> byte 13, text offset 7 -> byte 23
//
// Inside a segment both sides advance together; an identity map has no segments.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace planvet {

struct OffsetSegment {
  std::uint32_t text = 0;      // first offset of the segment in the decoded text
  std::uint32_t original = 0;  // where that byte stood in the input
};

class OffsetMap {
 public:
  // Segments must come with rising text offsets; one that only continues the last is dropped.
  void append(std::uint32_t text, std::uint32_t original) {
    if (!segments_.empty()) {
      OffsetSegment& last = segments_.back();
      if (original - last.original == text - last.text) return;
      if (last.text == text) {
        last.original = original;
        return;
      }
    } else if (text == original) {
      // An identity start still needs its anchor, or a later segment would claim the offsets before it.
      segments_.push_back({0, 0});
      return;
    }
    segments_.push_back({text, original});
  }

  [[nodiscard]] bool is_identity() const { return segments_.empty(); }
  [[nodiscard]] const std::vector<OffsetSegment>& segments() const { return segments_; }

  [[nodiscard]] std::uint32_t original(std::uint32_t text) const {
    const auto after = std::upper_bound(segments_.begin(), segments_.end(), text,
                                        [](std::uint32_t offset, const OffsetSegment& s) { return offset < s.text; });
    if (after == segments_.begin()) return text;
    const OffsetSegment& segment = *(after - 1);
    return segment.original + (text - segment.text);
  }

  // The map of two steps done one after the other: this one first, then `next` on its output.
  [[nodiscard]] OffsetMap then(const OffsetMap& next) const;

 private:
  std::vector<OffsetSegment> segments_;
};

inline OffsetMap OffsetMap::then(const OffsetMap& next) const {
  if (next.is_identity()) return *this;
  OffsetMap result;
  for (std::size_t i = 0; i < next.segments_.size(); ++i) {
    const OffsetSegment& outer = next.segments_[i];
    result.append(outer.text, original(outer.original));
    // Boundaries of this map that lie inside the outer segment become boundaries of the result.
    const std::uint64_t length =
        i + 1 < next.segments_.size() ? next.segments_[i + 1].text - outer.text : UINT32_MAX - outer.original;
    auto inner = std::upper_bound(segments_.begin(), segments_.end(), outer.original,
                                  [](std::uint32_t offset, const OffsetSegment& s) { return offset < s.text; });
    for (; inner != segments_.end() && inner->text - outer.original < length; ++inner) {
      result.append(outer.text + (inner->text - outer.original), inner->original);
    }
  }
  return result;
}

}  // namespace planvet
