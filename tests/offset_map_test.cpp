#include "analyzer/plan/offset_map.hpp"

#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace planvet::test {
namespace {

std::vector<OffsetSegment> segments(const OffsetMap& map) { return map.segments(); }

TEST(OffsetMap, MapsWithinSegments) {
  OffsetMap map;
  EXPECT_TRUE(map.is_identity());
  EXPECT_EQ(map.original(7), 7U);
  map.append(0, 10);
  map.append(6, 16, 0);  // text that was put in
  map.append(9, 22, 2);  // two bytes each
  EXPECT_EQ(map.original(0), 10U);
  EXPECT_EQ(map.original(5), 15U);
  EXPECT_EQ(map.original(6), 16U);
  EXPECT_EQ(map.original(8), 16U);
  EXPECT_EQ(map.original(9), 22U);
  EXPECT_EQ(map.original(11), 26U);
}

TEST(OffsetMap, KeepsNoSegmentThatOnlyContinues) {
  OffsetMap map;
  map.append(3, 5);
  map.append(6, 8);
  map.append(8, 10);
  map.append(8, 12);  // nothing came of the one before
  const std::vector<OffsetSegment> expected = {{0, 0, 1}, {3, 5, 1}, {8, 12, 1}};
  EXPECT_EQ(segments(map), expected);
}

// A map of `size` bytes and the same as a plain table.
struct Example {
  OffsetMap map;
  std::vector<std::uint32_t> table;
  std::uint32_t original_size = 0;
};

Example random_example(std::mt19937& random, std::uint32_t least_text) {
  Example example;
  const auto up_to = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % (limit + 1)); };
  std::uint32_t original = 0;
  while (example.table.size() < least_text) {
    original += up_to(3);  // deleted
    const std::uint32_t stride = up_to(3);
    const std::uint32_t length = 1 + up_to(6);
    example.map.append(static_cast<std::uint32_t>(example.table.size()), original, stride);
    for (std::uint32_t i = 0; i < length; ++i) example.table.push_back(original + i * stride);
    original += length * stride;
  }
  example.original_size = original;
  return example;
}

TEST(OffsetMap, FollowsTwoSteps) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    const Example second = random_example(random, 40);
    const Example first = random_example(random, second.original_size + 1);
    const OffsetMap both = first.map.then(second.map);
    for (std::uint32_t at = 0; at < second.table.size(); ++at)
      ASSERT_EQ(both.original(at), first.table[second.table[at]]) << "round " << round << " at " << at;
  }
}

TEST(OffsetMap, IsNeutralWhenItIsTheIdentity) {
  std::mt19937 random(3);
  const Example example = random_example(random, 20);
  EXPECT_EQ(segments(example.map.then(OffsetMap())), segments(example.map));
  EXPECT_EQ(segments(OffsetMap().then(example.map)), segments(example.map));
}

}  // namespace
}  // namespace planvet::test
