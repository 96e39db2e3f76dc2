// One plan's sections, collected line by line, become a PlanDocument.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "analyzer/plan/document.hpp"
#include "analyzer/read/explain/balance.hpp"
#include "analyzer/read/explain/block_reader.hpp"
#include "analyzer/read/explain/lines.hpp"
#include "analyzer/read/explain/tree_reader.hpp"

namespace planvet::read::explain {

class DocumentBuilder {
 public:
  // `balance` and `heads_need_blank` are of the whole input, which may hold many documents.
  DocumentBuilder(std::string_view text, std::span<const Line> lines, bool heads_need_blank, Balance& balance);

  [[nodiscard]] bool has_physical_plan() const { return !physical_.empty(); }
  [[nodiscard]] bool is_empty() const { return physical_.empty() && logical_.empty() && blocks_.empty(); }
  [[nodiscard]] bool is_formatted() const { return !physical_.empty() && physical_.front().is_formatted; }
  [[nodiscard]] bool is_head(std::size_t at) const { return block_reader_.is_head(at); }

  // Each takes the section that starts on line `at` and returns the first line behind it.
  std::size_t add_physical(std::size_t at);
  std::size_t add_logical(std::size_t at);
  std::size_t add_hosted(std::size_t at);  // a "Subquery:n" head with its tree
  std::size_t add_optimized_out(std::size_t at);
  std::size_t add_block(std::size_t at);
  std::size_t add_explanation(std::size_t at, std::size_t end);  // a vendor's section from its banner to `end`
  void note_lost_host(std::size_t at);                           // a "Subquery:n" head without a plan above it
  void add_cut(Span span);                                       // "... 12345 more characters"
  void note_codegen() { is_codegen_ = true; }
  void note_analyzed() { is_extended_ = true; }
  void expect_subtrees(std::uint32_t count, Span place) {  // "Found 2 WholeStageCodegen subtrees."
    expected_subtrees_ = count;
    codegen_head_ = place;
    is_codegen_ = true;
  }

  // The document; without fragments when no operator was read, and then with a note if there is a reason to name.
  [[nodiscard]] PlanDocument finish(std::shared_ptr<const Source> source);

 private:
  [[nodiscard]] std::string_view view(Span span) const { return text_.substr(span.begin, span.end - span.begin); }
  void register_ids(const PrintedTree& tree);
  void mark_logical_nodes();
  void rebuild_damaged_trees();
  [[nodiscard]] std::unordered_set<PlanBuilder::Handle> superseded_nodes() const;
  void build_from_blocks();
  void drop_repeated_subqueries();
  void resolve_reuses();
  void add_fragments(PlanDocument& document);
  void add_notes(PlanDocument& document);
  void attach_fallback_reasons();
  void note(NoteKind kind, Span span, std::string message);
  void drop_contained_subtrees();
  void explain_empty_codegen(PlanDocument& document) const;

  std::string_view text_;
  std::span<const Line> lines_;
  PlanBuilder builder_;
  OperatorIds ids_;
  Passage passage_;
  BlockReader block_reader_;
  std::vector<PrintedTree> physical_;  // one, but for codegen mode and trees whose top is lost
  std::vector<PrintedTree> hosted_;
  std::vector<PrintedTree> optimized_out_;
  std::vector<PrintedTree> logical_;
  std::vector<PrintedTree> extended_;  // Comet's second tree, with the reasons of fallbacks
  std::vector<std::size_t> blocks_;    // heads that were read
  std::vector<std::pair<std::string_view, std::string_view>> explanations_;
  std::unordered_set<std::string_view> hosted_names_;  // "subquery#7", of subqueries whose plans are printed
  std::vector<Note> notes_;
  std::uint32_t expected_subtrees_ = 0;
  Span codegen_head_;
  bool is_codegen_ = false;
  bool is_cut_ = false;  // and says so itself
  bool is_extended_ = false;
  bool has_cost_ = false;
  bool lost_something_ = false;
};

}  // namespace planvet::read::explain
