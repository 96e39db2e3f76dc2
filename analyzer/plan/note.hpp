// What a reader has to say about its reading: a problem of the input, not of the plan.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "analyzer/plan/source.hpp"

namespace planvet {

enum class NoteKind : std::uint8_t {
  TruncatedPlan,    // PV901
  IncompleteLog,    // PV902
  UnknownOperator,  // PV903
  UnreadablePart,   // PV904
  NotFinalPlan,     // PV905: informational, every plan that has not run has it
};
[[nodiscard]] std::string_view code(NoteKind kind);  // "PV901"
[[nodiscard]] std::string_view name(NoteKind kind);  // "truncated-plan"

struct Note {
  NoteKind kind{};
  Span span;            // in the document's source
  std::string message;  // what is missing and what could not be judged because of it
};

}  // namespace planvet
