#include "analyzer/render/rule_pages.hpp"

#include <algorithm>
#include <vector>

#include <fmt/core.h>

#include "analyzer/render/glyphs.hpp"

namespace planvet::render {

namespace {

// Breaks at blanks; line breaks of the text stay.
std::string wrapped(std::string_view text, std::size_t width, std::string_view indent) {
  std::string out;
  while (true) {
    const std::size_t line_end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, line_end);
    std::size_t column = 0;
    out += indent;
    while (!line.empty()) {
      const std::size_t word_end = std::min(line.find(' '), line.size());
      const std::string_view word = line.substr(0, word_end);
      const std::size_t word_width = display_width(word);
      if (column > 0 && indent.size() + column + 1 + word_width > width) {
        out += '\n';
        out += indent;
        column = 0;
      }
      if (column > 0) {
        out += ' ';
        ++column;
      }
      out += word;
      column += word_width;
      line.remove_prefix(std::min(word_end + 1, line.size()));
    }
    out += '\n';
    if (line_end == text.size()) return out;
    text.remove_prefix(line_end + 1);
  }
}

// A plan keeps its own lines.
std::string indented(std::string_view text, std::string_view indent) {
  while (text.starts_with('\n')) text.remove_prefix(1);
  while (text.ends_with('\n')) text.remove_suffix(1);
  std::string out;
  while (true) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) out += indent;
    out += text.substr(0, end);
    out += '\n';
    if (end == text.size()) return out;
    text.remove_prefix(end + 1);
  }
}

// In a cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string fenced(std::string_view text) { return "```\n" + indented(text, "") + "```\n"; }

struct Section {
  std::string_view heading;
  std::string_view text;
  bool is_plan = false;
};

std::vector<Section> sections(const RuleInfo& rule) {
  return {{"Why", rule.why},
          {"Fix", rule.fix},
          {"Reported", rule.bad, true},
          {"Not reported", rule.good, true},
          {"Needs", rule.needs},
          {"Known limits", rule.limits}};
}

}  // namespace

std::string rule_list_text(RuleList rules, const Style& style) {
  std::size_t width = 0;
  for (const RuleInfo* rule : rules) width = std::max(width, rule->name.size());
  std::string out;
  for (const RuleInfo* rule : rules) {
    const std::string padding(width - rule->name.size(), ' ');
    // The list is for reading, so the summary is cut rather than wrapped.
    const std::size_t used = rule->code.size() + 2 + width + 2 + 7 + 2;
    const std::size_t room = style.width > used + 20 ? style.width - used : 20;
    out += fmt::format("{}  {}{}  {}{}  {}\n", rule->code, style.paint(Role::Strong, rule->name), padding,
                       style.paint(role_of(rule->severity), name(rule->severity)),
                       std::string(7 - name(rule->severity).size(), ' '),
                       cut_to_width(rule->summary, room, style.ellipsis()));
  }
  return out;
}

std::string rule_list_markdown(RuleList rules) {
  std::string out = "| code | rule | severity | reports |\n|---|---|---|---|\n";
  for (const RuleInfo* rule : rules)
    out += fmt::format("| {} | {} | {} | {} |\n", rule->code, rule->name, name(rule->severity), cell(rule->summary));
  return out;
}

std::string rule_page_text(const RuleInfo& rule, const Style& style) {
  std::string out = style.paint(Role::Strong, fmt::format("{} {}", rule.code, rule.name));
  out += fmt::format("  ({})\n", style.paint(role_of(rule.severity), name(rule.severity)));
  out += wrapped(rule.summary, style.width, "");
  for (const Section& section : sections(rule)) {
    if (section.text.empty()) continue;
    out += '\n' + style.paint(Role::Strong, section.heading) + '\n';
    out += section.is_plan ? indented(section.text, "  ") : wrapped(section.text, style.width, "  ");
  }
  if (!rule.options.empty()) {
    out += '\n' + style.paint(Role::Strong, "Options") + fmt::format("  ([rules.{}] in planvet.toml)\n", rule.name);
    for (const RuleOption& option : rule.options)
      out +=
          wrapped(fmt::format("{} = {}: {}", option.name, option.default_value, option.description), style.width, "  ");
  }
  return out;
}

std::string rule_page_markdown(const RuleInfo& rule) {
  std::string out =
      fmt::format("# {} ({})\n\n{} Severity: {}.\n", rule.name, rule.code, rule.summary, name(rule.severity));
  for (const Section& section : sections(rule)) {
    if (section.text.empty()) continue;
    out += fmt::format("\n## {}\n\n", section.heading);
    out += section.is_plan ? fenced(section.text) : std::string(section.text) + '\n';
  }
  if (!rule.options.empty()) {
    out += "\n## Options\n\n| option | default | meaning |\n|---|---|---|\n";
    for (const RuleOption& option : rule.options)
      out += fmt::format("| `{}` | `{}` | {} |\n", option.name, option.default_value, cell(option.description));
  }
  return out;
}

}  // namespace planvet::render
