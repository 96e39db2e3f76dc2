#include "analyzer/render/style.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace planvet::render {

namespace {

std::string_view code(Role role) {
  switch (role) {
    case Role::Error: return "\x1B[1;31m";
    case Role::Warning: return "\x1B[1;33m";
    case Role::Info: return "\x1B[1;36m";
    case Role::Note: return "\x1B[1;35m";
    case Role::Frame: return "\x1B[34m";
    case Role::Dim: return "\x1B[2m";
    case Role::Strong: return "\x1B[1m";
    case Role::Good: return "\x1B[32m";
  }
  return "";
}

}  // namespace

std::string Style::paint(Role role, std::string_view text) const {
  if (!colour || text.empty()) return std::string(text);
  std::string result(code(role));
  result += text;
  result += "\x1B[0m";
  return result;
}

Role role_of(Severity severity) {
  switch (severity) {
    case Severity::Error: return Role::Error;
    case Severity::Warning: return Role::Warning;
    case Severity::Info: return Role::Info;
  }
  return Role::Info;
}

std::string count_of(std::size_t count, std::string_view singular, std::string_view plural) {
  std::string result = std::to_string(count);
  result += ' ';
  result += count == 1 || plural.empty() ? singular : plural;
  if (count != 1 && plural.empty()) result += 's';
  return result;
}

std::string no_room_text(std::string_view columns) {
  return fmt::format("no room for: {} (--width 160 shows more)", columns);
}

std::string and_list(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? " and " : ", ";
    text += parts[i];
  }
  return text;
}

std::string comma_list(const std::vector<std::string>& items, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(items.size(), most); ++i) text += (i > 0 ? ", " : "") + items[i];
  if (items.size() > most) text += fmt::format(", +{} more", items.size() - most);
  return text;
}

}  // namespace planvet::render
