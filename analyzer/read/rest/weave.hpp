// The Spark UI's plan graph and the plan text of the same query, woven into one tree: the ids and names of the graph,
// and from the text what the graph does not have (arguments, query stages, statistics, where reused exchanges stand).
//
//   graph   0 AdaptiveSparkPlan            text   AdaptiveSparkPlan (9)
//           +- 1 WholeStageCodegen (2)            +- ShuffleQueryStage (5), Statistics(..)
//              +- ..                                 +- Exchange (4)
//
// Nodes of the graph have its ids as operator ids; those that only the text has have none. Both sides are walked
// together from the root. Where they differ, the graph goes on alone.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "analyzer/plan/document.hpp"
#include "analyzer/plan/plan_tree.hpp"
#include "analyzer/read/rest/graph.hpp"

namespace planvet::read::rest {

// Where the views of the result are to point: names of graph nodes, and the text that the text's plan was read from.
class Views {
 public:
  // `names`: of each graph node, in the final text.
  Views(const Source& text, const Source& final, std::vector<Span> names)
      : from_(text.text()), to_(final.text()), names_(std::move(names)) {}
  [[nodiscard]] std::string_view moved(std::string_view view) const {
    const auto begin = reinterpret_cast<std::uintptr_t>(from_.data());
    const auto at = reinterpret_cast<std::uintptr_t>(view.data());
    if (at < begin || at > begin + from_.size()) return view;  // of static text
    return to_.substr(at - begin, view.size());
  }
  [[nodiscard]] Span name_span(std::uint32_t node) const { return names_[node]; }
  [[nodiscard]] std::string_view name(std::uint32_t node) const {
    return to_.substr(names_[node].begin, names_[node].end - names_[node].begin);
  }

 private:
  std::string_view from_;
  std::string_view to_;
  std::vector<Span> names_;
};

// The same tree with views of the final text. Its operator ids, which count something else, are left out.
[[nodiscard]] PlanTree moved_tree(const PlanTree& tree, const Views& views);

struct Woven {
  PlanTree tree;
  std::vector<PlanTree> optimized_out;  // below a ReusedExchange that is all there is of them
  std::size_t without_text = 0;         // operators that the text should have had
};

// `text` may be empty. `text_optimized_out`: trees that the text prints beside it.
[[nodiscard]] Woven weave(const Graph& graph, const PlanTree& text, const std::vector<PlanTree>& text_optimized_out,
                          const Views& views);

}  // namespace planvet::read::rest
