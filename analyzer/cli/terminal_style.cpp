#include "analyzer/cli/terminal_style.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

namespace planvet::cli {

namespace {

constexpr std::size_t kSmallestWidth = 40;

bool is_set(const io::Terminal& terminal, std::string_view variable) {
  const std::optional<std::string> value = terminal.environment(variable);
  return value && !value->empty();
}

bool is_dumb(const io::Terminal& terminal) { return terminal.environment("TERM") == "dumb"; }

std::optional<std::size_t> columns_variable(const io::Terminal& terminal) {
  const std::optional<std::string> value = terminal.environment("COLUMNS");
  if (!value) return std::nullopt;
  std::size_t columns = 0;
  const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), columns);
  if (error != std::errc() || end != value->data() + value->size() || columns == 0) return std::nullopt;
  return columns;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return text;
}

}  // namespace

bool wants_color(ColorChoice choice, const io::Terminal& terminal) {
  switch (choice) {
    case ColorChoice::Always: return true;
    case ColorChoice::Never: return false;
    case ColorChoice::Auto: break;
  }
  if (is_set(terminal, "NO_COLOR")) return false;
  const std::optional<std::string> forced = terminal.environment("FORCE_COLOR");
  if (forced) return *forced != "0" && *forced != "false";
  if (is_set(terminal, "CLICOLOR_FORCE") && terminal.environment("CLICOLOR_FORCE") != "0") return true;
  return terminal.output_is_terminal && !is_dumb(terminal);
}

bool shows_unicode(const io::Terminal& terminal) {
  if (is_dumb(terminal)) return false;
  // The first that is set decides, as in setlocale(); "C" and "POSIX" are ASCII.
  for (const std::string_view variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (!is_set(terminal, variable)) continue;
    const std::string value = upper(*terminal.environment(variable));
    return value.find("UTF-8") != std::string::npos || value.find("UTF8") != std::string::npos;
  }
  // No locale at all is what containers and CI have; they show UTF-8. A terminal without a locale may not.
  return !terminal.output_is_terminal;
}

render::Style style_for(const TerminalOptions& options, const io::Terminal& terminal) {
  render::Style style;
  style.colour = wants_color(options.color, terminal);
  style.unicode = !options.ascii && shows_unicode(terminal);
  style.verbosity = options.verbosity;
  style.width = render::kDefaultWidth;
  if (options.width) {
    style.width = *options.width;
  } else if (const auto columns = columns_variable(terminal)) {
    style.width = std::max(*columns, kSmallestWidth);
  } else if (terminal.columns) {
    style.width = std::max(*terminal.columns, kSmallestWidth);
  }
  return style;
}

}  // namespace planvet::cli
