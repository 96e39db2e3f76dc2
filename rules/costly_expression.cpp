#include "rules/costly_expression.hpp"

#include <algorithm>
#include <array>

#include "analyzer/plan/expression_list.hpp"
#include "rules/builtin_functions.hpp"

namespace planvet::rules {
namespace {

constexpr auto kCostly =
    std::to_array<std::string_view>({"from_json", "from_csv", "from_xml", "get_json_object", "json_tuple", "parse_json",
                                     "schema_of_json", "to_json", "parse_url", "rlike", "split", "aes_decrypt",
                                     "aes_encrypt", "java_method", "reflect", "levenshtein", "sentences"});

bool is_costly_function(std::string_view function) {
  if (function.starts_with("partial_")) function.remove_prefix(8);
  return std::find(kCostly.begin(), kCostly.end(), function) != kCostly.end() || function.starts_with("regexp") ||
         function.starts_with("xpath") || !is_builtin_function(function);
}

}  // namespace

bool is_costly(const PlanContext& context, std::string_view expression) {
  const ExpressionTree tree = context.parse(expression);
  bool is_found = false;
  tree.for_each(tree.root(), [&](ExpressionIndex at) {
    switch (tree.kind(at)) {
      case ExpressionKind::RLike:
      case ExpressionKind::LambdaFunction:
      case ExpressionKind::Opaque:
      case ExpressionKind::More: is_found = true; break;
      case ExpressionKind::Attribute: is_found = is_found || tree.name(at).starts_with("pythonUDF"); break;
      case ExpressionKind::Call: is_found = is_found || is_costly_function(tree.function_name(at)); break;
      default: break;
    }
  });
  return is_found;
}

bool has_costly_expression(const PlanContext& context, NodeId id) {
  for (const AttributeKind kind :
       {AttributeKind::Condition, AttributeKind::ProjectList, AttributeKind::GroupingKeys, AttributeKind::Functions}) {
    const Attribute* attribute = context.plan().find(id, kind);
    if (attribute == nullptr) continue;
    if (kind == AttributeKind::Condition) {
      if (!attribute->is_whole() || is_costly(context, attribute->text)) return true;
      continue;
    }
    const ItemList list = split_list(attribute->text);
    if (list.is_truncated || !list.is_balanced) return true;
    const auto is_dear = [&](std::string_view item) {
      return item.find('(') != std::string_view::npos && is_costly(context, item);
    };
    if (std::any_of(list.items.begin(), list.items.end(), is_dear)) return true;
  }
  return false;
}

}  // namespace planvet::rules
