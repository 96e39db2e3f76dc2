// The detail blocks of formatted mode: "(7) Filter" and the fields below it, attached to the nodes with that id.
//
// Values may hold anything, whole block heads and plans included. A line opens a block only if the tree has an operator
// of that id and name, and if a blank line stands before it (where the paste kept its blank lines).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "analyzer/plan/plan_tree.hpp"
#include "analyzer/read/explain/lines.hpp"
#include "analyzer/read/explain/passage.hpp"

namespace planvet::read::explain {

// Operator id -> the nodes that carry it. An initial plan shares the ids of operators that did not change, so there may
// be several.
class OperatorIds {
 public:
  void add(std::uint32_t id, PlanBuilder::Handle handle);
  // The first node with the id, in the order printed; kNone where there is none.
  [[nodiscard]] PlanBuilder::Handle first(std::uint32_t id) const;
  // The next node with the same id.
  [[nodiscard]] PlanBuilder::Handle next(PlanBuilder::Handle handle) const;

 private:
  std::vector<PlanBuilder::Handle> first_;
  std::vector<PlanBuilder::Handle> last_;
  std::vector<PlanBuilder::Handle> next_;
};

// A block of an operator that no tree line shows.
struct OrphanBlock {
  std::uint32_t id = kNoId;
  std::size_t line = 0;
};

// A line of an operator's block.
struct BlockLine {
  PlanBuilder::Handle handle = PlanBuilder::kNone;
  std::size_t line = 0;
};

struct SubqueryName {
  PlanBuilder::Handle handle = PlanBuilder::kNone;  // whose block has it
  Span span;
};

// Calls `visit` with each "subquery#7" of a text.
template <typename Visit>
void for_each_subquery_name(std::string_view text, Visit visit) {
  constexpr std::string_view kName = "subquery#";
  for (std::size_t at = text.find(kName); at != std::string_view::npos; at = text.find(kName, at)) {
    std::size_t end = at + kName.size();
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    visit(text.substr(at, end - at));
    at = end;
  }
}

// Whether most heads of an input stand behind blank lines: then one that does not is part of a value.
[[nodiscard]] bool heads_need_blank(std::span<const Line> lines);

class BlockReader {
 public:
  BlockReader(const Passage& passage, bool needs_blank_before_head, const OperatorIds& ids);

  // Whether line `at` opens a block.
  [[nodiscard]] bool is_head(std::size_t at) const;
  // Reads the block that starts there; returns the first line behind it.
  std::size_t read(std::size_t at);

  [[nodiscard]] const std::vector<bool>& has_block() const { return has_block_; }  // by handle
  [[nodiscard]] const std::vector<OrphanBlock>& orphans() const { return orphans_; }
  // Heads of blocks that end before the field that their kind of operator ends with.
  [[nodiscard]] const std::vector<BlockLine>& halves() const { return halves_; }
  // Does any block say what flows into its operator? Spark's do; planvet's snapshots leave out what can be derived.
  [[nodiscard]] bool prints_inputs() const { return prints_inputs_; }
  // Lines of blocks that have no key where only scans may have one without: the rest of a wrapped line, mostly.
  [[nodiscard]] const std::vector<BlockLine>& strays() const { return strays_; }
  // "subquery#7" wherever values of blocks name a subquery.
  [[nodiscard]] const std::vector<SubqueryName>& subquery_names() const { return subquery_names_; }
  // "[Reuses operator id: 6]" by handle of the node; resolved when all trees are read.
  [[nodiscard]] const std::vector<std::pair<PlanBuilder::Handle, std::uint32_t>>& reuses() const { return reuses_; }

  // Fields of the block at `at` into a node that the caller made of it.
  std::size_t read_fields(std::size_t at, PlanBuilder::Handle handle);

 private:
  [[nodiscard]] std::string_view view(Span span) const { return passage_.view(span); }
  [[nodiscard]] bool matches_tree(const Line& head) const;
  [[nodiscard]] bool ends_block(std::size_t at) const;
  void apply_head(const Line& head, PlanBuilder::Handle handle);

  Passage passage_;
  std::string_view text_;
  std::span<const Line> lines_;
  const OperatorIds& ids_;
  PlanBuilder& builder_;
  bool needs_blank_before_head_;
  std::vector<bool> has_block_;
  std::vector<OrphanBlock> orphans_;
  std::vector<BlockLine> halves_;
  bool prints_inputs_ = false;
  std::vector<BlockLine> strays_;
  std::vector<SubqueryName> subquery_names_;
  std::vector<std::pair<PlanBuilder::Handle, std::uint32_t>> reuses_;
};

}  // namespace planvet::read::explain
