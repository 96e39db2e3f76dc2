// The manual page and the shells' completions say what the program's own --help says: the same options, no more.

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "analyzer/config/keys.hpp"
#include "analyzer/render/renderer.hpp"
#include "tests/support/files.hpp"
#include "tests/support/shell.hpp"

namespace planvet::test {
namespace {

constexpr std::array<std::string_view, 9> kCommands = {"",      "check", "tree",     "annotate", "snapshot",
                                                       "rules", "rule",  "baseline", "config"};

// The words after `mark`, made of letters and dashes: "--fail-on error" -> "fail-on".
std::set<std::string> words_after(std::string_view mark, std::string_view text) {
  std::set<std::string> words;
  for (std::size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at + 1)) {
    const std::string_view rest = text.substr(at + mark.size());
    const std::string_view word = rest.substr(0, rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"));
    const bool starts_inside = at > 0 && text[at - 1] == '-';
    if (!word.empty() && word.front() != '-' && !starts_inside) words.emplace(word);
  }
  return words;
}

std::set<std::string> options_of_help() {
  std::set<std::string> options;
  for (const std::string_view command : kCommands) {
    const ShellResult help = run_shell("planvet " + std::string(command) + " --help");
    EXPECT_EQ(help.exit_status, 0) << command;
    const std::set<std::string> found = words_after("--", help.output);
    EXPECT_TRUE(found.contains("help")) << command << ": " << help.output;
    options.insert(found.begin(), found.end());
  }
  return options;
}

TEST(Manual, PageAndCompletionsHaveTheOptionsOfHelp) {
  struct Document {
    const char* path;
    std::string_view mark;
  };
  constexpr std::array<Document, 4> kDocuments = {{{"share/man/man1/planvet.1", "Fl Fl "},
                                                   {"share/bash-completion/completions/planvet", "--"},
                                                   {"share/zsh/site-functions/_planvet", "--"},
                                                   {"share/fish/vendor_completions.d/planvet.fish", "-l "}}};
  const std::set<std::string> options = options_of_help();
  EXPECT_TRUE(options.contains("fail-on"));
  for (const Document& document : kDocuments) {
    const std::set<std::string> written = words_after(document.mark, read_file(source_path(document.path)));
    for (const std::string& option : options)
      EXPECT_TRUE(written.contains(option)) << document.path << " has no --" << option;
    for (const std::string& option : written)
      EXPECT_TRUE(options.contains(option)) << document.path << " has --" << option << ", which no --help has";
  }
}

// Every key of planvet.toml stands as a word where its settings are shown.
TEST(Manual, PageAndReadmeHaveTheSettings) {
  struct Place {
    const char* path;
    std::string_view begin;
    std::string_view end;
  };
  constexpr std::array<Place, 2> kPlaces = {
      {{"share/man/man1/planvet.1", "\n.Sh FILES\n", "\n.Sh "}, {"README.md", "\n## Settings\n", "\n## "}}};
  for (const Place& place : kPlaces) {
    const std::string page = read_file(source_path(place.path));
    const std::size_t begin = page.find(place.begin);
    ASSERT_NE(begin, std::string::npos) << place.path;
    const std::size_t size = page.find(place.end, begin + place.begin.size()) - begin;
    std::set<std::string> words;
    std::string word;
    for (const char c : page.substr(begin, size) + ' ') {
      if (c == '-' || (c >= 'a' && c <= 'z')) {
        word += c;
      } else {
        words.insert(std::exchange(word, {}));
      }
    }
    for (const config::KeyInfo& key : config::key_table())
      EXPECT_TRUE(words.contains(std::string(key.name))) << place.path << " has no " << key.name;
  }
}

TEST(Manual, PageAndCompletionsHaveTheFormats) {
  for (const char* path :
       {"share/man/man1/planvet.1", "share/bash-completion/completions/planvet", "share/zsh/site-functions/_planvet",
        "share/fish/vendor_completions.d/planvet.fish", "README.md"}) {
    const std::string text = read_file(source_path(path));
    for (const render::Renderer* renderer : render::renderers())
      EXPECT_NE(text.find(renderer->name), std::string::npos) << path << " has no " << renderer->name;
  }
}

std::string complete_in_bash(const std::string& words, const std::string& current, const std::string& previous) {
  return run_shell("bash -c '. share/bash-completion/completions/planvet; COMP_WORDS=(" + words +
                   "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _planvet planvet \"" + current + "\" \"" + previous +
                   "\"; echo \"${COMPREPLY[*]}\"'")
      .output;
}

TEST(Manual, BashCompletes) {
  EXPECT_EQ(complete_in_bash("planvet tree --fr", "--fr", "tree"), "--fragment\n");
  EXPECT_EQ(complete_in_bash("planvet tree --fragment i", "i", "--fragment"), "initial\n");
  EXPECT_EQ(complete_in_bash("planvet check --fail-on w", "w", "--fail-on"), "warning\n");
  EXPECT_EQ(complete_in_bash("planvet baseline w", "w", "baseline"), "write\n");
  EXPECT_EQ(complete_in_bash("planvet check --format ju", "ju", "--format"), "junit\n");
  EXPECT_EQ(complete_in_bash("planvet check --output ju", "ju", "--output"), "junit=\n");
  EXPECT_EQ(complete_in_bash("planvet tr", "tr", "planvet"), "tree\n");
  EXPECT_EQ(complete_in_bash("planvet rule missed-b", "missed-b", "rule"), "missed-broadcast\n");
  EXPECT_EQ(complete_in_bash("planvet LICEN", "LICEN", "planvet"), "LICENSE\n");
}

}  // namespace
}  // namespace planvet::test
