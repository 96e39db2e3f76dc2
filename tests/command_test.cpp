// The whole command line in process. tests/cli/*.session are transcripts: commands, what they printed, how they ended.
//
//   % a comment
//   $ NO_COLOR=1 planvet check tests/cli/plans/join.txt < tests/cli/plans/other.txt
//   what stands on standard output
//   [stderr] what stands on standard error
//   [exit 1]
//
// STDIN_TTY=1, STDOUT_TTY=1 and TTY_COLUMNS=80 describe the terminal; everything else in front of planvet is its
// environment. Escape characters are shown as ^[. UPDATE_GOLDEN=1 writes the transcripts anew.

#include "analyzer/cli/command.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/files.hpp"
#include "tests/support/golden.hpp"

namespace planvet::test {
namespace {

struct Outcome {
  std::string out;
  std::string err;
  int status = 0;
};

struct Command {
  std::vector<std::string> arguments;
  std::string input;
  std::map<std::string, std::string, std::less<>> environment;
};

Outcome run(const Command& command) {
  std::istringstream in(command.input);
  std::ostringstream out;
  std::ostringstream err;
  io::Terminal terminal;
  const auto variable = [&](std::string_view name) -> std::optional<std::string> {
    const auto at = command.environment.find(name);
    return at == command.environment.end() ? std::nullopt : std::optional<std::string>(at->second);
  };
  terminal.input_is_terminal = variable("STDIN_TTY").has_value();
  terminal.output_is_terminal = variable("STDOUT_TTY").has_value();
  if (const auto columns = variable("TTY_COLUMNS")) terminal.columns = std::stoul(*columns);
  terminal.variable = variable;
  const cli::ExitStatus status = cli::run(command.arguments, {in, out, err}, terminal);
  return {out.str(), err.str(), static_cast<int>(status)};
}

Outcome run(std::vector<std::string> arguments, std::string input = {}) {
  return run(Command{std::move(arguments), std::move(input), {}});
}

// Blanks separate, single quotes hold together.
std::vector<std::string> shell_words(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  bool in_quotes = false;
  for (const char c : line) {
    if (c == '\'') {
      in_quotes = !in_quotes;
      in_word = true;
    } else if (c == ' ' && !in_quotes) {
      if (in_word) words.push_back(std::exchange(word, {}));
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) words.push_back(word);
  return words;
}

Command parse_command(std::string_view line) {
  Command command;
  bool after_name = false;
  const std::vector<std::string> words = shell_words(line);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "<" && i + 1 < words.size()) {
      command.input = read_file(source_path(words[++i]));
    } else if (after_name) {
      command.arguments.push_back(words[i]);
    } else if (words[i] == "planvet") {
      after_name = true;
    } else {
      const std::size_t equals = words[i].find('=');
      command.environment[words[i].substr(0, equals)] = words[i].substr(equals + 1);
    }
  }
  EXPECT_TRUE(after_name) << "no planvet in: " << line;
  return command;
}

std::string shown(std::string_view text, std::string_view before) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    result += before;
    for (const char c : text.substr(0, end)) result += c == '\x1B' ? std::string("^[") : std::string(1, c);
    result += end == text.size() ? "[no line break]\n" : "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

class Sessions : public ::testing::TestWithParam<std::string> {};

TEST_P(Sessions, ArePrinted) {
  std::string played;
  std::size_t commands = 0;
  std::istringstream lines(read_file(source_path(GetParam())));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("% ")) played += line + '\n';
    if (!line.starts_with("$ ")) continue;
    ++commands;
    const Outcome outcome = run(parse_command(line.substr(2)));
    played += line + '\n' + shown(outcome.out, "") + shown(outcome.err, "[stderr] ");
    played += "[exit " + std::to_string(outcome.status) + "]\n\n";
  }
  EXPECT_GT(commands, 0U);
  EXPECT_TRUE(matches_golden(played, GetParam()));
}

std::string session_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = std::filesystem::path(info.param).stem().string();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Command, Sessions, ::testing::ValuesIn(source_files("tests/cli/*.session")), session_name);

// A folder of our own below the system's temporary one.
class CommandFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "planvet-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, std::string_view text) {
    const std::filesystem::path path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    write_file(path, text);
    return path.string();
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
};

constexpr std::string_view kPlan = "== Physical Plan ==\nProject (2)\n+- Range (1)\n";

TEST_F(CommandFiles, SaysWhatIsWrongWithAnInput) {
  const std::string empty = file("empty.txt", "");
  const std::string prose = file("prose.txt", "Dear Sir,\n");
  EXPECT_EQ(run({"check", path("missing.txt")}).err,
            "planvet: " + path("missing.txt") + ": no such file or directory\n");
  EXPECT_EQ(run({"check", empty}).err,
            "planvet: " + empty +
                ": is empty: paste the output of df.explain(mode=\"formatted\"), or name a file that holds it\n");
  EXPECT_EQ(run({"check", "/dev/null"}).status, 2);
  EXPECT_EQ(run({"tree", "/dev/null"}).status, 2);
  const Outcome no_plan = run({"check", prose});
  EXPECT_EQ(no_plan.status, 2);
  EXPECT_EQ(no_plan.out, "");
  EXPECT_TRUE(no_plan.err.starts_with("planvet: " + prose + ": ")) << no_plan.err;
}

TEST_F(CommandFiles, AnEmptyInputIsNoCleanPlan) {
  for (const std::string_view input : {"", "\n \t\n", "hello"}) {
    const Outcome outcome = run({}, std::string(input));
    EXPECT_EQ(outcome.status, 2) << input;
    EXPECT_TRUE(outcome.err.starts_with("planvet: <stdin>: ")) << outcome.err;
  }
}

TEST_F(CommandFiles, FoldersAreSearchedByContent) {
  file("plans/b.plan", kPlan);
  file("plans/deeper/a.txt", kPlan);
  file("plans/readme.md", "no plan here");
  file("plans/.git/objects/x", kPlan);
  const auto json = nlohmann::json::parse(run({"check", "--format", "json", path("plans")}).out);
  EXPECT_EQ(json["summary"]["inputs"], 3);
  EXPECT_EQ(json["summary"]["skipped_inputs"], 1);
  EXPECT_EQ(json["summary"]["documents"], 2);
  EXPECT_EQ(json["summary"]["unreadable_inputs"], 0);
  EXPECT_EQ(json["summary"]["exchanges"][0]["path"], path("plans/b.plan"));
  EXPECT_EQ(json["summary"]["exchanges"][1]["path"], path("plans/deeper/a.txt"));
}

TEST_F(CommandFiles, AFolderWithoutPlansFails) {
  file("notes/readme.md", "no plan here");
  std::filesystem::create_directories(folder_ / "empty");
  EXPECT_EQ(run({"check", path("empty")}).err, "planvet: " + path("empty") + ": no files below this folder\n");
  EXPECT_EQ(run({"check", path("empty")}).status, 2);
  const Outcome outcome = run({"check", path("notes")});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(outcome.err.starts_with("planvet: " + path("notes") + ": no file below this folder holds a plan"))
      << outcome.err;
  // Another input that has one does not hide it.
  EXPECT_EQ(run({"check", path("notes"), file("good.txt", kPlan)}).status, 2);
}

TEST_F(CommandFiles, UnreadableInputsDoNotStopTheOthers) {
  const std::string good = file("good.txt", kPlan);
  const Outcome outcome = run({"check", path("missing.txt"), good});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.out.find("1 plan of 2 inputs"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("Clean"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.err, "planvet: " + path("missing.txt") + ": no such file or directory\n");
}

TEST_F(CommandFiles, WithoutPermissionNothingIsRead) {
  const std::string closed = file("closed.txt", kPlan);
  std::filesystem::permissions(closed, std::filesystem::perms::none);
  // Root may read everything: read as nobody.
  const bool is_root = geteuid() == 0;
  ASSERT_EQ(is_root ? seteuid(65534) : 0, 0);
  const std::string error = run({"check", closed}).err;
  ASSERT_EQ(is_root ? seteuid(0) : 0, 0);
  EXPECT_EQ(error, "planvet: " + closed + ": no permission to read it\n");
}

TEST_F(CommandFiles, OrderIsByPathWhateverTheThreadsDo) {
  for (int i = 0; i < 40; ++i) file("plans/" + std::to_string(100 + i) + ".txt", kPlan);
  const std::string once = run({"check", "--jobs", "1", "--format", "json", path("plans")}).out;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(run({"check", "--jobs", "8", "--format", "json", path("plans")}).out, once);
  const auto json = nlohmann::json::parse(once);
  ASSERT_EQ(json["summary"]["exchanges"].size(), 40U);
  EXPECT_EQ(json["summary"]["exchanges"][39]["path"], path("plans/139.txt"));
}

TEST_F(CommandFiles, SettingsComeFromTheNearestFile) {
  file("planvet.toml", "fail-on = \"never\"\n");
  file("team/planvet.toml", "selct = [\"PV1\"]\n");
  const std::string outer = file("outer.txt", kPlan);
  const std::string inner = file("team/inner.txt", kPlan);
  EXPECT_EQ(run({"check", outer}).status, 0);
  const Outcome outcome = run({"check", inner});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err,
            "planvet: " + path("team/planvet.toml") + ":1:1: unknown key 'selct': did you mean 'select'?\n");
  EXPECT_EQ(run({"check", "--isolated", inner}).status, 0);
  EXPECT_EQ(run({"check", "--config", path("planvet.toml"), inner}).status, 0);
  EXPECT_EQ(run({"check", "--stdin-filename", path("team/piped.txt")}, std::string(kPlan)).status, 2);
}

TEST_F(CommandFiles, APathNamedLikeACommand) {
  const std::string name = file("tree", kPlan);
  EXPECT_EQ(run({name}).status, 0);
  EXPECT_EQ(run({"./tests/cli/plans/join.txt", "--exit-zero"}).status, 0);
}

TEST_F(CommandFiles, InvalidUtf8GivesValidJson) {
  const std::string path =
      file("bytes.txt", "== Physical Plan ==\nProject [\xFF\xC3(a#1]\n+- Range (0, 1, step=1, splits=2)\n");
  const Outcome tree = run({"tree", "--format", "json", path});
  EXPECT_EQ(tree.status, 0) << tree.err;
  EXPECT_TRUE(nlohmann::json::accept(tree.out));
  EXPECT_TRUE(nlohmann::json::accept(run({"check", "--format", "json", path}).out));
}

// What needs a process: signals and descriptors.
class CommandProcess : public CommandFiles {
 protected:
  // What a command of a shell leaves on standard error, and its status: the last line.
  std::string errors_of(const std::string& command) {
    const std::string log = path("log");
    const std::string line = "cd '" + source_dir().string() + "' && { '" + program_path().string() + "' " + command;
    EXPECT_EQ(std::system(line.c_str()), 0) << line;
    return read_file(log);
  }
};

TEST_F(CommandProcess, AReaderThatGoesAwayIsNoError) {
  // 1,200 findings are more than a pipe holds.
  for (int i = 0; i < 400; ++i)
    std::filesystem::copy_file(source_path("tests/samples/slow_orders.txt"), folder_ / (std::to_string(i) + ".txt"));
  EXPECT_EQ(errors_of("check '" + path("") + "' 2>'" + path("log") + "'; echo $? >>'" + path("log") +
                      "'; } | head -c 1 >/dev/null"),
            "1\n");
}

TEST_F(CommandProcess, AFullDiskIsAnError) {
  EXPECT_EQ(errors_of("rules >/dev/full 2>'" + path("log") + "'; echo $? >>'" + path("log") + "'; }"),
            "planvet: cannot write the output: No space left on device\n2\n");
}

TEST_F(CommandProcess, StandardInputIsReadFromAPipe) {
  EXPECT_EQ(errors_of("- --exit-zero -q <tests/cli/plans/cut.txt >/dev/null 2>'" + path("log") + "'; echo $? >>'" +
                      path("log") + "'; }"),
            "0\n");
}

// Colours: what was asked for, else what the environment says, else the terminal.
TEST(CommandColor, FollowsTheConventions) {
  struct Case {
    std::string color;
    std::map<std::string, std::string, std::less<>> environment;
    bool expected;
  };
  const std::map<std::string, std::string, std::less<>> tty = {{"STDOUT_TTY", "1"}};
  const auto with = [&](std::map<std::string, std::string, std::less<>> more) {
    more.insert(tty.begin(), tty.end());
    return more;
  };
  const std::vector<Case> cases = {
      {"auto", {}, false},
      {"auto", tty, true},
      {"auto", with({{"TERM", "dumb"}}), false},
      {"auto", with({{"NO_COLOR", "1"}}), false},
      {"auto", with({{"NO_COLOR", ""}}), true},
      {"auto", {{"FORCE_COLOR", "1"}}, true},
      {"auto", with({{"FORCE_COLOR", "0"}}), false},
      {"auto", {{"CLICOLOR_FORCE", "1"}}, true},
      {"auto", {{"NO_COLOR", "1"}, {"FORCE_COLOR", "1"}}, false},
      {"always", {{"NO_COLOR", "1"}}, true},
      {"never", with({{"FORCE_COLOR", "1"}}), false},
  };
  for (const Case& item : cases) {
    const Outcome outcome = run(Command{{"rules", "--color", item.color}, "", item.environment});
    EXPECT_EQ(outcome.out.find('\x1B') != std::string::npos, item.expected)
        << item.color << ' ' << ::testing::PrintToString(item.environment);
  }
}

TEST(CommandDrawing, IsAsciiWhereTheTerminalIs) {
  struct Case {
    std::vector<std::string> options;
    std::map<std::string, std::string, std::less<>> environment;
    bool is_ascii;
  };
  const std::vector<Case> cases = {
      {{}, {}, false},
      {{}, {{"LANG", "C"}}, true},
      {{}, {{"LANG", "de_CH.UTF-8"}}, false},
      {{}, {{"LC_ALL", "POSIX"}, {"LANG", "de_CH.UTF-8"}}, true},
      {{}, {{"STDOUT_TTY", "1"}}, true},
      {{}, {{"STDOUT_TTY", "1"}, {"LC_CTYPE", "C.utf8"}}, false},
      {{}, {{"TERM", "dumb"}, {"LANG", "C.UTF-8"}}, true},
      {{"--ascii"}, {{"LANG", "C.UTF-8"}}, true},
  };
  for (const Case& item : cases) {
    std::vector<std::string> arguments = {"tree", source_path("tests/cli/plans/join.txt").string()};
    arguments.insert(arguments.end(), item.options.begin(), item.options.end());
    const Outcome outcome = run(Command{arguments, "", item.environment});
    EXPECT_EQ(std::ranges::all_of(outcome.out, [](char c) { return static_cast<unsigned char>(c) < 0x80; }),
              item.is_ascii)
        << ::testing::PrintToString(item.environment);
  }
}

// A graph that Graphviz does not read is no graph. Names and literals hold everything that quoting can break.
TEST_F(CommandFiles, GraphvizReadsTheGraph) {
  if (std::system("command -v dot >/dev/null 2>&1") != 0) GTEST_SKIP() << "no Graphviz here";
  const std::string plan =
      file("odd.txt", "== Physical Plan ==\nProject [a\"b\\c{|}<x>#1]\n+- Range (0, 1, step=1, splits=2)\n");
  const std::string graph = file("graph.dot", run({"tree", "--format", "dot", plan}).out);
  EXPECT_EQ(std::system(("dot -Tcanon '" + graph + "' >/dev/null 2>&1").c_str()), 0) << read_file(graph);
}

// interface.md is a promise: these fields are always there.
TEST(CommandJson, HasTheFieldsOfTheInterface) {
  const auto keys = [](const nlohmann::json& object) {
    std::vector<std::string> names;
    for (const auto& [key, value] : object.items()) names.push_back(key);
    return names;
  };
  const auto has = [&](const nlohmann::json& object, const std::vector<std::string>& names) {
    for (const std::string& name : names) EXPECT_TRUE(object.contains(name)) << name << " in " << object.dump();
  };
  const std::string plan = "tests/samples/slow_orders.txt";
  const auto tree = nlohmann::json::parse(run({"tree", "--format", "json", source_path(plan).string()}).out);
  EXPECT_EQ(keys(tree), (std::vector<std::string>{"documents", "schema_version"}));
  EXPECT_EQ(tree["schema_version"], 1);
  const auto& document = tree["documents"][0];
  has(document, {"source", "input", "title", "execution_id", "spark_version", "is_complete", "fragments", "notes"});
  ASSERT_GT(document["fragments"].size(), 1U);
  for (const auto& fragment : document["fragments"]) {
    has(fragment, {"role", "nodes"});
    std::size_t id = 0;
    for (const auto& node : fragment["nodes"]) {
      has(node, {"id", "parent", "link", "kind", "engine", "printed_name", "operator_id", "codegen_stage", "reuses",
                 "line", "column", "incomplete_attributes", "attributes"});
      EXPECT_EQ(node["id"], id++);
    }
  }
  const auto check = nlohmann::json::parse(run({"check", "--format", "json", source_path(plan).string()}).out);
  has(check, {"schema_version", "planvet_version", "findings", "notes", "skipped", "summary"});
  for (const auto& finding : check["findings"])
    has(finding, {"code",
                  "rule",
                  "severity",
                  "path",
                  "line",
                  "column",
                  "end_line",
                  "end_column",
                  "document",
                  "node",
                  "execution_id",
                  "fragment",
                  "operator",
                  "message",
                  "fix",
                  "url",
                  "evidence",
                  "reasons",
                  "saving_upper_bound_ms",
                  "related",
                  "fingerprint",
                  "is_baseline",
                  "suppressed_by"});
  has(check["summary"], {"inputs", "documents", "unreadable_inputs", "errors", "warnings", "infos", "suppressed",
                         "baseline", "exchanges"});
  has(check["summary"]["exchanges"][0], {"path", "document", "execution_id", "shuffle", "broadcast", "reused"});
}

}  // namespace
}  // namespace planvet::test
