#include "analyzer/render/pushed.hpp"

#include <algorithm>
#include <array>

#include "analyzer/plan/expression_list.hpp"
#include "analyzer/render/drawing.hpp"
#include "analyzer/render/readable.hpp"

namespace planvet::render {

namespace {

constexpr std::array kPushedLists = {AttributeKind::PushedFilters, AttributeKind::ScanFilters};
constexpr std::array kConditionLists = {AttributeKind::PartitionFilters, AttributeKind::RequiredDataFilters};

// Filters stand above their scan with nothing but these between.
NodeId scan_below(const PlanTree& tree, NodeId filter) {
  NodeId at = tree.input(filter);
  while (at != kNoNode) {
    const OperatorFamily kind = family(tree[at].kind);
    if (kind == OperatorFamily::Scan) return at;
    if (kind != OperatorFamily::Project && kind != OperatorFamily::Filter && !is_structural(tree, at)) return kNoNode;
    at = tree.input(at);
  }
  return kNoNode;
}

// Does the scan print its filters at all? Formatted blocks drop empty lists, so a list that is not there is empty only
// where the rest is.
bool prints_filters(const PlanTree& tree, NodeId scan) {
  const OperatorKind kind = tree[scan].kind;
  if (kind != OperatorKind::FileSourceScan && kind != OperatorKind::BatchScan &&
      kind != OperatorKind::RowDataSourceScan)
    return false;
  return tree.find(scan, AttributeKind::ReadSchema) != nullptr ||
         tree.find(scan, AttributeKind::ScanFilters) != nullptr ||
         tree.find(scan, AttributeKind::PushedFilters) != nullptr;
}

struct Source {
  std::vector<ExpressionTree> pushed;
  std::vector<std::string_view> conditions;  // printed like the filter's own conjuncts
  bool is_whole = false;
};

Source read_source(const PlanTree& tree, NodeId scan, const ExpressionParser& parser) {
  Source source;
  source.is_whole = prints_filters(tree, scan);
  for (const AttributeKind kind : kPushedLists) {
    const Attribute* list = tree.find(scan, kind);
    if (list == nullptr) continue;
    source.is_whole = source.is_whole && list->is_whole();
    for (ExpressionTree& predicate : parser.pushed_filters(list->text)) source.pushed.push_back(std::move(predicate));
  }
  for (const AttributeKind kind : kConditionLists) {
    const Attribute* list = tree.find(scan, kind);
    if (list == nullptr) continue;
    const ItemList items = split_list(list->text);
    source.is_whole = source.is_whole && list->is_whole() && !items.is_truncated;
    source.conditions.insert(source.conditions.end(), items.items.begin(), items.items.end());
  }
  return source;
}

Answer is_pushed(const Source& source, const ExpressionTree& condition, ExpressionIndex conjunct) {
  const std::string text = readable(condition.text(conjunct));
  if (std::ranges::any_of(source.conditions, [&](std::string_view other) { return readable(other) == text; }))
    return Answer::Yes;
  bool is_unknown = !source.is_whole;
  for (const ExpressionTree& predicate : source.pushed) {
    const Answer answer = same_predicate(condition, conjunct, predicate, predicate.root());
    if (answer == Answer::Yes) return Answer::Yes;
    is_unknown = is_unknown || answer == Answer::Unknown;
  }
  return is_unknown ? Answer::Unknown : Answer::No;
}

}  // namespace

std::vector<FilterPart> filter_parts(const PlanTree& tree, NodeId filter, const ExpressionParser& parser) {
  const Attribute* const condition = tree.find(filter, AttributeKind::Condition);
  if (condition == nullptr || parser.expression == nullptr) return {};
  const ExpressionTree expression = parser.expression(condition->text);
  const NodeId scan = scan_below(tree, filter);
  const bool has_source = scan != kNoNode && parser.pushed_filters != nullptr;
  const Source source = has_source ? read_source(tree, scan, parser) : Source{};
  std::vector<FilterPart> parts;
  for (const ExpressionIndex conjunct : expression.conjuncts(expression.root())) {
    FilterPart part;
    part.text = expression.text(conjunct);
    part.is_null_test = is_null_test(expression, conjunct);
    part.is_or = expression.op(conjunct) == ExpressionOperator::Or;
    if (has_source) part.pushed = is_pushed(source, expression, conjunct);
    parts.push_back(part);
  }
  return parts;
}

std::vector<std::string> pushed_predicates(const PlanTree& tree, NodeId scan, const ExpressionParser& parser) {
  std::vector<std::string> texts;
  if (parser.pushed_filters == nullptr) return texts;
  for (const AttributeKind kind : kPushedLists) {
    const Attribute* list = tree.find(scan, kind);
    if (list == nullptr) continue;
    for (const ExpressionTree& predicate : parser.pushed_filters(list->text)) {
      if (predicate.empty() || is_null_test(predicate, predicate.root())) continue;
      texts.push_back(readable_predicate(predicate, predicate.root()));
    }
  }
  return texts;
}

}  // namespace planvet::render
