// One line of text output made of coloured pieces: colours do not count towards its width, and what does not fit is cut
// once, at the end.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/render/style.hpp"

namespace planvet::render {

class TextLine {
 public:
  void add(std::string_view text, std::optional<Role> role = std::nullopt);
  // Blanks up to a column; none where the line is that long already.
  void pad_to(std::size_t column);
  [[nodiscard]] std::size_t width() const { return width_; }
  // Without blanks at its end, without a line break.
  [[nodiscard]] std::string str(const Style& style) const;

 private:
  struct Piece {
    std::string text;
    std::optional<Role> role;
  };
  std::vector<Piece> pieces_;
  std::size_t width_ = 0;
};

// Words of `text` in lines of at most `columns` columns; a word that is longer stands on its own line.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

}  // namespace planvet::render
