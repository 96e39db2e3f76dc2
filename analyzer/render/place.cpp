#include "analyzer/render/place.hpp"

#include <algorithm>

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

std::optional<Position> BeginFinder::operator()(std::uint32_t offset) {
  if (document_.input == InputKind::EventLog || document_.source == nullptr) return std::nullopt;
  const Source& source = *document_.source;
  if (!source.is_decoded()) return source.position(offset);
  if (offset < counted_to_) {
    counted_to_ = 0;
    line_ = 1;
  }
  const std::string_view text = source.text().substr(counted_to_, offset - counted_to_);
  line_ += static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n'));
  counted_to_ = offset;
  Position position = source.bytes().position(source.map().original(offset));
  position.plan_line = line_;
  return position;
}

std::string operator_name(const Finding& finding) {
  std::string name = finding.subject.printed_name;
  if (finding.subject.operator_id) name += fmt::format(" ({})", *finding.subject.operator_id);
  if (name.empty()) name = info(finding.subject.kind).name;
  return name;
}

std::string operator_of_query(const PlanDocument& document, const Finding& finding) {
  const bool has_lines = document.input != InputKind::EventLog && document.input != InputKind::SqlRestJson;
  if (has_lines || !document.execution_id) return {};
  return fmt::format("{} of {}", one_line(operator_name(finding)), shown_title(document, 0, 1));
}

std::string shown_path(const std::string& path) { return path == "-" ? "<stdin>" : one_line(path); }

std::string location(const PlanDocument& document, Span span) {
  const std::string path = shown_path(document.source->path());
  const std::optional<Place> place = place_of(document, span);
  if (!place) return document.execution_id ? fmt::format("{}: query {}", path, *document.execution_id) : path;
  return fmt::format("{}:{}:{}", path, place->begin.line, place->begin.column);
}

std::string shown_title(const PlanDocument& document, std::size_t number_in_input, std::size_t plans_in_input) {
  if (!document.title.empty()) return one_line(document.title);
  if (document.execution_id) return fmt::format("query {}", *document.execution_id);
  return plans_in_input > 1 ? fmt::format("plan {}", number_in_input + 1) : std::string();
}

}  // namespace planvet::render
