#pragma once

// Operator trees and documents as text, for expectations that a person reads.
//
//   SortMergeJoin                         one operator a line, indented by its depth
//     Sort *3                             *3: its codegen stage
//       ShuffleExchange #5 "Exchange"     #5: its id; a printed name that is not the kind itself
//     ~subquery ReusedSubquery =7         a link that is not Child; =7: the node that it reuses
//
// `attributes` adds one line an attribute: `name: text`, `name (truncated): text`.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/plan/document.hpp"

namespace planvet::test {

struct OutlineOptions {
  bool attributes = false;
  bool positions = false;  // `@line:column` of the name, `@line:column/plan_line` in decoded texts
  const Source* source = nullptr;
};

std::string outline(const PlanTree& tree, const OutlineOptions& options = {});

// Title, input kind, each fragment's role and tree, notes with their places.
std::string outline(const PlanDocument& document, OutlineOptions options = {});

// "12:7", or "12:7/3" where the text was decoded.
std::string place(const Source& source, Span span);

// What the readers make of a text, as if it were in a file of that name.
struct ReadAll {
  std::vector<PlanDocument> documents;
  std::string error;
};
ReadAll read_all(std::string_view text, std::string_view path = "test");

}  // namespace planvet::test
