// analyzer/render/JSON.md says what the commands print: the same fields, in the examples and in fact.

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "analyzer/cli/command.hpp"
#include "tests/support/event_lines.hpp"
#include "tests/support/files.hpp"
#include "tests/support/process.hpp"

namespace planvet::test {
namespace {

// Heading -> the example below it.
std::map<std::string, nlohmann::json> examples() {
  std::map<std::string, nlohmann::json> found;
  std::istringstream lines(read_file(source_path("analyzer/render/JSON.md")));
  std::string heading;
  std::string text;
  bool is_inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("## `")) heading = line.substr(4, line.size() - 5);
    if (line == "```" && is_inside) {
      found[heading] = nlohmann::json::parse(text);
      is_inside = false;
      text.clear();
    }
    if (is_inside) text += line + '\n';
    if (line == "```json") is_inside = true;
  }
  return found;
}

// "findings[].operator.kind": every field, of all elements of a list together.
void add_fields(const nlohmann::json& value, const std::string& path, std::set<std::string>& fields) {
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) {
      fields.insert(path + key);
      add_fields(inner, path + key + '.', fields);
    }
  }
  if (value.is_array())
    for (const auto& inner : value) add_fields(inner, path, fields);
}

std::set<std::string> fields_of(const nlohmann::json& value) {
  std::set<std::string> fields;
  add_fields(value, "", fields);
  return fields;
}

TEST(JsonPage, HasTheFieldsThatAreWritten) {
  const TemporaryFolder folder;
  const std::string plan = folder.path("plan.txt");
  const std::string toml = folder.path("planvet.toml");
  const std::string baseline = folder.path("planvet-baseline.json");
  write_file(toml, "[[suppress]]\npath = \"nowhere\"\nrule = \"PV101\"\nreason = \"gone\"\n");
  write_file(
      plan,
      "== Physical Plan ==\nCartesianProduct\n:- FileScan parquet shop.a[a#1]\n+- FileScan parquet shop.b[b#2]\n");
  const auto run = [](std::vector<std::string> arguments) {
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    EXPECT_NE(cli::run(arguments, {in, out, err}, {}), cli::ExitStatus::Failure) << err.str();
    return out.str();
  };
  std::map<std::string, std::string> written;
  run({"baseline", "write", folder.path("")});
  written["planvet-baseline.json"] = read_file(baseline);
  written["planvet baseline show --format json"] = run({"baseline", "show", folder.path(""), "--format", "json"});
  written["planvet rules --format json"] = run({"rules", "--format", "json"});
  written["planvet check --show-settings --format json"] = run({"check", "--show-settings", plan, "--format", "json"});
  write_file(folder.path("other.txt"), read_file(plan));
  run({"baseline", "write", folder.path("")});
  write_file(folder.path("other.txt"), "== Physical Plan ==\nProject [a#1]\n+- FileScan parquet shop.a[a#1]\n");
  written["planvet check --format json"] = run({"check", folder.path(""), "--format", "json"});
  EventLines log;
  log.execution_start(0).job_start(0, 0, {4}, 2).stage_submitted(4, 0, 2);
  log.task({.stage = 4, .task = 0, .index = 0, .rows = 21600, .time = 4});
  log.task({.stage = 4, .task = 1, .index = 1, .rows = 38400, .time = 5});
  log.stage_completed(4, 0, 2).job_end(0).execution_end(0);
  write_file(folder.path("app.log"), log.text());
  written["planvet annotate --format json"] = run({"annotate", folder.path("app.log"), "--format", "json"});

  const std::map<std::string, nlohmann::json> documented = examples();
  EXPECT_EQ(documented.size(), written.size());
  for (const auto& [heading, example] : documented) {
    ASSERT_TRUE(written.contains(heading)) << heading;
    std::set<std::string> fields = fields_of(nlohmann::json::parse(written[heading]));
    // What this plan has, and the page tells of elsewhere: the lists of a finding's evidence and places.
    std::erase_if(fields, [](const std::string& field) {
      return field.starts_with("findings.evidence.") || field.starts_with("findings.related.") ||
             field.starts_with("notes.") || field.starts_with("skipped.") ||
             field.starts_with("documents.fragments.nodes.attributes.");
    });
    EXPECT_EQ(fields_of(example), fields) << heading;
  }
}

}  // namespace
}  // namespace planvet::test
