// Zip archives of event logs, folders of many applications, and saved answers of the REST API as inputs of the program.
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>
#include <zip.h>
#include <zlib.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "analyzer/io/archive.hpp"
#include "analyzer/io/paths.hpp"
#include "tests/in_process.hpp"
#include "tests/support/event_logs.hpp"
#include "tests/support/files.hpp"
#include "tests/support/process.hpp"
#include "tests/support/sanitizer.hpp"

namespace planvet::test {
namespace {

namespace fs = std::filesystem;

using Entries =
    std::vector<std::pair<std::string, std::string>>;  // name and content; a name with '/' at its end: folder

class ArchiveInput : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("planvet-archive-" + std::to_string(::getpid()));
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

  std::string archive(const std::string& name, const Entries& entries) const {
    const std::string path = (root_ / name).string();
    int code = 0;
    ::zip* const zip = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
    for (const auto& [entry, content] : entries) {
      if (entry.ends_with('/')) {
        zip_dir_add(zip, entry.c_str(), 0);
        continue;
      }
      zip_source_t* const source = zip_source_buffer(zip, content.data(), content.size(), 0);
      zip_file_add(zip, entry.c_str(), source, ZIP_FL_OVERWRITE);
    }
    EXPECT_EQ(zip_close(zip), 0);
    return path;
  }

  fs::path root_;
};

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; at += part.size()) ++found;
  return found;
}

// The trees of a log, whatever it is called.
std::string tree_of(const std::string& path, const std::string& source, const std::string& input = {}) {
  const CommandRun outcome = run_in_process({"tree", path, "--format", "json"}, input);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.status, 0);
  std::string text = outcome.out;
  const std::string quoted = '"' + source + '"';
  EXPECT_GT(count(text, quoted), 0U) << source;
  for (std::size_t at = 0; (at = text.find(quoted, at)) != std::string::npos;) text.replace(at, quoted.size(), "LOG");
  return text;
}

std::string stored_log(std::string_view application) {
  return read_file(source_path("corpus/eventlogs/spark-3.5.9/" + std::string(application) + "/eventlog.zst"));
}
std::string plain_log(std::string_view application) {
  return decompressed_file(
      source_path("corpus/eventlogs/spark-3.5.9/" + std::string(application) + "/eventlog.zst").string());
}

TEST_F(ArchiveInput, HoldsWhatTheDownloadButtonGives) {
  const std::string log = plain_log("python");
  const std::string plain = write("app.log", log);
  const std::string expected = tree_of(plain, plain);
  const std::string one = archive("one.zip", {{"local-1.zstd", stored_log("python")}});
  EXPECT_EQ(tree_of(one, one + "/local-1.zstd"), expected);
  const std::size_t half = log.find('\n', log.size() / 2) + 1;
  const std::string rolled = archive("rolled.zip", {{"eventlog_v2_local-1/", ""},
                                                    {"eventlog_v2_local-1/events_2_local-1", log.substr(half)},
                                                    {"eventlog_v2_local-1/appstatus_local-1", ""},
                                                    {"eventlog_v2_local-1/events_1_local-1", log.substr(0, half)},
                                                    {"__MACOSX/eventlog_v2_local-1/._events_1_local-1", "x"}});
  EXPECT_EQ(tree_of(rolled, rolled + "/eventlog_v2_local-1"), expected);
  const std::string nested = archive("nested.zip", {{"logs/2026/local-1", log}});
  EXPECT_EQ(tree_of(nested, nested + "/logs/2026/local-1"), expected);
}

TEST_F(ArchiveInput, ComesThroughAPipe) {
  const std::string plain = write("app.log", plain_log("python"));
  const std::string zip = archive("one.zip", {{"local-1.zstd", stored_log("python")}});
  EXPECT_EQ(tree_of("-", "-/local-1.zstd", read_file(zip)), tree_of(plain, plain));
}

TEST_F(ArchiveInput, HoldsSeveralAttempts) {
  const std::string zip =
      archive("attempts.zip", {{"app_1_2.zstd", stored_log("writes")}, {"app_1_1.zstd", stored_log("python")}});
  const CommandRun outcome = run_in_process({"tree", zip, "--format", "json"});
  EXPECT_EQ(outcome.status, 0);
  const std::size_t first = outcome.out.find(zip + "/app_1_1.zstd");
  const std::size_t second = outcome.out.find(zip + "/app_1_2.zstd");
  ASSERT_NE(second, std::string::npos);
  EXPECT_LT(first, second);
  EXPECT_EQ(run_in_process({"check", zip, "--exit-zero"}).status, 0);
}

TEST_F(ArchiveInput, IsLookedIntoInAFolderWhereItHoldsLogs) {
  fs::create_directories(root_ / "logs");
  const std::string zip = archive("logs/app.zip", {{"app_1", plain_log("python")}});
  archive("logs/code.jar",
          {{"a/B.class", "\xCA\xFE\xBA\xBE"}, {"plan.txt", "== Physical Plan ==\n*(1) Range (0, 1)\n"}});
  const CommandRun outcome = run_in_process({"tree", (root_ / "logs").string(), "--format", "json"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_GT(count(outcome.out, zip + "/app_1"), 0U);
  EXPECT_EQ(count(outcome.out, "code.jar"), 0U);
}

TEST_F(ArchiveInput, SaysWhatIsWrong) {
  const std::string log = plain_log("python");
  std::string bytes = read_file(archive("whole.zip", {{"app_1", log}}));
  const std::string cut = write("cut.zip", bytes.substr(0, bytes.size() / 2));
  CommandRun outcome = run_in_process({"tree", cut});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("is a zip archive that cannot be read"), std::string::npos) << outcome.err;
  EXPECT_EQ(run_in_process({"tree", "-"}, bytes.substr(0, bytes.size() / 2)).status, 2);

  outcome = run_in_process({"tree", archive("none.zip", {{"readme.md", "hello"}})});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("no file of this archive holds a plan"), std::string::npos) << outcome.err;

  // A flipped byte: what came before it is read, and the log is not whole.
  bytes[bytes.size() / 3] = static_cast<char>(bytes[bytes.size() / 3] ^ 0x55);
  outcome = run_in_process({"tree", write("broken.zip", bytes)});
  EXPECT_NE((outcome.out + outcome.err).find("zip"), std::string::npos) << outcome.err;
}

// The archive says that its entry, of some KB, expands to 3.75 GiB.
TEST_F(ArchiveInput, BombsAreNotRead) {
  std::string bytes = read_file(archive("bomb.zip", {{"app_1", plain_log("python")}}));
  const std::size_t header = bytes.find(std::string_view("PK\x01\x02", 4));
  ASSERT_NE(header, std::string::npos);
  bytes.replace(header + 24, 4, std::string_view("\x00\x00\x00\xF0", 4));
  const std::string path = write("bomb.zip", bytes);
  const CommandRun outcome = run_in_process({"tree", path});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("expands to 3.8 GiB, more than 500 times its size: it is not read"), std::string::npos)
      << outcome.err;
}

// Its size, or how much of the archive it takes, is not what an entry says it is: in the list of entries alone, or in
// front of it too. What is there is read, and what is wrong is said where the check sum does not vouch for the rest.
TEST_F(ArchiveInput, EntriesThatLieAboutTheirSize) {
  const std::string log = plain_log("python");
  const std::string plain = write("app.log", log);
  const std::string expected = tree_of(plain, plain);
  const std::string whole = read_file(archive("whole.zip", {{"app_1", log}}));
  const std::size_t listed = whole.rfind(std::string_view("PK\x01\x02", 4));
  ASSERT_NE(listed, std::string::npos);
  const auto put = [](std::string& bytes, std::size_t at, std::uint64_t number) {
    for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<char>(number >> (8 * i));
  };
  constexpr std::size_t kListedCompressed = 20;  // behind the signature; the size is behind it
  constexpr std::size_t kOwnCompressed = 18;
  const std::uint64_t size = log.size();
  const auto compressed = static_cast<std::uint64_t>(whole.size());
  for (const bool in_both : {false, true}) {
    for (const std::uint64_t lie : {std::uint64_t{0}, std::uint64_t{100}, size - 1, size + 1, 20 * size}) {
      std::string bytes = whole;
      put(bytes, listed + kListedCompressed + 4, lie);
      if (in_both) put(bytes, kOwnCompressed + 4, lie);
      const std::string path = write("size.zip", bytes);
      EXPECT_EQ(tree_of(path, path + "/app_1"), expected) << lie;
    }
    for (const std::uint64_t lie : {compressed / 2, compressed + 1000}) {
      std::string bytes = whole;
      put(bytes, listed + kListedCompressed, lie);
      if (in_both) put(bytes, kOwnCompressed, lie);
      const CommandRun outcome = run_in_process({"tree", write("compressed.zip", bytes), "--format", "json"});
      EXPECT_EQ(outcome.status, 0) << outcome.err;
      const bool is_told = outcome.out.find("the zip archive is damaged") != std::string::npos;
      EXPECT_TRUE(is_told || lie > compressed) << lie;
      EXPECT_EQ(count(outcome.out, "execution_id") < count(expected, "execution_id"), lie < compressed) << lie;
    }
  }
}

// An archive of one deflated entry that repeats a block of lines. Its check sum is wrong: nobody gets that far.
std::string bomb_of(std::size_t blocks, std::uint32_t listed_compressed, std::uint32_t listed_size) {
  std::string lines;
  for (int i = 0; i < 10; ++i) {
    lines += R"({"Event":"SparkListenerLogStart","Spark Version":"3.5.9","x":")" + std::string(200'000, 'a') + "\"}\n";
  }
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY), Z_OK);
  std::string block(deflateBound(&stream, lines.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(lines.data());
  stream.avail_in = static_cast<uInt>(lines.size());
  stream.next_out = reinterpret_cast<Bytef*>(block.data());
  stream.avail_out = static_cast<uInt>(block.size());
  EXPECT_EQ(deflate(&stream, Z_FULL_FLUSH), Z_OK);
  block.resize(stream.total_out);
  deflateEnd(&stream);
  std::string data;
  for (std::size_t i = 0; i < blocks; ++i) data += block;
  data.append("\x03\x00", 2);

  const auto number = [](std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
    return text;
  };
  const std::string name = "app_1";
  const auto facts = [&](std::uint64_t compressed) {
    return number(20, 2) + number(0, 2) + number(8, 2) + number(0x210000, 4) + number(0, 4) + number(compressed, 4) +
           number(listed_size, 4) + number(name.size(), 2) + number(0, 2);
  };
  const std::string own = "PK\x03\x04" + facts(data.size()) + name + data;
  const std::string listed = "PK\x01\x02" + number(20, 2) +
                             facts(listed_compressed == 0 ? data.size() : listed_compressed) + number(0, 2) +
                             number(0, 2) + number(0, 2) + number(0, 4) + number(0, 4) + name;
  return own + listed + "PK\x05\x06" + number(0, 4) + number(1, 2) + number(1, 2) + number(listed.size(), 4) +
         number(own.size(), 4) + number(0, 2);
}

// 300 MB in half a megabyte, in an entry that says it is small, or that it takes more of the archive than there is.
TEST_F(ArchiveInput, BombsThatLieAreReadToABound) {
  for (const std::uint32_t compressed : {0U, 0xF0000000U}) {
    const std::string path = write("bomb.zip", bomb_of(150, compressed, 1000));
    for (const char* const command : {"annotate", "check"}) {
      const ProcessResult result = run_planvet({command, path});
      EXPECT_EQ(result.exit_status, 2);
      EXPECT_NE(result.error.find("the zip archive expands to more than 500 times its size: reading stopped after"),
                std::string::npos)
          << result.error;
      if (!kIsSanitized) {
        EXPECT_LT(result.peak_memory_bytes >> 20U, 40U);
      }
    }
  }
}

TEST_F(ArchiveInput, AttemptsOfAnApplicationAreInOrder) {
  fs::create_directories(root_ / "events");
  for (const char* const name : {"application_1_0002_10", "application_1_0002_9.zstd", "application_1_0002_2.lz4",
                                 "application_1_0002_11.inprogress", "application_1_0010_1", "plan_10", "plan_9"}) {
    write("events/" + std::string(name), "x");
  }
  std::string names;
  for (const io::InputFile& file : io::find_inputs({(root_ / "events").string()}).files) {
    names += fs::path(file.path).filename().string() + '\n';
  }
  EXPECT_EQ(names,
            "application_1_0002_2.lz4\napplication_1_0002_9.zstd\napplication_1_0002_10\n"
            "application_1_0002_11.inprogress\napplication_1_0010_1\nplan_9\nplan_10\n");
  const std::string zip =
      archive("attempts.zip", {{"app_1_10", stored_log("python")}, {"app_1_2", stored_log("python")}});
  const CommandRun outcome = run_in_process({"tree", zip, "--format", "json"});
  EXPECT_LT(outcome.out.find("app_1_2\""), outcome.out.find("app_1_10\""));
  const CommandRun piped = run_in_process({"tree", "-", "--format", "json"}, read_file(zip));
  EXPECT_LT(piped.out.find("app_1_2\""), piped.out.find("app_1_10\""));
}

TEST_F(ArchiveInput, FolderOfManyApplications) {
  const std::string python = write("events/local-1", plain_log("python"));
  const std::string first = write("events/app_7_1.zstd", stored_log("writes"));
  const std::string second = write("events/app_7_2.zstd.inprogress", stored_log("failed_query"));
  write("events/eventlog_v2_app_9/events_1_app_9", plain_log("task_retries"));
  write("events/notes.txt", "nothing to see");
  const CommandRun outcome = run_in_process({"tree", (root_ / "events").string(), "--format", "json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const std::string rolled = (root_ / "events/eventlog_v2_app_9").string();
  std::size_t last = 0;
  for (const std::string& log : {first, second, rolled, python}) {
    const std::size_t at = outcome.out.find('"' + log + '"');
    ASSERT_NE(at, std::string::npos) << log;
    EXPECT_GT(at, last) << log;
    last = at;
  }
}

// `annotate PLAN --metrics`: of an archive, of an answer of the REST API, and of a log without that plan.
TEST_F(ArchiveInput, GivesItsMetricsToAPlan) {
  const std::string folder = source_path("corpus/eventlogs/spark-3.5.9/adaptive").string();
  const nlohmann::json answers = nlohmann::json::parse(decompressed_file(folder + "/sql.json.zst"));
  const nlohmann::json* answer = nullptr;
  for (const nlohmann::json& candidate : answers)
    if (candidate["id"] == 37) answer = &candidate;
  ASSERT_NE(answer, nullptr);
  const std::string plan = write("plan.txt", (*answer)["planDescription"].get<std::string>());
  for (const std::string& measured :
       {archive("app.zip", {{"app_1", plain_log("adaptive")}}), write("sql.json", answer->dump())}) {
    const CommandRun outcome = run_in_process({"annotate", plan, "--metrics", measured});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.err, "planvet: " + plan + ": metrics of query 37: 11 of 11 operators are in both plans\n");
    EXPECT_NE(outcome.out.find("682,880"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.out.find(" 0 tasks"), std::string::npos) << outcome.out;
  }
  const CommandRun other = run_in_process({"annotate", plan, "--metrics", write("other.log", plain_log("python"))});
  EXPECT_EQ(other.status, 2);
  EXPECT_NE(other.err.find("no query there has this plan: the nearest of"), std::string::npos) << other.err;
}

TEST_F(ArchiveInput, FolderOfAnswersOfTheRestApi) {
  const std::string folder = source_path("corpus/eventlogs/spark-3.5.9/python").string();
  const std::string sql = write("saved/sql.json", decompressed_file(folder + "/sql.json.zst"));
  write("saved/stages.json.zst", read_file(folder + "/stages.json.zst"));
  const CommandRun outcome = run_in_process({"tree", (root_ / "saved").string(), "--format", "json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\"input\": \"sql-rest-json\""), std::string::npos);
  EXPECT_EQ(run_in_process({"check", (root_ / "saved").string(), "--exit-zero"}).status, 0);
  EXPECT_EQ(run_in_process({"tree", sql, "--format", "json"}).status, 0);
  EXPECT_EQ(run_in_process({"tree", "-", "--format", "json"}, read_file(sql)).status, 0);

  EXPECT_EQ(run_in_process({"annotate", sql, "--list"}).out.find("parts are missing"), std::string::npos);
  const std::string answers = read_file(sql);
  const CommandRun cut =
      run_in_process({"annotate", write("cut.json", answers.substr(0, answers.size() / 2)), "--list"});
  EXPECT_NE(cut.out.find("parts are missing or could not be read"), std::string::npos) << cut.out;

  const CommandRun stages = run_in_process({"tree", (root_ / "saved/stages.json.zst").string()});
  EXPECT_EQ(stages.status, 2);
  EXPECT_NE(stages.err.find("this is the answer of /stages, which holds no plan"), std::string::npos) << stages.err;
}

}  // namespace
}  // namespace planvet::test
