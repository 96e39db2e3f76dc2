// What unpushed-filter proposes: `condition | columns with their types => severity: fix`, for a Parquet table.
#include <string>
#include <string_view>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/lint_text.hpp"
#include "tests/support/cases.hpp"

namespace planvet::test {
namespace {

std::string proposal(std::string_view text) {
  std::string_view columns = text;
  const std::string_view condition = take_word(columns, " | ");
  std::string output;
  for (std::string_view rest = columns; !rest.empty();) {
    const std::string_view field = take_word(rest, ", ");
    const std::string_view name = field.substr(0, field.find(':'));
    output += fmt::format("{}{}#{}", output.empty() ? "" : ",", name, static_cast<int>(name.front()));
  }
  std::string schema(columns);
  for (std::size_t at = schema.find(", "); at != std::string::npos; at = schema.find(", ")) schema.erase(at + 1, 1);
  const auto reports = lint(fmt::format(
      "== Physical Plan ==\n*(1) Filter {}\n+- *(1) ColumnarToRow\n   +- FileScan parquet db.t[{}] Batched: true, "
      "DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/t], PartitionFilters: [], "
      "PushedFilters: [], ReadSchema: struct<{}>\n",
      condition, output, schema));
  if (reports.size() != 1 || reports[0].findings.size() != 1) return "no finding";
  return fmt::format("{}: {}", name(reports[0].findings[0].severity), reports[0].findings[0].fix);
}

// An attribute's id is the code of the first letter of its name.
TEST(UnpushedFilter, Proposals) { check_cases("tests/cases/rewrites.cases", proposal); }

}  // namespace
}  // namespace planvet::test
