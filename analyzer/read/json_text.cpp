#include "analyzer/read/json_text.hpp"

namespace planvet::read {

// "[json.exception.parse_error.101] parse error at line 1, column 9: syntax error while parsing object - unexpected
// end of input; expected '}'": the place is ours to tell, the rest is what the user wants to know.
std::string json_expectation(std::string_view what) {
  constexpr std::string_view kMark = "while parsing ";
  constexpr std::size_t kLongest = 240;
  const std::size_t mark = what.find(kMark);
  if (mark != std::string_view::npos) what.remove_prefix(mark + kMark.size());
  // nlohmann quotes the whole token, which may be megabytes long.
  if (const std::size_t token = what.find("; last read: '"); token != std::string_view::npos) {
    const std::size_t expected = what.rfind("; expected ");
    const bool has_more = expected != std::string_view::npos && expected > token;
    return std::string(what.substr(0, token)) + std::string(has_more ? what.substr(expected) : std::string_view());
  }
  if (what.size() > kLongest) return std::string(what.substr(0, kLongest)) + "...";
  return std::string(what);
}

bool is_early_end(std::string_view expectation) {
  return expectation.find("unexpected end of input") != std::string_view::npos ||
         expectation.find("missing closing quote") != std::string_view::npos;
}

}  // namespace planvet::read
