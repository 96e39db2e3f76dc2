// Where something stands in what the user gave: lines and columns that every output format shares.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analyzer/plan/document.hpp"
#include "analyzer/report/finding.hpp"

namespace planvet::render {

struct Place {
  Position begin;
  Position end;  // exclusive; on the line of its last byte
};

// None for event logs: their text stands in no line that a person wrote.
[[nodiscard]] std::optional<Place> place_of(const PlanDocument& document, Span span);

// Where operators begin, asked for in the order of the text: lines of decoded text are counted once, not for each.
class BeginFinder {
 public:
  explicit BeginFinder(const PlanDocument& document) : document_(document) {}
  [[nodiscard]] std::optional<Position> operator()(std::uint32_t offset);

 private:
  const PlanDocument& document_;
  std::uint32_t counted_to_ = 0;
  std::uint32_t line_ = 1;
};

// "plans/daily.txt:14:9"; of an event log, whose lines nobody looks at, "logs/app_1: query 7".
[[nodiscard]] std::string location(const PlanDocument& document, Span span);

// The finding's operator as the plan calls it: "Exchange (5)".
[[nodiscard]] std::string operator_name(const Finding& finding);
// "Exchange (5) of query 7: save at App.scala:88" where its place does not say that; else empty.
[[nodiscard]] std::string operator_of_query(const PlanDocument& document, const Finding& finding);

// How standard input is called in text: "<stdin>".
[[nodiscard]] std::string shown_path(const std::string& path);

// "plan 2", "query 7: save at App.scala:88": tells the plans of one input apart.
[[nodiscard]] std::string shown_title(const PlanDocument& document, std::size_t number_in_input,
                                      std::size_t plans_in_input);

}  // namespace planvet::render
