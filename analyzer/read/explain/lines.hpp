// Explain text as a list of lines, each with what it is made of. No line has a meaning here yet.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzer/plan/source.hpp"

namespace planvet::read::explain {

enum class LineKind : std::uint8_t {
  Blank,
  Tree,            // has a connector
  Plain,           // text at some column: the root of a tree, a continued value, prose
  AdaptiveHeader,  // "+- == Final Plan =="
  Banner,          // "== Physical Plan ==", "===== Subqueries ====="
  BlockHead,       // "(8) Filter [codegen id : 2]"
  Field,           // "Left keys [1]: [a#1]"
  SubqueryHead,
  SubplanHead,
  Java,
  OwnHeader,  // "-- planvet: spark 3.5.9"
  Cut,        // "Truncated plan of 12345 characters"
};

enum class AdaptivePart : std::uint8_t { Final, Current, Initial };

inline constexpr std::uint32_t kNoId = UINT32_MAX;

struct Line {
  LineKind kind = LineKind::Blank;
  AdaptivePart part = AdaptivePart::Final;  // AdaptiveHeader
  bool is_doubtful = false;                 // ! or ' before the name
  bool has_id_mark = false;                 // Tree, Plain: the name ends in "(12)" or "(unknown)"
  char connector = 0;                       // Tree, AdaptiveHeader: '+' or ':'
  std::uint32_t column = 0;                 // of the connector, or of the first letter where there is none
  std::int32_t codegen = -1;                // kNoCodegen, kCodegenWithoutNumber or the number
  std::uint32_t id = kNoId;                 // operator id, hosting operator's id
  std::uint32_t reuses = kNoId;             // BlockHead: [Reuses operator id: 6]
  std::uint32_t count = 0;                  // Field: N of "Output [N]"
  Span whole;                               // without the line break
  Span
      name;  // Tree, Plain: from the name to the id or the end; BlockHead: the name; Field: the label; Banner: the title
  Span value;  // Field: the value; Tree, Plain: what stands behind the id; SubqueryHead: the hosting expression;
               // OwnHeader: the text
};

[[nodiscard]] std::vector<Line> read_lines(std::string_view text);

}  // namespace planvet::read::explain
