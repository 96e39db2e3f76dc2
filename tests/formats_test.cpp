// Every output format on the same reports: what it looks like (tests/formats/small.NAME, rewritten by UPDATE_GOLDEN=1),
// and that nothing in a plan's text can break it. tests/formats/validate asks the programs that read them.

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "analyzer/render/escape.hpp"
#include "analyzer/render/renderer.hpp"
#include "analyzer/render/report_path.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/files.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/small_report.hpp"

namespace planvet::test {
namespace {

using nlohmann::json;

std::string rendered(std::string_view format, const Report& report, std::size_t most_bytes = render::kCommentBytes) {
  const std::vector<const RuleInfo*> rules = small_rules();
  render::RenderOptions options;
  options.rules = rules;
  options.base = {"/repository", "/repository"};
  options.most_bytes = most_bytes;
  const render::Renderer* renderer = render::find_renderer(format);
  return renderer == nullptr ? std::string() : renderer->render(report, options);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::size_t count_of(std::string_view text, std::string_view words) {
  std::size_t count = 0;
  for (std::size_t at = text.find(words); at != std::string_view::npos; at = text.find(words, at + 1)) ++count;
  return count;
}

class Formats : public ::testing::TestWithParam<const render::Renderer*> {
 protected:
  static std::string render(const Report& report) { return rendered(GetParam()->name, report); }
};

TEST_P(Formats, Small) {
  EXPECT_TRUE(matches_golden(render(small_report()), "tests/formats/small." + std::string(GetParam()->name)));
}

TEST_P(Formats, Clean) {
  EXPECT_TRUE(matches_golden(render(clean_report()), "tests/formats/clean." + std::string(GetParam()->name)));
}

TEST_P(Formats, StrangeTextIsValidUtf8WithoutControls) {
  const std::string text = render(strange_report());
  ASSERT_FALSE(text.empty());
  EXPECT_EQ(render::valid_utf8(text), text);
  // The escape character and other controls reach no terminal and no XML.
  for (const char c : text)
    ASSERT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') << static_cast<int>(c);
}

TEST_P(Formats, TheSameReportGivesTheSameText) { EXPECT_EQ(render(small_report()), render(small_report())); }

INSTANTIATE_TEST_SUITE_P(Renderers, Formats,
                         ::testing::ValuesIn(render::renderers().begin(), render::renderers().end()),
                         [](const auto& test) { return std::string(test.param->name); });

TEST(FormatList, GoldensAreOfFormatsThatExist) {
  for (const std::string& file : source_files("tests/formats/{small,clean}.*"))
    EXPECT_NE(render::find_renderer(file.substr(file.rfind('.') + 1)), nullptr) << file;
}

TEST(FormatEscapes, Cases) {
  check_cases("tests/cases/escape_xml_text.cases", [](std::string_view text) { return render::xml_text(text); });
  check_cases("tests/cases/escape_xml_attribute.cases",
              [](std::string_view text) { return render::xml_attribute(text); });
  check_cases("tests/cases/escape_command_message.cases",
              [](std::string_view text) { return render::command_message(text); });
  check_cases("tests/cases/escape_command_property.cases",
              [](std::string_view text) { return render::command_property(text); });
  check_cases("tests/cases/escape_markdown.cases", [](std::string_view text) { return render::markdown_text(text); });
  check_cases("tests/cases/escape_markdown_block.cases",
              [](std::string_view text) { return render::markdown_block(text); });
  check_cases("tests/cases/escape_uri.cases", [](std::string_view text) { return render::uri_path(text); });
  check_cases("tests/cases/cut_to_five_bytes.cases",
              [](std::string_view text) { return render::cut_to_bytes(text, 5); });
}

TEST(FormatPaths, AreThoseOfTheRepository) {
  struct Case {
    const char* working_directory;
    const char* root;
    const char* path;
    const char* expected;  // "" for none
  };
  constexpr Case kCases[] = {
      {"/r", "/r", "plans/a.txt", "plans/a.txt"},
      {"/r", "/r", "./plans//a.txt", "plans/a.txt"},
      {"/r/sub", "/r", "a.txt", "sub/a.txt"},
      {"/r/sub", "/r", "../plans/a.txt", "plans/a.txt"},
      {"/r", "/r", "/r/plans/a.txt", "plans/a.txt"},
      {"/r", "/r/", "/r/plans/./b/../a.txt", "plans/a.txt"},
      {"/r", "", "a.txt", "a.txt"},
      {"/r", "/r", "/rest/a.txt", ""},
      {"/r", "/r", "../a.txt", ""},
      {"/r", "/r", "/r", ""},
      {"/r", "/r", "-", ""},
      {"", "", "a.txt", "a.txt"},
      {"", "", "../a.txt", ""},
  };
  for (const Case& item : kCases) {
    const render::PathBase base{item.working_directory, item.root};
    EXPECT_EQ(render::repository_path(base, item.path).value_or(""), item.expected)
        << item.working_directory << ' ' << item.root << ' ' << item.path;
  }
}

TEST(FormatGithub, PrintsTheLoudestTenOfEachLevel) {
  const std::vector<std::string> lines = lines_of(rendered("github", large_report(12)));
  ASSERT_EQ(lines.size(), 31U);
  for (std::size_t i = 0; i < 30; ++i) {
    const std::string level = i < 10 ? "::error " : i < 20 ? "::warning " : "::notice ";
    EXPECT_TRUE(lines[i].starts_with(level)) << lines[i];
  }
  EXPECT_EQ(lines[30],
            "planvet: 2 more errors, 2 more warnings, 2 more notices (GitHub shows 10 of a level for each step)");
}

TEST(FormatGithub, TextOfPlansIsNoCommand) {
  for (const std::string& line : lines_of(rendered("github", strange_report())))
    EXPECT_TRUE(line.starts_with("::error ") || line.starts_with("::notice ")) << line;
}

TEST(FormatConcise, IsOneLineAFinding) {
  const Report report = strange_report();
  const std::vector<std::string> lines = lines_of(rendered("concise", report));
  EXPECT_EQ(lines.size(), report.documents[0].findings.size() + 2);  // a note, an allow line
}

TEST(FormatMarkdown, StaysWithinItsRoom) {
  for (const std::size_t most : {std::size_t{2000}, render::kCommentBytes, render::kJobSummaryBytes}) {
    const std::string text = rendered("markdown", large_report(20000), most);
    EXPECT_LE(text.size(), most);
    EXPECT_GT(text.size(), most / 3);
    EXPECT_NE(text.find("more finding"), std::string::npos);
    EXPECT_EQ(count_of(text, "<details>"), count_of(text, "</details>"));
  }
  EXPECT_LE(rendered("markdown", strange_report()).size(), render::kCommentBytes);
}

TEST(FormatSarif, HoldsWhatGithubTakes) {
  const json log = json::parse(rendered("sarif", large_report(9000)));
  const json& run = log["runs"][0];
  EXPECT_EQ(run["results"].size(), 25000U);
  EXPECT_EQ(run["results"][0]["level"], "error");
  EXPECT_EQ(run["results"][24999]["level"], "note");
  EXPECT_EQ(run["invocations"][0]["toolExecutionNotifications"].back()["message"]["text"],
            "2000 more findings are left out: a run holds 25000.");
}

TEST(FormatSarif, CountsColumnsInCodePoints) {
  const json log = json::parse(rendered("sarif", small_report()));
  const json& region = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
  EXPECT_EQ(region["startLine"], 3);
  EXPECT_EQ(region["startColumn"], 6);  // the byte is the seventh
  EXPECT_EQ(region["endColumn"], 29);
  EXPECT_EQ(log["runs"][0]["columnKind"], "unicodeCodePoints");
}

TEST(FormatGitlab, FingerprintsAreUnique) {
  for (const Report& report : {large_report(50), strange_report()}) {
    std::vector<std::string> fingerprints;
    for (const json& problem : json::parse(rendered("gitlab", report))) fingerprints.push_back(problem["fingerprint"]);
    ASSERT_GT(fingerprints.size(), 3U);
    std::ranges::sort(fingerprints);
    EXPECT_EQ(std::ranges::adjacent_find(fingerprints), fingerprints.end());
  }
}

TEST(FormatJsonLines, AreTheObjectsOfJson) {
  const json whole = json::parse(rendered("json", small_report()));
  std::vector<json> findings;
  std::vector<json> notes;
  for (const std::string& line : lines_of(rendered("jsonl", small_report()))) {
    json object = json::parse(line);
    const std::string type = object["type"];
    object.erase("type");
    if (type == "finding") findings.push_back(object);
    if (type == "note") notes.push_back(object);
  }
  EXPECT_EQ(json(findings), whole["findings"]);
  EXPECT_EQ(json(notes), whole["notes"]);
}

// What is suppressed or accepted is marked where programs decide, and hidden where people read.
TEST(FormatList, HideOrMarkWhatIsAccepted) {
  for (const render::Renderer* renderer : render::renderers()) {
    const bool is_marked = renderer->name == "json" || renderer->name == "jsonl" || renderer->name == "sarif";
    const std::string text = rendered(renderer->name, small_report());
    EXPECT_EQ(text.find("known since long") != std::string::npos, is_marked) << renderer->name;
    EXPECT_EQ(text.find("accepted here") != std::string::npos, is_marked) << renderer->name;
    // What could not be read is on standard error too, which is all that people need beside text.
    const bool is_elsewhere = renderer->name == "text" || renderer->name == "concise";
    EXPECT_EQ(text.find("no such file or directory") == std::string::npos, is_elsewhere) << renderer->name;
  }
}

}  // namespace
}  // namespace planvet::test
