// A part of an input that is being read, and where what is found in it goes.
#pragma once

#include <span>
#include <string_view>

#include "analyzer/plan/plan_tree.hpp"
#include "analyzer/read/explain/balance.hpp"
#include "analyzer/read/explain/lines.hpp"

namespace planvet::read::explain {

struct Passage {
  std::string_view text;
  std::span<const Line> lines;  // from the first of the input to the end of the part
  PlanBuilder& builder;
  Balance& balance;

  [[nodiscard]] std::string_view view(Span span) const { return text.substr(span.begin, span.end - span.begin); }
  [[nodiscard]] std::size_t last_line_of_value(std::size_t line, std::uint32_t value_begin) const {
    return balance.last_line_of_value(line, value_begin, lines.size());
  }
  // The same up to line `end`.
  [[nodiscard]] Passage up_to(std::size_t end) const { return {text, lines.subspan(0, end), builder, balance}; }
};

}  // namespace planvet::read::explain
