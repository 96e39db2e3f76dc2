#include "tests/support/cases.hpp"

#include <charconv>

#include <gtest/gtest.h>

#include "tests/support/files.hpp"
#include "tests/support/golden.hpp"

namespace planvet::test {

namespace {

constexpr std::string_view kSeparator = " => ";

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

struct TableLine {
  std::string_view text;
  std::size_t answer_at = std::string_view::npos;  // where the right side begins; npos: comment or empty
};

std::vector<TableLine> split_table(std::string_view table, std::string_view path) {
  std::vector<TableLine> lines;
  bool any = false;
  while (!table.empty()) {
    const std::size_t end = table.find('\n');
    TableLine line{.text = table.substr(0, end)};
    table.remove_prefix(end == std::string_view::npos ? table.size() : end + 1);
    const std::string_view content = trim(line.text);
    if (!content.empty() && content.front() != '#') {
      // An empty right side may have lost its trailing space to an editor.
      const std::size_t separator = line.text.find(kSeparator);
      if (separator != std::string_view::npos) {
        line.answer_at = separator + kSeparator.size();
      } else if (line.text.ends_with(" =>")) {
        line.answer_at = line.text.size();
      } else {
        ADD_FAILURE() << path << ':' << lines.size() + 1 << ": no ` => ` in: " << line.text;
      }
      any = any || line.answer_at != std::string_view::npos;
    }
    lines.push_back(line);
  }
  EXPECT_TRUE(any) << path << " has no cases";
  return lines;
}

Case to_case(const TableLine& line, std::size_t number) {
  const std::string_view input = line.text.substr(0, line.answer_at);
  return {.input = unescape_case(trim(input.substr(0, input.rfind("=>")))),
          .expected = unescape_case(trim(line.text.substr(line.answer_at))),
          .line = number};
}

}  // namespace

std::string unescape_case(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    switch (text[++i]) {
      case 'n': out += '\n'; break;
      case 't': out += '\t'; break;
      case 'r': out += '\r'; break;
      case 's': out += ' '; break;
      case '#': out += '#'; break;
      case '\\': out += '\\'; break;
      case 'x': {
        unsigned value = 0;
        const std::string_view digits = text.substr(i + 1, 2);
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
        EXPECT_TRUE(error == std::errc{} && end == digits.data() + 2) << "\\x needs two digits: " << text;
        out += static_cast<char>(static_cast<unsigned char>(value));
        i += digits.size();
        break;
      }
      default: out += {'\\', text[i]};  // Spark's own backslashes need no doubling
    }
  }
  return out;
}

std::string escape_case(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool at_edge = i == 0 || i + 1 == text.size();
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\\') {
      out += "\\\\";
    } else if (c == '#' && i == 0) {
      out += "\\#";
    } else if (c == ' ' && (at_edge || text.substr(i).starts_with(kSeparator))) {
      out += "\\s";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == '\x7f') {
      constexpr std::string_view kDigits = "0123456789abcdef";
      const auto value = static_cast<unsigned char>(c);
      out += {'\\', 'x', kDigits[value >> 4U], kDigits[value & 15U]};
    } else {
      out += c;
    }
  }
  return out;
}

std::vector<Case> read_cases(std::string_view path) {
  const std::string table = read_file(source_path(path));
  std::vector<Case> cases;
  std::size_t number = 0;
  for (const TableLine& line : split_table(table, path)) {
    ++number;
    if (line.answer_at != std::string_view::npos) cases.push_back(to_case(line, number));
  }
  return cases;
}

void check_cases(std::string_view path, const std::function<std::string(std::string_view)>& answer) {
  const std::string table = read_file(source_path(path));
  std::string rewritten;
  std::size_t number = 0;
  for (const TableLine& line : split_table(table, path)) {
    ++number;
    if (line.answer_at == std::string_view::npos) {
      rewritten.append(line.text).append("\n");
      continue;
    }
    const Case one = to_case(line, number);
    const std::string actual = answer(one.input);
    if (actual == one.expected) {
      rewritten.append(line.text).append("\n");
      continue;
    }
    rewritten.append(line.text.substr(0, line.answer_at)).append(escape_case(actual)).append("\n");
    if (!updating_goldens())
      ADD_FAILURE() << path << ':' << number << ": " << escape_case(one.input) << "\n  expected "
                    << escape_case(one.expected) << "\n  actual   " << escape_case(actual);
  }
  if (updating_goldens() && rewritten != table) write_file(source_path(path), rewritten);
}

}  // namespace planvet::test
