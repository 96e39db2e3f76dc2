// The plan to judge, and all that is known beside it.
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

#include "analyzer/facts/document_facts.hpp"
#include "analyzer/facts/statistics.hpp"
#include "analyzer/plan/document.hpp"
#include "analyzer/plan/expression_parser.hpp"
#include "analyzer/plan/plan_tree.hpp"
#include "rules/counted_exchanges.hpp"
#include "rules/options.hpp"

namespace planvet::rules {

// for (const PlanNode& node : context.operators()): all nodes but logical ones, which are no operators.
class Operators {
 public:
  class Iterator {
   public:
    Iterator(const PlanNode* at, const PlanNode* end) : at_(at), end_(end) { skip_logical(); }
    const PlanNode& operator*() const { return *at_; }
    Iterator& operator++() {
      ++at_;
      skip_logical();
      return *this;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    void skip_logical() {
      while (at_ != end_ && at_->is_logical) ++at_;
    }
    const PlanNode* at_;
    const PlanNode* end_;
  };

  explicit Operators(std::span<const PlanNode> nodes) : nodes_(nodes) {}
  [[nodiscard]] Iterator begin() const { return {nodes_.data(), nodes_.data() + nodes_.size()}; }
  [[nodiscard]] Iterator end() const { return {nodes_.data() + nodes_.size(), nodes_.data() + nodes_.size()}; }

 private:
  std::span<const PlanNode> nodes_;
};

class PlanContext {
 public:
  // Everything must outlive this.
  PlanContext(const PlanDocument& document, const Fragment& fragment, const DocumentFacts& facts,
              const ExpressionParser& parser)
      : document_(document),
        fragment_(fragment),
        facts_(facts),
        parser_(parser),
        statistics_(document, fragment.tree, facts) {}

  [[nodiscard]] const PlanDocument& document() const { return document_; }
  [[nodiscard]] const PlanTree& plan() const { return fragment_.tree; }
  [[nodiscard]] Operators operators() const { return Operators(fragment_.tree.nodes()); }
  [[nodiscard]] Operators operators_below(NodeId node) const { return Operators(fragment_.tree.subtree(node)); }
  [[nodiscard]] FragmentRole role() const { return fragment_.role; }
  [[nodiscard]] const DocumentFacts& facts() const { return facts_; }
  [[nodiscard]] const Statistics& statistics() const { return statistics_; }
  [[nodiscard]] const ExpressionParser& parser() const { return parser_; }
  // An expression, or the condition of a Filter: where that is a column alone, Spark prints `flag#3: boolean`.
  [[nodiscard]] ExpressionTree parse(std::string_view text) const {
    constexpr std::string_view kTypeOfCondition = ": boolean";
    if (text.ends_with(kTypeOfCondition)) text.remove_suffix(kTypeOfCondition.size());
    return parser_.expression(text);
  }
  [[nodiscard]] const CountedExchanges& exchanges() const;  // counted when the first rule asks
  // A stream, or one of its micro-batches: something in the plan is of streams only. Looked for when the first rule asks.
  [[nodiscard]] bool is_streaming() const;
  [[nodiscard]] const Options& options() const { return options_; }  // of the rule that runs

  void set_options(Options options) { options_ = options; }

 private:
  const PlanDocument& document_;
  const Fragment& fragment_;
  const DocumentFacts& facts_;
  const ExpressionParser& parser_;
  Statistics statistics_;
  mutable std::optional<CountedExchanges> exchanges_;
  mutable std::optional<bool> is_streaming_;
  Options options_;
};

}  // namespace planvet::rules
