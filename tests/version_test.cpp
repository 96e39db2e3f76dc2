#include "analyzer/version.hpp"

#include <gtest/gtest.h>

namespace planvet {
namespace {

TEST(Version, IsTheProjectsVersion) { EXPECT_EQ(kVersion, "0.1.0"); }

}  // namespace
}  // namespace planvet
