#include "analyzer/read/repair/repair.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "analyzer/read/repair/damages.hpp"
#include "analyzer/read/repair/rewriter.hpp"
#include "analyzer/read/repair/survey.hpp"

namespace planvet::read {

namespace {

struct Damage {
  void (*undo)(Rewriter&);
  std::uint32_t suspicions;  // any of these makes it worth looking
};

constexpr std::uint32_t kAnyLine = kAnchorInside | kOddConnector | kBorder;

// From the outside in. What lies deeper comes out in the next round.
constexpr Damage kDamages[] = {
    {undo_encoding, kHighByte | kZeroByte},
    {undo_terminal_codes, kEscapeByte | kProgressBar},
    {undo_line_ends, kCarriageReturn | kHighByte},
    {undo_escaped_strings, kBackslash},
    {undo_quoted_cells, kQuotedLine},
    {undo_html, kAngleBracket},
    {undo_entities, kAmpersand},
    {undo_unicode_blanks, kHighByte},
    {undo_fences, kFenceLine},
    {undo_table_borders, kBorder},
    {undo_diffs, kDiffMark},
    {undo_connectors, kOddConnector | kHighByte},
    {undo_tabs, kTab},
    {undo_line_prefixes, kAnyLine},
    {undo_wrapped_lines, kManyOthers},
    {undo_doubled_lines, kApart},
};

constexpr int kMostRounds = 10;
constexpr std::size_t kLargestInput = UINT32_MAX / 8;  // offsets have 32 bits, and a tab may become eight blanks

void add_steps(RepairedText& result, const std::vector<RepairStep>& steps) {
  for (const RepairStep& step : steps) {
    const std::uint32_t offset = result.map.original(step.offset);
    const auto known =
        std::find_if(result.steps.begin(), result.steps.end(), [&](const RepairStep& s) { return s.kind == step.kind; });
    if (known == result.steps.end()) {
      result.steps.push_back({step.kind, offset, step.places});
    } else {
      known->offset = std::min(known->offset, offset);
      known->places += step.places;
    }
  }
}

}  // namespace

std::string_view name(RepairKind kind) {
  switch (kind) {
#define PLANVET_REPAIR(kind_name, text) \
  case RepairKind::kind_name: return #kind_name;
#include "analyzer/read/repair/repairs.def"
#undef PLANVET_REPAIR
  }
  return {};
}

std::string_view words(RepairKind kind) {
  switch (kind) {
#define PLANVET_REPAIR(kind_name, text) \
  case RepairKind::kind_name: return text;
#include "analyzer/read/repair/repairs.def"
#undef PLANVET_REPAIR
  }
  return {};
}

RepairedText repair(std::string_view bytes) {
  RepairedText result;
  if (bytes.size() > kLargestInput) return result;
  for (int round = 0; round < kMostRounds; ++round) {
    const std::uint32_t suspicions = survey(result.changed ? result.text : bytes);
    bool changed = false;
    for (const Damage& damage : kDamages) {
      // The first edit may uncover what the survey could not see: the next round looks again.
      if ((damage.suspicions & suspicions) == 0) continue;
      Rewriter out(result.changed ? std::string_view(result.text) : bytes);
      damage.undo(out);
      if (!out.changed()) continue;
      out.finish();
      add_steps(result, out.steps());
      std::string text = std::move(out.text());
      result.map = result.changed ? result.map.then(out.map()) : std::move(out.map());
      result.text = std::move(text);
      result.changed = changed = true;
    }
    if (!changed) {
      std::stable_sort(result.steps.begin(), result.steps.end(),
                       [](const RepairStep& a, const RepairStep& b) { return a.offset < b.offset; });
      return result;
    }
  }
  // No end in sight: this is no damaged plan, or one that nobody can read.
  return {};
}

}  // namespace planvet::read
