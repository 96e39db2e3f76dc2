// Event logs as inputs of the program: files, folders of parts, pipes, and damage.
#include <array>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "analyzer/io/log_parts.hpp"
#include "analyzer/io/read_ahead.hpp"
#include "analyzer/plan/byte_source.hpp"
#include "tests/in_process.hpp"
#include "tests/support/event_lines.hpp"
#include "tests/support/event_logs.hpp"
#include "tests/support/files.hpp"
#include "tests/support/log_encodings.hpp"

namespace planvet::test {
namespace {

namespace fs = std::filesystem;

// A folder of its own that is gone afterwards.
class EventLogInput : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("planvet-eventlog-" + std::to_string(::getpid()));
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  std::string write(const std::string& name, std::string_view text) const {
    const fs::path path = root_ / name;
    fs::create_directories(path.parent_path());
    write_file(path, text);
    return path.string();
  }

  fs::path root_;
};

// What it prints of a log, without the log's name.
std::string tree_of(const std::string& path, const std::string& input = {}) {
  const CommandRun outcome = run_in_process({"tree", path, "--format", "json"}, input);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.status, 0);
  std::string text = outcome.out;
  const std::string quoted = '"' + path + '"';
  for (std::size_t at = 0; (at = text.find(quoted, at)) != std::string::npos;) text.replace(at, quoted.size(), "LOG");
  return text;
}

std::string corpus_log() {
  return decompressed_file(source_path("corpus/eventlogs/spark-3.5.9/adaptive/eventlog.zst").string());
}

std::vector<std::string_view> split_at_lines(std::string_view text, std::size_t parts) {
  std::vector<std::string_view> pieces;
  for (std::size_t part = parts; part > 1; --part) {
    const std::size_t end = text.find('\n', text.size() / part) + 1;
    pieces.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  pieces.push_back(text);
  return pieces;
}

TEST_F(EventLogInput, HasOneDocumentForEachQuery) {
  const std::string path = write("app.log", corpus_log());
  const std::string tree = tree_of(path);
  EXPECT_NE(tree.find("\"input\": \"event-log\""), std::string::npos);
  EXPECT_NE(tree.find("\"execution_id\": 36,"), std::string::npos);
  EXPECT_NE(tree.find("\"spark_version\": \"3.5.9\""), std::string::npos);
  EXPECT_EQ(tree.find("\"line\": 1"), std::string::npos);  // positions are null
}

TEST_F(EventLogInput, IsTheSameThroughAPipe) {
  const std::string log = corpus_log();
  EXPECT_EQ(tree_of("-", log), tree_of(write("app.log", log)));
}

// Editors, scripts and people who cut it: the same events.
TEST_F(EventLogInput, IsTheSameInOtherHands) {
  const std::string log = corpus_log();
  const std::string expected = tree_of(write("app.log", log));
  std::string with_breaks;
  std::string with_blanks;
  for (std::size_t i = 0; i < log.size(); ++i) {
    if (log[i] == '\n') with_breaks += '\r';
    with_breaks += log[i];
    with_blanks += log[i];
    const bool is_before_comma = log[i] == ',' && log[i + 1] == '"';
    const bool is_behind_key = log[i] == ':' && log[i - 1] == '"' && log[i - 2] != '\\';
    if (is_before_comma || is_behind_key) with_blanks += ' ';
  }
  struct Form {
    std::string name;
    std::string text;
  };
  for (const Form& form : std::vector<Form>{{"mark", "\xEF\xBB\xBF" + log},
                                            {"lines", "\r\n\n" + log},
                                            {"breaks", with_breaks},
                                            {"blanks", with_blanks}}) {
    EXPECT_TRUE(tree_of(write("app." + form.name, form.text)) == expected) << form.name;
    EXPECT_TRUE(tree_of("-", form.text) == expected) << form.name;
  }
}

// The first line is lost, and no more than that.
TEST_F(EventLogInput, MayBeCutAtItsBeginning) {
  const std::string log = corpus_log();
  for (const std::string& text : {log.substr(20), "saved on Monday\n" + log}) {
    const std::string tree = tree_of(write("app.log", text));
    EXPECT_NE(tree.find("\"input\": \"event-log\""), std::string::npos);
    EXPECT_NE(tree.find("1 line of the log could not be read"), std::string::npos);
    EXPECT_NE(tree.find("\"execution_id\": 36,"), std::string::npos);
  }
}

// Plans are found in any text. That nothing measured comes with them has to be said.
TEST_F(EventLogInput, SaysThatEventsInAnotherFormHaveNoMetrics) {
  const std::string log = corpus_log();
  std::string array = "[";
  for (std::size_t begin = 0; begin < log.size();) {
    const std::size_t end = log.find('\n', begin);
    array += (begin == 0 ? "" : ",\n ") + log.substr(begin, end - begin);
    begin = end + 1;
  }
  const CommandRun outcome = run_in_process({"check", write("events.json", array + "]\n"), "--exit-zero"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("these are events of a log in another form"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("Clean"), std::string::npos) << outcome.out;
}

// What has to be unpacked first is called by its name, and no text of a plan is looked for in it.
TEST_F(EventLogInput, NamesWhatItDoesNotUnpack) {
  std::string tar = "app.log" + std::string(250, '\0') + "ustar" + std::string(250, '\0') + corpus_log();
  struct Wrapped {
    std::string bytes;
    std::string_view words;
  };
  for (const Wrapped& wrapped : std::vector<Wrapped>{{std::move(tar), "is a tar archive: unpack it (tar xf)"},
                                                     {"BZh91AY&SY", "is compressed with bzip2"},
                                                     {std::string("\xFD"
                                                                  "7zXZ\0",
                                                                  6) +
                                                          "..",
                                                      "is compressed with xz"},
                                                     {"7z\xBC\xAF\x27\x1C..", "is a 7z archive"},
                                                     {"\x04\x22\x4D\x18..", "lz4's frame format"}}) {
    const CommandRun outcome = run_in_process({"annotate", write("logs", wrapped.bytes)});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.err.find(wrapped.words), std::string::npos) << outcome.err;
  }
}

// `annotate <(zstdcat app_1)`: opened once, or its writer would see it closed, and read piece by piece.
TEST_F(EventLogInput, IsTheSameThroughANamedPipe) {
  const std::string log = corpus_log();
  const std::string path = (root_ / "pipe").string();
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] { write_file(path, log); });
  const std::string tree = tree_of(path);
  writer.join();
  EXPECT_TRUE(tree == tree_of(write("app.log", log)));
}

// `gzip app_1.zstd`, by who did not know that it is compressed.
TEST_F(EventLogInput, IsTheSameCompressedTwice) {
  const std::string stored = source_path("corpus/eventlogs/spark-3.5.9/adaptive/eventlog.zst").string();
  const std::string twice = encode(read::eventlog::Codec::Gzip, read_file(stored));
  EXPECT_TRUE(tree_of(write("app.zstd.gz", twice)) == tree_of(stored));
  EXPECT_TRUE(tree_of("-", twice) == tree_of(stored));
}

TEST_F(EventLogInput, IsTheSameCompressed) {
  const std::string stored = source_path("corpus/eventlogs/spark-3.5.9/adaptive/eventlog.zst").string();
  EXPECT_EQ(tree_of(stored), tree_of(write("app.log", corpus_log())));
}

// In numeric order: the tenth part is the last one.
TEST_F(EventLogInput, IsTheSameInRolledParts) {
  const std::string log = corpus_log();
  const std::vector<std::string_view> pieces = split_at_lines(log, 10);
  ASSERT_EQ(pieces.size(), 10U);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    write("eventlog_v2_local-1/events_" + std::to_string(i + 1) + "_local-1", pieces[i]);
  }
  write("eventlog_v2_local-1/appstatus_local-1", "");
  EXPECT_EQ(tree_of((root_ / "eventlog_v2_local-1").string()), tree_of(write("app.log", log)));
}

TEST_F(EventLogInput, TellsWhichPartsAreMissing) {
  const std::string log = corpus_log();
  const std::vector<std::string_view> pieces = split_at_lines(log, 5);
  for (const std::size_t part : {0U, 1U, 3U, 4U}) {
    write("eventlog_v2_a/events_" + std::to_string(part + 1) + "_a", pieces[part]);
  }
  const std::string tree = tree_of((root_ / "eventlog_v2_a").string());
  EXPECT_NE(tree.find("part 3 of the log is missing: what it says could not be read"), std::string::npos);
  EXPECT_EQ(tree.find("part 2 of the log"), std::string::npos);
}

// Noise in the middle: the parts around it are read.
TEST_F(EventLogInput, ReadsAroundAnUnreadablePart) {
  const std::string log = corpus_log();
  const std::vector<std::string_view> pieces = split_at_lines(log, 3);
  write("eventlog_v2_a/events_1_a", pieces[0]);
  write("eventlog_v2_a/events_2_a.zstd", "\x28\xb5\x2f\xfd this is no zstd");
  write("eventlog_v2_a/events_3_a", pieces[2]);
  const std::string tree = tree_of((root_ / "eventlog_v2_a").string());
  EXPECT_NE(tree.find("the zstd data is damaged"), std::string::npos);
  EXPECT_NE(tree.find("\"execution_id\": 36,"), std::string::npos);
}

TEST_F(EventLogInput, IsTheSameInPartsOfDatabricks) {
  const std::string log = corpus_log();
  const std::vector<std::string_view> pieces = split_at_lines(log, 3);
  write("dbr/eventlog", pieces[2]);
  write("dbr/eventlog-2021-06-15--16-00", pieces[1]);
  write("dbr/eventlog-2021-06-15--15-00", pieces[0]);
  EXPECT_EQ(tree_of((root_ / "dbr").string()), tree_of(write("app.log", log)));
}

TEST_F(EventLogInput, IsJudgedByRules) {
  const CommandRun outcome =
      run_in_process({"check", write("app.log", corpus_log()), "--format", "json", "--exit-zero"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.out.find("\"summary\""), std::string::npos);
  EXPECT_EQ(outcome.err, "");
}

TEST_F(EventLogInput, WithoutAQueryIsAnError) {
  const CommandRun outcome = run_in_process({"tree", write("app.log", EventLines().task_start(0, 0).text())});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("this looks like an event log, but it holds no query with a plan: 2 events were read"),
            std::string::npos)
      << outcome.err;
}

TEST(LogParts, PutsPartsTogether) {
  const auto found = [](const std::string& path) { return io::InputFile{path, false}; };
  const std::vector<io::InputFile> inputs = io::with_log_parts({
      found("logs/eventlog_v2_a/events_10_a.zstd"),
      found("logs/eventlog_v2_a/events_9_a.zstd"),
      found("logs/eventlog_v2_a/events_2_a.zstd.compact"),
      found("logs/eventlog_v2_a/events_2_a.zstd"),
      found("logs/eventlog_v2_a/events_1_a.zstd"),
      found("logs/eventlog_v2_a/appstatus_a.inprogress"),
      found("logs/local-1"),
      found("logs/eventlog"),
      {"logs/eventlog_v2_b/events_1_b", true},
  });
  std::string text;
  for (const io::InputFile& input : inputs) {
    text += input.path + ":";
    for (const io::LogPart& part : input.parts) text += " " + part.path + (part.is_compacted ? " (compacted)" : "");
    text += "\n";
  }
  EXPECT_EQ(text,
            "logs/local-1:\nlogs/eventlog_v2_b/events_1_b:\n"
            "logs/eventlog_v2_a: logs/eventlog_v2_a/events_2_a.zstd.compact (compacted) "
            "logs/eventlog_v2_a/events_9_a.zstd logs/eventlog_v2_a/events_10_a.zstd\n"
            "logs/eventlog:\n");
}

TEST(ReadAhead, GivesTheSameBytes) {
  std::string bytes;
  for (std::size_t i = 0; bytes.size() < (std::size_t{12} << 20U); ++i) bytes += std::to_string(i * 7919);
  MemorySource source(bytes);
  io::ReadAhead ahead(source);
  std::string read;
  std::array<char, 70000> buffer{};
  while (const std::size_t got = ahead.read(buffer)) read.append(buffer.data(), got);
  EXPECT_TRUE(read == bytes);
}

TEST(ReadAhead, EndsWhenNobodyReadsOn) {
  const std::string bytes(std::size_t{64} << 20U, 'x');
  MemorySource source(bytes);
  io::ReadAhead ahead(source);
  std::array<char, 10> buffer{};
  EXPECT_GT(ahead.read(buffer), 0U);
}

}  // namespace
}  // namespace planvet::test
