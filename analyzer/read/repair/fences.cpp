// Markdown code fences around a plan: lines of ``` or ~~~, and what opens and closes long strings and
// comments.

#include <string_view>

#include "analyzer/read/repair/damages.hpp"
#include "analyzer/read/repair/line_shape.hpp"

namespace planvet::read {

namespace {

bool is_fence(std::string_view line) {
  line = without_trailing_blanks(line.substr(leading_blanks(line)));
  for (const std::string_view fence : {"\"\"\"", "'''", "{code}", "{noformat}", "/*", "/**", "*/"})
    if (line == fence) return true;
  if (line.starts_with("{code:") && line.ends_with('}')) return true;
  if (!line.starts_with("```") && !line.starts_with("~~~")) return false;
  const std::size_t word = line.find_first_not_of(line[0]);
  if (word == std::string_view::npos) return true;
  for (const char c : line.substr(word))
    if (!is_letter(c) && !is_digit(c) && c != ' ' && c != '-' && c != '_' && c != '+' && c != '.') return false;
  return true;
}

}  // namespace

void undo_fences(Rewriter& out) {
  const std::string_view text = out.input();
  for_each_line(text, [&](std::size_t begin, std::size_t end) {
    if (is_fence(text.substr(begin, end - begin)))
      out.remove(begin, end, RepairKind::Fence);  // an empty line stays: what follows is not part of the plan
  });
}

}  // namespace planvet::read
