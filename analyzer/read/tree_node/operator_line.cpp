#include "analyzer/read/tree_node/operator_line.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/read/tree_node/expression_text.hpp"

namespace planvet::read::tree_node {
namespace {

using Index = JsonTree::Index;
using Type = JsonTree::Type;

// Members that lead to inputs, are not printed, or say where an input is.
constexpr auto kNotPrinted = std::to_array<std::string_view>({
    "class",
    "num-children",
    "child",
    "left",
    "right",
    "children",
    "plan",
    "isSkewJoin",
    "metadata",
    "inputPlan",
    "context",
    "preprocessingRules",
    "isSubquery",
    "supportsColumnar",
    "codegenStageId",
    "isStreaming",
    "requiredChildDistributionExpressions",
    "initialInputBufferOffset",
    "outputLimit",
    "cacheId",
    "isFinalStage",
});

std::string name_of(const JsonTree& json, Index object, std::string_view java) {
  std::string_view name = java;
  if (name.ends_with("Exec")) name.remove_suffix(4);
  if (name == "WholeStageCodegen") {
    const std::optional<std::int64_t> number = json.integer(object, "codegenStageId");
    return number && *number > 0 ? "WholeStageCodegen (" + std::to_string(*number) + ")" : "WholeStageCodegen";
  }
  if (name == "ShuffleExchange") return "Exchange";
  return std::string(name);
}

std::string flag_text(const JsonTree& json, Index at) { return json[at].flag ? "true" : "false"; }

// One value as Spark's argString prints it; nothing for what it leaves out.
std::optional<std::string> value_text(const JsonTree& json, Index at, int depth = 0) {
  constexpr int kDeepest = 8;  // Expand has lists of lists
  switch (json[at].type) {
    case Type::Null: return std::nullopt;
    case Type::Flag: return flag_text(json, at);
    case Type::Integer: return std::to_string(json[at].integer);
    case Type::Number: return std::to_string(json[at].number);
    case Type::String: return plan_info::decoded(json.text(), json[at].text);
    case Type::Object: {
      const std::string_view object = json.raw(json.string_range(at, "object"));
      if (!object.empty()) return std::string(short_class(object));
      const std::string_view product = short_class(json.raw(json.string_range(at, "product-class")));
      if (product == "HashedRelationBroadcastMode") {
        std::string keys;
        for (const Index key : json.children(json.find(at, "key")))
          keys += (keys.empty() ? "" : ", ") + expression_text(json, key);
        const Index flag = json.find(at, "isNullAware");
        const bool is_null_aware = flag != JsonTree::kNone && json[flag].flag;
        return "HashedRelationBroadcastMode(List(" + keys + ")," + (is_null_aware ? "true" : "false") + ")";
      }
      if (product == "RoundRobinPartitioning")
        return "RoundRobinPartitioning(" + std::to_string(json.integer(at, "numPartitions").value_or(0)) + ")";
      return std::nullopt;
    }
    case Type::Array: break;
  }
  if (is_tree_node(json, at)) {
    // Plans, logical ones among them, are no arguments.
    const std::string_view java = json.raw(json.string_range(at + 1, "class"));
    const bool is_plan =
        java.ends_with("Exec") || java.find(".plans.logical.") != std::string_view::npos || java.ends_with("Relation");
    return is_plan ? std::nullopt : std::optional(expression_text(json, at));
  }
  const std::vector<Index> items = json.children(at);
  if (items.empty() || depth > kDeepest) return std::nullopt;
  std::string text = "[";
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i != 0) text += ", ";
    text += value_text(json, items[i], depth + 1).value_or("null");
  }
  return text + "]";
}

std::string list_text(const JsonTree& json, Index object, std::string_view key) {
  const Index at = json.find(object, key);
  return at == JsonTree::kNone ? "[]" : value_text(json, at).value_or("[]");
}

// "keys=[a#1], functions=[partial_sum(b#2)], output=[..]"
std::string aggregate_text(const JsonTree& json, Index object, std::string_view name) {
  // Complete and final aggregates print what they make of their results, the others their buffers.
  std::string output;
  for (const Index result : json.children(json.find(object, "resultExpressions"))) {
    std::string text = expression_text(json, result);
    if (const std::size_t alias = text.rfind(" AS "); alias != std::string::npos) text.erase(0, alias + 4);
    output += (output.empty() ? "" : ", ") + text;
  }
  return std::string(name == "SortAggregate" ? "(key=" : "(keys=") + list_text(json, object, "groupingExpressions") +
         ", functions=" + list_text(json, object, "aggregateExpressions") + ", output=[" + output + "])";
}

std::string without_blanks_behind_commas(std::string text) {
  for (std::size_t at = 0; (at = text.find(", ", at)) != std::string::npos; ++at) text.erase(at + 1, 1);
  return text;
}

std::string top_text(const JsonTree& json, Index object) {
  std::string output;
  for (const Index column : json.children(json.find(object, "projectList"))) {
    std::string text = expression_text(json, column);
    output += (output.empty() ? "" : ",") + text;
  }
  return "(limit=" + std::to_string(json.integer(object, "limit").value_or(0)) +
         ", orderBy=" + list_text(json, object, "sortOrder") + ", output=[" + output + "])";
}

std::string file_scan_text(const JsonTree& json, Index object) {
  std::string text = without_blanks_behind_commas(list_text(json, object, "output"));
  text += " DataFilters: " + list_text(json, object, "dataFilters");
  text += ", PartitionFilters: " + list_text(json, object, "partitionFilters");
  const Index schema = json.find(object, "requiredSchema");
  const std::string columns = schema == JsonTree::kNone ? std::string() : type_text(json, schema);
  if (!columns.empty()) text += ", ReadSchema: " + columns;
  return text;
}

}  // namespace

OperatorLine operator_line(const JsonTree& json, Index object) {
  const std::string_view java = class_of(json, object);
  OperatorLine line{name_of(json, object, java), {}};
  if (line.name.starts_with("WholeStageCodegen") || line.name == "InputAdapter") return line;
  if (line.name.ends_with("HashAggregate") || line.name == "SortAggregate") {
    line.arguments = aggregate_text(json, object, line.name);
    return line;
  }
  if (line.name == "TakeOrderedAndProject") {
    line.arguments = top_text(json, object);
    return line;
  }
  if (line.name == "FileSourceScan") {
    line.name = "FileScan";
    line.arguments = file_scan_text(json, object);
    return line;
  }
  if (line.name == "Subquery") {
    line.arguments = json.string(object, "name");
    return line;
  }
  for (const Index member : json.children(object)) {
    const std::string_view key = json.key(member);
    if (std::find(kNotPrinted.begin(), kNotPrinted.end(), key) != kNotPrinted.end()) continue;
    if (key == "offset" && json[member].integer == 0) continue;
    const std::optional<std::string> text = value_text(json, member);
    if (!text) continue;
    if (!line.arguments.empty()) line.arguments += ", ";
    line.arguments += *text;
  }
  return line;
}

}  // namespace planvet::read::tree_node
