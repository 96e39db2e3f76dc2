#include "analyzer/read/tree_node/expression_text.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "analyzer/plan/characters.hpp"

namespace planvet::read::tree_node {
namespace {

using Index = JsonTree::Index;
using Type = JsonTree::Type;

// A page of brackets is enough; deeper ones are cut.
constexpr int kDeepest = 400;

struct Name {
  std::string_view java;  // the class
  std::string_view text;  // as Spark prints it
};

constexpr auto kInfix = std::to_array<Name>({
    {"And", "AND"},
    {"Or", "OR"},
    {"EqualTo", "="},
    {"EqualNullSafe", "<=>"},
    {"GreaterThan", ">"},
    {"GreaterThanOrEqual", ">="},
    {"LessThan", "<"},
    {"LessThanOrEqual", "<="},
    {"Add", "+"},
    {"Subtract", "-"},
    {"Multiply", "*"},
    {"Divide", "/"},
    {"Remainder", "%"},
    {"IntegralDivide", "div"},
    {"BitwiseAnd", "&"},
    {"BitwiseOr", "|"},
    {"BitwiseXor", "^"},
});

// Functions that are not called as their class is.
constexpr auto kFunctions = std::to_array<Name>({
    {"Average", "avg"},
    {"CreateArray", "array"},
    {"CreateMap", "map"},
    {"CreateNamedStruct", "named_struct"},
    {"RowNumber", "row_number"},
    {"DenseRank", "dense_rank"},
    {"PercentRank", "percent_rank"},
    {"CumeDist", "cume_dist"},
    {"CollectList", "collect_list"},
    {"CollectSet", "collect_set"},
    {"StddevSamp", "stddev_samp"},
    {"StddevPop", "stddev_pop"},
    {"VarianceSamp", "var_samp"},
    {"VariancePop", "var_pop"},
    {"HyperLogLogPlusPlus", "approx_count_distinct"},
    {"DateFormatClass", "date_format"},
    {"StringSplit", "split"},
    {"StringTrim", "trim"},
    {"StringReplace", "replace"},
    {"RegExpReplace", "regexp_replace"},
    {"RegExpExtract", "regexp_extract"},
    {"DateAdd", "date_add"},
    {"DateSub", "date_sub"},
    {"DateDiff", "datediff"},
    {"ArrayContains", "array_contains"},
    {"Murmur3Hash", "hash"},
    {"StartsWith", "StartsWith"},
    {"EndsWith", "EndsWith"},
    {"Contains", "Contains"},
});

template <typename List>
std::optional<std::string_view> find_name(const List& list, std::string_view java) {
  for (const Name& row : list) {
    if (row.java == java) return row.text;
  }
  return std::nullopt;
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i != 0) text += separator;
    text += parts[i];
  }
  return text;
}

std::optional<std::int64_t> expression_id(const JsonTree& json, Index object, std::string_view key) {
  return json.integer(json.find(object, key), "id");
}

// "ORG..Final$" of {"object":"ORG..Final$"}.
std::string_view object_name(const JsonTree& json, Index object, std::string_view key) {
  return short_class(json.raw(json.string_range(json.find(object, key), "object")));
}

// A text, and of what type its value is: only longs have a mark, "#12L".
struct Text {
  std::string text;
  bool is_long = false;
};

class Printer {
 public:
  Printer(const JsonTree& json, Index array) : json_(json), items_(json.children(array)) {}

  Text print() { return items_.empty() ? Text() : next(0); }

 private:
  Text next(int depth) {
    if (at_ >= items_.size()) return {"?", false};
    const Index object = items_[at_++];
    const std::string_view name = class_of(json_, object);
    const std::int64_t count = std::clamp<std::int64_t>(json_.integer(object, "num-children").value_or(0), 0,
                                                        static_cast<std::int64_t>(items_.size()));
    std::vector<Text> inputs;
    for (std::int64_t i = 0; i < count && at_ < items_.size(); ++i) {
      if (depth > kDeepest) {
        at_ = items_.size();
        return {"...", false};
      }
      inputs.push_back(next(depth + 1));
    }
    return text_of(object, name, inputs);
  }

  Text text_of(Index object, std::string_view name, const std::vector<Text>& inputs) const {
    const auto text = [&](std::size_t i) { return i < inputs.size() ? inputs[i].text : std::string("?"); };
    const bool first_is_long = !inputs.empty() && inputs.front().is_long;
    if (name == "AttributeReference") return attribute(object);
    if (name == "Literal") return {literal(object), is_long_type(object)};
    if (name == "BoundReference") return bound_reference(object);
    if (name == "Alias") return alias(object, text(0), first_is_long);
    if (name == "Cast" || name == "AnsiCast") {
      return {"cast(" + text(0) + " as " + type_text(json_, json_.find(object, "dataType")) + ")",
              is_long_type(object)};
    }
    if (const auto infix = find_name(kInfix, name); infix && inputs.size() == 2) {
      const bool is_arithmetic =
          infix->size() == 1 && std::string_view("+-*%&|^").find(infix->front()) != std::string_view::npos;
      return {"(" + text(0) + " " + std::string(*infix) + " " + text(1) + ")",
              (is_arithmetic && first_is_long) || name == "IntegralDivide"};
    }
    if (name == "Not") return {"NOT " + text(0), false};
    if (name == "SortOrder") return {sort_order(object, text(0)), false};
    if (name == "In") return {in(inputs), false};
    if (name == "Like" || name == "RLike") {
      if (name == "Like") return {text(0) + " LIKE " + text(1), false};
      return {"RLIKE(" + text(0) + ", " + text(1) + ")", false};
    }
    if (name == "CaseWhen") return case_when(inputs);
    if (name == "AggregateExpression") return {aggregate(object, text(0)), first_is_long};
    if (name == "WindowExpression") return {text(0) + " " + text(1), first_is_long};
    if (name == "SpecifiedWindowFrame") {
      const std::string type(object_name(json_, object, "frameType"));
      return {"specifiedwindowframe(" + type + ", " + text(0) + ", " + text(1) + ")", false};
    }
    if (name == "UnboundedPreceding" || name == "UnboundedFollowing" || name == "CurrentRow")
      return {lower_case(name) + "$()", false};
    if (name == "ScalarSubquery" || name == "InSubqueryExec" || name == "SubqueryExec")
      return subquery(object, name, inputs);
    if (name.ends_with("Partitioning")) return {partitioning(object, name, inputs), false};
    return function(object, name, inputs);
  }

  [[nodiscard]] bool is_long_type(Index object) const {
    return json_.raw(json_.string_range(object, "dataType")) == "long";
  }

  [[nodiscard]] Text attribute(Index object) const {
    std::string text = json_.string(object, "name");
    const bool is_long = is_long_type(object);
    if (const auto id = expression_id(json_, object, "exprId"))
      text += "#" + std::to_string(*id) + (is_long ? "L" : "");
    return {std::move(text), is_long};
  }

  [[nodiscard]] Text alias(Index object, const std::string& input, bool is_long) const {
    std::string text = input + " AS " + json_.string(object, "name");
    if (const auto id = expression_id(json_, object, "exprId"))
      text += "#" + std::to_string(*id) + (is_long ? "L" : "");
    return {std::move(text), is_long};
  }

  [[nodiscard]] std::string literal(Index object) const {
    const Index value = json_.find(object, "value");
    if (value == JsonTree::kNone || json_[value].type == Type::Null) return "null";
    if (json_[value].type == Type::String) return plan_info::decoded(json_.text(), json_[value].text);
    if (json_[value].type == Type::Flag) return json_[value].flag ? "true" : "false";
    return std::to_string(json_[value].integer);
  }

  [[nodiscard]] Text bound_reference(Index object) const {
    const Index nullable = json_.find(object, "nullable");
    const bool is_nullable = nullable != JsonTree::kNone && json_[nullable].flag;
    return {"input[" + std::to_string(json_.integer(object, "ordinal").value_or(0)) + ", " +
                type_text(json_, json_.find(object, "dataType")) + ", " + (is_nullable ? "true" : "false") + "]",
            is_long_type(object)};
  }

  [[nodiscard]] std::string sort_order(Index object, const std::string& input) const {
    const bool is_descending = object_name(json_, object, "direction") == "Descending";
    const bool is_last = object_name(json_, object, "nullOrdering") == "NullsLast";
    return input + (is_descending ? " DESC" : " ASC") + (is_last ? " NULLS LAST" : " NULLS FIRST");
  }

  [[nodiscard]] static std::string in(const std::vector<Text>& inputs) {
    std::vector<std::string> values;
    for (std::size_t i = 1; i < inputs.size(); ++i) values.push_back(inputs[i].text);
    return (inputs.empty() ? "?" : inputs.front().text) + " IN (" + joined(values, ",") + ")";
  }

  [[nodiscard]] static Text case_when(const std::vector<Text>& inputs) {
    std::string text = "CASE";
    std::size_t at = 0;
    for (; at + 1 < inputs.size(); at += 2) text += " WHEN " + inputs[at].text + " THEN " + inputs[at + 1].text;
    if (at < inputs.size()) text += " ELSE " + inputs[at].text;
    return {text + " END", inputs.size() > 1 && inputs[1].is_long};
  }

  [[nodiscard]] std::string aggregate(Index object, std::string function) const {
    const std::string_view mode = object_name(json_, object, "mode");
    const Index distinct = json_.find(object, "isDistinct");
    if (distinct != JsonTree::kNone && json_[distinct].flag) {
      const std::size_t bracket = function.find('(');
      if (bracket != std::string::npos) function.insert(bracket + 1, "distinct ");
    }
    if (mode == "Partial") function.insert(0, "partial_");
    if (mode == "PartialMerge") function.insert(0, "merge_");
    const Index filter = json_.find(object, "filter");
    if (is_tree_node(json_, filter) && (mode == "Partial" || mode == "Complete"))
      function += " FILTER (WHERE " + expression_text(json_, filter) + ")";
    return function;
  }

  [[nodiscard]] Text subquery(Index object, std::string_view name, const std::vector<Text>& inputs) const {
    const Index plan = json_.find(object, "plan");
    const std::vector<Index> nodes = json_.children(plan);
    std::string called = nodes.empty() ? json_.string(object, "name") : json_.string(nodes.front(), "name");
    if (!nodes.empty() && class_of(json_, nodes.front()) == "ReusedSubqueryExec") {
      const std::vector<Index> reused = json_.children(json_.find(nodes.front(), "child"));
      if (!reused.empty()) return {"ReusedSubquery Subquery " + json_.string(reused.front(), "name"), false};
    }
    if (called.empty()) called = name == "InSubqueryExec" ? "dynamicpruning" : "subquery";
    if (name == "InSubqueryExec") return {(inputs.empty() ? "?" : inputs.front().text) + " IN " + called, false};
    return {"Subquery " + called, false};
  }

  [[nodiscard]] std::string partitioning(Index object, std::string_view name, const std::vector<Text>& inputs) const {
    std::vector<std::string> parts;
    for (const Text& input : inputs) parts.push_back(input.text);
    if (const auto count = json_.integer(object, "numPartitions")) parts.push_back(std::to_string(*count));
    return lower_case(name) + "(" + joined(parts, ", ") + ")";
  }

  // What is no input follows those, as Spark prints it: `first(a#1, false)`.
  [[nodiscard]] Text function(Index object, std::string_view name, const std::vector<Text>& inputs) const {
    std::vector<std::string> parts;
    for (const Text& input : inputs) parts.push_back(input.text);
    if (name == "First" || name == "Last" || name == "AnyValue") {
      const Index flag = json_.find(object, "ignoreNulls");
      if (flag != JsonTree::kNone) parts.emplace_back(json_[flag].flag ? "true" : "false");
    }
    const std::optional<std::string_view> known = find_name(kFunctions, name);
    const bool keeps_type = name == "Max" || name == "Min" || name == "Sum" || name == "First" || name == "Last" ||
                            name == "Coalesce" || name == "Abs" || name == "PromotePrecision" || name == "KnownNotNull";
    const bool is_long = name == "Count" || (keeps_type && !inputs.empty() && inputs.front().is_long);
    return {(known ? std::string(*known) : lower_case(name)) + "(" + joined(parts, ", ") + ")", is_long};
  }

  const JsonTree& json_;
  std::vector<Index> items_;
  std::size_t at_ = 0;
};

std::string type_at(const JsonTree& json, Index type, int depth) {
  if (type == JsonTree::kNone || depth > kDeepest) return "?";
  if (json[type].type == Type::String) {
    const std::string name = plan_info::decoded(json.text(), json[type].text);
    for (const Name& row :
         std::to_array<Name>({{"long", "bigint"}, {"integer", "int"}, {"short", "smallint"}, {"byte", "tinyint"}})) {
      if (row.java == name) return std::string(row.text);
    }
    return name;
  }
  if (json[type].type == Type::Array) return "struct<>";  // a schema without columns
  const std::string_view kind = json.raw(json.string_range(type, "type"));
  if (kind == "array") return "array<" + type_at(json, json.find(type, "elementType"), depth + 1) + ">";
  if (kind == "map") {
    return "map<" + type_at(json, json.find(type, "keyType"), depth + 1) + "," +
           type_at(json, json.find(type, "valueType"), depth + 1) + ">";
  }
  if (kind != "struct") return std::string(kind);
  std::vector<std::string> fields;
  for (const Index field : json.children(json.find(type, "fields")))
    fields.push_back(json.string(field, "name") + ":" + type_at(json, json.find(field, "type"), depth + 1));
  return "struct<" + joined(fields, ",") + ">";
}

}  // namespace

std::string_view short_class(std::string_view name) {
  if (name.ends_with('$')) name.remove_suffix(1);
  return name.substr(name.rfind('.') + 1);
}

std::string_view class_of(const JsonTree& json, Index object) {
  return short_class(json.raw(json.string_range(object, "class")));
}

bool is_tree_node(const JsonTree& json, Index value) {
  if (!json.is_array(value) || value + 1 >= json[value].subtree_end) return false;
  return json.is_object(value + 1) && json.find(value + 1, "class") != JsonTree::kNone;
}

std::string expression_text(const JsonTree& json, Index array) { return Printer(json, array).print().text; }

std::string type_text(const JsonTree& json, Index type) { return type_at(json, type, 0); }

std::vector<Index> plans_inside(const JsonTree& json, Index value) {
  std::vector<Index> plans;
  for (Index at = value; at < json[value].subtree_end;) {
    const bool is_plan = json.key(at) == "plan" && is_tree_node(json, at);
    if (is_plan) plans.push_back(at);
    at = is_plan ? json[at].subtree_end : at + 1;
  }
  return plans;
}

}  // namespace planvet::read::tree_node
