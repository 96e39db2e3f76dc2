// What planvet proposes is valid: the code in every fix over the corpus, the fixtures and the rules' examples is read by
// real Spark's parser (SQL) and by Python's. Skipped where no pyspark is installed.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "analyzer/report/fix_parts.hpp"
#include "rules/rule.hpp"
#include "tests/lint_text.hpp"
#include "tests/support/files.hpp"
#include "tests/support/shell.hpp"

namespace planvet::test {
namespace {

std::string parts_of(std::string_view fix) {
  std::string text;
  for (const FixPart& part : fix_parts(fix)) {
    text += fmt::format("{}{}<{}>", text.empty() ? "" : " ", name(part.language), part.text);
  }
  return text;
}

TEST(FixParts, TheBeginningSaysWhatItIs) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"no code here", ""},
      {"`SET a.b=true`, or `SELECT 1`", "sql<SET a.b=true> sql<SELECT 1>"},
      {"the hint `/*+ BROADCAST(t) */`", "hint</*+ BROADCAST(t) */>"},
      {"`WHERE n > 5` `ON a = b`", "clause<WHERE n > 5> clause<ON a = b>"},
      {"`.repartition(8)`", "python<.repartition(8)>"},
      {"`df.join(broadcast(t), \"k\")`", "python<df.join(broadcast(t), \"k\")>"},
      {"`spark.conf.set(\"a\", \"b\")`", "python<spark.conf.set(\"a\", \"b\")>"},
      {"`df[\"a\"].cast(\"int\")`", "python<df[\"a\"].cast(\"int\")>"},
      {"`broadcast(t)`", "python<broadcast(t)>"},
      {"`[rules.exchange-count]` `max = 3`", "toml<[rules.exchange-count]> expression<max = 3>"},
      {"`st.a` `upper(s) = 'A'` `sales.qty > 5`",
       "expression<st.a> expression<upper(s) = 'A'> expression<sales.qty > 5>"},
      {"`` `odd name` = 5 ``", "expression<`odd name` = 5>"},
      {"`never closed", ""},
  };
  for (const auto& [fix, parts] : cases) EXPECT_EQ(parts_of(fix), parts) << fix;
}

TEST(FixParts, CodeIsReadBackAsItWas) {
  for (const std::string_view text : {"n = 5", "`odd name` = 5", "a = ``", "x"}) {
    const std::string fix = "write " + code(text) + " here";
    const auto parts = fix_parts(fix);
    ASSERT_EQ(parts.size(), 1U) << text;
    EXPECT_EQ(parts[0].text, text);
  }
}

// `language<TAB>code` of every fix that is printed over what is in the tree.
std::set<std::string> all_parts() {
  std::set<std::string> parts;
  const auto add = [&](const std::vector<DocumentReport>& reports) {
    for (const DocumentReport& report : reports) {
      for (const Finding& finding : report.findings) {
        for (const FixPart& part : fix_parts(finding.fix)) {
          parts.insert(fmt::format("{}\t{}", name(part.language), part.text));
        }
      }
    }
  };
  for (const rules::Rule* rule : rules::catalogue()) add(lint(rule->info.bad));
  for (const std::string_view files : {"tests/rules/*.txt", "corpus/rules/*/*.txt", "corpus/*/*/*.formatted.txt"}) {
    for (const std::string& path : source_files(files)) add(lint(read_file(source_path(path))));
  }
  return parts;
}

TEST(Fixes, HaveNoPlaceholdersInTheirCode) {
  const std::set<std::string> parts = all_parts();
  EXPECT_GT(parts.size(), 20U);
  for (const std::string& part : parts) {
    EXPECT_EQ(part.find(".."), std::string::npos) << part;
    const bool has_odd_name = part.find('`') != std::string::npos;
    EXPECT_TRUE(has_odd_name || part.find('#') == std::string::npos) << "an expression id: " << part;
    EXPECT_EQ(part.find('\n'), std::string::npos) << part;
  }
}

// The first Python that has pyspark: PLANVET_SPARK_HOME's virtual environments, else the one on the path.
std::string python_with_spark() {
  if (const char* home = std::getenv("PLANVET_SPARK_HOME")) {
    for (const std::string_view version : {"4.3.0", "3.5.9", "4.1.4"}) {
      const std::string python = fmt::format("{}/spark-{}/bin/python", home, version);
      if (std::filesystem::exists(python)) return python;
    }
  }
  return run_shell("python3 -c 'import pyspark' 2>/dev/null").exit_status == 0 ? "python3" : "";
}

TEST(Fixes, AreReadByRealSpark) {
  const std::string python = python_with_spark();
  if (python.empty()) GTEST_SKIP() << "no pyspark: set PLANVET_SPARK_HOME, or install it for python3";
  const std::string file = (std::filesystem::temp_directory_path() / "planvet_fixes.tsv").string();
  {
    std::ofstream out(file);
    for (const std::string& part : all_parts()) out << part << '\n';
  }
  const ShellResult result =
      run_shell(fmt::format("{} {} {} 2>/dev/null", python, source_path("tests/fixes/parse_fixes.py").string(), file));
  EXPECT_EQ(result.exit_status, 0) << result.output;
  fmt::print("{}", result.output);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace planvet::test
