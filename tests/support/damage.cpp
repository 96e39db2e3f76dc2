#include "tests/support/damage.hpp"

#include <algorithm>
#include <array>

namespace planvet::test {
namespace {

using Result = std::optional<std::string>;

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

template <typename Change>
std::string each_line(std::string_view text, Change&& change) {
  std::string result;
  for (const std::string_view line : split_lines(text)) result += change(line) + "\n";
  return result;
}

std::string prefixed(std::string_view text, std::string_view prefix) {
  return each_line(text, [&](std::string_view line) { return std::string(prefix).append(line); });
}

// Blanks and connectors before the first letter.
std::size_t indentation(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" :+-*");
  return first == std::string_view::npos ? line.size() : first;
}

bool has_tree(std::string_view text) { return text.find("+- ") != std::string_view::npos; }

// -- nothing is lost ------------------------------------------------------------------------------------------------

Result log4j(std::string_view text, std::uint64_t) { return prefixed(text, "24/11/05 10:31:07 INFO SparkSession: "); }
Result log4j2(std::string_view text, std::uint64_t) {
  return prefixed(text, "2024-11-05 10:31:07,123 [main] INFO  com.shop.DailySales - ");
}
Result driver(std::string_view text, std::uint64_t) {
  return prefixed(text, "2024-11-05T10:31:07.123456789Z stdout F ");
}
Result first_line_logged(std::string_view text, std::uint64_t) {
  return "24/11/05 10:31:07 INFO DailySales: " + std::string(text) +
         "24/11/05 10:31:08 INFO SparkContext: Starting job\n";
}
Result quoted(std::string_view text, std::uint64_t) { return prefixed(text, "> "); }
Result quoted_twice(std::string_view text, std::uint64_t) { return prefixed(text, "> > "); }
Result piped(std::string_view text, std::uint64_t) { return prefixed(text, "| "); }
Result indented(std::string_view text, std::uint64_t) { return prefixed(text, "    "); }
Result indented_by_tab(std::string_view text, std::uint64_t) { return prefixed(text, "\t"); }

// df.show(truncate=False) of EXPLAIN: one cell with line breaks in it.
Result shown_cell(std::string_view text, std::uint64_t) {
  const std::string dashes(std::max<std::size_t>(20, 24), '-');
  std::string cell(text);
  while (cell.ends_with('\n')) cell.pop_back();
  return "+" + dashes + "+\n|plan                    |\n+" + dashes + "+\n|" + cell + "\n\n|\n+" + dashes + "+\n\n";
}

// Beeline and psql style: every line has its borders.
Result bordered(std::string_view text, std::uint64_t) {
  std::size_t width = 0;
  for (const std::string_view line : split_lines(text)) width = std::max(width, line.size());
  width = std::min<std::size_t>(width, 400);
  const std::string rule = "+" + std::string(width + 2, '-') + "+\n";
  std::string result = rule + "| plan" + std::string(width - 4, ' ') + " |\n" + rule;
  for (const std::string_view line : split_lines(text)) {
    result += "| " + std::string(line) + std::string(line.size() < width ? width - line.size() : 0, ' ') + " |\n";
  }
  return result + rule;
}

Result fenced(std::string_view text, std::uint64_t) { return "```text\n" + std::string(text) + "```\n"; }
Result prose(std::string_view text, std::uint64_t) {
  return "Hi all,\n\nour daily job (store 12) got slow since Monday; the plan is this one:\n\n" + std::string(text) +
         "\nAny idea why? It was fine before: 5 minutes, now 2 hours.\n\nThanks - Ann\n";
}
Result header_lines(std::string_view text, std::uint64_t) {
  return "-- planvet: spark 3.5.9\n-- planvet: name daily_sales\n" + std::string(text);
}

std::string entities(std::string_view text) {
  std::string result = replaced(std::string(text), "&", "&amp;");
  result = replaced(std::move(result), "<", "&lt;");
  result = replaced(std::move(result), ">", "&gt;");
  result = replaced(std::move(result), "\"", "&quot;");
  return replaced(std::move(result), "'", "&#39;");
}
Result html_pre(std::string_view text, std::uint64_t) {
  return "<html><body><h1>Details</h1>\n<pre>" + entities(text) + "</pre>\n</body></html>\n";
}
Result html_breaks(std::string_view text, std::uint64_t) {
  return "<div class=\"output\"><p>" + replaced(replaced(entities(text), " ", "&nbsp;"), "\n", "<br/>\n") +
         "</p></div>\n";
}
Result html_one_line(std::string_view text, std::uint64_t) {
  return "<td>" + replaced(replaced(entities(text), " ", "&nbsp;"), "\n", "<br>") + "</td>";
}
Result notebook(std::string_view text, std::uint64_t) {
  return "<style scoped>\n  .table-result { padding: 5px; }\n</style><div class='table-result'><table><thead><tr>"
         "<th>plan</th></tr></thead><tbody><tr><td>" +
         entities(text) + "</td></tr></tbody></table></div>";
}

std::string escaped(std::string_view text) {
  return replaced(replaced(replaced(std::string(text), "\\", "\\\\"), "\"", "\\\""), "\n", "\\n");
}
Result escaped_string(std::string_view text, std::uint64_t) { return "\"" + escaped(text) + "\"\n"; }
Result escaped_bare(std::string_view text, std::uint64_t) {
  if (text.find_first_of("\\\"") != std::string_view::npos) return std::nullopt;
  return escaped(text) + "\n";
}
Result in_json(std::string_view text, std::uint64_t) {
  return "{\"executionId\": 7, \"physicalPlanDescription\": \"" + escaped(text) + "\"}\n";
}
Result csv(std::string_view text, std::uint64_t) {
  return "plan\n\"" + replaced(std::string(text), "\"", "\"\"") + "\"\n";
}
Result row(std::string_view text, std::uint64_t) {
  if (text.find_first_of("\\'") != std::string_view::npos) return std::nullopt;
  return "[Row(plan='" + replaced(std::string(text), "\n", "\\n") + "')]\n";
}

Result crlf(std::string_view text, std::uint64_t) { return replaced(std::string(text), "\n", "\r\n"); }
Result trailing_blanks(std::string_view text, std::uint64_t) {
  return each_line(text, [](std::string_view line) { return std::string(line) + "   "; });
}
Result double_spaced(std::string_view text, std::uint64_t) { return replaced(std::string(text), "\n", "\n\n"); }
Result tabs(std::string_view text, std::uint64_t) {
  // unexpand: eight leading blanks are a tab.
  return each_line(text, [](std::string_view line) {
    std::size_t blanks = line.find_first_not_of(' ');
    if (blanks == std::string_view::npos) blanks = 0;
    return std::string(blanks / 8, '\t') + std::string(line.substr(blanks - blanks % 8));
  });
}
Result no_break_spaces(std::string_view text, std::uint64_t) { return replaced(std::string(text), " ", "\xC2\xA0"); }
Result some_no_break_spaces(std::string_view text, std::uint64_t) {
  return replaced(std::string(text), "  ", " \xC2\xA0");
}
Result byte_order_mark(std::string_view text, std::uint64_t) { return "\xEF\xBB\xBF" + std::string(text); }

std::u16string utf16(std::string_view text) {
  std::u16string result;
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = [&](std::size_t i) {
      return static_cast<std::uint32_t>(static_cast<unsigned char>(text[at + i]));
    };
    std::uint32_t code = byte(0);
    std::size_t length = 1;
    if (code >= 0xF0) {
      code = ((code & 7U) << 18U) | ((byte(1) & 63U) << 12U) | ((byte(2) & 63U) << 6U) | (byte(3) & 63U);
      length = 4;
    } else if (code >= 0xE0) {
      code = ((code & 15U) << 12U) | ((byte(1) & 63U) << 6U) | (byte(2) & 63U);
      length = 3;
    } else if (code >= 0xC0) {
      code = ((code & 31U) << 6U) | (byte(1) & 63U);
      length = 2;
    }
    if (code >= 0x10000) {
      result += static_cast<char16_t>(0xD800 + ((code - 0x10000) >> 10U));
      result += static_cast<char16_t>(0xDC00 + ((code - 0x10000) & 0x3FFU));
    } else {
      result += static_cast<char16_t>(code);
    }
    at += length;
  }
  return result;
}
std::string bytes_of(const std::u16string& text, bool is_little) {
  std::string result;
  for (const char16_t unit : text) {
    const char low = static_cast<char>(unit & 0xFFU);
    const char high = static_cast<char>(unit >> 8U);
    result += is_little ? low : high;
    result += is_little ? high : low;
  }
  return result;
}
Result utf16_little(std::string_view text, std::uint64_t) { return bytes_of(u"\uFEFF" + utf16(text), true); }
Result utf16_big(std::string_view text, std::uint64_t) { return bytes_of(u"\uFEFF" + utf16(text), false); }

Result ansi(std::string_view text, std::uint64_t) {
  return each_line(text, [](std::string_view line) { return "\x1B[32m" + std::string(line) + "\x1B[0m"; });
}
// A viewer that swallows the escape alone.
Result ansi_without_escape(std::string_view text, std::uint64_t) {
  return each_line(text, [](std::string_view line) { return "[32m" + std::string(line) + "[0m"; });
}
Result ansi_inside(std::string_view text, std::uint64_t) {
  return replaced(replaced(std::string(text), "Exchange", "\x1B[1;31mExchange\x1B[0m"), "+- ", "\x1B[2m+-\x1B[22m ");
}
Result box_drawing(std::string_view text, std::uint64_t) {
  return each_line(text, [](std::string_view line) {
    const std::size_t end = indentation(line);
    std::string mark(line.substr(0, end));
    mark = replaced(replaced(replaced(std::move(mark), "+-", "└─"), ":-", "├─"), ":", "│");
    return mark + std::string(line.substr(end));
  });
}
Result pipe_bars(std::string_view text, std::uint64_t) {
  return each_line(text, [](std::string_view line) {
    const std::size_t end = indentation(line);
    std::string mark(line.substr(0, end));
    return replaced(replaced(std::move(mark), ":-", "|-"), ":", "|") + std::string(line.substr(end));
  });
}

// Detail blocks in reverse order.
struct Blocks {
  std::string before;
  std::vector<std::string> blocks;
  std::string after;
};
std::optional<Blocks> blocks_of(std::string_view text) {
  const std::size_t first = text.find("\n\n\n(1) ");
  if (first == std::string_view::npos) return std::nullopt;
  Blocks result;
  result.before = text.substr(0, first + 3);
  std::string_view rest = text.substr(first + 3);
  if (const std::size_t end = rest.find("\n\n===== "); end != std::string_view::npos) {
    result.after = rest.substr(end);
    rest = rest.substr(0, end);
  }
  while (!rest.empty()) {
    // The next block's head stands behind a blank line.
    std::size_t end = rest.find("\n\n(");
    while (end != std::string_view::npos && (rest[end + 3] < '0' || rest[end + 3] > '9'))
      end = rest.find("\n\n(", end + 1);
    std::string_view block = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 2);
    while (block.ends_with('\n')) block.remove_suffix(1);
    result.blocks.emplace_back(block);
  }
  return result;
}
std::string joined(const Blocks& blocks) {
  std::string result = blocks.before;
  for (const std::string& block : blocks.blocks) result += block + "\n\n";
  return result + (blocks.after.empty() ? "" : blocks.after.substr(1));
}
Result reversed_blocks(std::string_view text, std::uint64_t) {
  std::optional<Blocks> blocks = blocks_of(text);
  if (!blocks) return std::nullopt;
  std::reverse(blocks->blocks.begin(), blocks->blocks.end());
  return joined(*blocks);
}

// -- the layout is lost ---------------------------------------------------------------------------------------------

Result no_indentation(std::string_view text, std::uint64_t) {
  if (!has_tree(text)) return std::nullopt;
  return each_line(text, [](std::string_view line) {
    const std::size_t first = line.find_first_not_of(' ');
    return std::string(first == std::string_view::npos ? std::string_view() : line.substr(first));
  });
}
Result halved_indentation(std::string_view text, std::uint64_t) {
  if (!has_tree(text)) return std::nullopt;
  return each_line(text, [](std::string_view line) {
    const std::size_t first = line.find_first_not_of(' ');
    if (first == std::string_view::npos || first < 2) return std::string(line);
    return std::string(first / 2, ' ') + std::string(line.substr(first));
  });
}
Result collapsed_blanks(std::string_view text, std::uint64_t) {
  if (!has_tree(text)) return std::nullopt;
  return each_line(text, [](std::string_view line) {
    std::string result;
    for (const char c : line) {
      if (c != ' ' || result.empty() || result.back() != ' ') result += c;
    }
    return result;
  });
}
Result no_connectors(std::string_view text, std::uint64_t) {
  if (!has_tree(text)) return std::nullopt;
  return each_line(text, [](std::string_view line) {
    const std::size_t end = indentation(line);
    std::string mark(line.substr(0, end));
    return replaced(replaced(replaced(std::move(mark), "+-", "  "), ":-", "  "), ":", " ") +
           std::string(line.substr(end));
  });
}
Result no_bars(std::string_view text, std::uint64_t) {
  if (!has_tree(text)) return std::nullopt;
  return each_line(text, [](std::string_view line) {
    const std::size_t end = indentation(line);
    std::string mark(line.substr(0, end));
    return replaced(replaced(std::move(mark), ":-", "+-"), ":", " ") + std::string(line.substr(end));
  });
}
Result no_blank_lines(std::string_view text, std::uint64_t) {
  std::string result;
  for (const std::string_view line : split_lines(text)) {
    if (!line.empty()) result += std::string(line) + "\n";
  }
  return result;
}
Result wrapped(std::string_view text, std::size_t width) {
  return each_line(text, [width](std::string_view line) {
    std::string result;
    while (line.size() > width) {
      result += std::string(line.substr(0, width)) + "\n";
      line.remove_prefix(width);
    }
    return result + std::string(line);
  });
}
Result wrapped_80(std::string_view text, std::uint64_t) { return wrapped(text, 80); }
Result wrapped_120(std::string_view text, std::uint64_t) { return wrapped(text, 120); }
Result wrapped_at_words(std::string_view text, std::uint64_t) {
  return each_line(text, [](std::string_view line) {
    constexpr std::size_t kWidth = 76;
    std::string result;
    while (line.size() > kWidth) {
      std::size_t cut = line.rfind(' ', kWidth);
      if (cut == std::string_view::npos || cut <= indentation(line)) break;
      result += std::string(line.substr(0, cut)) + "\n";
      line.remove_prefix(cut + 1);
    }
    return result + std::string(line);
  });
}

// A form or a chat has one line.
Result breaks_to_blanks(std::string_view text, std::uint64_t) {
  if (!has_tree(text)) return std::nullopt;
  return replaced(std::string(text), "\n", " ") + "\n";
}
Result breaks_to_nothing(std::string_view text, std::uint64_t) {
  if (!has_tree(text)) return std::nullopt;
  return replaced(std::string(text), "\n", "") + "\n";
}
Result one_line_of_words(std::string_view text, std::uint64_t) {
  if (!has_tree(text)) return std::nullopt;
  std::string result;
  for (const char c : text) {
    const char blank = c == '\n' ? ' ' : c;
    if (blank != ' ' || result.empty() || result.back() != ' ') result += blank;
  }
  return result + "\n";
}

// -- something is lost ----------------------------------------------------------------------------------------------

Result cut_values(std::string_view text, std::uint64_t) {
  return each_line(text, [](std::string_view line) {
    constexpr std::size_t kLongest = 100;
    return line.size() <= kLongest ? std::string(line) : std::string(line.substr(0, kLongest - 3)) + "...";
  });
}
Result cut_lines(std::string_view text, std::uint64_t) {
  return each_line(text, [](std::string_view line) { return std::string(line.substr(0, 100)); });
}
Result more_fields(std::string_view text, std::uint64_t) {
  return each_line(text, [](std::string_view line) {
    const std::size_t open = line.find('[');
    const std::size_t comma = open == std::string_view::npos ? open : line.find(", ", open);
    const std::size_t close = comma == std::string_view::npos ? comma : line.find(']', comma);
    if (close == std::string_view::npos) return std::string(line);
    return std::string(line.substr(0, comma)) + ", ... 12 more fields" + std::string(line.substr(close));
  });
}
Result max_plan_length(std::string_view text, std::uint64_t seed) {
  if (text.size() < 200) return std::nullopt;
  const std::size_t length = 100 + scrambled(text.substr(0, 100), seed) % (text.size() - 150);
  return std::string(text.substr(0, length)) + "... " + std::to_string(text.size() - length) + " more characters\n";
}
Result without_blocks(std::string_view text, std::uint64_t) {
  std::optional<Blocks> blocks = blocks_of(text);
  if (!blocks) return std::nullopt;
  blocks->blocks.clear();
  return joined(*blocks);
}
Result without_some_blocks(std::string_view text, std::uint64_t seed) {
  std::optional<Blocks> blocks = blocks_of(text);
  if (!blocks || blocks->blocks.size() < 3) return std::nullopt;
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < blocks->blocks.size(); ++i) {
    if (scrambled(blocks->blocks[i], seed + i) % 3 != 0) kept.push_back(blocks->blocks[i]);
  }
  if (kept.size() == blocks->blocks.size()) return std::nullopt;
  blocks->blocks = std::move(kept);
  return joined(*blocks);
}
Result without_tree(std::string_view text, std::uint64_t) {
  std::optional<Blocks> blocks = blocks_of(text);
  if (!blocks) return std::nullopt;
  blocks->before.clear();
  return joined(*blocks);
}
Result without_a_line(std::string_view text, std::uint64_t seed) {
  std::vector<std::string_view> lines = split_lines(text);
  if (lines.size() < 4) return std::nullopt;
  lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(scrambled(text, seed) % lines.size()));
  return join_lines(lines);
}
Result flipped_bytes(std::string_view text, std::uint64_t seed) {
  std::string result(text);
  for (std::uint64_t i = 0; i < 1 + result.size() / 2000; ++i) {
    const std::uint64_t random = scrambled(text.substr(0, 64), seed * 31 + i);
    result[random % result.size()] = static_cast<char>(random >> 40U);
  }
  return result;
}

constexpr auto kDamages = std::to_array<Damage>({
    {"log4j prefix", Loss::None, log4j},
    {"log4j2 prefix", Loss::None, log4j2},
    {"container log prefix", Loss::None, driver},
    {"first line logged", Loss::None, first_line_logged},
    {"> quoting", Loss::None, quoted},
    {"> > quoting", Loss::None, quoted_twice},
    {"| prefix", Loss::None, piped},
    {"indented", Loss::None, indented},
    {"indented by a tab", Loss::None, indented_by_tab},
    {"one-cell table", Loss::None, shown_cell},
    {"bordered lines", Loss::None, bordered},
    {"markdown fence", Loss::None, fenced},
    {"prose around", Loss::None, prose},
    {"planvet header", Loss::None, header_lines},
    {"HTML pre", Loss::None, html_pre},
    {"HTML breaks", Loss::None, html_breaks},
    {"HTML in one line", Loss::None, html_one_line},
    {"notebook table", Loss::None, notebook},
    {"escaped string", Loss::None, escaped_string},
    {"escaped without quotes", Loss::None, escaped_bare},
    {"JSON member", Loss::None, in_json},
    {"CSV", Loss::None, csv},
    {"Python Row", Loss::None, row},
    {"CRLF", Loss::None, crlf},
    {"trailing blanks", Loss::None, trailing_blanks},
    {"double spaced", Loss::None, double_spaced},
    {"tabs", Loss::None, tabs},
    {"no-break spaces", Loss::None, no_break_spaces},
    {"some no-break spaces", Loss::None, some_no_break_spaces},
    {"byte order mark", Loss::None, byte_order_mark},
    {"UTF-16 LE", Loss::None, utf16_little},
    {"UTF-16 BE", Loss::None, utf16_big},
    {"ANSI colours", Loss::None, ansi},
    {"ANSI without escapes", Loss::None, ansi_without_escape},
    {"ANSI inside", Loss::None, ansi_inside},
    {"box drawing", Loss::None, box_drawing},
    {"| bars", Loss::None, pipe_bars},
    {"blocks reversed", Loss::None, reversed_blocks},
    {"no indentation", Loss::Layout, no_indentation},
    {"half indentation", Loss::Layout, halved_indentation},
    {"blanks collapsed", Loss::Layout, collapsed_blanks},
    {"no connectors", Loss::Layout, no_connectors},
    {"no bars", Loss::Layout, no_bars},
    {"no blank lines", Loss::Layout, no_blank_lines},
    {"wrapped at 80", Loss::Layout, wrapped_80},
    {"wrapped at 120", Loss::Layout, wrapped_120},
    {"wrapped at words", Loss::Layout, wrapped_at_words},
    {"line breaks to blanks", Loss::Layout, breaks_to_blanks},
    {"line breaks lost", Loss::Layout, breaks_to_nothing},
    {"one line of words", Loss::Layout, one_line_of_words},
    {"values cut with ...", Loss::Text, cut_values},
    {"lines cut at 100", Loss::Hidden, cut_lines},
    {"... N more fields", Loss::Text, more_fields},
    {"... N more characters", Loss::Text, max_plan_length},
    {"no blocks", Loss::Text, without_blocks},
    {"some blocks lost", Loss::Text, without_some_blocks},
    {"tree lost", Loss::Text, without_tree},
    {"a line lost", Loss::Hidden, without_a_line},
    {"bytes flipped", Loss::Hidden, flipped_bytes},
});

}  // namespace

std::span<const Damage> damages() { return kDamages; }

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return lines;
}

std::string join_lines(const std::vector<std::string_view>& lines) {
  std::string result;
  for (const std::string_view line : lines) result += std::string(line) + "\n";
  return result;
}

std::uint64_t scrambled(std::string_view text, std::uint64_t seed) {
  std::uint64_t value = 0xCBF29CE484222325U ^ (seed * 0x9E3779B97F4A7C15U);
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  value ^= value >> 33U;
  value *= 0xFF51AFD7ED558CCDU;
  return value ^ (value >> 33U);
}

}  // namespace planvet::test
