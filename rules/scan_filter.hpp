// A Filter and the scan that it reads from: what the source was given, and what was left for the Filter.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzer/plan/expression.hpp"
#include "analyzer/plan/predicate.hpp"
#include "analyzer/plan/views.hpp"
#include "rules/plan_context.hpp"

namespace planvet::rules {

class FilteredScan {
 public:
  // The scan below a Filter, through projections, transitions, Python evaluation and other filters.
  [[nodiscard]] static std::optional<FilteredScan> of(const PlanContext& context, const PlanNode& filter);

  [[nodiscard]] const Scan& scan() const { return scan_; }
  [[nodiscard]] const PlanNode& filter() const { return *filter_; }
  [[nodiscard]] const Attribute& condition() const { return *condition_; }

  // Does the source get this conjunct? Unknown where its lists are cut, missing or not comparable.
  [[nodiscard]] Answer is_pushed(const ExpressionTree& tree, ExpressionIndex conjunct) const;
  // Predicates other than null tests that reached the source, partition predicates included.
  [[nodiscard]] std::size_t pushed_count() const;
  // The attribute whose cut makes is_pushed() unknown; null: none.
  [[nodiscard]] const Attribute* cut_list() const;

  // Partition columns, from the text or declared; nothing where unknown.
  [[nodiscard]] const std::optional<std::vector<std::string_view>>& partition_columns() const {
    return partition_columns_;
  }
  [[nodiscard]] bool is_partition_column(std::string_view name) const;
  // Is there a partition predicate, no null test and no dynamic pruning, on that column?
  [[nodiscard]] bool is_partition_pruned_by(std::string_view column) const;

  // What may stand between a plain predicate and the source.
  [[nodiscard]] bool is_above_python() const { return is_above_python_; }
  [[nodiscard]] bool is_above_typed_filter() const { return is_above_typed_filter_; }

  // "bigint" of a column in ReadSchema; empty where not known.
  [[nodiscard]] std::string_view type_of(std::string_view column) const;

  // The call behind `pythonUDF0#12`, as printed; empty where it is not printed.
  [[nodiscard]] std::string_view python_call(std::uint64_t result_id) const;
  // The predicate for messages: without ids, and with the call in place of `pythonUDF0`.
  [[nodiscard]] std::string readable(const ExpressionTree& tree, ExpressionIndex root) const;
  // The expression behind an alias of a Project between; empty where there is none.
  [[nodiscard]] std::string_view aliased(std::uint64_t id) const;

 private:
  FilteredScan(const PlanContext& context, const PlanNode& filter, const Attribute& condition, const Scan& scan);
  void read_pushed() const;
  void read_columns() const;
  void add_list(AttributeKind kind, bool is_source_syntax) const;

  const PlanContext* context_;
  const PlanNode* filter_;
  const Attribute* condition_;
  Scan scan_;
  // What the source was given: read when the first conjunct is asked about.
  mutable bool is_pushed_read_ = false;
  mutable std::vector<ExpressionTree> pushed_;            // as sources print predicates
  mutable std::vector<ExpressionTree> kept_expressions_;  // partition and required filters: expressions with ids
  mutable std::vector<ExpressionTree> partition_filters_;
  mutable std::size_t pushed_count_ = 0;
  mutable const Attribute* cut_list_ = nullptr;
  mutable bool has_unknown_list_ = false;
  bool is_above_python_ = false;
  bool is_above_typed_filter_ = false;
  std::optional<std::vector<std::string_view>> partition_columns_;
  mutable bool are_columns_read_ = false;
  mutable std::unordered_map<std::uint64_t, std::string_view> python_calls_;
  mutable std::unordered_map<std::uint64_t, std::string_view> aliases_;
};

// Conjuncts that Spark adds, or that are no business of the source: null tests, subquery comparisons, dynamic pruning and
// Bloom filters, Delta's deletion vectors, char padding, time windows.
[[nodiscard]] bool is_sparks_own(const ExpressionTree& tree, ExpressionIndex conjunct);

// `(isnotnull(a#1) AND isnotnull(b#2))`, told without reading it: half of all filters are no more than that.
[[nodiscard]] bool has_null_tests_only(std::string_view condition);

// `size(arr, true) > 0` somewhere below an explode of arr: Spark's.
[[nodiscard]] bool is_explode_guard(const PlanTree& plan, const PlanNode& filter, const ExpressionTree& tree,
                                    ExpressionIndex conjunct);

}  // namespace planvet::rules
