#include "rules/computed_columns.hpp"

#include <algorithm>
#include <array>

#include "analyzer/plan/views.hpp"

namespace planvet::rules {
namespace {

constexpr int kMostAliases = 8;

// Functions whose result is text, whatever goes in. Sorted.
constexpr auto kTextFunctions = std::to_array<std::string_view>({"base64",
                                                                 "concat_ws",
                                                                 "date_format",
                                                                 "dayname",
                                                                 "decode",
                                                                 "encode",
                                                                 "format_number",
                                                                 "format_string",
                                                                 "from_unixtime",
                                                                 "get_json_object",
                                                                 "hex",
                                                                 "initcap",
                                                                 "lcase",
                                                                 "left",
                                                                 "lower",
                                                                 "lpad",
                                                                 "ltrim",
                                                                 "md5",
                                                                 "monthname",
                                                                 "regexp_extract",
                                                                 "regexp_replace",
                                                                 "repeat",
                                                                 "replace",
                                                                 "reverse",
                                                                 "right",
                                                                 "rpad",
                                                                 "rtrim",
                                                                 "sha",
                                                                 "sha1",
                                                                 "sha2",
                                                                 "substr",
                                                                 "substring",
                                                                 "substring_index",
                                                                 "to_json",
                                                                 "translate",
                                                                 "trim",
                                                                 "ucase",
                                                                 "upper"});

constexpr auto kNumberFunctions = std::to_array<std::string_view>(
    {"abs",    "array_size", "ceil",           "datediff",   "day",      "dayofweek", "floor",
     "hash",   "hour",       "length",         "minute",     "month",    "quarter",   "round",
     "second", "size",       "unix_timestamp", "weekofyear", "xxhash64", "year"});

template <typename Names>
bool is_one_of(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool is_variable_width(std::string_view type) {
  for (const std::string_view beginning :
       {"string", "varchar", "char", "binary", "array", "map", "struct", "variant"}) {
    if (type.starts_with(beginning)) return true;
  }
  return false;
}

ComputedColumns::ComputedColumns(const PlanContext& context) : context_(context), types_(context) {
  const PlanTree& plan = context.plan();
  for (const PlanNode& node : context.operators()) {
    if (node.kind != OperatorKind::Project) continue;
    // Formatted text lists what a projection computes as its output.
    for (const AttributeKind kind : {AttributeKind::ProjectList, AttributeKind::Output}) {
      const Attribute* list = plan.find(node.id, kind);
      if (list == nullptr || list->text.find(" AS ") == std::string_view::npos) continue;
      for (const std::string_view item : split_list(list->text).items) {
        if (item.find(" AS ") == std::string_view::npos) continue;
        const ExpressionTree tree = context.parse(item);
        if (tree.empty() || tree.kind(tree.root()) != ExpressionKind::Alias) continue;
        expressions_.emplace(tree.expr_id(tree.root()), tree.text(tree.child(tree.root(), 0)));
      }
    }
  }
}

std::string_view ComputedColumns::expression_of(std::uint64_t id) const {
  const auto found = expressions_.find(id);
  return found == expressions_.end() ? std::string_view{} : found->second;
}

std::string_view ComputedColumns::type_of(const ExpressionTree& tree, ExpressionIndex root) const {
  return type_of(tree, root, 0);
}

std::string_view ComputedColumns::type_of(const ExpressionTree& tree, ExpressionIndex root, int aliases) const {
  if (root == kNoExpression) return {};
  switch (tree.kind(root)) {
    case ExpressionKind::Attribute: {
      if (tree.has(root, ExpressionFlag::Long)) return "bigint";
      const std::uint64_t id = tree.expr_id(root);
      if (const std::string_view type = types_.of(id); !type.empty()) return type;
      const std::string_view behind = expression_of(id);
      if (behind.empty() || aliases == kMostAliases) return {};
      const ExpressionTree inner = context_.parse(behind);
      return inner.empty() ? std::string_view{} : type_of(inner, inner.root(), aliases + 1);
    }
    case ExpressionKind::Alias: return type_of(tree, tree.child(root, 0), aliases);
    case ExpressionKind::Cast: return tree.name(root);
    case ExpressionKind::Not: return "boolean";
    case ExpressionKind::Binary: {
      const ExpressionOperator op = tree.op(root);
      if (is_comparison(op) || op == ExpressionOperator::And || op == ExpressionOperator::Or) return "boolean";
      return type_of(tree, tree.child(root, 0), aliases);
    }
    case ExpressionKind::Field: {
      const std::string_view type = type_of(tree, tree.child(root, 0), aliases);
      if (!type.starts_with("struct<")) return {};
      for (const SchemaField& field : schema_fields(type)) {
        if (field.name == tree.name(root)) return field.type;
      }
      return {};
    }
    case ExpressionKind::Call: {
      const std::string_view function = tree.name(root);
      if (function == "named_struct" || function == "struct") return "struct";
      if (function == "array" || function == "map") return function;
      if (is_one_of(kTextFunctions, function)) return "string";
      if (is_one_of(kNumberFunctions, function)) return "int";
      if (function == "concat" || function == "coalesce") return type_of(tree, tree.child(root, 0), aliases);
      return {};
    }
    default: return {};
  }
}

}  // namespace planvet::rules
