// Pairs in tests/explain/: NAME.txt is what somebody pasted, NAME.tree what planvet makes of it. Fixtures whose name
// starts with "reference-" are written by hand from the reference of formats, for engines and versions that no run of
// ours can make; the others are cut from real output.
#include <gtest/gtest.h>

#include "tests/support/document_dump.hpp"
#include "tests/support/files.hpp"
#include "tests/support/golden.hpp"

namespace planvet::test {
namespace {

TEST(ExplainText, Pairs) {
  std::size_t compared = 0;
  for (const std::string& path : source_files("tests/explain/*.txt")) {
    SCOPED_TRACE(path);
    const std::string golden = path.substr(0, path.size() - 4) + ".tree";
    EXPECT_TRUE(matches_golden(dump_input(read_file(source_path(path))), golden));
    ++compared;
  }
  EXPECT_GE(compared, 12U);
}

}  // namespace
}  // namespace planvet::test
