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

// From the outside in. After each repair the text is looked at anew: what it uncovers may lie further out again.
constexpr Damage kDamages[] = {
    {undo_encoding, kHighByte | kZeroByte},
    {undo_terminal_codes, kEscapeByte | kLostEscape | kProgressBar},
    {undo_line_ends, kCarriageReturn | kHighByte},
    {undo_escaped_strings, kBackslash},
    {undo_quoted_cells, kQuotedLine},
    {undo_html, kAngleBracket},
    {undo_entities, kAmpersand},
    {undo_unicode_blanks, kHighByte},
    {undo_fences, kFenceLine},
    {undo_table_borders, kBorder},
    {undo_diffs, kDiffMark},
    {undo_lost_line_breaks, kAnchorInside | kMergedLine},
    {undo_wrapped_lines, kManyOthers},
    {undo_connectors, kOddConnector | kHighByte},
    {undo_tabs, kTab},
    {undo_line_prefixes, kAnyLine},
    {undo_doubled_lines, kApart},
};

constexpr int kMostRounds = 40;
constexpr std::size_t kLargestInput = UINT32_MAX / 8;  // offsets have 32 bits, and a tab may become eight blanks

void add_steps(RepairedText& result, const std::vector<RepairStep>& steps) {
  for (const RepairStep& step : steps) {
    const std::uint32_t offset = result.map.original(step.offset);
    const auto known = std::find_if(result.steps.begin(), result.steps.end(),
                                    [&](const RepairStep& s) { return s.kind == step.kind; });
    if (known == result.steps.end()) {
      result.steps.push_back({step.kind, offset, step.places});
    } else {
      known->offset = std::min(known->offset, offset);
      known->places += step.places;
    }
  }
}

// Undoes the first damage that is found. False when none is.
bool undo_outermost(std::string_view text, RepairedText& result) {
  const std::uint32_t suspicions = survey(text);
  for (const Damage& damage : kDamages) {
    if ((damage.suspicions & suspicions) == 0) continue;
    Rewriter out(text);
    damage.undo(out);
    if (!out.changed()) continue;
    out.finish();
    add_steps(result, out.steps());
    result.map = result.changed ? result.map.then(out.map()) : std::move(out.map());
    result.text = std::move(out.text());
    result.changed = true;
    return true;
  }
  return false;
}

}  // namespace

std::string_view name(RepairKind kind) {
  switch (kind) {
#define PLANVET_REPAIR(kind_name, text) \
  case RepairKind::kind_name:           \
    return #kind_name;
#include "analyzer/read/repair/repairs.def"
#undef PLANVET_REPAIR
  }
  return {};
}

std::string_view words(RepairKind kind) {
  switch (kind) {
#define PLANVET_REPAIR(kind_name, text) \
  case RepairKind::kind_name:           \
    return text;
#include "analyzer/read/repair/repairs.def"
#undef PLANVET_REPAIR
  }
  return {};
}

RepairedText repair(std::string_view bytes) {
  RepairedText result;
  if (bytes.size() > kLargestInput) return result;
  for (int round = 0; round < kMostRounds; ++round) {
    const std::string_view text = result.changed ? std::string_view(result.text) : bytes;
    if (undo_outermost(text, result)) continue;
    std::stable_sort(result.steps.begin(), result.steps.end(),
                     [](const RepairStep& a, const RepairStep& b) { return a.offset < b.offset; });
    return result;
  }
  // No end in sight: this is no damaged plan, or one that nobody can read.
  return {};
}

}  // namespace planvet::read
