#include "rules/column_types.hpp"

#include <vector>

#include "analyzer/plan/expression_list.hpp"
#include "analyzer/plan/views.hpp"

namespace planvet::rules {

ColumnTypes::ColumnTypes(const PlanContext& context) {
  const PlanTree& plan = context.plan();
  const auto nodes = plan.nodes();
  // From the end of the arena: what a column is made of is known before it.
  for (std::size_t i = nodes.size(); i-- > 0;) {
    const PlanNode& node = nodes[i];
    if (node.is_logical) continue;
    const auto scan = Scan::of(plan, node.id);
    const auto schema = scan ? scan->read_schema() : std::nullopt;
    for (const AttributeKind kind :
         {AttributeKind::Output, AttributeKind::ProjectList, AttributeKind::ResultExpressions}) {
      const Attribute* list = plan.find(node.id, kind);
      if (list == nullptr) continue;
      for (const std::string_view item : split_list(list->text, list->count > 0 ? list->count : kAnyCount).items) {
        const AttributeText column = read_attribute_text(item);
        if (column.expr_id == kNoExprId || types_.count(column.expr_id) != 0) continue;
        if (column.is_long) {
          types_.emplace(column.expr_id, "bigint");
          continue;
        }
        if (schema) {
          for (const SchemaField& field : *schema) {
            if (field.name == column.name) types_.emplace(column.expr_id, field.type);
          }
        } else if (item.find(" AS ") != std::string_view::npos) {
          const ExpressionTree tree = context.parse(item);
          if (tree.empty()) continue;
          const std::string_view type = of(tree, tree.below_alias(tree.root()));
          if (!type.empty()) types_.emplace(column.expr_id, std::string(type));
        }
      }
    }
  }
}

std::string_view ColumnTypes::of(std::uint64_t id) const {
  const auto found = types_.find(id);
  return found == types_.end() ? std::string_view{} : std::string_view(found->second);
}

std::string_view ColumnTypes::of(const ExpressionTree& tree, ExpressionIndex index) const {
  std::vector<std::string_view> fields;  // innermost last
  while (index != kNoExpression && tree.kind(index) == ExpressionKind::Field) {
    fields.push_back(tree.name(index));
    index = tree.child(index, 0);
  }
  if (index == kNoExpression) return {};
  if (tree.kind(index) == ExpressionKind::Cast) return fields.empty() ? tree.name(index) : std::string_view{};
  if (tree.kind(index) != ExpressionKind::Attribute) return {};
  std::string_view type = of(tree.expr_id(index));
  for (auto field = fields.rbegin(); field != fields.rend(); ++field) {
    std::string_view inner;
    for (const SchemaField& candidate : schema_fields(type)) {
      if (candidate.name == *field) inner = candidate.type;
    }
    type = inner;
  }
  return type;
}

bool is_integer_type(std::string_view type) {
  return type == "tinyint" || type == "smallint" || type == "int" || type == "bigint";
}

bool is_decimal_type(std::string_view type) { return type.starts_with("decimal"); }

bool is_floating_type(std::string_view type) { return type == "float" || type == "double"; }

}  // namespace planvet::rules
