// Reads every #include of the project and holds it against tests/layers.txt.

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/files.hpp"

namespace planvet::test {
namespace {

using Words = std::vector<std::string>;

struct Row {
  std::string name;
  Words allowed;
};

struct LayerTable {
  std::vector<Row> folders;
  std::vector<Row> headers;
};

struct Include {
  std::string file;
  std::size_t line;
  std::string path;
  bool is_ours;  // "quoted", from the root of the source tree
};

Words split_words(std::string_view text) {
  Words words;
  while (true) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return words;
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

template <typename Visit>
void for_each_line(std::string_view text, Visit visit) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end), number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

LayerTable read_layers(std::string_view text) {
  LayerTable table;
  std::vector<Row>* section = nullptr;
  for_each_line(text, [&](std::string_view line, std::size_t number) {
    if (line.empty() || line.front() == '#') return;
    if (line == "[folders]") {
      section = &table.folders;
    } else if (line == "[headers]") {
      section = &table.headers;
    } else {
      const std::size_t colon = line.find(" :");
      ASSERT_TRUE(section != nullptr && colon != std::string_view::npos) << "layers.txt:" << number << ": " << line;
      section->push_back({split_words(line.substr(0, colon)).at(0), split_words(line.substr(colon + 2))});
    }
  });
  return table;
}

std::vector<Include> includes_of(const std::string& file, std::string_view text) {
  std::vector<Include> found;
  for_each_line(text, [&](std::string_view line, std::size_t number) {
    const Words words = split_words(line.substr(0, line.find("//")));
    if (words.empty() || !words[0].starts_with("#")) return;
    // "#include <x>", "# include <x>" and "#include<x>" are all includes.
    std::string directive;
    for (const std::string& word : words) directive += word;
    if (!directive.starts_with("#include")) return;
    const std::string path = directive.substr(8);
    if (path.size() < 3) return;
    found.push_back({file, number, path.substr(1, path.size() - 2), path.front() == '"'});
  });
  return found;
}

bool is_below(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/';
}

const Row* layer_of(const LayerTable& table, std::string_view path) {
  const Row* best = nullptr;
  for (const Row& row : table.folders)
    if (is_below(path, row.name) && (best == nullptr || row.name.size() > best->name.size())) best = &row;
  return best;
}

// What is wrong with an include; empty when nothing is.
std::string objection(const LayerTable& table, const Include& include) {
  if (!include.is_ours) {
    for (const Row& row : table.headers) {
      if (!glob_matches(row.name, include.path)) continue;
      const bool allowed =
          std::ranges::any_of(row.allowed, [&](const std::string& file) { return glob_matches(file, include.file); });
      return allowed ? "" : "<" + include.path + "> is not for this file";
    }
    return {};
  }
  if (include.path == "analyzer/version.hpp") return {};  // written by CMake; depends on nothing
  if (!std::filesystem::exists(source_path(include.path))) return "no such file from the root of the source tree";
  const Row* from = layer_of(table, include.file);
  const Row* to = layer_of(table, include.path);
  if (to == nullptr) return include.path + " is in no layer";
  if (from == to) return {};
  const bool allowed =
      std::ranges::any_of(from->allowed, [&](const std::string& name) { return name == "*" || name == to->name; });
  return allowed ? "" : from->name + " may not include " + to->name;
}

std::vector<std::string> all_sources() { return source_files("{analyzer,grammar,rules,tests}/**/*.{hpp,cpp,def}"); }

LayerTable layers() { return read_layers(read_file(source_path("tests/layers.txt"))); }

TEST(Layers, EveryIncludeIsAllowed) {
  const LayerTable table = layers();
  std::size_t count = 0;
  for (const std::string& file : all_sources()) {
    EXPECT_NE(layer_of(table, file), nullptr) << file << " is in no layer of tests/layers.txt";
    if (layer_of(table, file) == nullptr) continue;
    for (const Include& include : includes_of(file, read_file(source_path(file)))) {
      ++count;
      const std::string problem = objection(table, include);
      EXPECT_TRUE(problem.empty()) << include.file << ':' << include.line << ": " << problem;
    }
  }
  EXPECT_GT(count, all_sources().size());
}

TEST(Layers, ObjectsToWhatTheTableForbids) {
  const LayerTable table = layers();
  const auto problem = [&](const char* file, const char* line) {
    const std::vector<Include> found = includes_of(file, line);
    return found.empty() ? std::string("no include") : objection(table, found.front());
  };
  EXPECT_EQ(problem("grammar/expression.hpp", "#include <tao/pegtl.hpp>"), "");
  EXPECT_EQ(problem("rules/join/skew.cpp", "#include <tao/pegtl.hpp>"), "<tao/pegtl.hpp> is not for this file");
  EXPECT_EQ(problem("analyzer/read/reader.hpp", "#include <nlohmann/json.hpp>"),
            "<nlohmann/json.hpp> is not for this file");
  EXPECT_EQ(problem("analyzer/read/plan_info_json.cpp", "#  include<nlohmann/json.hpp>"), "");
  EXPECT_EQ(problem("analyzer/plan/source.cpp", "#include <fstream>"), "<fstream> is not for this file");
  EXPECT_EQ(problem("analyzer/io/files.cpp", "#include <fstream>  // files"), "");
  EXPECT_EQ(problem("rules/rule.hpp", "#include \"analyzer/cli/main.cpp\""), "rules may not include analyzer/cli");
  EXPECT_EQ(problem("tests/support/files.cpp", "#include \"analyzer/cli/main.cpp\""),
            "tests/support may not include analyzer/cli");
  EXPECT_EQ(problem("analyzer/plan/ids.cpp", "#include \"ids.hpp\""), "no such file from the root of the source tree");
}

// A row that matches nothing is a promise about code that is not there: a folder renamed, a typing error.
TEST(Layers, EveryFolderThatAnArrowPointsToHasARow) {
  const LayerTable table = layers();
  for (const Row& row : table.folders)
    for (const std::string& name : row.allowed)
      EXPECT_TRUE(name == "*" || std::ranges::any_of(table.folders, [&](const Row& to) { return to.name == name; }))
          << row.name << " may include " << name << ", which has no row";
}

// Nothing but #pragma once stands before the words that say what the thing is.
TEST(Layers, HeadersOpenWithWhatTheyAre) {
  for (const std::string& file : source_files("{analyzer,grammar,rules,tests}/**/*.hpp")) {
    const std::string whole = "\n" + read_file(source_path(file));
    std::string_view text = whole;
    constexpr std::string_view kOnce = "\n#pragma once\n";
    EXPECT_NE(text.find(kOnce), std::string_view::npos) << file << " has no #pragma once";
    if (text.starts_with(kOnce)) text.remove_prefix(kOnce.size());
    text.remove_prefix(std::min(text.find_first_not_of('\n'), text.size()));
    EXPECT_TRUE(text.starts_with("// ")) << file << " does not open with what it is";
  }
}

}  // namespace
}  // namespace planvet::test
