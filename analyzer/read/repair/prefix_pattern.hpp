// The text that stands before each line of a plan, learned from one of them: numbers in it match any number, and the
// blanks and bars at its end may belong to the tree behind it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "analyzer/read/repair/line_shape.hpp"

namespace planvet::read {

inline constexpr std::size_t kLongestPrefix = 300;

struct PrefixMatch {
  std::size_t pattern = 0;  // bytes of the pattern that matched
  std::size_t line = 0;     // bytes of the line that matched
};

class PrefixPattern {
 public:
  explicit PrefixPattern(std::string_view text);

  [[nodiscard]] bool is_blank() const { return is_blank_; }
  [[nodiscard]] bool is_punctuation() const {  // `> `, `# `, `// `
    return std::none_of(text_.begin(), text_.end(), [](char c) { return is_letter(c) || is_digit(c); });
  }
  [[nodiscard]] bool ends_with_bar() const;
  [[nodiscard]] std::string_view text() const { return text_; }

  [[nodiscard]] PrefixMatch match(std::string_view line) const;
  // Enough of the pattern to be this prefix at all.
  [[nodiscard]] bool accepts(const PrefixMatch& m) const { return m.pattern >= (is_blank_ ? text_.size() : core_); }
  [[nodiscard]] bool is_whole(const PrefixMatch& m) const { return m.pattern == text_.size(); }
  void shorten(std::size_t size) { text_ = text_.substr(0, size); }

 private:
  std::string_view text_;
  std::size_t core_ = 0;
  bool is_blank_ = false;
};

// Text of a plan is no prefix, however often it comes.
[[nodiscard]] bool is_plan_text(std::string_view prefix);

// Bars of the tree before a connector, which may be one that is still to be repaired.
[[nodiscard]] bool is_tree_indent(std::string_view prefix, AnchorKind kind);

}  // namespace planvet::read
