// The same log in every codec and layout: the program says the same of it, byte for byte. Every log of the corpus.
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "analyzer/cli/command.hpp"
#include "tests/support/event_logs.hpp"
#include "tests/support/files.hpp"
#include "tests/support/log_encodings.hpp"
#include "tests/support/sanitizer.hpp"

namespace planvet::test {
namespace {

namespace fs = std::filesystem;
using read::eventlog::Codec;

class EventLogLayouts : public testing::TestWithParam<EventLogCase> {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("planvet-layouts-" + std::to_string(::getpid()));
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  [[nodiscard]] std::string write(const std::string& name, std::string_view bytes) const {
    const fs::path path = root_ / name;
    fs::create_directories(path.parent_path());
    write_file(path, bytes);
    return path.string();
  }

  fs::path root_;
};

void replace_text(std::string& text, const std::string& what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
}

// What the commands print, without the name of the input, which fingerprints hold too.
std::string layout_reports(const std::string& path, const std::string& input = {}) {
  std::string all;
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"tree", path, "--format", "json"},
                                                    {"check", path, "--format", "json", "--exit-zero"},
                                                    {"annotate", path, "--sql", "all", "--format", "json"}}) {
    std::istringstream in(input);
    std::ostringstream out;
    std::ostringstream err;
    EXPECT_EQ(static_cast<int>(cli::run(arguments, {in, out, err}, io::Terminal())), 0) << path;
    EXPECT_EQ(err.str(), "") << path;
    all += out.str();
  }
  replace_text(all, '"' + path + '"', "\"LOG\"");
  constexpr std::string_view kFingerprint = "\"xxh128:";
  for (std::size_t at = 0; (at = all.find(kFingerprint, at)) != std::string::npos; ++at) {
    all.erase(at + 1, kFingerprint.size() - 1 + 32);
  }
  return all;
}

// Whole lines, about as many bytes in each part.
std::vector<std::string_view> line_parts(std::string_view log, std::size_t count) {
  std::vector<std::string_view> parts;
  for (std::size_t left = count; left > 1; --left) {
    const std::size_t end = log.find('\n', log.size() / left) + 1;
    parts.push_back(log.substr(0, end));
    log.remove_prefix(end);
  }
  parts.push_back(log);
  return parts;
}

TEST_P(EventLogLayouts, SayTheSame) {
  const std::string log = decompressed_file(GetParam().directory + "/eventlog.zst");
  const std::string expected = layout_reports(write("app.log", log));
  ASSERT_GT(expected.size(), 1000U);
  const auto expect_same = [&](const std::string& path, std::string_view layout, const std::string& input = {}) {
    EXPECT_TRUE(layout_reports(path, input) == expected) << layout;
  };
  expect_same("-", "pipe", log);
  expect_same("-", "pipe, zstd", encode(Codec::Zstd, log));
  // The name says nothing, or something wrong.
  for (const Codec codec : {Codec::Zstd, Codec::Lz4, Codec::Snappy, Codec::Lzf, Codec::Gzip}) {
    expect_same(write("app.lz4", encode(codec, log)), name(codec));
  }
  expect_same(write("app.zstd.inprogress", encode(Codec::Zstd, log, 700)), "zstd, many frames");

  const std::vector<std::string_view> parts = line_parts(log, 11);
  const auto rolled = [&](const std::string& folder, Codec codec, const std::string& suffix) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      static_cast<void>(write(folder + "/events_" + std::to_string(i + 1) + "_app" + suffix, encode(codec, parts[i])));
    }
    static_cast<void>(write(folder + "/appstatus_app", ""));
    return (root_ / folder).string();
  };
  expect_same(rolled("eventlog_v2_plain", Codec::None, ""), "rolled");
  expect_same(rolled("eventlog_v2_zstd", Codec::Zstd, ".zstd"), "rolled, zstd");
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    static_cast<void>(
        write("databricks/eventlog-2026-11-30--0" + std::to_string(i / 6) + '-' + std::to_string(i % 6) + "0.gz",
              encode(Codec::Gzip, parts[i])));
  }
  static_cast<void>(write("databricks/eventlog", parts.back()));
  expect_same((root_ / "databricks").string(), "Databricks");
}

INSTANTIATE_TEST_SUITE_P(Corpus, EventLogLayouts, testing::ValuesIn(sampled(event_log_cases())),
                         [](const auto& instance) { return test_name(instance.param); });

}  // namespace
}  // namespace planvet::test
