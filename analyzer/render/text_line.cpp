#include "analyzer/render/text_line.hpp"

#include <algorithm>

#include "analyzer/render/glyphs.hpp"

namespace planvet::render {

void TextLine::add(std::string_view text, std::optional<Role> role) {
  if (text.empty()) return;
  pieces_.push_back({one_line(text), role});
  width_ += display_width(pieces_.back().text);
}

void TextLine::pad_to(std::size_t column) {
  if (column > width_) add(std::string(column - width_, ' '));
}

std::string TextLine::str(const Style& style) const {
  const bool fits = width_ <= style.width;
  std::size_t room = fits ? style.width : style.width - std::min(style.width, display_width(style.ellipsis()));
  std::size_t count = pieces_.size();
  const auto is_blank = [](const Piece& piece) { return piece.text.find_first_not_of(' ') == std::string::npos; };
  while (count > 0 && is_blank(pieces_[count - 1])) --count;
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const Piece& piece = pieces_[i];
    const std::string shown = cut_to_width(piece.text, room, "");
    text += piece.role ? style.paint(*piece.role, shown) : shown;
    room -= display_width(shown);
    if (shown.size() < piece.text.size()) break;
  }
  if (!fits) text += style.ellipsis();
  return text;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
  std::vector<std::string> lines;
  std::string line;
  std::size_t width = 0;
  const std::string words = one_line(text);
  for (std::size_t begin = 0; begin < words.size();) {
    const std::size_t end = std::min(words.find(' ', begin), words.size());
    const std::string_view word = std::string_view(words).substr(begin, end - begin);
    begin = end + 1;
    if (word.empty()) continue;
    const std::size_t word_width = display_width(word);
    if (!line.empty() && width + 1 + word_width > columns) {
      lines.push_back(line);
      line.clear();
      width = 0;
    }
    if (!line.empty()) {
      line += ' ';
      ++width;
    }
    line += word;
    width += word_width;
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

}  // namespace planvet::render
