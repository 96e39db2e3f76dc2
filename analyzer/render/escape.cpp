#include "analyzer/render/escape.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "analyzer/render/glyphs.hpp"
#include "analyzer/report/fix_parts.hpp"

namespace planvet::render {

namespace {

unsigned byte_of(char c) { return static_cast<unsigned char>(c); }

// The letter at the front: a code point, or one byte that belongs to none.
std::string_view first_letter(std::string_view text) { return text.substr(0, utf8_length(text)); }

// Calls take(letter) for each letter; letters that are no UTF-8 come as U+FFFD.
template <typename Take>
void for_each_letter(std::string_view text, Take take) {
  while (!text.empty()) {
    const std::string_view letter = first_letter(text);
    if (letter.empty()) {
      take(kReplacement);
      text.remove_prefix(1);
    } else {
      take(letter);
      text.remove_prefix(letter.size());
    }
  }
}

// XML 1.0 has no control characters but tab and line breaks, and neither U+FFFE nor U+FFFF.
bool is_in_xml(std::string_view letter) {
  if (letter.size() == 1)
    return byte_of(letter[0]) >= 0x20 || letter[0] == '\t' || letter[0] == '\n' || letter[0] == '\r';
  return letter != "\xEF\xBF\xBE" && letter != "\xEF\xBF\xBF";
}

std::string xml(std::string_view text, bool is_attribute) {
  std::string result;
  for_each_letter(text, [&](std::string_view letter) {
    if (!is_in_xml(letter)) {
      result += kReplacement;
      return;
    }
    switch (letter[0]) {
      case '&': result += "&amp;"; return;
      case '<': result += "&lt;"; return;
      case '>': result += "&gt;"; return;
      case '\r': result += "&#13;"; return;
      default: break;
    }
    // A parser would make blanks of these.
    if (is_attribute && letter == "\"") {
      result += "&quot;";
    } else if (is_attribute && (letter == "\n" || letter == "\t")) {
      result += letter == "\n" ? "&#10;" : "&#9;";
    } else {
      result += letter;
    }
  });
  return result;
}

std::string command(std::string_view text, bool is_property) {
  std::string result;
  for_each_letter(text, [&](std::string_view letter) {
    if (letter == "%") {
      result += "%25";
    } else if (letter == "\r") {
      result += "%0D";
    } else if (letter == "\n") {
      result += "%0A";
    } else if (is_property && letter == ":") {
      result += "%3A";
    } else if (is_property && letter == ",") {
      result += "%2C";
    } else {
      result += byte_of(letter[0]) < 0x20 && letter != "\t" ? kReplacement : letter;
    }
  });
  return result;
}

// One line for a page that people look at; `escaped` letters get a backslash.
std::string markup(std::string_view text, std::string_view escaped) {
  std::string result;
  for_each_letter(one_line(text), [&](std::string_view letter) {
    switch (letter[0]) {
      case '&': result += "&amp;"; return;
      case '<': result += "&lt;"; return;
      case '>': result += "&gt;"; return;
      // Neither a backslash nor an entity keeps a mention from being one; an empty comment behind it does.
      case '@':
      case '#': (result += letter) += "<!-- -->"; return;
      default: break;
    }
    if (escaped.find(letter[0]) != std::string_view::npos) result += '\\';
    result += letter;
  });
  return result;
}

std::size_t longest_run(std::string_view text, char wanted) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == wanted ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for_each_letter(text, [&](std::string_view letter) { result += letter; });
  return result;
}

std::size_t code_points(std::string_view text) {
  std::size_t count = 0;
  for_each_letter(text, [&](std::string_view) { ++count; });
  return count;
}

std::string cut_to_bytes(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return std::string(text);
  constexpr std::string_view kEllipsis = "...";
  const std::size_t room = bytes - std::min(bytes, kEllipsis.size());
  std::size_t end = room;
  while (end > 0 && (byte_of(text[end]) & 0xC0U) == 0x80U && room - end < 4) --end;
  return std::string(text.substr(0, end)) + std::string(kEllipsis.substr(0, bytes));
}

std::string xml_text(std::string_view text) { return xml(text, false); }
std::string xml_attribute(std::string_view text) { return xml(text, true); }

std::string command_message(std::string_view text) { return command(text, false); }
std::string command_property(std::string_view text) { return command(text, true); }

std::string markdown_text(std::string_view text) { return markup(text, "\\`*_[]|~$"); }

std::string markdown_fix_text(std::string_view fix) {
  std::string out;
  std::size_t prose = 0;
  for (const FixPart& part : fix_parts(fix)) {
    const std::size_t open = fix.find('`', prose);
    const std::size_t marks = fix.find_first_not_of('`', open) - open;
    const auto end = static_cast<std::size_t>(part.text.data() - fix.data()) + part.text.size();
    out += markdown_text(fix.substr(prose, open - prose)) + code(valid_utf8(one_line(part.text)));
    prose = fix.find('`', end) + marks;
  }
  return out + markdown_text(fix.substr(prose));
}

std::string html_text(std::string_view text) { return markup(text, ""); }

std::string markdown_block(std::string_view text) {
  const std::string fence(std::max<std::size_t>(3, longest_run(text, '`') + 1), '`');
  std::string result = fence + "text\n";
  for_each_letter(text, [&](std::string_view letter) {
    if (letter == "\r") return;
    const bool is_control = byte_of(letter[0]) < 0x20 || letter[0] == 0x7F;
    result += is_control && letter != "\n" && letter != "\t" ? kReplacement : letter;
  });
  if (!result.ends_with('\n')) result += '\n';
  return result + fence + '\n';
}

std::string uri_path(std::string_view path) {
  std::string result;
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          std::string_view("/-._~").find(c) != std::string_view::npos;
    if (is_plain) {
      result += c;
    } else {
      result += fmt::format("%{:02X}", byte_of(c));
    }
  }
  return result;
}

}  // namespace planvet::render
