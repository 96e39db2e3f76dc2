// corpus/review.md has a person's verdict on every warning that a rule gives on the plans of the corpus.

#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "analyzer/read/reader.hpp"
#include "tests/lint_text.hpp"
#include "tests/support/damage.hpp"
#include "tests/support/files.hpp"
#include "tests/support/sanitizer.hpp"

namespace planvet::test {
namespace {

using QueriesByRule = std::map<std::string, std::set<std::string>, std::less<>>;

// The names in the first cells of a rule's table. "join_sort_merge_anti, _semi": the second ends like that.
QueriesByRule reviewed() {
  QueriesByRule queries;
  std::string code;
  const std::string text = read_file(source_path("corpus/review.md"));
  for (std::string_view line : split_lines(text)) {
    if (line.starts_with("## ")) code = line.starts_with("## PV") ? line.substr(3, 5) : std::string_view{};
    if (code.empty() || !line.starts_with("| ")) continue;
    line = line.substr(2, line.find(" |", 2) - 2);
    while (!line.empty()) {
      std::string_view name = take_word(line, ", ");
      name = name.substr(0, name.find(' '));  // "join_as_of (4.1.4)"
      queries[code].emplace(name);
    }
  }
  return queries;
}

QueriesByRule warned_of() {
  QueriesByRule queries;
  for (const std::string& path : sampled(source_files("corpus/*/*/{before,after}.*.{txt,json}"))) {
    const std::size_t file = path.rfind('/');
    const std::size_t folder = path.rfind('/', file - 1);
    const auto bytes = std::make_shared<const SourceBytes>(path, read_file(source_path(path)));
    static_cast<void>(read::read_input(bytes, [&](PlanDocument&& document) {
      for (const Finding& finding : rules::run_rules(std::move(document), {}, {}, kParser).findings) {
        if (finding.severity == Severity::Info) continue;
        queries[std::string(finding.rule->code)].insert(path.substr(folder + 1, file - folder - 1));
      }
    }));
  }
  return queries;
}

bool holds(const std::set<std::string>& names, std::string_view query) {
  for (const std::string& name : names) {
    if (query == name || (name.starts_with('_') && query.ends_with(name))) return true;
  }
  return false;
}

TEST(Review, HasAVerdictOnEachWarningOfTheCorpus) {
  const QueriesByRule verdicts = reviewed();
  std::size_t warnings = 0;
  for (const auto& [code, queries] : warned_of()) {
    const auto found = verdicts.find(code);
    for (const std::string& query : queries) {
      ++warnings;
      EXPECT_TRUE(found != verdicts.end() && holds(found->second, query))
          << code << " warns of " << query << ": look at it, and write the verdict into corpus/review.md";
    }
  }
  std::printf("%zu warnings of a rule on a query, each with a verdict\n", warnings);
  EXPECT_GT(warnings, kIsSanitized ? 30U : 50U);
}

}  // namespace
}  // namespace planvet::test
