#include "analyzer/render/place.hpp"

#include <fmt/core.h>

#include "analyzer/render/glyphs.hpp"

namespace planvet::render {

std::optional<Place> place_of(const PlanDocument& document, Span span) {
  if (document.input == InputKind::EventLog || document.source == nullptr) return std::nullopt;
  Place place;
  place.begin = document.source->position(span.begin);
  place.end = place.begin;
  if (!span.empty()) {
    // The end of a view of decoded text may be where another piece of the input begins: ask for its last byte.
    place.end = document.source->position(span.end - 1);
    ++place.end.column;
  }
  return place;
}

std::string shown_path(const std::string& path) { return path == "-" ? "<stdin>" : one_line(path); }

std::string location(const PlanDocument& document, Span span) {
  const std::string path = shown_path(document.source->path());
  const std::optional<Place> place = place_of(document, span);
  if (!place) return path;
  return fmt::format("{}:{}:{}", path, place->begin.line, place->begin.column);
}

std::string shown_title(const PlanDocument& document, std::size_t number_in_input, std::size_t plans_in_input) {
  if (!document.title.empty()) return one_line(document.title);
  if (document.execution_id) return fmt::format("query {}", *document.execution_id);
  return plans_in_input > 1 ? fmt::format("plan {}", number_in_input + 1) : std::string();
}

}  // namespace planvet::render
