// The order of Scala's sets of ints, as real Scala gave it.
#include <vector>

#include <gtest/gtest.h>

#include "analyzer/read/eventlog/scala_set.hpp"

namespace planvet::read::eventlog {
namespace {

using Ids = std::vector<std::int32_t>;

TEST(StageOrder, IsThatOfInsertionInSmallSets) {
  EXPECT_EQ(in_set_order({9, 3, 7, 1}, Scala::V2_12), (Ids{9, 3, 7, 1}));
  EXPECT_EQ(in_set_order({9, 3, 7, 1}, Scala::V2_13), (Ids{9, 3, 7, 1}));
}

TEST(StageOrder, IsThatOfHashesInLargeOnes) {
  EXPECT_EQ(in_set_order({12, 13, 14, 15, 16, 17}, Scala::V2_12), (Ids{14, 13, 17, 12, 16, 15}));
  EXPECT_EQ(in_set_order({12, 13, 14, 15, 16, 17}, Scala::V2_13), (Ids{14, 13, 17, 12, 16, 15}));
  const Ids inserted{40, 33, 8, 1, 72, 65, 104, 97, 5};
  EXPECT_EQ(in_set_order(inserted, Scala::V2_12), (Ids{5, 1, 33, 65, 97, 72, 104, 40, 8}));
  EXPECT_EQ(in_set_order(inserted, Scala::V2_13), (Ids{5, 1, 33, 72, 104, 40, 8, 65, 97}));
}

TEST(StageOrder, GoesDownTheTrie) {
  Ids inserted;
  for (std::int32_t id = 100; id < 140; ++id) inserted.push_back(id);
  EXPECT_EQ(in_set_order(inserted, Scala::V2_12),
            (Ids{138, 101, 115, 120, 110, 125, 106, 121, 132, 133, 116, 117, 102, 137, 109, 124, 129, 134, 128, 105,
                 118, 113, 103, 108, 130, 135, 112, 123, 127, 104, 114, 139, 119, 107, 126, 136, 131, 111, 122, 100}));
  EXPECT_EQ(in_set_order(inserted, Scala::V2_13),
            (Ids{137, 129, 118, 113, 127, 104, 119, 131, 138, 101, 115, 120, 110, 125, 106, 121, 132, 133, 116, 117,
                 102, 109, 124, 134, 128, 105, 103, 108, 130, 135, 112, 123, 114, 139, 107, 126, 136, 111, 122, 100}));
}

}  // namespace
}  // namespace planvet::read::eventlog
