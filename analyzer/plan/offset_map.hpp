// Where a piece of decoded text came from: output offsets mapped to offsets in the bytes as given.
//
//   bytes   2024 INFO +- Sort&nbsp;[a#1]      segments  {0, 10} {6, 16, 0} {7, 22}
//   text              +- Sort [a#1]           text offset 3 -> byte 13, text offset 7 -> byte 22
//
// Inside a segment both sides advance together, the original by `stride` bytes for each byte of text: 2 in what was
// UTF-16, 0 in text that was put in (all of it came from one place). Both sides never go back. An identity map has no
// segments.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace planvet {

struct OffsetSegment {
  std::uint32_t text = 0;      // first offset of the segment in the decoded text
  std::uint32_t original = 0;  // where that byte stood in the input
  std::uint32_t stride = 1;    // bytes of input for each byte of text
  [[nodiscard]] std::uint32_t at(std::uint32_t offset) const { return original + (offset - text) * stride; }
  friend bool operator==(const OffsetSegment&, const OffsetSegment&) = default;
};

class OffsetMap {
 public:
  // Segments must come with rising text offsets; one that only continues the last is dropped.
  void append(std::uint32_t text, std::uint32_t original, std::uint32_t stride = 1) {
    if (segments_.empty()) {
      // The bytes before the first segment stand where they stood.
      if (text != 0) segments_.push_back({});
    } else if (segments_.back().text == text) {
      segments_.pop_back();
    }
    if (!segments_.empty() && segments_.back().stride == stride && segments_.back().at(text) == original) return;
    segments_.push_back({text, original, stride});
  }

  [[nodiscard]] bool is_identity() const { return segments_.empty(); }
  [[nodiscard]] const std::vector<OffsetSegment>& segments() const { return segments_; }

  [[nodiscard]] std::uint32_t original(std::uint32_t text) const {
    const std::size_t after = first_after(text);
    return after == 0 ? text : segments_[after - 1].at(text);
  }

  // The map of two steps done one after the other: this one first, then `next` on its output.
  [[nodiscard]] OffsetMap then(const OffsetMap& next) const;

 private:
  [[nodiscard]] std::size_t first_after(std::uint32_t text) const {
    const auto after = std::upper_bound(segments_.begin(), segments_.end(), text,
                                        [](std::uint32_t offset, const OffsetSegment& s) { return offset < s.text; });
    return static_cast<std::size_t>(after - segments_.begin());
  }

  std::vector<OffsetSegment> segments_;
};

inline OffsetMap OffsetMap::then(const OffsetMap& next) const {
  if (next.is_identity()) return *this;
  if (is_identity()) return next;
  OffsetMap result;
  result.segments_.reserve(segments_.size() + next.segments_.size());
  std::size_t inner = 0;  // outer segments come in order, so the place in this map only moves on
  for (std::size_t i = 0; i < next.segments_.size(); ++i) {
    const OffsetSegment& outer = next.segments_[i];
    while (inner + 1 < segments_.size() && segments_[inner + 1].text <= outer.original) ++inner;
    result.append(outer.text, segments_[inner].at(outer.original), outer.stride * segments_[inner].stride);
    if (outer.stride == 0) continue;
    // Boundaries of this map that lie inside the outer segment become boundaries of the result.
    const std::uint32_t end = i + 1 < next.segments_.size() ? next.segments_[i + 1].text : UINT32_MAX;
    while (inner + 1 < segments_.size()) {
      const OffsetSegment& boundary = segments_[inner + 1];
      const std::uint32_t steps = (boundary.text - outer.original + outer.stride - 1) / outer.stride;
      if (steps >= end - outer.text) break;
      ++inner;
      // A wide stride may jump over several short segments: the last one that starts at or before the byte counts.
      const std::uint32_t byte = outer.at(outer.text + steps);
      while (inner + 1 < segments_.size() && segments_[inner + 1].text <= byte) ++inner;
      result.append(outer.text + steps, segments_[inner].at(byte), outer.stride * segments_[inner].stride);
    }
  }
  return result;
}

}  // namespace planvet
