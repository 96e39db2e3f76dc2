// SparkPlanInfo -> operator trees over a decoded text.
//
//   text      Project [a#1]                     one line a node, in the order of the JSON: its simpleString
//             FileScan parquet db.t[a#1] ..
//             Scan parquet db.t                 then what nodes are called where their line does not begin with it,
//             [IsNotNull(a)]                    and metadata values that their line shows cut
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/plan/document.hpp"
#include "analyzer/read/plan_info_json_syntax.hpp"

namespace planvet::read::plan_info {

// The text of one document while it is written, and where each piece came from.
class TextWriter {
 public:
  explicit TextWriter(std::string_view bytes) : bytes_(bytes) {}
  Span append(JsonString string);            // one line; its span is without the line break
  Span append_mark(std::uint32_t in_bytes);  // an empty line that stands for a place in the bytes
  [[nodiscard]] std::string_view text(Span span) const {
    return std::string_view(text_).substr(span.begin, span.end - span.begin);
  }
  [[nodiscard]] Source finish(std::shared_ptr<const SourceBytes> bytes) && {
    return {std::move(bytes), std::move(text_), std::move(map_)};
  }
  [[nodiscard]] std::string take_text() && { return std::move(text_); }

 private:
  std::string_view bytes_;
  std::string text_;
  OffsetMap map_;
};

// What one SparkPlanInfo becomes: first its text, then, over the finished text, its trees.
class TreeReader {
 public:
  // The plan must outlive the reader.
  TreeReader(std::string_view bytes, const Plan& plan);
  void write_text(TextWriter& writer);
  // `show_ids`: the nodes are those that the Spark UI shows for the execution.
  void build(const Source& source, bool show_ids);

  [[nodiscard]] PlanTree& tree() { return tree_; }
  [[nodiscard]] std::vector<PlanTree>& optimized_out() { return optimized_out_; }
  // Final, or Current where a stage of an adaptive plan stands in it, else Only.
  [[nodiscard]] FragmentRole role() const { return role_; }
  [[nodiscard]] const std::vector<Note>& notes() const { return notes_; }
  // For each node of a tree that build() made, in order, the node of the plan that it was made of.
  [[nodiscard]] std::vector<std::uint32_t> plan_nodes(const PlanTree& tree) const;

 private:
  struct Line {
    Span text;                   // the simpleString
    Span name;                   // the nodeName, in the line or behind all lines
    std::vector<Span> metadata;  // values, as far as the line needs them; empty spans elsewhere
  };
  void drop_repeated();
  PlanTree build_tree(const Source& source, std::uint32_t root, bool show_ids);
  void add_attributes(const Source& source, std::uint32_t at, PlanBuilder& builder, PlanBuilder::Handle handle,
                      std::string_view name_in_line);
  void find_role();

  std::string_view bytes_;
  const Plan& plan_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> reads_;    // of a Reused.. node: what it reads, in the tree or in an optimized-out one
  std::vector<bool> is_dropped_;        // repeats what stands elsewhere
  std::vector<bool> is_mention_;        // a Subquery that stands, with its plan, elsewhere
  std::vector<bool> is_optimized_out_;  // an exchange that only a ReusedExchange still shows
  std::vector<Line> lines_;
  PlanTree tree_;
  std::vector<PlanTree> optimized_out_;
  FragmentRole role_ = FragmentRole::Only;
  std::vector<Note> notes_;
};

}  // namespace planvet::read::plan_info
