#include "rules/scan_filter.hpp"

#include <algorithm>

#include "analyzer/plan/walk.hpp"
#include "rules/wording.hpp"

namespace planvet::rules {
namespace {

// Machine-made plans stack thousands of projections; nobody's filter stands that far above its scan.
constexpr int kMostSteps = 100;

bool is_passed_through(const PlanNode& node) {
  switch (family(node.kind)) {
    case OperatorFamily::Project:
    case OperatorFamily::Filter: return true;
    case OperatorFamily::Python:
      return node.kind == OperatorKind::BatchEvalPython || node.kind == OperatorKind::ArrowEvalPython;
    default: return node.kind == OperatorKind::CollectMetrics || is_structural(node.kind);
  }
}

// A lambda over objects: `..$Lambda$4333/0x..@3725c8ce.apply`, `IsEven@629734.call`, in 4.3 `invoke(..)`.
bool is_typed_filter(std::string_view condition) {
  const bool is_object =
      condition.find('@') != std::string_view::npos &&
      (condition.find(".apply") != std::string_view::npos || condition.find(".call") != std::string_view::npos);
  return is_object || condition.starts_with("invoke(");
}

bool has_text(const ExpressionTree& tree, ExpressionIndex root, std::string_view text) {
  return tree.text(root).find(text) != std::string_view::npos;
}

bool is_null_test_of_anything(const ExpressionTree& tree, ExpressionIndex root) {
  if (is_null_test(tree, root)) return true;
  if (tree.kind(root) != ExpressionKind::Call) return false;
  return tree.name(root) == "isnotnull" || tree.name(root) == "isnull";
}

}  // namespace

std::optional<FilteredScan> FilteredScan::of(const PlanContext& context, const PlanNode& filter) {
  const PlanTree& plan = context.plan();
  const Attribute* condition = plan.find(filter.id, AttributeKind::Condition);
  if (condition == nullptr) return std::nullopt;
  NodeId at = plan.input(filter.id);
  int steps = 0;
  while (at != kNoNode && is_passed_through(plan.node(at)) && ++steps < kMostSteps) at = plan.input(at);
  if (at == kNoNode) return std::nullopt;
  const auto scan = Scan::of(plan, at);
  if (!scan || scan->is_streaming()) return std::nullopt;
  const OperatorKind kind = scan->node().kind;
  if (kind == OperatorKind::RDDScan || kind == OperatorKind::ExternalRDDScan) return std::nullopt;
  return FilteredScan(context, filter, *condition, *scan);
}

FilteredScan::FilteredScan(const PlanContext& context, const PlanNode& filter, const Attribute& condition,
                           const Scan& scan)
    : context_(&context), filter_(&filter), condition_(&condition), scan_(scan) {
  const PlanTree& plan = context.plan();
  for (NodeId at = plan.input(filter.id); at != scan.id(); at = plan.input(at)) {
    const PlanNode& node = plan.node(at);
    if (node.kind == OperatorKind::Filter) {
      // A typed filter, `..$Lambda$4333/0x..@3725c8ce.apply`, lets no later filter pass.
      const Attribute* below = plan.find(at, AttributeKind::Condition);
      is_above_typed_filter_ = is_above_typed_filter_ || (below != nullptr && is_typed_filter(below->text));
    }
    is_above_python_ = is_above_python_ || family(node.kind) == OperatorFamily::Python;
  }
  partition_columns_ = scan.partition_columns();
  const TableFact* table = context.facts().table(scan.table());
  if (table != nullptr && !table->partition_columns.empty()) {
    if (!partition_columns_) partition_columns_.emplace();
    for (const std::string& column : table->partition_columns) {
      if (!is_partition_column(column)) partition_columns_->push_back(column);
    }
  }
}

void FilteredScan::add_list(AttributeKind kind, bool is_source_syntax) const {
  const PlanContext& context = *context_;
  const Attribute* list = scan_.find(kind);
  if (list == nullptr) return;
  if (!list->is_whole()) {
    if (cut_list_ == nullptr) cut_list_ = list;
    has_unknown_list_ = true;
  }
  if (is_source_syntax) {
    for (ExpressionTree& tree : context.parser().pushed_filters(list->text)) {
      if (tree.empty()) continue;
      if (tree.kind(tree.root()) == ExpressionKind::More) has_unknown_list_ = true;
      if (!is_null_test(tree, tree.root())) ++pushed_count_;
      pushed_.push_back(std::move(tree));
    }
    return;
  }
  for (const std::string_view item : split_list(list->text).items) {
    ExpressionTree tree = context.parse(item);
    if (tree.empty()) continue;
    const bool is_dynamic = item.find("dynamicpruning") != std::string_view::npos;
    if (!is_dynamic && !is_null_test_of_anything(tree, tree.root())) {
      ++pushed_count_;
      if (kind == AttributeKind::PartitionFilters) partition_filters_.push_back(tree);
    }
    kept_expressions_.push_back(std::move(tree));
  }
}

void FilteredScan::read_pushed() const {
  if (is_pushed_read_) return;
  is_pushed_read_ = true;
  // Spark lists predicates for text files as for all others; their reader takes none.
  if (scan_.source() != ScanSource::Text) add_list(AttributeKind::PushedFilters, true);
  add_list(AttributeKind::ScanFilters, true);
  add_list(AttributeKind::PartitionFilters, false);
  add_list(AttributeKind::RequiredDataFilters, false);
  // Hive's reader gets partition predicates and nothing else. Of others, what was not printed at all is not known.
  if (scan_.source() != ScanSource::Hive && !scan_.has_metadata()) has_unknown_list_ = true;
  if (scan_.is_v2() && scan_.find(AttributeKind::PushedFilters) == nullptr &&
      scan_.find(AttributeKind::ScanFilters) == nullptr) {
    has_unknown_list_ = true;
  }
}

std::size_t FilteredScan::pushed_count() const {
  read_pushed();
  return pushed_count_;
}

const Attribute* FilteredScan::cut_list() const {
  read_pushed();
  return cut_list_;
}

Answer FilteredScan::is_pushed(const ExpressionTree& tree, ExpressionIndex conjunct) const {
  read_pushed();
  bool is_unknown = has_unknown_list_;
  for (const ExpressionTree& pushed : pushed_) {
    const Answer answer = same_predicate(tree, conjunct, pushed, pushed.root());
    if (answer == Answer::Yes) return Answer::Yes;
    if (answer == Answer::Unknown) is_unknown = true;
  }
  for (const ExpressionTree& kept : kept_expressions_) {
    if (kept.text(kept.root()) == tree.text(conjunct)) return Answer::Yes;
  }
  return is_unknown ? Answer::Unknown : Answer::No;
}

bool FilteredScan::is_partition_column(std::string_view name) const {
  if (!partition_columns_) return false;
  return std::any_of(partition_columns_->begin(), partition_columns_->end(),
                     [&](std::string_view column) { return same_table(column, name); });
}

bool FilteredScan::is_partition_pruned_by(std::string_view column) const {
  read_pushed();
  for (const ExpressionTree& filter : partition_filters_) {
    bool is_on_it = false;
    filter.for_each_attribute(filter.root(),
                              [&](ExpressionIndex at) { is_on_it = is_on_it || filter.name(at) == column; });
    if (is_on_it) return true;
  }
  return false;
}

std::string_view FilteredScan::type_of(std::string_view column) const {
  const auto schema = scan_.read_schema();
  if (!schema) return {};
  for (const SchemaField& field : *schema) {
    if (field.name == column) return field.type;
  }
  return {};
}

void FilteredScan::read_columns() const {
  if (are_columns_read_) return;
  are_columns_read_ = true;
  const PlanTree& plan = context_->plan();
  for (NodeId at = plan.input(filter_->id); at != scan_.id(); at = plan.input(at)) {
    const PlanNode& node = plan.node(at);
    if (family(node.kind) == OperatorFamily::Python) {
      const Attribute* calls = plan.find(at, AttributeKind::Functions);
      const Attribute* results = plan.find(at, AttributeKind::ResultAttributes);
      if (calls == nullptr || results == nullptr) continue;
      const ItemList call_items = split_list(calls->text);
      const ItemList result_items = split_list(results->text);
      for (std::size_t i = 0; i < std::min(call_items.items.size(), result_items.items.size()); ++i) {
        python_calls_[read_attribute_text(result_items.items[i]).expr_id] = call_items.items[i];
      }
    } else if (family(node.kind) == OperatorFamily::Project) {
      for (const AttributeKind kind : {AttributeKind::ProjectList, AttributeKind::Output}) {
        const Attribute* list = plan.find(at, kind);
        if (list == nullptr || list->text.find(" AS ") == std::string_view::npos) continue;
        for (const std::string_view item : split_list(list->text).items) {
          if (item.find(" AS ") != std::string_view::npos) aliases_[read_attribute_text(item).expr_id] = item;
        }
      }
    }
  }
}

std::string_view FilteredScan::python_call(std::uint64_t result_id) const {
  read_columns();
  const auto found = python_calls_.find(result_id);
  return found == python_calls_.end() ? std::string_view{} : found->second;
}

std::string FilteredScan::readable(const ExpressionTree& tree, ExpressionIndex root) const {
  std::string text(tree.text(root));
  tree.for_each_attribute(root, [&](ExpressionIndex at) {
    const std::string_view call = python_call(tree.expr_id(at));
    if (call.empty()) return;
    const std::size_t place = text.find(tree.text(at));
    if (place != std::string::npos) text.replace(place, tree.text(at).size(), call);
  });
  return plain(text);
}

std::string_view FilteredScan::aliased(std::uint64_t id) const {
  read_columns();
  const auto found = aliases_.find(id);
  return found == aliases_.end() ? std::string_view{} : found->second;
}

bool is_sparks_own(const ExpressionTree& tree, ExpressionIndex conjunct) {
  if (is_null_test_of_anything(tree, conjunct)) return true;
  if (tree.contains(conjunct, ExpressionKind::Subquery)) return true;
  for (const std::string_view mark :
       {"might_contain", "dynamicpruning", "subquery#", "__delta_internal", "_databricks_internal", "rpad(",
        "readSidePadding", "precisetimestampconversion"}) {
    if (has_text(tree, conjunct, mark)) return true;
  }
  bool has_column = false;
  tree.for_each_attribute(conjunct, [&](ExpressionIndex) { has_column = true; });
  return !has_column;
}

bool has_null_tests_only(std::string_view condition) {
  constexpr std::string_view kTest = "isnotnull(";
  constexpr std::string_view kAnd = " AND ";
  while (!condition.empty()) {
    if (condition.starts_with(kTest)) {
      const std::size_t end = condition.find_first_of("()", kTest.size());
      if (end == std::string_view::npos || condition[end] == '(') return false;
      condition.remove_prefix(end + 1);
    } else if (condition.starts_with(kAnd)) {
      condition.remove_prefix(kAnd.size());
    } else if (condition.front() == '(' || condition.front() == ')') {
      condition.remove_prefix(1);
    } else {
      return false;
    }
  }
  return true;
}

bool is_explode_guard(const PlanTree& plan, const PlanNode& filter, const ExpressionTree& tree,
                      ExpressionIndex conjunct) {
  if (tree.op(conjunct) != ExpressionOperator::Greater) return false;
  const ExpressionIndex size = tree.child(conjunct, 0);
  if (tree.kind(size) != ExpressionKind::Call || tree.name(size) != "size") return false;
  const ExpressionIndex array = tree.child(size, 0);
  const std::string_view printed = array == kNoExpression ? std::string_view{} : tree.text(array);
  for (NodeId above = plan.node(filter.id).parent; above != kNoNode; above = plan.node(above).parent) {
    if (family(plan.node(above).kind) != OperatorFamily::Generate) continue;
    const Attribute* generator = plan.find(above, AttributeKind::Generator);
    if (generator == nullptr || generator->text.find(printed) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace planvet::rules
