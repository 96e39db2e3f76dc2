// What is stored of real runs names nothing of the machine that made it, compressed or not.
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/support/event_logs.hpp"
#include "tests/support/files.hpp"

namespace planvet::test {
namespace {

TEST(CorpusPaths, AreThoseOfNoDevelopmentMachine) {
  std::size_t files = 0;
  for (const char* const folder : {"corpus", "tests/fuzz/corpus", "tests/samples", "tests/explain", "tests/rules"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(source_path(folder))) {
      if (!entry.is_regular_file() || entry.path().filename() == "README.md") continue;
      ++files;
      const std::string bytes = read_file(entry.path().string());
      const std::string text = decompressed_file(entry.path().string());
      for (const std::string_view path : {"/work/", "/home/", "/Users/"}) {
        EXPECT_EQ(bytes.find(path), std::string::npos) << entry.path() << ": " << path;
        EXPECT_EQ(text.find(path), std::string::npos) << entry.path() << ": " << path;
      }
    }
  }
  EXPECT_GT(files, 1000U);
}

}  // namespace
}  // namespace planvet::test
