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
  [[nodiscard]] const std::vector<std::size_t>& halves() const { return halves_; }
  // Lines of blocks that have no key where only scans may have one without: the rest of a wrapped line, mostly.
  [[nodiscard]] const std::vector<Span>& strays() const { return strays_; }
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
  std::vector<std::size_t> halves_;
  std::vector<Span> strays_;
  std::vector<std::pair<PlanBuilder::Handle, std::uint32_t>> reuses_;
};

}  // namespace planvet::read::explain
