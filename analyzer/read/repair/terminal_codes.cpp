// What a terminal would have swallowed: colours and links, and the progress bar that Spark draws over the last line.

#include <algorithm>
#include <string_view>

#include "analyzer/read/repair/damages.hpp"
#include "analyzer/read/repair/line_shape.hpp"

namespace planvet::read {

namespace {

constexpr char kEscape = '\x1b';
constexpr std::size_t kLongestSequence = 4096;  // a link holds its address

// Bytes of the control sequence at `text`, which begins with ESC.
std::size_t sequence_size(std::string_view text) {
  text = text.substr(0, kLongestSequence);
  if (text.size() < 2) return 1;
  if (text[1] == '[') {
    std::size_t at = 2;
    while (at < text.size() && text[at] >= 0x20 && text[at] < 0x40) ++at;
    return at < text.size() && text[at] >= 0x40 && text[at] < 0x7f ? at + 1 : at;
  }
  if (text[1] == ']') {
    const std::size_t end = text.find_first_of("\a\x1b\n", 2);
    if (end == std::string_view::npos || text[end] == '\n') return 2;
    if (text[end] == '\a') return end + 1;
    return end + 1 < text.size() && text[end + 1] == '\\' ? end + 2 : end;
  }
  if ((text[1] == '(' || text[1] == ')') && text.size() > 2 && text[2] != '\n') return 3;
  return text[1] > 0x20 && text[1] < 0x7f ? 2 : 1;
}

// Bytes of `[Stage 0:====>      (1 + 2) / 4]` at `text`, several side by side too; 0 when there is none.
std::size_t progress_bar_size(std::string_view text) {
  text = text.substr(0, 512);
  std::size_t at = 0;
  while (text.substr(at).starts_with("[Stage ")) {
    const std::size_t end = text.find_first_of("]\n\r", at);
    if (end == std::string_view::npos || text[end] != ']') break;
    const std::string_view bar = text.substr(at, end - at);
    if (bar.find(" + ") == std::string_view::npos || bar.find(") / ") == std::string_view::npos) break;
    at = end + 1;
  }
  return at;
}

// Bytes of a colour whose escape is lost or written out, `[1;31m`, `^[[0m`, `\x1b[0m`, at `text`; 0 where none is.
std::size_t bare_colour_size(std::string_view text) {
  std::size_t at = 0;
  for (const std::string_view written : {"^[", "\\x1b", "\\x1B", "\\u001b", "\\u001B", "\\033", "\\e", "\uFFFD"}) {
    if (text.starts_with(written)) at = written.size();
  }
  if (at >= text.size() || text[at] != '[') return 0;
  const std::size_t begin = ++at;
  while (at < text.size() && at - begin < 16 && (is_digit(text[at]) || text[at] == ';')) ++at;
  return at > begin && at < text.size() && text[at] == 'm' ? at + 1 : 0;
}

// Colours come in pairs: one that sets and one that resets. Alone, `[0m` may be anything.
bool has_bare_colours(std::string_view text) {
  std::size_t colours = 0;
  bool has_reset = false;
  for (std::size_t at = text.find('['); at != std::string_view::npos; at = text.find('[', at + 1)) {
    const std::size_t size = bare_colour_size(text.substr(at, 32));
    if (size == 0 || (at > 0 && text[at - 1] == kEscape)) continue;
    const std::string_view code = text.substr(at + 1, size - 2);
    ++colours;
    has_reset = has_reset || code == "0" || code == "22" || code == "39" || code == "49";
    if (has_reset && colours > 1) return true;
  }
  return false;
}

// The bar with what wipes it out: blanks and carriage returns; alone on its line, the line too.
std::size_t wiped_size(std::string_view text, std::size_t begin) {
  const std::size_t bar = progress_bar_size(text.substr(begin));
  if (bar == 0) return 0;
  std::size_t end = begin + bar;
  std::size_t wiped = end;  // after the last carriage return
  while (end < text.size() && (text[end] == ' ' || text[end] == '\r')) {
    ++end;
    if (text[end - 1] == '\r') wiped = end;
  }
  if (end < text.size() && text[end] == '\n') {
    const bool own_line = begin == 0 || text[begin - 1] == '\n';
    return own_line ? end + 1 - begin : 0;
  }
  if (end == text.size()) return end - begin;
  return wiped > begin + bar ? wiped - begin : 0;
}

}  // namespace

void undo_terminal_codes(Rewriter& out) {
  const std::string_view text = out.input();
  const bool has_bare = has_bare_colours(text);
  std::size_t at = 0;
  while ((at = text.find_first_of(has_bare ? "\x1b[^\\\xEF" : "\x1b[", at)) != std::string_view::npos) {
    if (const std::size_t size = has_bare ? bare_colour_size(text.substr(at, 40)) : 0; size > 0) {
      out.remove(at, at + size, RepairKind::TerminalCodes);
      at += size;
      continue;
    }
    if (text[at] == kEscape) {
      const std::size_t size = sequence_size(text.substr(at));
      out.remove(at, at + size, RepairKind::TerminalCodes);
      at += size;
      continue;
    }
    const bool line_start = at == 0 || text[at - 1] == '\n' || text[at - 1] == '\r' || text[at - 1] == ' ';
    const std::size_t size = line_start ? wiped_size(text, at) : 0;
    if (size != 0) out.remove(at, at + size, RepairKind::ProgressBars);
    at += std::max<std::size_t>(size, 1);
  }
}

}  // namespace planvet::read
