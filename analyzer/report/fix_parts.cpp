#include "analyzer/report/fix_parts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "analyzer/plan/characters.hpp"

namespace planvet {
namespace {

constexpr auto kStatements =
    std::to_array<std::string_view>({"ALTER", "ANALYZE", "CACHE", "CREATE", "DELETE", "DROP", "INSERT", "MERGE",
                                     "OPTIMIZE", "REFRESH", "RESET", "SELECT", "SET", "UNCACHE", "UPDATE", "WITH"});
constexpr auto kClauses = std::to_array<std::string_view>(
    {"CLUSTER", "CROSS", "DISTRIBUTE", "FULL", "GROUP",     "HAVING", "INNER", "JOIN",        "LATERAL", "LEFT",
     "LIMIT",   "ON",    "ORDER",      "OVER", "PARTITION", "RIGHT",  "SORT",  "TABLESAMPLE", "UNION",   "WHERE"});
constexpr auto kPythonBeginnings =
    std::to_array<std::string_view>({".", "@", "broadcast(", "from ", "import ", "pandas_udf(", "udf(", "def "});

template <std::size_t N>
bool has(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string_view first_word(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_word);
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

// `sales.join(..)`, `spark.conf.set(..)`, `df["a"].cast(..)`: a method of something.
bool is_method_call(std::string_view text) {
  std::string_view word = first_word(text);
  bool has_dot = false;
  while (!word.empty()) {
    text.remove_prefix(word.size());
    if (text.starts_with("[\"")) {
      const std::size_t end = text.find(']');
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    if (text.starts_with('(')) return has_dot;
    if (!text.starts_with('.')) return false;
    has_dot = true;
    text.remove_prefix(1);
    word = first_word(text);
  }
  return false;
}

FixLanguage language_of(std::string_view text) {
  if (text.starts_with("/*+")) return FixLanguage::Hint;
  if (text.starts_with('[')) return FixLanguage::Toml;
  const std::string_view word = first_word(text);
  if (has(kStatements, word)) return FixLanguage::Sql;
  if (has(kClauses, word)) return FixLanguage::Clause;
  const bool is_python = std::any_of(kPythonBeginnings.begin(), kPythonBeginnings.end(),
                                     [&](std::string_view beginning) { return text.starts_with(beginning); });
  return is_python || is_method_call(text) ? FixLanguage::Python : FixLanguage::Expression;
}

std::size_t backticks_at(std::string_view text, std::size_t at) {
  std::size_t count = 0;
  while (at + count < text.size() && text[at + count] == '`') ++count;
  return count;
}

}  // namespace

std::string_view name(FixLanguage language) {
  switch (language) {
    case FixLanguage::Sql: return "sql";
    case FixLanguage::Hint: return "hint";
    case FixLanguage::Clause: return "clause";
    case FixLanguage::Expression: return "expression";
    case FixLanguage::Python: return "python";
    case FixLanguage::Toml: return "toml";
  }
  return {};
}

std::vector<FixPart> fix_parts(std::string_view fix) {
  std::vector<FixPart> parts;
  for (std::size_t open = fix.find('`'); open != std::string_view::npos;) {
    const std::size_t marks = backticks_at(fix, open);
    const std::size_t begin = open + marks;
    std::size_t close = fix.find('`', begin);
    while (close != std::string_view::npos && backticks_at(fix, close) != marks) {
      close = fix.find('`', close + backticks_at(fix, close));
    }
    if (close == std::string_view::npos) break;
    std::string_view text = fix.substr(begin, close - begin);
    if (marks > 1 && text.size() > 2 && text.front() == ' ' && text.back() == ' ') {
      text = text.substr(1, text.size() - 2);
    }
    parts.push_back({language_of(text), text});
    open = fix.find('`', close + marks);
  }
  return parts;
}

std::string code(std::string_view text) {
  std::size_t longest = 0;
  for (std::size_t at = text.find('`'); at != std::string_view::npos;) {
    const std::size_t count = backticks_at(text, at);
    longest = std::max(longest, count);
    at = text.find('`', at + count);
  }
  const std::string marks(longest + 1, '`');
  const std::string_view blank = longest == 0 ? "" : " ";  // a backtick of its own must not touch the marks
  return marks + std::string(blank) + std::string(text) + std::string(blank) + marks;
}

}  // namespace planvet
