// Patterns as in .gitignore: what they mean by table, and by git itself where it is installed.

#include "analyzer/io/path_pattern.hpp"

#include <algorithm>
#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "analyzer/io/paths.hpp"
#include "analyzer/io/process.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/files.hpp"
#include "tests/support/process.hpp"

namespace planvet::test {
namespace {

std::string decision(std::string_view line) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    words.emplace_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  std::string path = words.back();
  words.pop_back();
  const bool is_folder = path.ends_with('/');
  if (is_folder) path.pop_back();
  const std::optional<bool> decided = io::PathPatterns(words).decide(path, is_folder);
  if (!decided) return "-";
  return *decided ? "left out" : "kept";
}

TEST(PathPatterns, Cases) { check_cases("tests/cases/path_patterns.cases", decision); }

TEST(PathPatterns, CoverWhatIsInAFolder) {
  const io::PathPatterns patterns({"nightly/", "*.tmp"});
  EXPECT_TRUE(patterns.cover("nightly/a.txt"));
  EXPECT_TRUE(patterns.cover("x/nightly/y/a.txt"));
  EXPECT_TRUE(patterns.cover("x/a.tmp"));
  EXPECT_FALSE(patterns.cover("daily/a.txt"));
}

TEST(PathPatterns, AFileHasLinesOfAnyKind) {
  const io::PathPatterns patterns = io::PathPatterns::of_file("\xEF\xBB\xBF*.a\r\n\n# no pattern\n*.b   \n*.c\\ \n*.d");
  for (const char* path : {"x.a", "x.b", "x.c ", "x.d"}) EXPECT_EQ(patterns.decide(path, false), true) << path;
  for (const char* path : {"x.c", "# no pattern"}) EXPECT_FALSE(patterns.decide(path, false)) << path;
}

// A tree and its .gitignore files by a fixed seed; git lists what it does not ignore, and so do we.
class IgnoredByGit : public ::testing::TestWithParam<unsigned> {};

TEST_P(IgnoredByGit, IsNotFound) {
  if (io::run_process({"git", "--version"}).status != 0) GTEST_SKIP() << "no git here";
  constexpr std::string_view kNames[] = {"a", "b", "ab", "a.txt", "b.txt", "c.log", "plans", "old", "x1", "x2"};
  constexpr std::string_view kPatterns[] = {"*.txt",   "!a.txt", "/a",     "old/",      "plans/*",    "!plans/b.txt",
                                            "**/x1",   "a/**",   "a/**/b", "[ab].txt",  "x?",         "!x2",
                                            "/plans/", "*",      "!*/",    "plans/old", "a*",         "!/ab",
                                            "[!x]1",   "c.*",    "# note", "b/",        "plans/**/a", "!old/"};
  std::mt19937 random(GetParam());
  const auto pick = [&](auto& list) { return list[random() % std::size(list)]; };
  const TemporaryFolder folder;
  const std::string root = folder.path("repository");
  std::set<std::string> folders = {root};
  for (int i = 0; i < 60; ++i) {
    std::string at = root;
    for (auto depth = random() % 4; depth > 0; --depth) {
      const std::string next = at + "/" + std::string(pick(kNames));
      if (std::filesystem::is_regular_file(next)) break;
      at = next;
      std::filesystem::create_directories(at);
      folders.insert(at);
    }
    std::filesystem::create_directories(at);
    const std::string file = at + "/" + std::string(pick(kNames));
    if (!std::filesystem::exists(file)) write_file(file, "x");
  }
  for (const std::string& at : folders) {
    if (random() % 3 != 0) continue;
    std::string text;
    for (auto lines = 1 + random() % 3; lines > 0; --lines) text.append(pick(kPatterns)).append("\n");
    write_file(at + "/.gitignore", text);
  }
  ASSERT_EQ(io::run_process({"git", "init", "-q", root}).status, 0);
  // What this user ignores everywhere.
  const std::string everywhere = folder.path("ignored everywhere");
  write_file(everywhere, random() % 2 == 0 ? std::string(pick(kPatterns)) + "\n" : "");
  ASSERT_EQ(io::run_process({"git", "-C", root, "config", "core.excludesFile", everywhere}).status, 0);

  const io::ProcessResult listed =
      io::run_process({"git", "-C", root, "ls-files", "--others", "--exclude-standard", "-z"});
  ASSERT_EQ(listed.status, 0) << listed.complaints;
  std::set<std::string> expected;
  for (std::size_t begin = 0; begin < listed.output.size();) {
    const std::size_t end = listed.output.find('\0', begin);
    const std::string path = listed.output.substr(begin, end - begin);
    if (!path.ends_with(".gitignore")) expected.insert(root + "/" + path);
    begin = end + 1;
  }
  std::set<std::string> found;
  for (const io::InputFile& file : io::find_inputs({root}).files) found.insert(file.path);
  std::string rules = "everywhere:\n" + read_file(everywhere);
  for (const std::string& at : folders)
    if (std::filesystem::exists(at + "/.gitignore")) rules += at + ":\n" + read_file(at + "/.gitignore");
  EXPECT_EQ(found, expected) << rules;
}

INSTANTIATE_TEST_SUITE_P(PathPatterns, IgnoredByGit, ::testing::Range(0U, 40U));

}  // namespace
}  // namespace planvet::test
