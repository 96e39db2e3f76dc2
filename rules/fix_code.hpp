// Code in a fix stands in backticks, in two where it holds one itself.
#pragma once

#include <string>
#include <string_view>

namespace planvet::rules {

inline std::string fix_code(std::string_view text) {
  const bool has_mark = text.find('`') != std::string_view::npos;
  return (has_mark ? "`` " : "`") + std::string(text) + (has_mark ? " ``" : "`");
}

}  // namespace planvet::rules
