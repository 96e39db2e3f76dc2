#include "analyzer/render/graph_text.hpp"

#include "analyzer/render/glyphs.hpp"

namespace planvet::render {

std::string dot_text(std::string_view text) {
  std::string result;
  for (const char c : one_line(text)) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string mermaid_text(std::string_view text) {
  std::string result;
  for (const char c : one_line(text)) {
    switch (c) {
      case '"': result += "#quot;"; break;
      case '#': result += "#35;"; break;
      case '&': result += "#amp;"; break;
      case '<': result += "#lt;"; break;
      case '>': result += "#gt;"; break;
      case '`': result += "#96;"; break;
      case '*': result += "#42;"; break;
      case '_': result += "#95;"; break;
      case '\\': result += "#92;"; break;
      default: result += c;
    }
  }
  return result;
}

std::string_view edge_label(Link link) {
  switch (link) {
    case Link::Root:
    case Link::Child: return "";
    case Link::Subquery: return "subquery";
    case Link::ReusedSubquery: return "reused subquery";
    case Link::CachedPlan: return "cached plan";
  }
  return "";
}

}  // namespace planvet::render
