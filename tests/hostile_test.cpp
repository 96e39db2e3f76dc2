// Inputs that no plan is, and plans that nobody would print: a clear answer in bounded time and memory.

#include <filesystem>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/damage.hpp"
#include "tests/support/files.hpp"
#include "tests/support/plan_outline.hpp"
#include "tests/support/process.hpp"
#include "tests/support/sanitizer.hpp"

namespace planvet::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double kSlow = kIsSanitized ? 10 : 1;  // how much longer everything takes

constexpr std::uint64_t kMegabyte = 1024 * 1024;

ProcessLimits limits(double seconds, std::uint64_t megabytes) {
  ProcessLimits result;
  result.seconds = seconds * kSlow;
  result.memory_bytes = megabytes * kMegabyte;
  return result;
}

void expect_ended(const ProcessResult& result) {
  EXPECT_FALSE(result.is_over_memory) << result.peak_memory_bytes << " bytes";
  EXPECT_FALSE(result.timed_out) << "still running after " << result.seconds << " s";
  EXPECT_EQ(result.signal, 0) << result.error;
}

// Nothing could be read: exit 2, and a message that names the input and is short enough to be read.
void expect_unreadable(const ProcessResult& result, std::string_view name) {
  expect_ended(result);
  EXPECT_EQ(result.exit_status, 2) << result.out << result.error;
  EXPECT_THAT(result.error, HasSubstr(std::string(name)));
  EXPECT_LT(result.error.size(), 2000u) << result.error.substr(0, 500);
  EXPECT_THAT(result.out, Not(HasSubstr("clean")));
}

std::string plan_of_lines(std::size_t lines) {
  std::string text = "== Physical Plan ==\nProject [a#1]\n";
  for (std::size_t i = 1; i < lines; ++i) text += std::string(3 * (i - 1), ' ') + "+- Project [a#1]\n";
  return text;
}

std::string union_of(std::size_t children) {
  std::string text = "== Physical Plan ==\nUnion\n";
  for (std::size_t i = 0; i < children; ++i) {
    text += std::string(i + 1 == children ? "+- " : ":- ") + "Scan ExistingRDD[a#" + std::to_string(i) + "]\n";
  }
  return text;
}

// -- inputs that are not there or hold no plan ----------------------------------------------------------------------

TEST(Hostile, EmptyFile) {
  TemporaryFolder folder;
  write_file(folder.path("empty.txt"), "");
  expect_unreadable(run_planvet({"check", folder.path("empty.txt")}), "empty.txt");
}

TEST(Hostile, EmptyStandardInput) { expect_unreadable(run_planvet({"check", "-"}), ""); }

TEST(Hostile, DevNull) { expect_unreadable(run_planvet({"check", "/dev/null"}), "/dev/null"); }

TEST(Hostile, BlanksOnly) {
  TemporaryFolder folder;
  write_file(folder.path("blank.txt"), std::string(100'000, ' ') + "\n\n\n");
  expect_unreadable(run_planvet({"check", folder.path("blank.txt")}), "blank.txt");
}

TEST(Hostile, FileThatIsNotThere) {
  TemporaryFolder folder;
  expect_unreadable(run_planvet({"check", folder.path("gone.txt")}), "gone.txt");
}

TEST(Hostile, LinkToAFileThatDisappeared) {
  TemporaryFolder folder;
  write_file(folder.path("plan.txt"), plan_of_lines(3));
  std::filesystem::create_symlink(folder.path("plan.txt"), folder.path("link.txt"));
  std::filesystem::remove(folder.path("plan.txt"));
  expect_unreadable(run_planvet({"check", folder.path("link.txt")}), "link.txt");
}

// Root reads everything, so root runs planvet as nobody, who may not reach the build folder: a copy of it.
TEST(Hostile, FileWithoutPermission) {
  TemporaryFolder folder;
  write_file(folder.path("secret.txt"), plan_of_lines(3));
  std::filesystem::permissions(folder.path("secret.txt"), std::filesystem::perms::none);
  ProcessLimits unprivileged;
  if (geteuid() == 0) {
    unprivileged.as_nobody = true;
    unprivileged.program = folder.path("planvet");
    std::filesystem::copy_file(program_path(), *unprivileged.program);
    std::filesystem::permissions(*unprivileged.program, std::filesystem::perms(0755));
  }
  const ProcessResult result = run_planvet({"check", folder.path("secret.txt")}, {}, unprivileged);
  expect_unreadable(result, "secret.txt");
  EXPECT_THAT(result.error, HasSubstr("permission"));
}

TEST(Hostile, AnUnreadableFileDoesNotStopTheOthers) {
  TemporaryFolder folder;
  write_file(folder.path("plan.txt"), "== Physical Plan ==\nScan ExistingRDD[a#1]\n");
  const ProcessResult result = run_planvet({"check", folder.path("gone.txt"), folder.path("plan.txt")});
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_THAT(result.error, HasSubstr("gone.txt"));
  EXPECT_THAT(result.error, Not(HasSubstr("plan.txt")));
}

TEST(Hostile, BinaryFile) {
  TemporaryFolder folder;
  std::string bytes;
  for (std::uint64_t i = 0; i < kMegabyte; ++i) bytes += static_cast<char>(scrambled("binary", i) >> 56U);
  write_file(folder.path("binary"), bytes);
  expect_unreadable(run_planvet({"check", folder.path("binary")}, {}, limits(10, 512)), "binary");
}

TEST(Hostile, TheExecutableItself) {
  expect_unreadable(run_planvet({"check", program_path().string()}, {}, limits(20, 2048)), "planvet");
}

TEST(Hostile, Directory) {
  TemporaryFolder folder;
  write_file(folder.path("readme.txt"), "no plan here\n");
  expect_unreadable(run_planvet({"check", folder.path("")}), "");
}

// -- nesting and size -----------------------------------------------------------------------------------------------

TEST(Hostile, Brackets) {
  constexpr std::size_t kDepth = 200'000;
  for (const char* bracket : {"(", "[", "{", "struct<", "cast(", "NOT ", "(a#1 AND "}) {
    std::string deep;
    for (std::size_t i = 0; i < kDepth; ++i) deep += bracket;
    const std::string text = "== Physical Plan ==\nFilter " + deep + "\n+- Scan ExistingRDD[a#1]\n";
    const ProcessResult checked = run_planvet({"check", "-"}, text, limits(20, 2048));
    expect_ended(checked);
    EXPECT_NE(checked.exit_status, -1) << bracket;
    const ProcessResult tree = run_planvet({"tree", "-"}, text, limits(20, 2048));
    expect_ended(tree);
    expect_ended(run_planvet({"check", "-"}, deep, limits(20, 2048)));
  }
}

TEST(Hostile, JsonBrackets) {
  std::string deep;
  for (std::size_t i = 0; i < 200'000; ++i)
    deep += R"({"nodeName":"Project","simpleString":"Project [a#1]","children":[)";
  const ProcessResult result = run_planvet({"check", "-"}, deep, limits(30, 4096));
  expect_ended(result);
  EXPECT_THAT(result.out + result.error, Not(HasSubstr("clean")));
  expect_unreadable(run_planvet({"check", "-"}, std::string(200'000, '['), limits(10, 1024)), "");
}

TEST(Hostile, PlanOfAHundredThousandLines) {
  const std::string text = union_of(100'000);
  const ReadAll all = read_all(text);
  ASSERT_EQ(all.documents.size(), 1u) << all.error;
  EXPECT_EQ(all.documents[0].fragments.at(0).tree.size(), 100'001u);
  const ProcessResult result = run_planvet({"check", "-"}, text, limits(20, 2048));
  expect_ended(result);
  EXPECT_LE(result.exit_status, 1) << result.error.substr(0, 500);
}

TEST(Hostile, DeepPlan) {
  // Each level is three columns further right: 3,000 levels are 13 MB.
  const std::string text = plan_of_lines(3'000);
  const ReadAll all = read_all(text);
  ASSERT_EQ(all.documents.size(), 1u) << all.error;
  EXPECT_EQ(all.documents[0].fragments.at(0).tree.size(), 3'000u);
  expect_ended(run_planvet({"tree", "-"}, text, limits(20, 2048)));
}

TEST(Hostile, FiftyMegabytesInOneLine) {
  std::string line = "== Physical Plan ==\nFilter (a#1 IN (0";
  for (std::uint64_t i = 1; line.size() < 50 * kMegabyte; ++i) line += "," + std::to_string(i);
  line += "))\n+- Scan ExistingRDD[a#1]\n";
  const ProcessResult result = run_planvet({"check", "-"}, line, limits(30, 4096));
  expect_ended(result);
  EXPECT_LE(result.exit_status, 1) << result.error.substr(0, 500);
  EXPECT_LT(result.out.size(), 10'000u);  // a snippet is a window, not the line

  std::string escaped = "\"";
  const std::string plan = "== Physical Plan ==\\nProject [a#1]\\n+- Scan ExistingRDD[a#1]\\n\\n";
  while (escaped.size() < 50 * kMegabyte) escaped += plan;
  expect_ended(run_planvet({"check", "-q", "-"}, escaped + "\"", limits(60, 8192)));
  expect_unreadable(run_planvet({"check", "-"}, std::string(50 * kMegabyte, 'x'), limits(20, 2048)), "");
}

TEST(Hostile, EndlessSections) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "== Physical Plan ==\n";
  expect_ended(run_planvet({"check", "-"}, text, limits(20, 2048)));
  text.clear();
  for (int i = 0; i < 50'000; ++i) text += "+- == Final Plan ==\n";
  expect_ended(run_planvet({"check", "-"}, "== Physical Plan ==\nAdaptiveSparkPlan isFinalPlan=true\n" + text,
                           limits(20, 2048)));
  text.clear();
  for (int i = 0; i < 50'000; ++i) text += "(1) Filter\nInput [1]: [a#1]\n\n";
  expect_ended(run_planvet({"check", "-"}, "== Physical Plan ==\nFilter (1)\n\n\n" + text, limits(20, 2048)));
}

TEST(Hostile, NumbersThatFitNowhere) {
  const std::string huge(400, '9');
  const std::string text = "== Physical Plan ==\n*(" + huge + ") Filter (a#" + huge + " > " + huge +
                           ")\n+- Exchange hashpartitioning(a#" + huge + ", " + huge + "), [plan_id=" + huge +
                           "]\n   +- Scan ExistingRDD[a#" + huge + "]\n";
  expect_ended(run_planvet({"check", "-"}, text));
  const std::string formatted =
      "== Physical Plan ==\nFilter (" + huge + ")\n+- ShuffleQueryStage (2), Statistics(sizeInBytes=" + huge +
      " YiB, rowCount=" + huge + ")\n\n\n(" + huge + ") Filter\nInput [" + huge + "]: [a#1]\n";
  expect_ended(run_planvet({"check", "-"}, formatted));
}

}  // namespace
}  // namespace planvet::test
