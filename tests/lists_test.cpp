// Lists that globbing cannot see: a rule, dialect, reader or renderer that exists as a file but stands in no list
// would be silently absent. (A name that is listed without a file is a link error.)

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "analyzer/plan/characters.hpp"
#include "tests/support/files.hpp"

namespace planvet::test {
namespace {

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

// Names kLikeThis of constants of a type that a text defines: `constinit const Rule kSkewJoin{`.
std::vector<std::string> constants_of(std::string_view type, std::string_view text) {
  const std::string opening = "constinit const " + std::string(type) + " k";
  std::vector<std::string> names;
  for (std::size_t at = text.find(opening); at != std::string_view::npos; at = text.find(opening, at + 1)) {
    const std::size_t begin = at + opening.size() - 1;
    std::size_t end = begin;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end < text.size() && text[end] != ';' && text[end] != '[') names.emplace_back(text.substr(begin, end - begin));
  }
  return names;
}

// skew_join.cpp -> SkewJoin.
std::string upper_camel(const std::string& file) {
  std::string name;
  bool start = true;
  for (const char c : std::filesystem::path(file).stem().string()) {
    if (c != '_') name += start ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    start = c == '_';
  }
  return name;
}

struct List {
  const char* type;   // constants of this type ...
  const char* files;  // ... in these files ...
  const char* list;   // ... all stand in this one
};

constexpr List kLists[] = {
    {"Dialect", "analyzer/dialect/*.cpp", "analyzer/dialect/dialects.cpp"},
    {"Reader", "analyzer/read/**/*.cpp", "analyzer/read/readers.cpp"},
    {"Renderer", "analyzer/render/*.cpp", "analyzer/render/renderers.def"},
};

TEST(Lists, HoldEveryDialectReaderAndRenderer) {
  for (const List& list : kLists) {
    if (!std::filesystem::exists(source_path(list.list))) continue;
    const std::string listed = read_file(source_path(list.list));
    std::size_t count = 0;
    for (const std::string& file : source_files(list.files)) {
      for (const std::string& name : constants_of(list.type, read_file(source_path(file)))) {
        ++count;
        EXPECT_TRUE(has_word(listed, name)) << file << " defines " << name << ", which is not in " << list.list;
      }
    }
    EXPECT_GT(count, 0u) << "no " << list.type << " in " << list.files;
  }
}

TEST(Lists, HoldEveryRuleFile) {
  if (!std::filesystem::exists(source_path("rules/rules.def"))) GTEST_SKIP() << "no rules yet";
  const std::string listed = read_file(source_path("rules/rules.def"));
  for (const std::string& file : source_files("rules/*/*.cpp")) {
    const std::string name = upper_camel(file);
    EXPECT_EQ(constants_of("Rule", read_file(source_path(file))), std::vector<std::string>{"k" + name}) << file;
    EXPECT_TRUE(listed.find("PLANVET_RULE(" + name + ")") != std::string::npos) << file << " is not in rules/rules.def";
  }
}

TEST(Lists, FindConstantsAndWords) {
  EXPECT_EQ(constants_of("Rule",
                         "extern constinit const Rule kA{.x = 1};\nextern constinit const Rule kB;\n"
                         "extern constinit const Ruler kC{};\nconstinit const Rule kLong_2 = {"),
            (std::vector<std::string>{"kA", "kLong_2"}));
  EXPECT_TRUE(has_word("&kText, &kTree", "kTree"));
  EXPECT_FALSE(has_word("&kTreeJson", "kTree"));
  EXPECT_EQ(upper_camel("rules/join/null_aware_anti_join.cpp"), "NullAwareAntiJoin");
}

}  // namespace
}  // namespace planvet::test
