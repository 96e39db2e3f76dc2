// Text in the languages of graph tools.
#pragma once

#include <string>
#include <string_view>

#include "analyzer/plan/plan_tree.hpp"

namespace planvet::render {

// A box of a graph is no place for a long condition.
inline constexpr std::size_t kBoxWidth = 60;

// Inside a quoted string of the dot language.
[[nodiscard]] std::string dot_text(std::string_view text);

// Inside a quoted label of Mermaid, which knows HTML entities with # in place of & and reads Markdown and HTML.
[[nodiscard]] std::string mermaid_text(std::string_view text);

// What an arrow is where it is not the usual one: "subquery".
[[nodiscard]] std::string_view edge_label(Link link);

}  // namespace planvet::render
